package api

import (
	"cmp"
	"context"
	"strings"

	"servery/internal/cart/carts"
	"servery/internal/geo"
	"servery/internal/order"
	"servery/internal/order/follow"
	"servery/internal/server/convert"
	"servery/internal/server/orderwire"
	"servery/internal/server/request"
	"servery/internal/server/session"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// CreateOrderCache is POST /order/create-order-cache: it begins the checkout of the visitor's cart and
// returns its key. Where the limits allow it, the checkout holds the chosen interval until its deadline.
// The call also releases what earlier checkouts of the visitor hold, and cancels the visitor's orders that
// wait for payment.
func (s *Server) CreateOrderCache(ctx context.Context, req wire.CreateOrderCacheRequestObject) (wire.CreateOrderCacheResponseObject, error) {
	b := req.Body
	v, err := s.visits.WithSession(ctx, noKey)
	if err != nil {
		return nil, err
	}
	v.Caller = s.callerOf(request.From(ctx).ClientIP, v.Site)
	checkout, err := s.Orders.Begin(ctx, v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID))
	if err != nil {
		return nil, err
	}
	return wire.CreateOrderCache200JSONResponse{OrderCacheKey: checkout.Key, CreatedAt: checkout.CreatedAt, ExpiresAt: checkout.ExpiresAt, IsTimeHeld: checkout.IsHeld}, nil
}

// CreateOrder is POST /order/create: it places the order of the visitor's cart; see [orders.Service.Create].
// The key of the checkout is the idempotency key: a repeated call returns the same order.
func (s *Server) CreateOrder(ctx context.Context, req wire.CreateOrderRequestObject) (wire.CreateOrderResponseObject, error) {
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	v.Caller = s.callerOf(request.From(ctx).ClientIP, v.Site)
	o, err := retrySolved(ctx, s, v, convert.ValueOf(req.Body.CaptchaUserToken), func(v visit.Context) (order.Order, error) {
		return s.Orders.Create(ctx, v, toOrderRequest(req.Body))
	})
	if err != nil {
		return nil, err
	}
	answer := wire.CreateOrder200JSONResponse{
		OrderID: o.ID, PaymentType: wire.PaymentTypeAlias(o.PaymentType), Link: o.Link, Status: wire.OrderStatusAlias(o.State),
	}
	if o.State == order.WaitingForPayment {
		answer.PayUntil = &o.PayUntil
	}
	return answer, nil
}

// toOrderRequest reads an order that is to be placed.
func toOrderRequest(b *wire.OrderCreate) order.Request {
	r := order.Request{
		CityID: b.CityID, OrderType: site.OrderType(b.OrderType), ShopID: convert.ValueOf(b.ShopID), CacheKey: b.OrderCacheKey,
		Phone: convert.ValueOf(b.Phone), Username: strings.TrimSpace(b.Username), Email: convert.ValueOf(b.Email), PaymentType: string(b.PaymentType),
		Cash: b.Cash, Comment: strings.TrimSpace(convert.ValueOf(b.OrderComment)), IntervalID: convert.ValueOf(b.IntervalID), Allergens: convert.ValueOf(b.Allergens), Consents: convert.ValueOf(b.Consents),
		SeenTotal: b.Cart.Prices.Total, Fingerprint: convert.ValueOf(b.Cart.Fingerprint), SeenEnd: b.PromisedTo,
	}
	if a := b.DeliveryAddress; a != nil {
		r.Address = &order.AddressInput{ID: convert.ValueOf(a.ID), Details: geo.Details{
			Room: a.Room, Entrance: a.Entrance, Floor: a.Floor, Intercom: a.Intercom, Description: a.Description, IsPrivateHouse: a.PrivateHouse,
			Building: a.Building, RearBuilding: a.RearBuilding, BellName: a.BellName, Landmark: a.Landmark,
		}}
	}
	return r
}

// GetOrderStatus is POST /order/status: it returns what the visitor may see of an order. A request with the
// phone or link of the order begins a session if need be, and allows the session to see the order from then
// on.
func (s *Server) GetOrderStatus(ctx context.Context, req wire.GetOrderStatusRequestObject) (wire.GetOrderStatusResponseObject, error) {
	b := req.Body
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	if b.Phone != nil || b.Link != nil {
		if v, err = s.visits.WithSession(ctx, noKey); err != nil {
			return nil, err
		}
	}
	o, err := s.Orders.LookUp(ctx, v, order.Lookup{
		OrderID: b.OrderID, Phone: convert.ValueOf(b.Phone), Link: convert.ValueOf(b.Link), Address: request.From(ctx).ClientIP,
	})
	if err != nil {
		return nil, err
	}
	w := orderwire.ForOrder(v, o)
	return wire.GetOrderStatus200JSONResponse{OrderID: o.ID, CityAlias: w.City.Alias, Status: w.Status(o)}, nil
}

