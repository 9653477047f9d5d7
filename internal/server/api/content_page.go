package api

import (
	"context"

	"servery/internal/fault"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// GetPage is GET /pages/{alias}.
func (s *Server) GetPage(ctx context.Context, req wire.GetPageRequestObject) (wire.GetPageResponseObject, error) {
	v := s.visits.Context(ctx)
	var city *site.City
	if id := req.Params.CityID; id != nil {
		var err error
		if city, err = v.City(*id); err != nil {
			return nil, err
		}
	}
	p, ok := v.Site.Page(req.Alias, city)
	if !ok {
		return nil, fault.New(fault.NotFound, "common.not_found")
	}
	return wire.GetPage200JSONResponse{Page: localizerOf(v).page(p)}, nil
}

// page converts a page of the brand's words.
func (s localizer) page(p *site.Page) wire.Page {
	w := wire.Page{Alias: p.Alias, Title: s.Text(p.Title), Lang: s.ForeignLang(p.Title), Description: s.Optional(p.Description), Sections: []wire.PageSection{}}
	for _, section := range p.Sections {
		w.Sections = append(w.Sections, wire.PageSection{Heading: s.Optional(section.Heading), Text: s.Text(section.Text), Lang: s.ForeignLang(section.Text)})
	}
	return w
}

// pageLinks returns links to the pages of a city; city is nil for those outside of any city.
func (s localizer) pageLinks(city *site.City) []wire.PageLink {
	links := []wire.PageLink{}
	for _, p := range s.Site.PagesOf(city) {
		links = append(links, wire.PageLink{Alias: p.Alias, Title: s.Text(p.Title)})
	}
	return links
}
