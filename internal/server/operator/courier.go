package operator

import (
	"context"

	"servery/internal/access"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
)

// OperatorAssignCourier is POST /operator/orders/{id}/courier.
func (c *Calls) OperatorAssignCourier(
	ctx context.Context, req wire.OperatorAssignCourierRequestObject,
) (wire.OperatorAssignCourierResponseObject, error) {
	b := req.Body
	if !convert.ValueOf(b.Own) {
		if err := requireRight(ctx, access.AssignCouriers, "own"); err != nil {
			return nil, err
		}
	}
	if p := access.From(ctx); p.Role == access.Courier && b.ID != p.Name {
		return nil, fault.New(fault.Forbidden, "common.forbidden", fault.Field("id", "common.forbidden"))
	}
	courier := order.Courier{ID: b.ID, Name: b.Name, Phone: convert.ValueOf(b.Phone)}
	o, err := c.orders.AssignCourier(ctx, req.ID, courier, convert.ValueOf(b.Own), convert.ValueOf(b.Actor), c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	return wire.OperatorAssignCourier200JSONResponse{Order: shown}, err
}

// OperatorRemoveCourier is POST /operator/orders/{id}/courier/remove.
func (c *Calls) OperatorRemoveCourier(
	ctx context.Context, req wire.OperatorRemoveCourierRequestObject,
) (wire.OperatorRemoveCourierResponseObject, error) {
	o, err := c.orders.RemoveCourier(ctx, req.ID, convert.ValueOf(req.Body.ID), convert.ValueOf(req.Body.Actor), c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	return wire.OperatorRemoveCourier200JSONResponse{Order: shown}, err
}

// OperatorHandOverOrder is POST /operator/orders/{id}/hand-over.
func (c *Calls) OperatorHandOverOrder(
	ctx context.Context, req wire.OperatorHandOverOrderRequestObject,
) (wire.OperatorHandOverOrderResponseObject, error) {
	var courier *order.Courier
	if b := req.Body.Courier; b != nil {
		courier = &order.Courier{ID: b.ID, Name: b.Name, Phone: convert.ValueOf(b.Phone)}
	}
	o, err := c.orders.HandOver(ctx, req.ID, courier, convert.ValueOf(req.Body.Actor), c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	return wire.OperatorHandOverOrder200JSONResponse{Order: shown}, err
}
