package api

import (
	"context"

	"servery/internal/fault"
	"servery/internal/server/wire"
)

// ListCities is GET /cities.
func (s *Server) ListCities(ctx context.Context, _ wire.ListCitiesRequestObject) (wire.ListCitiesResponseObject, error) {
	return wire.ListCities200JSONResponse(localizerOf(s.visits.Context(ctx)).cityList()), nil
}

// GetCity is GET /cities/{alias}.
func (s *Server) GetCity(ctx context.Context, req wire.GetCityRequestObject) (wire.GetCityResponseObject, error) {
	v := s.visits.Context(ctx)
	city, ok := v.Site.CityByAlias(req.Alias)
	if !ok {
		return nil, fault.New(fault.NotFound, "cart.unknown_city")
	}
	w := localizerOf(v).city(city, v.Snapshot, v.Now)
	return wire.GetCity200JSONResponse{City: w}, nil
}

// ListStreets is GET /cities/{alias}/streets.
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

// ListShops is GET /shops.
func (s *Server) ListShops(ctx context.Context, req wire.ListShopsRequestObject) (wire.ListShopsResponseObject, error) {
	v := s.visits.Context(ctx)
	city, err := v.City(req.Params.CityID)
	if err != nil {
		return nil, err
	}
	return wire.ListShops200JSONResponse{Shops: localizerOf(v).shops(v.Snapshot, city, v.Now)}, nil
}

// SetShop is POST /shops/set.
func (s *Server) SetShop(ctx context.Context, req wire.SetShopRequestObject) (wire.SetShopResponseObject, error) {
	v, err := s.visits.WithSession(ctx, noKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.SetShop(ctx, v, req.Body.ShopID)
	if err != nil {
		return nil, err
	}
	menu := s.wireMenu(ctx, at{localizerOf(v), v, q.Spot.City, q.Spot, q.Menu})
	return wire.SetShop200JSONResponse{
		Shop: withMonth(localizerOf(v).shop(q.Spot.Shop, q.Spot.City, v.Now), q.Spot.Shop.Hours, q.Spot.City, v.Now), Cart: toWireCart(v, q),
		ProductGroups: menu.ProductGroups, PopularProducts: menu.PopularProducts,
	}, nil
}
