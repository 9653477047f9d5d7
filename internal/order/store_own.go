package order

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"servery/internal/customer"
	"servery/internal/db/gen"
	"servery/internal/payment"
	"servery/internal/phone"
	"servery/internal/visit"
)

func countOwn(ctx context.Context, q *gen.Queries, siteAlias string, customerID int64) (int, error) {
	n, err := q.CountCustomerOrders(ctx, gen.CountCustomerOrdersParams{Site: siteAlias, CustomerID: customerID})
	if err != nil {
		return 0, fmt.Errorf("count orders: %w", err)
	}
	return int(n), nil
}

// part is a part of a list.
type part struct{ skipped, most int }

// listOwn gives a part of a customer's orders with their history and without their lines,
// the newest first.
func listOwn(ctx context.Context, q *gen.Queries, siteAlias string, customerID int64, p part) ([]Listed, error) {
	asked := gen.ListCustomerOrdersParams{Site: siteAlias, CustomerID: customerID, Skipped: int32(p.skipped), MaxCount: int32(p.most)}
	rows, err := q.ListCustomerOrders(ctx, asked)
	if err != nil {
		return nil, fmt.Errorf("list orders: %w", err)
	}
	list := make([]Listed, len(rows))
	at := make(map[int64]*Listed, len(rows))
	for i, row := range rows {
		if list[i].Order, err = toOrder(gen.GetOrderRow(row)); err != nil {
			return nil, err
		}
		for _, g := range list[i].Details.Gifts {
			list[i].Portions += g.Count
		}
		at[row.ID] = &list[i]
	}
	changes, err := q.ListCustomerOrderStatuses(ctx, gen.ListCustomerOrderStatusesParams(asked))
	if err != nil {
		return nil, fmt.Errorf("list states: %w", err)
	}
	for _, c := range changes {
		if o := at[c.OrderID]; o != nil {
			o.History = append(o.History, Change{ID: c.ID, State: State(c.State), Actor: c.Actor, At: c.At})
		}
	}
	counts, err := q.ListCustomerOrderCounts(ctx, gen.ListCustomerOrderCountsParams(asked))
	if err != nil {
		return nil, fmt.Errorf("count portions: %w", err)
	}
	for _, c := range counts {
		if o := at[c.OrderID]; o != nil {
			o.Portions += int(c.Portions)
		}
	}
	return list, nil
}

// moveSession moves checkouts, orders and orders that were looked up from one session to
// another. Checkouts are first: an order under way holds its own, and is found afterwards.
func moveSession(ctx context.Context, q *gen.Queries, from, to int64) error {
	if err := q.MoveCheckouts(ctx, gen.MoveCheckoutsParams{SessionID: to, GuestID: from}); err != nil {
		return fmt.Errorf("move checkouts: %w", err)
	}
	if err := q.MoveOrders(ctx, gen.MoveOrdersParams{SessionID: to, GuestID: from}); err != nil {
		return fmt.Errorf("move orders: %w", err)
	}
	if err := q.MoveOrderGrants(ctx, gen.MoveOrderGrantsParams{SessionID: to, GuestID: from}); err != nil {
		return fmt.Errorf("move orders that were looked up: %w", err)
	}
	return nil
}

func giveToCustomer(ctx context.Context, q *gen.Queries, v visit.Context) error {
	err := q.GiveOrdersToCustomer(ctx, gen.GiveOrdersToCustomerParams{
		CustomerID: v.CustomerID, SessionID: v.SessionID, Site: v.Site.Alias, Phone: v.CustomerPhone,
	})
	if err != nil {
		return fmt.Errorf("give orders to the customer: %w", err)
	}
	return nil
}

// standing is where an order stands.
type standing struct {
	id    int64
	state State
}

// ordersOf gives the orders that have to do with a customer, in the order in which all
// transactions touch them.
func ordersOf(ctx context.Context, q *gen.Queries, e customer.Erased) ([]standing, error) {
	var found []standing
	own, err := q.ListOrdersOfCustomer(ctx, gen.ListOrdersOfCustomerParams{Site: e.Site, CustomerID: e.ID})
	if err != nil {
		return nil, fmt.Errorf("list orders of a customer: %w", err)
	}
	for _, o := range own {
		found = append(found, standing{o.ID, State(o.State)})
	}
	byPhone, err := q.ListGuestOrdersOfPhone(ctx, gen.ListGuestOrdersOfPhoneParams{Site: e.Site, Phone: e.Phone})
	if err != nil {
		return nil, fmt.Errorf("list orders of a phone: %w", err)
	}
	for _, o := range byPhone {
		found = append(found, standing{o.ID, State(o.State)})
	}
	for _, session := range e.SessionIDs {
		inSession, err := q.ListGuestOrdersOfSession(ctx, gen.ListGuestOrdersOfSessionParams{SessionID: session, Site: e.Site})
		if err != nil {
			return nil, fmt.Errorf("list orders of a session: %w", err)
		}
		for _, o := range inSession {
			found = append(found, standing{o.ID, State(o.State)})
		}
	}
	slices.SortFunc(found, func(a, b standing) int { return cmp.Compare(a.id, b.id) })
	return slices.CompactFunc(found, func(a, b standing) bool { return a.id == b.id }), nil
}

// checkForgettable returns why the person of an order is needed yet, as the key of a message;
// empty when they are not.
func checkForgettable(ctx context.Context, q *gen.Queries, o standing) (refused string, err error) {
	if !o.state.IsFinal() {
		return "customer.order_running", nil
	}
	return payment.FindOpen(ctx, q, o.id)
}

// forget takes the person out of an order, and everybody who was let see it.
func forget(ctx context.Context, q *gen.Queries, id int64, marks phone.Marks) error {
	// Of two that forget it at once the second finds a mark, which must not be marked again.
	if _, err := q.LockOrder(ctx, id); err != nil {
		return fmt.Errorf("lock order: %w", err)
	}
	row, err := q.GetOrder(ctx, id)
	if err != nil {
		return fmt.Errorf("read order: %w", err)
	}
	o, err := toOrder(row)
	if err != nil || o.CacheKey == forgottenKey(id) {
		return err
	}
	details, err := json.Marshal(o.Details.withoutPerson())
	if err != nil {
		return fmt.Errorf("write order: %w", err)
	}
	err = q.ForgetOrder(ctx, gen.ForgetOrderParams{
		ID: id, Mark: marks.Of(o.Site, o.Phone), Details: details, Link: newSecret(), CacheKey: forgottenKey(id), RequestHash: []byte{},
	})
	if err != nil {
		return fmt.Errorf("forget the person of an order: %w", err)
	}
	if err := q.DeleteOrderOrigin(ctx, id); err != nil {
		return fmt.Errorf("forget order: %w", err)
	}
	if err := q.DeleteOrderGrants(ctx, id); err != nil {
		return fmt.Errorf("forget grants: %w", err)
	}
	if err := q.DeleteCourierPosition(ctx, id); err != nil {
		return fmt.Errorf("forget courier position: %w", err)
	}
	return payment.Anonymize(ctx, q, id)
}
