package orders

import (
	"context"
	"fmt"

	"servery/internal/db/gen"
	"servery/internal/order/archive"
	"servery/internal/visit"
)

// moveSession moves checkouts, orders, grants of lookups and push subscriptions from one session to another,
// also archived orders. Checkouts come first: an order that is being created has locked its own, and is found
// after it is committed.
func moveSession(ctx context.Context, q *gen.Queries, from, to int64) error {
	if err := q.MoveCheckouts(ctx, gen.MoveCheckoutsParams{SessionID: to, GuestID: from}); err != nil {
		return fmt.Errorf("move checkouts: %w", err)
	}
	if err := q.MoveOrders(ctx, gen.MoveOrdersParams{SessionID: to, GuestID: from}); err != nil {
		return fmt.Errorf("move orders: %w", err)
	}
	if err := archive.MoveSession(ctx, q, from, to); err != nil {
		return err
	}
	if err := q.MoveOrderGrants(ctx, gen.MoveOrderGrantsParams{SessionID: to, GuestID: from}); err != nil {
		return fmt.Errorf("move orders that were looked up: %w", err)
	}
	if err := q.MovePushSubscriptions(ctx, gen.MovePushSubscriptionsParams{SessionID: to, GuestID: from}); err != nil {
		return fmt.Errorf("move push subscriptions: %w", err)
	}
	return nil
}

// assignToCustomer makes the customer the owner of the orders that the visitor's session has placed
// with the customer's phone, also of archived ones.
func assignToCustomer(ctx context.Context, q *gen.Queries, v visit.Context) error {
	err := q.GiveOrdersToCustomer(ctx, gen.GiveOrdersToCustomerParams{
		CustomerID: v.CustomerID, SessionID: v.SessionID, Site: v.Site.Alias, Phone: v.CustomerPhone,
	})
	if err != nil {
		return fmt.Errorf("assign orders to the customer: %w", err)
	}
	return archive.AssignToCustomer(ctx, q, v.Site.Alias, v.SessionID, v.CustomerID, v.CustomerPhone)
}
