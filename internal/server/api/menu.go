package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
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

// toPlaceRequest returns the place that a request names. An id that the request leaves out is 0.
func toPlaceRequest(cityID int64, orderType wire.OrderType, shopID, zoneID *int64) cart.PlaceRequest {
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
func (place requestPlace) menuLocalizer() contentwire.MenuLocalizer {
	return place.InCity(place.city, place.Now)
}

// wireMenu converts the menu of a place, with the products that are often ordered there.
func (s *Server) wireMenu(ctx context.Context, place requestPlace) wire.Menu {
	return place.menuLocalizer().Menu(place.menu, s.popularKeys(ctx, place.menu))
}

// popularKeys returns the keys of the often ordered products of a menu, the most ordered first.
func (s *Server) popularKeys(ctx context.Context, m *catalog.Menu) []string {
	keys := []string{}
	for _, p := range s.Catalog.Popular(ctx, m) {
		keys = append(keys, p.Key)
	}
	return keys
}

// menuUntil returns when a ready menu must be made again: when a stop or price ends, or when the popular
// products may have changed, whichever is first.
func (s *Server) menuUntil(place requestPlace) time.Time {
	until := s.Catalog.PopularUntil(place.menu, place.Now)
	if !place.menu.ValidUntil.IsZero() && place.menu.ValidUntil.Before(until) {
		until = place.menu.ValidUntil
	}
	return until
}

// readyMenu returns the menu as JSON, which is encoded once and cached for all visitors of the place.
func (s *Server) readyMenu(ctx context.Context, place requestPlace) (*precompressed.Body, error) {
	key := menuKey{
		place.Site.Alias, place.city.ID, place.menu.Place.ShopID, place.menu.Place.OrderType, place.Lang, place.menu.Revision, place.menu.LiveVersion,
	}
	return s.menus.Get(ctx, key, place.Now, func(ctx context.Context) ([]byte, time.Time, error) {
		until := s.menuUntil(place) // before the menu: the popular products may become known in between
		body, err := json.Marshal(s.wireMenu(ctx, place))
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

// makeMenuResponse returns the compressed menu of a place, from the cache or made and cached now.
func (s *Server) makeMenuResponse(ctx context.Context, place requestPlace) (menuResponse, error) {
	body, err := s.readyMenu(ctx, place)
	if err != nil {
		return menuResponse{}, err
	}
	return menuResponse{precompressed.Answer{
		Body: body, Request: request.From(ctx).Request, ContentType: "application/json", Status: http.StatusOK,
	}}, nil
}

// menuChoice is the answer of the calls that change the place of a cart: the menu of the new place as
// it lies ready, and the fields of the call.
type menuChoice struct{ precompressed.Joined }

// VisitSetShopResponse sends the menu and the fields.
func (m menuChoice) VisitSetShopResponse(w http.ResponseWriter) error { return m.Send(w) }

// VisitSetAddressByAddressResponse sends the menu and the fields.
func (m menuChoice) VisitSetAddressByAddressResponse(w http.ResponseWriter) error { return m.Send(w) }

// VisitSetAddressByCoordinatesResponse sends the menu and the fields.
func (m menuChoice) VisitSetAddressByCoordinatesResponse(w http.ResponseWriter) error {
	return m.Send(w)
}

// VisitSetAddressByIDResponse sends the menu and the fields.
func (m menuChoice) VisitSetAddressByIDResponse(w http.ResponseWriter) error { return m.Send(w) }

// VisitRepeatOrderResponse sends the menu and the fields.
func (m menuChoice) VisitRepeatOrderResponse(w http.ResponseWriter) error { return m.Send(w) }

// chooseMenu returns the menu of a priced cart's place, with the fields of a call behind it.
func (s *Server) chooseMenu(ctx context.Context, v visit.Context, q cart.Quoted, fields any) (menuChoice, error) {
	body, err := s.readyMenu(ctx, requestPlace{localizerOf(v), v, q.Spot.City, q.Spot, q.Menu})
	return menuChoice{precompressed.Joined{Body: body, Fields: fields, Request: request.From(ctx).Request}}, err
}

// ListProducts is POST /products: it returns the menu of a place, compressed and the same for all visitors.
func (s *Server) ListProducts(ctx context.Context, req wire.ListProductsRequestObject) (wire.ListProductsResponseObject, error) {
	p := toPlaceRequest(req.Body.CityID, req.Body.OrderType, req.Body.ShopID, req.Body.DeliveryZoneID)
	place, err := s.findPlace(ctx, p)
	if err != nil {
		return nil, err
	}
	s.knownMenus.remember(knownCallOf(ctx), p)
	return s.makeMenuResponse(ctx, place)
}

// GetProduct is GET /products/{product_key}: it returns a product of a place's menu by its key or alias. It
// returns cart.unknown_product (NotFound) for a product that is not sold there.
func (s *Server) GetProduct(ctx context.Context, req wire.GetProductRequestObject) (wire.GetProductResponseObject, error) {
	if _, ok := site.ParseOrderType(string(req.Params.OrderType)); !ok {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("order_type", "common.not_allowed"))
	}
	place, err := s.findPlace(ctx, toPlaceRequest(req.Params.CityID, req.Params.OrderType, req.Params.ShopID, req.Params.DeliveryZoneID))
	if err != nil {
		return nil, err
	}
	p, ok := place.menu.ProductByKey(req.ProductKey)
	if !ok {
		return nil, fault.New(fault.NotFound, "cart.unknown_product")
	}
	return wire.GetProduct200JSONResponse{Product: place.menuLocalizer().Product(p)}, nil
}

const (
	// maxKnownCalls bounds the calls of menus that are remembered: more than there are places.
	maxKnownCalls = 4096
	// maxKnownLength bounds the bytes of a query and a body together that are remembered: more than a place takes.
	maxKnownLength = 512
)

// knownCall is what a call of a menu says.
type knownCall struct{ method, query, body string }

// knownCallOf returns what the call of a menu that is being answered says.
func knownCallOf(ctx context.Context) knownCall {
	in := request.From(ctx)
	return knownCall{in.Request.Method, in.Request.URL.RawQuery, string(in.Body)}
}

// knownCalls are the calls of menus that the contract allows, with the place that they name. It is safe for
// concurrent use.
type knownCalls struct {
	mu     sync.RWMutex
	places map[knownCall]cart.PlaceRequest
}

// remember stores the place of a call, unless there are too many or the call is too long.
func (k *knownCalls) remember(call knownCall, p cart.PlaceRequest) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.places == nil {
		k.places = map[knownCall]cart.PlaceRequest{}
	}
	if len(k.places) < maxKnownCalls && len(call.query)+len(call.body) <= maxKnownLength {
		k.places[knownCall{call.method, strings.Clone(call.query), call.body}] = p
	}
}

// find returns the place of a call; false when it was not answered before.
func (k *knownCalls) find(call knownCall) (cart.PlaceRequest, bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	p, ok := k.places[call]
	return p, ok
}

// SendKnownMenu answers a call of a menu, with the query of the request or with the body, that was answered before,
// and needs no check by the contract again. It reports false, and answers nothing, for any other call.
func (s *Server) SendKnownMenu(w http.ResponseWriter, r *http.Request, body []byte) bool {
	p, isKnown := s.knownMenus.find(knownCall{r.Method, r.URL.RawQuery, string(body)})
	if !isKnown {
		return false
	}
	place, err := s.findPlace(r.Context(), p)
	if err == nil {
		var menu menuResponse
		if menu, err = s.makeMenuResponse(r.Context(), place); err == nil {
			_ = menu.Send(w) // usually the client has closed the connection
			return true
		}
	}
	s.problem(w, r, err)
	return true
}

// GetProducts is GET /products: it returns the menu of a place as [Server.ListProducts] does, by a request
// that browsers can cache.
func (s *Server) GetProducts(ctx context.Context, req wire.GetProductsRequestObject) (wire.GetProductsResponseObject, error) {
	if _, ok := site.ParseOrderType(string(req.Params.OrderType)); !ok {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("order_type", "common.not_allowed"))
	}
	p := toPlaceRequest(req.Params.CityID, req.Params.OrderType, req.Params.ShopID, req.Params.DeliveryZoneID)
	place, err := s.findPlace(ctx, p)
	if err != nil {
		return nil, err
	}
	s.knownMenus.remember(knownCallOf(ctx), p)
	return s.makeMenuResponse(ctx, place)
}
