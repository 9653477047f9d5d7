package operator

import (
	"context"

	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
)

const defaultOperatorOrders = 100

// showOrder returns an order in the language of its own brand, whatever host was called. It returns
// order.not_found (NotFound) for an order of a brand that content has dropped.
func (c *Calls) showOrder(o order.Order) (wire.OperatorOrder, error) {
	brand, ok := c.catalog.Current().Sites.ByAlias(o.Site)
	if !ok {
		return wire.OperatorOrder{}, fault.New(fault.NotFound, "order.not_found")
	}
	return toWireOrder(o, brand), nil
}

// OperatorListOrders is GET /operator/orders.
func (c *Calls) OperatorListOrders(
	ctx context.Context, req wire.OperatorListOrdersRequestObject,
) (wire.OperatorListOrdersResponseObject, error) {
	limit := defaultOperatorOrders
	if req.Params.Limit != nil {
		limit = *req.Params.Limit
	}
	open, err := c.orders.Open(ctx, convert.ValueOf(req.Params.After), limit)
	if err != nil {
		return nil, err
	}
	answer := wire.OperatorListOrders200JSONResponse{Orders: []wire.OperatorOrder{}}
	for _, o := range open {
		shown, err := c.showOrder(o)
		if err != nil {
			continue // its brand is in the content no longer
		}
		answer.Orders = append(answer.Orders, shown)
	}
	return answer, nil
}

// OperatorSetStatus is POST /operator/orders/{id}/status.
func (c *Calls) OperatorSetStatus(
	ctx context.Context, req wire.OperatorSetStatusRequestObject,
) (wire.OperatorSetStatusResponseObject, error) {
	to, ok := order.ParseState(string(req.Body.Status))
	if !ok {
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("status", "common.not_allowed"))
	}
	o, err := c.orders.SetState(ctx, req.ID, to, convert.ValueOf(req.Body.Actor), c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(o)
	return wire.OperatorSetStatus200JSONResponse{Order: shown}, err
}

// OperatorSetCourierLocation is POST /operator/orders/{id}/courier-location.
func (c *Calls) OperatorSetCourierLocation(
	ctx context.Context, req wire.OperatorSetCourierLocationRequestObject,
) (wire.OperatorSetCourierLocationResponseObject, error) {
	err := c.follow.SetCourier(ctx, c.catalog.Current(), req.ID, convert.Point(req.Body.Coordinates), c.clock.Now())
	return wire.OperatorSetCourierLocation200JSONResponse{}, err
}
