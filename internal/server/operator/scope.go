package operator

import (
	"context"
	"slices"

	"servery/internal/access"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/server/wire"
)

// scopeOf returns the brand and the shops that a call is about: those that its parameters name, otherwise
// those of the principal's scope. The parameters were checked to be in that scope.
func scopeOf(ctx context.Context, site string, shopID int64) access.Scope {
	scope := access.From(ctx).Scope
	if site != "" {
		scope.Site = site
	}
	if shopID != 0 {
		scope.Shops = []int64{shopID}
	}
	return scope
}

// inScope returns the rows of a brand whose shop is in the scope of the call's principal, and the rows
// that are for all shops. It changes the list rows.
func inScope[T any](ctx context.Context, rows []T, shopOf func(T) int64) []T {
	shops := access.From(ctx).Shops
	if len(shops) == 0 {
		return rows
	}
	return slices.DeleteFunc(rows, func(row T) bool {
		id := shopOf(row)
		return id != 0 && !slices.Contains(shops, id)
	})
}

// requireRight returns common.forbidden (Forbidden) at a field of the call's body when the call's
// principal lacks the right.
func requireRight(ctx context.Context, right access.Right, field string) error {
	if access.From(ctx).May(right) {
		return nil
	}
	return fault.New(fault.Forbidden, "common.forbidden", fault.Field(field, "common.forbidden"))
}

// requireMove returns the fault of requireRight at status unless the call's principal may move an order
// into the state.
func requireMove(ctx context.Context, to order.State) error {
	switch to {
	case order.Sent, order.Done:
		return nil // the right of the call is enough
	case order.Canceled:
		return requireRight(ctx, access.CancelOrders, "status")
	default:
		return requireRight(ctx, access.MoveOrders, "status")
	}
}

// requireCancel returns the fault of [requireRight] unless the call's principal may cancel an order with
// the outcome and, when namesMoney says that the call decides on refunds, may make refunds.
func requireCancel(ctx context.Context, outcome order.Outcome, namesMoney bool) error {
	if outcome == order.OutcomeCanceled {
		if err := requireRight(ctx, access.CancelOrders, "outcome"); err != nil {
			return err
		}
	}
	if namesMoney {
		return requireRight(ctx, access.MakeRefunds, "refund")
	}
	return nil
}

// requireAllCustomers returns the fault of [requireRight] unless the call's principal may read the
// customers of all orders.
func requireAllCustomers(ctx context.Context, field string) error {
	if access.From(ctx).MayReadCustomer("") {
		return nil
	}
	return fault.New(fault.Forbidden, "common.forbidden", fault.Field(field, "common.forbidden"))
}

// hideCustomer returns the order as the call's principal may read it. When the principal may not read the
// customer, it removes the customer's phone, e-mail, address, promocode and consents, the courier's phone
// and the notes of changes. The names stay: the customer's name is called out at the counter. It changes
// the history of o.
func hideCustomer(ctx context.Context, o wire.OperatorOrder) wire.OperatorOrder {
	courierID := "" // couriers read the customers of their own deliveries, while these are under way
	if o.Courier != nil && !order.State(o.Status).IsFinal() {
		courierID = o.Courier.ID
	}
	if access.From(ctx).MayReadCustomer(courierID) {
		return o
	}
	o.Customer = wire.OperatorCustomer{Name: o.Customer.Name}
	o.Address, o.To, o.Promocode, o.Consents = nil, nil, nil, []wire.OperatorConsent{}
	if o.Courier != nil {
		o.Courier = &wire.OperatorCourier{ID: o.Courier.ID, Name: o.Courier.Name}
	}
	for i := range o.History {
		o.History[i].Note = nil
	}
	return o
}
