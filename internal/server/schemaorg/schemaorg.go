// Package schemaorg describes a brand, its restaurants and its menu to search engines, in the words
// of https://schema.org and as JSON-LD. What it says follows from content and stops alone, so that
// it is made together with a document and sent as often as that.
package schemaorg

import (
	"encoding/json"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/geo"
	"servery/internal/server/convert"
	"servery/internal/site"
)

// Page is what a document shows.
type Page struct {
	Texts convert.Localizer
	// Base is the address of the brand, without a slash at its end; empty when it is not known.
	Base string
	// Address returns the address, in the language of the texts, of the page at a path.
	Address func(path string) string
	Title   string
	// City is nil for a page of no city.
	City *site.City
	// Day is the day in the city.
	Day clock.Day
	// Trail leads from the page of the brand to this page, which is the last of it.
	Trail []Step
	// Shops are those of the city, on the page that shows them.
	Shops []*geo.Shop
	// Menu is that of the city, on the page that shows it.
	Menu *catalog.Menu
}

// Step is a page on the way to another.
type Step struct{ Name, Path string }

// graph is what one document says.
type graph struct {
	Context string `json:"@context"`
	Nodes   []any  `json:"@graph"`
}

// reference names a node that is described elsewhere.
type reference struct {
	ID string `json:"@id"`
}

// Marshal returns what the page says as JSON-LD. Every "<" is escaped, so that the text cannot end
// the element that holds it.
func (p Page) Marshal() ([]byte, error) {
	nodes := []any{p.organization()}
	if len(p.Trail) > 1 {
		nodes = append(nodes, p.breadcrumbs())
	}
	for _, shop := range p.Shops {
		nodes = append(nodes, p.restaurant(shop))
	}
	if p.Menu != nil {
		nodes = append(nodes, p.menu())
	}
	return json.Marshal(graph{Context: "https://schema.org", Nodes: nodes})
}

// absolute returns the whole address of a file of this server; empty for none.
func (p Page) absolute(src string) string {
	if src == "" {
		return ""
	}
	return p.Base + src
}

// organizationID names the brand in all documents.
func (p Page) organizationID() string { return p.Base + "/#brand" }

// organization is the brand.
type organization struct {
	Type   string   `json:"@type"`
	ID     string   `json:"@id"`
	Name   string   `json:"name"`
	Slogan string   `json:"slogan,omitempty"`
	URL    string   `json:"url"`
	Logo   string   `json:"logo,omitempty"`
	Image  string   `json:"image,omitempty"`
	Phone  string   `json:"telephone,omitempty"`
	Email  string   `json:"email,omitempty"`
	SameAs []string `json:"sameAs,omitempty"`
}

// social is the kind of the links that lead to the brand itself at another place.
const social = "social"

// organization converts the brand, with its links to pages of kind social.
func (p Page) organization() organization {
	st := p.Texts.Site
	o := organization{
		Type: "Organization", ID: p.organizationID(), Name: p.Texts.Text(st.Name), Slogan: p.Texts.Text(st.Slogan), URL: p.Address("/"),
		Logo: p.absolute(logoOf(st)), Image: p.picture(), Phone: st.Phone, Email: st.Email,
	}
	for _, link := range st.Links {
		if link.Kind == social {
			o.SameAs = append(o.SameAs, link.URL)
		}
	}
	return o
}

// logoOf returns the address of the brand's largest square icon, or else of its logo.
func logoOf(st *site.Site) string {
	logo, size := st.Logo, 0
	for _, icon := range st.AppIcons {
		if icon.Purpose == site.AnyIcon && icon.Size > size {
			logo, size = icon.Src, icon.Size
		}
	}
	return logo
}

// picture returns the address of the picture that stands for the brand, empty for none.
func (p Page) picture() string {
	if share := p.Texts.Site.Share; share != nil {
		return p.absolute(share.Src)
	}
	return ""
}

// breadcrumbList is the way to a page.
type breadcrumbList struct {
	Type  string     `json:"@type"`
	Items []listItem `json:"itemListElement"`
}

type listItem struct {
	Type     string `json:"@type"`
	Position int    `json:"position"`
	Name     string `json:"name"`
	Item     string `json:"item"`
}

// breadcrumbs converts the trail to the page.
func (p Page) breadcrumbs() breadcrumbList {
	list := breadcrumbList{Type: "BreadcrumbList"}
	for i, step := range p.Trail {
		list.Items = append(list.Items, listItem{Type: "ListItem", Position: i + 1, Name: step.Name, Item: p.Address(step.Path)})
	}
	return list
}
