package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/server/contentwire"
	"servery/internal/server/precompressed"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// menuKey names one ready menu. Everything that changes a byte of it is in the key,
// apart from the time at which stops and prices end.
type menuKey struct {
	site           string
	city, shop     int64
	orderType      site.OrderType
	lang           lang.Lang
	revision, live int64
}

// requestPlace is the place that a request names, as findPlace has found it: the context of the
// request, the city and the menu of the shop that cooks.
type requestPlace struct {
	localizer
	visit.Context

	city *site.City
	spot cart.Place
	menu *catalog.Menu
}

// wirePlace returns the place that a request names. An id that it leaves out is 0.
func wirePlace(cityID int64, orderType wire.OrderType, shopID, zoneID *int64) cart.PlaceRequest {
	p := cart.PlaceRequest{CityID: cityID, OrderType: site.OrderType(orderType)}
	if shopID != nil {
		p.ShopID = *shopID
	}
	if zoneID != nil {
		p.ZoneID = *zoneID
	}
	return p
}

// findPlace returns the place that a request names, with the menu of the shop that cooks. For
// delivery the zone decides the shop; without a zone it is the first zone of the city.
func (s *Server) findPlace(ctx context.Context, p cart.PlaceRequest) (requestPlace, error) {
	v := s.visits.Context(ctx)
	if p.OrderType == site.Delivery && p.ZoneID == 0 {
		if zones := v.Snapshot.Atlas(v.Site).Zones(p.CityID); len(zones) > 0 {
			p.ZoneID = zones[0].ID
		}
	}
	spot, err := cart.FindPlace(v, p)
	if err != nil {
		return requestPlace{}, err
	}
	var shop int64
	if spot.Shop != nil {
		shop = spot.Shop.ID
	}
	return requestPlace{
		localizer: localizerOf(v), Context: v, city: spot.City, spot: spot,
		menu: v.Snapshot.Menu(v.Site, spot.City, p.OrderType, shop, v.Now),
	}, nil
}

// menuLocalizer returns the converter of the place's menu.
func (a requestPlace) menuLocalizer() contentwire.MenuLocalizer { return a.InCity(a.city, a.Now) }

// wireMenu converts the menu of a place, with the products that are often ordered there.
func (s *Server) wireMenu(ctx context.Context, a requestPlace) wire.Menu {
	return a.menuLocalizer().Menu(a.menu, s.popularKeys(ctx, a.menu))
}

// popularKeys returns the keys of the often ordered products of a menu, the most ordered first.
func (s *Server) popularKeys(ctx context.Context, m *catalog.Menu) []string {
	keys := []string{}
	for _, p := range s.Catalog.Popular(ctx, m) {
		keys = append(keys, p.Key)
	}
	return keys
}

// menuUntil returns when a ready menu must be made again: when a stop or price ends, or when what is often
// ordered may have changed.
func (s *Server) menuUntil(a requestPlace) time.Time {
	until := s.Catalog.PopularUntil(a.menu, a.Now)
	if !a.menu.ValidUntil.IsZero() && a.menu.ValidUntil.Before(until) {
		until = a.menu.ValidUntil
	}
	return until
}

// readyMenu returns the menu as JSON, which is encoded once and cached for all visitors of the place.
func (s *Server) readyMenu(ctx context.Context, a requestPlace) (*precompressed.Body, error) {
	key := menuKey{
		a.Site.Alias, a.city.ID, a.menu.Place.ShopID, a.menu.Place.OrderType, a.Lang, a.menu.Revision, a.menu.LiveVersion,
	}
	return s.menus.Get(ctx, key, a.Now, func(ctx context.Context) ([]byte, time.Time, error) {
		until := s.menuUntil(a) // before the menu: the popular products may become known in between
		body, err := json.Marshal(s.wireMenu(ctx, a))
		if err != nil {
			return nil, time.Time{}, fmt.Errorf("encode menu: %w", err)
		}
		return body, until, nil
	})
}

// menuResponse is a menu as the answer of the operations that return one.
type menuResponse struct{ precompressed.Answer }

// VisitListProductsResponse sends the menu.
func (m menuResponse) VisitListProductsResponse(w http.ResponseWriter) error { return m.Send(w) }

// VisitGetProductsResponse sends the menu.
func (m menuResponse) VisitGetProductsResponse(w http.ResponseWriter) error { return m.Send(w) }

// menuResponse returns the compressed menu of a place, from the cache or made and cached now.
func (s *Server) menuResponse(ctx context.Context, a requestPlace) (menuResponse, error) {
	body, err := s.readyMenu(ctx, a)
	if err != nil {
		return menuResponse{}, err
	}
	return menuResponse{precompressed.Answer{
		Body: body, Request: request.From(ctx).Request, ContentType: "application/json", Status: http.StatusOK,
	}}, nil
}

// ListProducts is POST /products: it returns the menu of a place, compressed and the same for all visitors.
func (s *Server) ListProducts(ctx context.Context, req wire.ListProductsRequestObject) (wire.ListProductsResponseObject, error) {
	a, err := s.findPlace(ctx, wirePlace(req.Body.CityID, req.Body.OrderType, req.Body.ShopID, req.Body.DeliveryZoneID))
	if err != nil {
		return nil, err
	}
	return s.menuResponse(ctx, a)
}

// GetProduct is GET /products/{product_key}: it returns a product of a place's menu by its key or alias. It
// returns cart.unknown_product (NotFound) for a product that is not sold there.
func (s *Server) GetProduct(ctx context.Context, req wire.GetProductRequestObject) (wire.GetProductResponseObject, error) {
	if _, ok := site.ParseOrderType(string(req.Params.OrderType)); !ok {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("order_type", "common.not_allowed"))
	}
	a, err := s.findPlace(ctx, wirePlace(req.Params.CityID, req.Params.OrderType, req.Params.ShopID, req.Params.DeliveryZoneID))
	if err != nil {
		return nil, err
	}
	p, ok := a.menu.ProductByKey(req.ProductKey)
	if !ok {
		return nil, fault.New(fault.NotFound, "cart.unknown_product")
	}
	return wire.GetProduct200JSONResponse{Product: a.menuLocalizer().Product(p)}, nil
}

// GetProducts is GET /products: it returns the menu of a place as [Server.ListProducts] does, by a request
// that browsers can cache.
func (s *Server) GetProducts(ctx context.Context, req wire.GetProductsRequestObject) (wire.GetProductsResponseObject, error) {
	if _, ok := site.ParseOrderType(string(req.Params.OrderType)); !ok {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("order_type", "common.not_allowed"))
	}
	a, err := s.findPlace(ctx, wirePlace(req.Params.CityID, req.Params.OrderType, req.Params.ShopID, req.Params.DeliveryZoneID))
	if err != nil {
		return nil, err
	}
	return s.menuResponse(ctx, a)
}
