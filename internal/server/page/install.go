package page

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/server/convert"
	"servery/internal/server/precompressed"
	"servery/internal/server/request"
	"servery/internal/site"
)

// ManifestPath is the address of the manifest: what a phone needs to know of a page to install it.
const ManifestPath = "/manifest.webmanifest"

// appManifest describes a brand's page as an app, in the words of the standard.
type appManifest struct {
	ID              string        `json:"id"`
	Name            string        `json:"name"`
	ShortName       string        `json:"short_name"`
	Description     string        `json:"description,omitempty"`
	Lang            lang.Lang     `json:"lang"`
	StartURL        string        `json:"start_url"`
	Scope           string        `json:"scope"`
	Display         string        `json:"display"`
	ThemeColor      string        `json:"theme_color,omitempty"`
	BackgroundColor string        `json:"background_color,omitempty"`
	Icons           []appIcon     `json:"icons,omitempty"`
	Shortcuts       []appShortcut `json:"shortcuts,omitempty"`
}

type appIcon struct {
	Src     string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type,omitempty"`
	Purpose string `json:"purpose"`
}

type appShortcut struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// manifestPath returns the address of the manifest that opens the city's page; city is nil where none
// is known. The language is part of it because browsers ask for manifests without cookies.
func manifestPath(city *site.City, l lang.Lang) string {
	query := url.Values{request.LanguageParam: {string(l)}}
	if city != nil {
		query.Set("city", city.Alias)
	}
	return ManifestPath + "?" + query.Encode()
}

// iconOf returns the address of the brand's icon for a purpose, empty for none.
func iconOf(st *site.Site, purpose site.IconPurpose) string {
	for _, icon := range st.AppIcons {
		if icon.Purpose == purpose {
			return icon.Src
		}
	}
	return ""
}

// newAppManifest returns the manifest of a brand; city is nil where none is known.
func newAppManifest(texts convert.Localizer, st *site.Site, city *site.City) appManifest {
	m := appManifest{
		ID: "/", Name: texts.Text(st.Name), ShortName: texts.Text(st.Name), Description: texts.Text(st.Slogan), Lang: texts.Lang,
		StartURL: "/", Scope: "/", Display: "standalone", ThemeColor: st.Ground, BackgroundColor: st.Ground, Icons: listAppIcons(st),
	}
	if m.Description != "" {
		m.Name += " — " + m.Description
	}
	if city != nil {
		lastOrder := "/" + city.Alias + "/order/last/tracking"
		m.StartURL = "/" + city.Alias
		m.Shortcuts = []appShortcut{
			{texts.Message(fault.Message{Key: "page.repeat_order"}), lastOrder + "#repeat"},
			{texts.Message(fault.Message{Key: "page.track_order"}), lastOrder},
		}
	}
	return m
}

// listAppIcons returns the icons of a brand's manifest: those that import has made, or else the icon
// as it is.
func listAppIcons(st *site.Site) []appIcon {
	var icons []appIcon
	for _, icon := range st.AppIcons {
		if icon.Purpose == site.AnyIcon || icon.Purpose == site.MaskableIcon {
			sizes := fmt.Sprintf("%dx%d", icon.Size, icon.Size)
			icons = append(icons, appIcon{Src: icon.Src, Sizes: sizes, Type: "image/png", Purpose: string(icon.Purpose)})
		}
	}
	if len(icons) == 0 && st.Icon != "" {
		icons = append(icons, appIcon{Src: st.Icon, Sizes: "any", Purpose: string(site.AnyIcon)})
	}
	return icons
}

// ServeManifest answers GET /manifest.webmanifest?city=moscow&lang=ru with the manifest of the brand, which
// opens the city's page. Both parameters may be absent or unknown.
func (s *Server) ServeManifest(w http.ResponseWriter, r *http.Request) {
	in := request.From(r.Context())
	texts := convert.Localizer{Site: in.Site, Lang: in.Lang}
	city, _ := in.Site.CityByAlias(r.URL.Query().Get("city"))
	body, err := json.Marshal(newAppManifest(texts, in.Site, city))
	if err != nil {
		s.problem(w, r, fmt.Errorf("encode manifest: %w", err))
		return
	}
	packed, err := precompressed.CompressFast(body)
	if err != nil {
		s.problem(w, r, fmt.Errorf("pack manifest: %w", err))
		return
	}
	answer := precompressed.Answer{
		Body: packed, Request: r, ContentType: "application/manifest+json; charset=utf-8", Status: http.StatusOK, Caching: manifestCaching,
	}
	_ = answer.Send(w) // a failing write means that the client has closed the connection
}

var (
	// manifestCaching lets browsers keep a manifest for an hour: it changes with the content only.
	manifestCaching = precompressed.Caching{Control: "public, max-age=3600", Vary: "Accept-Encoding, Accept-Language, Cookie"}
	// workerCaching makes browsers ask at each visit whether there is another worker.
	workerCaching = precompressed.Caching{Control: "no-cache", Vary: "Accept-Encoding"}
)

// ServeWorker answers GET /sw.js with the script that keeps the page readable without a network.
func (s *Server) ServeWorker(w http.ResponseWriter, r *http.Request) {
	body, err := s.worker()
	if err != nil {
		s.problem(w, r, err)
		return
	}
	answer := precompressed.Answer{Body: body, Request: r, ContentType: "text/javascript; charset=utf-8", Status: http.StatusOK, Caching: workerCaching}
	_ = answer.Send(w) // a failing write means that the client has closed the connection
}
