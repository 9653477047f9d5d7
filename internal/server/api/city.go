package api

import (
	"context"
	"slices"

	"servery/internal/citymap"
	"servery/internal/fault"
	"servery/internal/schedule"
	"servery/internal/server/contentwire"
	"servery/internal/server/orderwire"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// ListCities is GET /cities: it returns the cities of the request's brand.
func (s *Server) ListCities(ctx context.Context, _ wire.ListCitiesRequestObject) (wire.ListCitiesResponseObject, error) {
	return wire.ListCities200JSONResponse(localizerOf(s.visits.Context(ctx)).CityList()), nil
}

// GetCity is GET /cities/{alias}: it returns a city with its zones, opening hours and popular products. It
// returns cart.unknown_city (NotFound) for an unknown alias.
func (s *Server) GetCity(ctx context.Context, req wire.GetCityRequestObject) (wire.GetCityResponseObject, error) {
	v := s.visits.Context(ctx)
	city, ok := v.Site.CityByAlias(req.Alias)
	if !ok {
		return nil, fault.New(fault.NotFound, "cart.unknown_city")
	}
	w := localizerOf(v).City(city, v.Snapshot, v.Now)
	w.MapFile = s.mapFile(ctx, v.Site, city)
	url := s.siteAddresses.Origin(request.From(ctx), v.Site) + "/" + city.Alias
	isFree := contentwire.IsFreeCall(city)
	shops := v.Snapshot.Atlas(v.Site).Shops(city.ID)
	open := contentwire.Hours(schedule.Together(contentwire.HoursOf(shops)), city, v.Now)
	popular := s.popularKeys(ctx, v.Snapshot.Menu(v.Site, city, contentwire.FirstOrderType(city), 0, v.Now))
	w.URL, w.IsFreeCall, w.Schedule, w.PopularProducts = &url, &isFree, &open, &popular
	if i := slices.IndexFunc(v.Site.Links, func(l site.Link) bool { return l.Kind == "franchise" }); i >= 0 {
		w.Franchise = &v.Site.Links[i].URL
	}
	return wire.GetCity200JSONResponse{City: w}, nil
}

// mapFile returns the path of the file with the city's map, nil where its bytes are not here, or where the
// brand shows map tiles of its choice.
func (s *Server) mapFile(ctx context.Context, brand *site.Site, city *site.City) *string {
	file := city.Map.File
	if file == nil || s.Maps == nil || brand.Settings.MapTiles != "" || !s.Maps.Has(ctx, *file) {
		return nil
	}
	path := citymap.Path + file.SHA256 + citymap.Ending
	return &path
}

// ListStreets is GET /cities/{alias}/streets: it returns the streets of a city as lines, from which the
// page draws a map. A brand with map tiles has none, because the tiles show the streets.
func (s *Server) ListStreets(ctx context.Context, req wire.ListStreetsRequestObject) (wire.ListStreetsResponseObject, error) {
	v := s.visits.Context(ctx)
	city, ok := v.Site.CityByAlias(req.Alias)
	if !ok {
		return nil, fault.New(fault.NotFound, "cart.unknown_city")
	}
	answer := wire.ListStreets200JSONResponse{Streets: []wire.Street{}}
	if v.Site.Settings.MapTiles != "" { // the tiles show the streets
		return answer, nil
	}
	for _, street := range v.Snapshot.Atlas(v.Site).Streets(city.ID) {
		shown := wire.Street{Name: localizerOf(v).Text(street.Name), Line: make([][]float64, len(street.Line))}
		for i, p := range street.Line {
			shown.Line[i] = []float64{p.Latitude, p.Longitude}
		}
		answer.Streets = append(answer.Streets, shown)
	}
	return answer, nil
}

// ListShops is GET /shops: it returns the shops of a city with their hours and popular products.
func (s *Server) ListShops(ctx context.Context, req wire.ListShopsRequestObject) (wire.ListShopsResponseObject, error) {
	v := s.visits.Context(ctx)
	city, err := v.City(req.Params.CityID)
	if err != nil {
		return nil, err
	}
	answer := wire.ListShops200JSONResponse{Shops: []wire.Shop{}}
	for _, shop := range v.Snapshot.Atlas(v.Site).Shops(city.ID) {
		w := contentwire.WithMonth(localizerOf(v).Shop(shop, city, v.Now), shop.Hours, city, v.Now)
		popular := s.popularKeys(ctx, v.Snapshot.Menu(v.Site, city, contentwire.FirstOrderType(city), shop.ID, v.Now))
		w.PopularProducts = &popular
		answer.Shops = append(answer.Shops, w)
	}
	return answer, nil
}

// SetShop is POST /shops/set: it chooses a shop and makes the cart of its city a takeaway. It returns the
// shop, the cart and the shop's menu.
func (s *Server) SetShop(ctx context.Context, req wire.SetShopRequestObject) (wire.SetShopResponseObject, error) {
	v, keep, err := s.visits.WithCartSession(ctx, noKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.SetShop(ctx, v, req.Body.ShopID)
	if err != nil {
		return nil, err
	}
	keep()
	shop := contentwire.WithMonth(localizerOf(v).Shop(q.Spot.Shop, q.Spot.City, v.Now), q.Spot.Shop.Hours, q.Spot.City, v.Now)
	return s.chooseMenu(ctx, v, q, wire.ChosenShop{Shop: shop, Cart: orderwire.Cart(v, q)})
}
