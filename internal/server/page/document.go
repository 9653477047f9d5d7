package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/web"
)

// document is one HTML page: what the components rendered, and beside it the data
// that they rendered. It carries no inline script or style, so the policy of
// [SecurityHeaders] holds.
type document struct {
	Head head
	Lang lang.Lang
	// Scheme is what the page's colours follow, "light dark" for the visitor's choice, and Grounds
	// are those behind it.
	Scheme  string
	Grounds []ground
	// Festive names the festive colours of the day; empty for none.
	Festive string
	Icon    string
	// TouchIcon is the icon of the home screen where manifests are not read; empty for none.
	TouchIcon string
	// TabIcon is the ICO of tabs, for browsers without drawings; empty for none.
	TabIcon string
	// AppManifest is the address of what describes the page to be installed.
	AppManifest string
	Notice      notice
	Scripts     []string
	Styles      []string
	Fonts       []string
	Entry       string
	// StartWatch is the script that loads the page again when a part of its start was lost, and shows
	// the notice when the entry has not started in time. It runs before the entry, to hear its loss.
	StartWatch string
	// Body is the HTML of the components; template.HTML because they escape it.
	Body template.HTML
	// Data is JSON with every "<" escaped, so that it cannot end its element. So is Described, what
	// the page says to search engines; it is empty where it says nothing.
	Data, Described template.JS
}

// ground is the colour behind the page where a media query holds; without one it holds always.
type ground struct{ Color, Media string }

// notice is what a page says whose script does not run: in a browser that is too old or
// keeps scripts off, or when a file was lost on the way. It waits in every document, above
// the page, because only the server can put it there.
type notice struct {
	NotStarted, Reload, NoScript string
	// CallUs stands before the phone; both are empty where the brand has none.
	CallUs, Phone string
	// Call is a link that calls the phone; template.URL because the scheme is none of the web's.
	Call template.URL
}

// newNotice returns the notice in the visitor's language, with the phone of the city or else of
// the brand.
func newNotice(texts convert.Localizer, st *site.Site, city *site.City) notice {
	say := func(key string) string { return texts.Message(fault.Message{Key: key}) }
	n := notice{NotStarted: say("page.not_started"), Reload: say("page.reload"), NoScript: say("page.no_script"), Phone: st.Phone}
	if city != nil && city.Phone != "" {
		n.Phone = city.Phone
	}
	if n.Phone != "" {
		n.CallUs, n.Call = say("page.call_us"), callLink(n.Phone)
	}
	return n
}

// callLink returns the tel: link of a phone number as people write it: "+7 (495) 123-45-67".
func callLink(phone string) template.URL {
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, phone)
	if strings.HasPrefix(strings.TrimSpace(phone), "+") {
		digits = "+" + digits
	}
	return template.URL("tel:" + digits) //nolint:gosec // nothing but digits
}

// pageDataTag begins the element with the page's data. Rendered HTML has no such text: React
// escapes it. With the mark of [staleDataTag] the page asks for its data again.
const (
	pageDataTag  = `<script type="application/json" id="page-data">`
	staleDataTag = `<script type="application/json" id="page-data" data-stale>`
)

