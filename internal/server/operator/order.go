package operator

import (
	"context"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/order"
	"servery/internal/order/follow"
	"servery/internal/order/orders"
	"servery/internal/order/search"
	"servery/internal/phone"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
)

const (
	defaultOperatorOrders = 100
	defaultSearchedOrders = 50
)

// showOrder returns an order in the language of its own brand, whatever host was called, with as much of
// its customer as the call's principal may read. It returns order.not_found (NotFound) for an order of a
// brand that content has dropped.
func (c *Calls) showOrder(ctx context.Context, o order.Order) (wire.OperatorOrder, error) {
	brand, ok := c.catalog.Current().Sites.ByAlias(o.Site)
	if !ok {
		return wire.OperatorOrder{}, fault.New(fault.NotFound, "order.not_found")
	}
	return hideCustomer(ctx, toWireOrder(o, brand, c.clock.Now())), nil
}

// OperatorListOrders is GET /operator/orders: it returns the open orders in the scope of the caller, sorted
// by their last change, of one brand, shop or status where the call asks for it; see [orders.Service.Open].
// Orders of a brand that content has dropped are left out.
func (c *Calls) OperatorListOrders(
	ctx context.Context, req wire.OperatorListOrdersRequestObject,
) (wire.OperatorListOrdersResponseObject, error) {
	limit := defaultOperatorOrders
	if req.Params.Limit != nil {
		limit = *req.Params.Limit
	}
	p := req.Params
	scope := scopeOf(ctx, convert.ValueOf(p.Site), convert.ValueOf(p.ShopID))
	open, err := c.orders.Open(ctx, orders.OpenQuery{
		After: convert.ValueOf(p.After), Site: scope.Site, Shops: scope.Shops, State: order.State(convert.ValueOf(p.Status)), Limit: limit,
	})
	if err != nil {
		return nil, err
	}
	answer := wire.OperatorListOrders200JSONResponse{Orders: []wire.OperatorOrder{}}
	for _, o := range open {
		shown, err := c.showOrder(ctx, o)
		if err != nil {
			continue // the content has dropped its brand
		}
		answer.Orders = append(answer.Orders, shown)
	}
	return answer, nil
}