// GetOrder is GET /order/{id}: it returns as much of an order as the visitor may see, with the state of its
// payment.
func (s *Server) GetOrder(ctx context.Context, req wire.GetOrderRequestObject) (wire.GetOrderResponseObject, error) {
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	o, err := s.Orders.Get(ctx, v, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.wireOrder(ctx, v, o)
	return wire.GetOrder200JSONResponse{Order: shown}, err
}

// CancelOrder is POST /order/cancel: it cancels an order of the visitor, releases all that it has reserved
// and refunds what was paid online. It returns the order.
func (s *Server) CancelOrder(ctx context.Context, req wire.CancelOrderRequestObject) (wire.CancelOrderResponseObject, error) {
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	o, err := s.Orders.Cancel(ctx, v, req.Body.OrderID)
	if err != nil {
		return nil, err
	}
	shown, err := s.wireOrder(ctx, v, o)
	return wire.CancelOrder200JSONResponse{Order: shown}, err
}

// RepeatOrder is POST /order/repeat: it puts what an order contained into the visitor's cart at today's
// prices and returns the cart, the menu of its place and what differs from the order. [Server.UndoRepeat]
// restores the former cart.
func (s *Server) RepeatOrder(ctx context.Context, req wire.RepeatOrderRequestObject) (wire.RepeatOrderResponseObject, error) {
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	if v.IdempotencyKey, err = session.ReadKey(req.Params.IdempotencyKey); err != nil {
		return nil, err
	}
	mode := carts.FillMode(cmp.Or(convert.ValueOf(req.Body.Mode), wire.Replace))
	r, err := s.repeats.Repeat(ctx, v, req.Body.OrderID, mode)
	if err != nil {
		return nil, err
	}
	q := r.Cart
	answer := wire.RepeatedOrder{
		OrderType: wire.OrderType(q.Cart.OrderType), CityAlias: q.Spot.City.Alias, Cart: orderwire.Cart(v, q), Changes: []wire.OrderChange{},
	}
	answer.Shop, answer.DeliveryAddress = answer.Cart.Shop, answer.Cart.DeliveryAddress
	for _, d := range r.Differences {
		answer.Changes = append(answer.Changes, wire.OrderChange{
			Name: localizerOf(v).Text(d.Name), Kind: wire.OrderChangeKind(d.Kind), OldPrice: d.Old, NewPrice: d.New,
			OldCount: convert.OrNil(d.OldCount), NewCount: convert.OrNil(d.NewCount),
		})
	}
	return s.chooseMenu(ctx, v, q, answer)
}

// UndoRepeat is POST /order/repeat/undo: it restores the visitor's cart of a city as it was before an order
// was put into it, and returns it with its prices.
func (s *Server) UndoRepeat(ctx context.Context, req wire.UndoRepeatRequestObject) (wire.UndoRepeatResponseObject, error) {
	v, err := s.visits.WithSession(ctx, req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	q, err := s.Carts.BringBack(ctx, v, req.Body.CityID)
	answer, err := cartAnswer(v, q, err)
	return wire.UndoRepeat200JSONResponse(answer), err
}

// GetCourierLocation is GET /order-tracking/get-courier-location: it returns where the courier of an order
// is, and nothing unless the order is on its way and the visitor may see the position.
func (s *Server) GetCourierLocation(
	ctx context.Context, req wire.GetCourierLocationRequestObject,
) (wire.GetCourierLocationResponseObject, error) {
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	at, known, err := s.Follow.Courier(ctx, v, req.Params.OrderID)
	if err != nil {
		return nil, err
	}
	answer := wire.GetCourierLocation200JSONResponse{}
	if known {
		way, point := courierWay(at), convert.Coordinates(at.Point)
		answer = wire.GetCourierLocation200JSONResponse{
			Coordinates: &point, ReportedAt: way.ReportedAt, StillSince: way.StillSince, Minutes: way.Minutes, Route: way.Route,
		}
	}
	return answer, nil
}

// courierWay converts when the courier was seen, since when they stand there, and the way that is left.
func courierWay(p follow.Position) wire.CourierWay {
	w := wire.CourierWay{ReportedAt: &p.ReportedAt, Minutes: p.Minutes}
	if !p.StillSince.IsZero() {
		w.StillSince = &p.StillSince
	}
	if len(p.Route) > 0 {
		route := make([][]float64, len(p.Route))
		for i, at := range p.Route {
			route[i] = []float64{at.Latitude, at.Longitude}
		}
		w.Route = &route
	}
	return w
}
