package operator

import (
	"context"

	"servery/internal/access"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
)

// OperatorAssignCourier is POST /operator/orders/{id}/courier: it assigns a courier to an order, in place of
// an earlier one. With own, couriers assign themselves: that needs no right to assign couriers, and replaces
// no other courier. A caller who is a courier may name only themselves. It returns the order.
func (c *Calls) OperatorAssignCourier(
	ctx context.Context, req wire.OperatorAssignCourierRequestObject,
) (wire.OperatorAssignCourierResponseObject, error) {
	b := req.Body
	if !convert.ValueOf(b.Own) {
		if err := requireRight(ctx, access.AssignCouriers, "own"); err != nil {
			return nil, err
		}
	}
	if err := requireOwnCourier(ctx, b.ID, "id"); err != nil {
		return nil, err
	}
	courier := order.Courier{ID: b.ID, Name: b.Name, Phone: convert.ValueOf(b.Phone)}
	o, err := c.orders.AssignCourier(ctx, req.ID, courier, convert.ValueOf(b.Own), convert.ValueOf(b.Actor), c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	return wire.OperatorAssignCourier200JSONResponse{Order: shown}, err
}

// OperatorRemoveCourier is POST /operator/orders/{id}/courier/remove: it removes the courier from an order
// that is not sent, and returns the order.
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

// OperatorHandOverOrder is POST /operator/orders/{id}/hand-over: it moves a cooked order: a delivery is
// sent with its courier, a takeaway is done. A caller who is a courier may name only themselves, and
// replaces no other courier. It returns the order.
func (c *Calls) OperatorHandOverOrder(
	ctx context.Context, req wire.OperatorHandOverOrderRequestObject,
) (wire.OperatorHandOverOrderResponseObject, error) {
	var courier *order.Courier
	if b := req.Body.Courier; b != nil {
		if err := requireOwnCourier(ctx, b.ID, "courier"); err != nil {
			return nil, err
		}
		courier = &order.Courier{ID: b.ID, Name: b.Name, Phone: convert.ValueOf(b.Phone)}
	}
	o, err := c.orders.HandOver(ctx, req.ID, courier, access.From(ctx).IsCourier(), convert.ValueOf(req.Body.Actor), c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	return wire.OperatorHandOverOrder200JSONResponse{Order: shown}, err
}

// requireOwnCourier returns common.forbidden (Forbidden) at the field when the caller is a courier and id
// names another courier.
func requireOwnCourier(ctx context.Context, id, field string) error {
	if p := access.From(ctx); p.IsCourier() && id != p.Name {
		return fault.New(fault.Forbidden, "common.forbidden", fault.Field(field, "common.forbidden"))
	}
	return nil
}