// OperatorGetOrder is GET /operator/orders/{id}: it returns an order in any state, with the messages that
// its customer was sent about it.
func (c *Calls) OperatorGetOrder(
	ctx context.Context, req wire.OperatorGetOrderRequestObject,
) (wire.OperatorGetOrderResponseObject, error) {
	found, err := c.orders.Read(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, order.NotFound()
	}
	shown, err := c.showOrder(ctx, found[0])
	if err != nil {
		return nil, err
	}
	messages, err := c.messages.List(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	answer := wire.OperatorGetOrder200JSONResponse{Order: shown, Messages: make([]wire.OrderMessage, len(messages))}
	for i, m := range messages {
		answer.Messages[i] = wire.OrderMessage{
			Occasion: wire.OrderMessageOccasion(m.Occasion), State: wire.OrderMessageState(m.State), Change: m.ChangeID, At: m.At.In(c.locationOfOrder(found[0])),
		}
	}
	return answer, nil
}

// OperatorSearchOrders is GET /operator/orders/search: it returns the orders of a brand for a day or a
// phone, final ones too. To search by phone the caller must have the right to read customers.
func (c *Calls) OperatorSearchOrders(
	ctx context.Context, req wire.OperatorSearchOrdersRequestObject,
) (wire.OperatorSearchOrdersResponseObject, error) {
	if req.Params.Phone != nil {
		if err := requireAllCustomers(ctx, "phone"); err != nil {
			return nil, err
		}
	}
	query, err := c.toQuery(ctx, req.Params)
	if err != nil {
		return nil, err
	}
	page, err := c.finder.Find(ctx, query)
	if err != nil {
		return nil, err
	}
	found, err := c.orders.Read(ctx, page.IDs...)
	if err != nil {
		return nil, err
	}
	answer := wire.OperatorSearchOrders200JSONResponse{Orders: []wire.OperatorOrder{}, Next: convert.OrNil(page.Next)}
	for _, o := range found {
		answer.Orders = append(answer.Orders, hideCustomer(ctx, toWireOrder(o, query.Site, c.clock.Now())))
	}
	return answer, nil
}

// toQuery converts the parameters of a search, within the scope of the caller. It returns common.not_found
// (NotFound) at site for an unknown brand, and common.invalid (Invalid) at day for a text that is no date and at phone
// for one that is no number, or one of several.
func (c *Calls) toQuery(ctx context.Context, p wire.OperatorSearchOrdersParams) (search.Query, error) {
	brand, ok := c.catalog.Current().Sites.ByAlias(p.Site)
	if !ok {
		return search.Query{}, fault.New(fault.NotFound, "common.not_found", fault.Field("site", "common.not_found"))
	}
	query := search.Query{
		Site: brand, Shops: scopeOf(ctx, p.Site, convert.ValueOf(p.ShopID)).Shops,
		State: order.State(convert.ValueOf(p.Status)), Before: convert.ValueOf(p.Before), Limit: defaultSearchedOrders,
	}
	if p.Limit != nil {
		query.Limit = *p.Limit
	}
	if p.Phone != nil {
		number, err := readPhone(*p.Phone, brand)
		if err != nil {
			return search.Query{}, err
		}
		query.Phone = number
	}
	if p.Day != nil {
		day, err := clock.ParseDay(*p.Day)
		if err != nil {
			return search.Query{}, fault.New(fault.Invalid, "common.invalid", fault.Field("day", "common.invalid"))
		}
		query.Day = day
	}
	return query, nil
}

// readPhone returns the number that a text means in the cities of a brand, as [phone.Parse] reads it in each. It returns
// common.invalid (Invalid) at phone when it means none, or another one from city to city.
func readPhone(text string, brand *site.Site) (string, error) {
	found, key := "", "phone.invalid"
	for _, city := range brand.Cities {
		switch number, err := phone.Parse(text, city); {
		case err != nil:
			key = fault.KeyOf(err)
		case found != "" && found != number:
			return "", fault.New(fault.Invalid, "common.invalid", fault.Field("phone", "phone.invalid"))
		default:
			found = number
		}
	}
	if found == "" {
		return "", fault.New(fault.Invalid, "common.invalid", fault.Field("phone", key))
	}
	return found, nil
}

// OperatorSetStatus is POST /operator/orders/{id}/status: it moves an order to the next state, which may
// need a further right; see requireMove. It returns the order.
func (c *Calls) OperatorSetStatus(
	ctx context.Context, req wire.OperatorSetStatusRequestObject,
) (wire.OperatorSetStatusResponseObject, error) {
	to, ok := order.ParseState(string(req.Body.Status))
	if !ok {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("status", "common.not_allowed"))
	}
	if err := requireMove(ctx, to); err != nil {
		return nil, err
	}
	o, err := c.orders.SetState(ctx, req.ID, to, convert.ValueOf(req.Body.Actor), c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	return wire.OperatorSetStatus200JSONResponse{Order: shown}, err
}

// OperatorSetCourierLocation is POST /operator/orders/{id}/courier-location: it stores where the courier of
// an order on its way is, in place of the last position.
func (c *Calls) OperatorSetCourierLocation(
	ctx context.Context, req wire.OperatorSetCourierLocationRequestObject,
) (wire.OperatorSetCourierLocationResponseObject, error) {
	report := follow.Report{Point: convert.Point(wire.Coordinates(req.Body.Coordinates)), Minutes: req.Body.Minutes}
	if req.Body.Route != nil {
		report.Route = make([]geo.Point, len(*req.Body.Route))
		for i, at := range *req.Body.Route {
			report.Route[i] = geo.Point{Latitude: at[0], Longitude: at[1]}
		}
	}
	err := c.follow.SetCourierLocation(ctx, c.catalog.Current(), req.ID, report, c.clock.Now())
	return wire.OperatorSetCourierLocation200JSONResponse{}, err
}
