package api

import (
	"context"
	"net"
	"time"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/server/contentwire"
	"servery/internal/server/convert"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// PageQuery names the document that page data is for.
type PageQuery struct {
	Page wire.PageDataPage
	// City is nil for a page of no city.
	City *site.City
	// Path is the path of the page below its city.
	Path string
	// Content is the alias of the brand's texts that the page shows; empty for a page without them.
	Content string
	// Port is the port of the address, which links to the other brands have too; empty for none.
	Port string
	// WithMenu adds the menu to a home page. Without the menu the data is made quickly for any city.
	WithMenu bool
	// WithShops adds the shops of the city.
	WithShops bool
}

// PageData returns the data that a document shows, for the site and in the language of the context, and
// the time until which the data holds. A zero time means that it holds until content, stops or the day of
// the city change.
func (s *Server) PageData(ctx context.Context, q PageQuery) (wire.PageData, time.Time, error) {
	in := request.From(ctx)
	l := newLocalizer(in.Site, in.Lang)
	data := wire.PageData{Page: q.Page, Lang: string(in.Lang), ReportsErrors: s.reportsErrors(), Site: s.wireSite(l, q.Port), Cities: l.CityList()}
	until := s.Catalog.Current().AlertsUntil()
	if p, ok := in.Site.Page(q.Content, q.City); ok {
		content := l.Page(p)
		data.Content = &content
	}
	if q.City == nil {
		data.Path = convert.OrNil(q.Path)
		return data, until, nil
	}
	place, err := s.findPlace(ctx, pagePlace(q.City))
	if err != nil {
		return data, until, err
	}
	wired := l.City(place.city, place.Snapshot, place.Now)
	wired.MapFile = s.mapFile(ctx, in.Site, place.city)
	data.City = &wired
	path := "/" + q.City.Alias + q.Path
	data.Path = &path
	data.Place = &wire.Place{CityID: q.City.ID, OrderType: wire.OrderType(place.spot.OrderType)}
	if q.Page == wire.Home && q.WithMenu {
		until = contentwire.FirstOf(until, s.menuUntil(place)) // before the menu: the popular products may become known in between
		menu := s.wireMenu(ctx, place)
		data.Menu = &menu
	}
	if q.WithShops {
		shops := l.Shops(place.Snapshot, place.city, place.Now)
		data.Shops = &shops
		until = contentwire.FirstOf(until, contentwire.ShopsUntil(place.Snapshot.Atlas(place.Site).Shops(place.city.ID), place.city, place.Now))
	}
	return data, until, nil
}

// PageMenu returns the menu that the document of a city shows to all visitors.
func (s *Server) PageMenu(ctx context.Context, city *site.City) (*catalog.Menu, error) {
	place, err := s.findPlace(ctx, pagePlace(city))
	return place.menu, err
}

// pagePlace returns the place that a document shows to all visitors: delivery by the city's first
// zone, or takeaway where there is no delivery.
func pagePlace(city *site.City) cart.PlaceRequest {
	if city.Delivery {
		return cart.PlaceRequest{CityID: city.ID, OrderType: site.Delivery}
	}
	return cart.PlaceRequest{CityID: city.ID, OrderType: site.Takeaway}
}

// wireSite converts the brand, with links to the other brands at the port, which may be empty.
func (s *Server) wireSite(l localizer, port string) wire.Site {
	st := l.Site
	w := wire.Site{
		Alias: st.Alias, Name: l.Text(st.Name), Slogan: l.Optional(st.Slogan),
		Logo: convert.OrNil(st.Logo), LogoDark: convert.OrNil(st.LogoDark), Phone: convert.OrNil(st.Phone), Email: convert.OrNil(st.Email),
		Languages: []string{}, Links: []wire.SiteLink{}, Pages: l.PageLinks(nil), Brands: []wire.BrandLink{}, DefaultLanguage: string(st.DefaultLanguage), ShowLangButton: st.Settings.ShowLangButton,
		IsAuthEnabled: st.Settings.IsAuthEnabled, GuestOrders: st.Settings.GuestsOrder(), CodeLength: st.Settings.CodeLength,
		NotificationChannels: s.channels(st), Captcha: s.wireCaptcha(st), EnableFractionalPrices: st.Settings.EnableFractionalPrices,
		ShowPopularProductGroups: st.Settings.ShowPopularProductGroups,
		MapTiles:                 st.Settings.MapTiles, MapAttribution: convert.OrNil(st.Settings.MapAttribution),
	}
	if a := st.Analytics; a != (site.Analytics{}) {
		w.Analytics = &wire.Analytics{Ga4ID: convert.OrNil(a.GA4)}
		if a.Metrika != 0 {
			w.Analytics.MetrikaID = &a.Metrika
		}
	}
	for _, language := range st.Languages {
		w.Languages = append(w.Languages, string(language))
	}
	for _, link := range st.Links {
		w.Links = append(w.Links, wire.SiteLink{Kind: link.Kind, URL: link.URL, Text: l.Text(link.Text)})
	}
	for _, other := range s.Catalog.Current().Sites.All() {
		if other.Alias == st.Alias || len(other.Hosts) == 0 {
			continue
		}
		host := other.Hosts[0]
		if port != "" {
			host = net.JoinHostPort(host, port)
		}
		w.Brands = append(w.Brands, wire.BrandLink{Name: l.Text(other.Name), URL: "//" + host})
	}
	return w
}
