package contentwire

import (
	"servery/internal/server/wire"
	"servery/internal/site"
)

// Page converts a page that the brand has written.
func (s Localizer) Page(p *site.Page) wire.Page {
	w := wire.Page{Alias: p.Alias, Title: s.Text(p.Title), Lang: s.ForeignLang(p.Title), Description: s.Optional(p.Description), Sections: []wire.PageSection{}}
	for _, section := range p.Sections {
		w.Sections = append(w.Sections, wire.PageSection{Heading: s.Optional(section.Heading), Text: s.Text(section.Text), Lang: s.ForeignLang(section.Text)})
	}
	return w
}

// PageLinks returns links to the pages of a city; for nil, to the pages outside of any city.
func (s Localizer) PageLinks(city *site.City) []wire.PageLink {
	links := []wire.PageLink{}
	for _, p := range s.Site.PagesOf(city) {
		links = append(links, wire.PageLink{Alias: p.Alias, Title: s.Text(p.Title)})
	}
	return links
}
