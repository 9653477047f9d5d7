package server

import (
	"bytes"
	"html/template"

	"servery/internal/lang"
	"servery/internal/site"
	"servery/web"
)

// head is what a document says of itself to browsers and search engines.
type head struct {
	Title, Description string
	// Canonical is absolute when the settings tell the public address; empty keeps the
	// page out of indexes.
	Canonical string
}

// document is one HTML page: what the components rendered, and beside it the data
// they were given. It carries no inline script or style, so the policy of
// securityHeaders holds.
type document struct {
	Head     head
	Lang     lang.Lang
	Brand    string
	Icon     string
	NoScript string
	Scripts  []string
	Styles   []string
	Fonts    []string
	Entry    string
	// Body is the HTML of the components; template.HTML because they escape it.
	Body template.HTML
	// Data is JSON with every "<" escaped, so that it cannot end its element.
	Data template.JS
}

var documentTemplate = template.Must(template.New("document").Parse(`<!doctype html>
<html lang="{{.Lang}}" data-brand="{{.Brand}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<title>{{.Head.Title}}</title>
{{with .Head.Description}}<meta name="description" content="{{.}}">
{{end}}<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
{{if .Head.Canonical}}<link rel="canonical" href="{{.Head.Canonical}}">
<meta property="og:title" content="{{.Head.Title}}">
<meta property="og:description" content="{{.Head.Description}}">
<meta property="og:url" content="{{.Head.Canonical}}">
{{else}}<meta name="robots" content="noindex">
{{end}}{{range .Styles}}<link rel="stylesheet" href="{{.}}">
{{end}}{{range .Fonts}}<link rel="preload" href="{{.}}" as="font" type="font/woff2" crossorigin>
{{end}}{{range .Scripts}}<link rel="modulepreload" href="{{.}}">
{{end}}{{with .Icon}}<link rel="icon" href="{{.}}">
{{end}}</head>
<body>
<div id="root">{{.Body}}</div>
<noscript>{{.NoScript}}</noscript>
<script type="application/json" id="page-data">{{.Data}}</script>
<script type="module" src="{{.Entry}}"></script>
</body>
</html>
`))

// write puts the document together.
func (d document) write() ([]byte, error) {
	var b bytes.Buffer
	if err := documentTemplate.Execute(&b, d); err != nil {
		return nil, err //nolint:wrapcheck // the caller names the page
	}
	return b.Bytes(), nil
}

// newDocument names the files of the page's build that this page needs early.
func newDocument(m web.Manifest, page string, l lang.Lang, st *site.Site) document {
	d := document{Lang: l, Brand: st.Theme, Icon: st.Icon, Entry: m.Entry}
	d.Styles = append(d.Styles, m.Styles...)
	d.Styles = append(d.Styles, m.Routes[page].Styles...)
	d.Scripts = append(d.Scripts, m.Scripts...)
	d.Scripts = append(d.Scripts, m.Routes[page].Scripts...)
	d.Scripts = append(d.Scripts, m.Languages[string(l)].Scripts...)
	d.Fonts = m.Languages[string(l)].Fonts
	return d
}