var documentTemplate = template.Must(template.New("document").Parse(`<!doctype html>
<html lang="{{.Lang}}"{{with .Festive}} data-festive="{{.}}"{{end}}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<title>{{.Head.Title}}</title>
{{with .Head.Description}}<meta name="description" content="{{.}}">
{{end}}<meta name="color-scheme" content="{{.Scheme}}">
{{range .Grounds}}<meta name="theme-color" content="{{.Color}}"{{with .Media}} media="{{.}}"{{end}}>
{{end}}<meta name="format-detection" content="telephone=no">
{{with .Head}}{{if .Canonical}}<link rel="canonical" href="{{.Canonical}}">
{{range .Alternates}}<link rel="alternate" hreflang="{{.Lang}}" href="{{.Address}}">
{{end}}{{template "card" .Card}}{{else}}<meta name="robots" content="noindex">
{{end}}{{end}}{{range .Styles}}<link rel="stylesheet" href="{{.}}">
{{end}}{{range .Fonts}}<link rel="preload" href="{{.}}" as="font" type="font/woff2" crossorigin>
{{end}}{{range .Scripts}}<link rel="modulepreload" href="{{.}}">
{{end}}{{with .TabIcon}}<link rel="icon" href="{{.}}" sizes="32x32">
{{end}}{{with .Icon}}<link rel="icon" href="{{.}}">
{{end}}{{with .TouchIcon}}<link rel="apple-touch-icon" href="{{.}}">
{{end}}<link rel="manifest" href="{{.AppManifest}}">
{{with .StartWatch}}<script src="{{.}}" defer></script>
{{end}}</head>
<body>
{{with .Notice}}<div class="start-notice" id="start-notice" role="alert" hidden><p>{{.NotStarted}} <a href="">{{.Reload}}</a></p>{{template "call" .}}</div>
<noscript><div class="start-notice"><p>{{.NoScript}}</p>{{template "call" .}}</div></noscript>
{{end}}<div id="root">{{.Body}}</div>
` + pageDataTag + `{{.Data}}</script>
<script type="module" src="{{.Entry}}"></script>
{{with .Described}}<script type="application/ld+json">{{.}}</script>
{{end}}</body>
</html>
{{define "call"}}{{with .Phone}}<p>{{$.CallUs}} <a href="{{$.Call}}">{{.}}</a></p>{{end}}{{end}}
{{define "card"}}` + cardStart + `
<meta property="og:site_name" content="{{.SiteName}}">
<meta property="og:locale" content="{{.Locale}}">
<meta property="og:title" content="{{.Title}}">
<meta property="og:description" content="{{.Description}}">
<meta property="og:url" content="{{.URL}}">
{{with .Picture}}<meta property="og:image" content="{{.URL}}">
<meta property="og:image:width" content="{{.Width}}">
<meta property="og:image:height" content="{{.Height}}">
<meta property="og:image:alt" content="{{.Text}}">
{{end}}` + cardEnd + `
{{end}}`))

// The first and the last element of a card.
const (
	cardStart = `<meta property="og:type" content="website">`
	cardEnd   = `<meta name="twitter:card" content="summary_large_image">`
)

// writeHTML returns the document as HTML.
func (d document) writeHTML() ([]byte, error) {
	var b bytes.Buffer
	if err := documentTemplate.Execute(&b, d); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// newDocument returns a document with the files of the build that the page needs early, and with the
// brand's look. page names a route of the manifest; empty for a page that is no route.
func newDocument(m web.Manifest, page string, l lang.Lang, st *site.Site) document {
	d := document{Lang: l, Scheme: "light dark", Icon: st.Icon, Entry: m.Entry, StartWatch: m.StartWatch}
	d.Styles = append(d.Styles, m.Styles...)
	d.Styles = append(d.Styles, m.Routes[page].Styles...)
	d.Scripts = append(d.Scripts, m.Scripts...)
	d.Scripts = append(d.Scripts, m.Routes[page].Scripts...)
	d.Scripts = append(d.Scripts, m.Languages[string(l)].Scripts...)
	d.applyLook(st.Look)
	return d
}

// applyLook adds the style sheet, the fonts and the colours of a brand's look; nil is the usual look,
// which is a part of the page. A look with one ground has the same colours for all visitors; with several
// grounds each is for those visitors who have chosen its scheme.
func (d *document) applyLook(look *site.Look) {
	if look == nil {
		return
	}
	if look.Sheet != "" {
		d.Styles = append(d.Styles, look.Sheet)
	}
	d.Fonts = look.Fonts[d.Lang]
	if len(look.Grounds) == 1 {
		d.Scheme, d.Grounds = look.Scheme, []ground{{Color: look.Grounds[0].Color}}
		return
	}
	for _, g := range look.Grounds {
		d.Grounds = append(d.Grounds, ground{g.Color, "(prefers-color-scheme: " + g.Scheme + ")"})
	}
}

// composeDocument returns the document for page data, without the HTML of the components. below is the
// path of the page below its city.
func (s *Server) composeDocument(st *site.Site, l lang.Lang, data wire.PageData, city *site.City, below string) (document, error) {
	var b bytes.Buffer
	// The encoder escapes "<", so the text cannot end the element that holds it.
	if err := json.NewEncoder(&b).Encode(data); err != nil {
		return document{}, fmt.Errorf("encode page data: %w", err)
	}
	d := newDocument(s.manifest, string(data.Page), l, st)
	d.Data = template.JS(bytes.TrimSpace(b.Bytes())) //nolint:gosec // encoding/json escaped it
	texts := convert.Localizer{Site: st, Lang: l}
	d.Head = newHead(texts, s.addressesOf(st), data, city, below)
	d.TouchIcon, d.AppManifest = iconOf(st, site.TouchIcon), manifestPath(city, l)
	if iconOf(st, site.TabIcon) != "" {
		d.TabIcon = TabIconPath
	}
	d.Festive = st.Look.FestiveOn(dayOf(s.clock.Now(), st, city))
	d.Notice = newNotice(texts, st, city)
	return d, nil
}
