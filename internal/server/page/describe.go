package page

import (
	"context"
	"fmt"
	"html/template"
	"strings"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/server/api"
	"servery/internal/server/convert"
	"servery/internal/server/request"
	"servery/internal/server/schemaorg"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// pageOfShops is the page that describes the shops of a city to search engines.
const pageOfShops = "shops"

// addressesOf returns the addresses of a brand for search engines.
func (s *Server) addressesOf(st *site.Site) addresses {
	return addresses{base: s.siteAddresses.Canonical(st), brand: st}
}

// describeDocument returns the JSON-LD of a page for search engines: the brand, the way to the page, the
// shops of the city on the page of shops, and the city's menu on a home page with a menu.
func (s *Server) describeDocument(ctx context.Context, q api.PageQuery, h head, data wire.PageData) (template.JS, error) {
	in := request.From(ctx)
	texts := convert.Localizer{Site: in.Site, Lang: in.Lang}
	to := s.addressesOf(in.Site)
	p := schemaorg.Page{
		Texts: texts, Base: to.base, City: q.City, Trail: trailOf(texts, q, data),
		Address: func(path string) string { return to.inLanguage(path, in.Lang) }, Title: h.Title,
	}
	if q.City != nil {
		p.Day = clock.DayOf(s.clock.Now(), q.City.Location)
		if strings.TrimPrefix(q.Path, "/") == pageOfShops {
			p.Shops = s.catalog.Current().Atlas(in.Site).Shops(q.City.ID)
		}
		if q.WithMenu && q.Page == wire.Home {
			var err error
			if p.Menu, err = s.calls.PageMenu(ctx, q.City); err != nil {
				return "", err
			}
		}
	}
	described, err := p.Marshal()
	if err != nil {
		return "", fmt.Errorf("describe page %s: %w", q.Page, err)
	}
	return template.JS(described), nil //nolint:gosec // encoding/json escaped it
}

// trailOf returns the way from the page of the brand, which is that of its city where it has one alone, to the page of
// the query.
func trailOf(texts convert.Localizer, q api.PageQuery, data wire.PageData) []schemaorg.Step {
	trail := []schemaorg.Step{{Name: texts.Text(texts.Site.Name), Path: "/"}}
	only, isOnly := texts.Site.OnlyCity()
	if isOnly {
		trail[0].Path = "/" + only.Alias
	}
	path := ""
	if q.City != nil {
		path = "/" + q.City.Alias
	}
	if q.City != nil && !isOnly {
		trail = append(trail, schemaorg.Step{Name: texts.Text(q.City.Name), Path: path})
	}
	alias := strings.TrimPrefix(q.Path, "/")
	switch {
	case q.Page != wire.Public: // the trail ends with the brand or the city
	case site.IsPublicPage(alias):
		trail = append(trail, schemaorg.Step{Name: texts.Message(fault.Message{Key: "page." + alias + "_name"}), Path: path + q.Path})
	default:
		trail = append(trail, schemaorg.Step{Name: data.Content.Title, Path: path + q.Path})
	}
	return trail
}
