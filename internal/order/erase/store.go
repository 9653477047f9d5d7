package erase

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/order"
	"servery/internal/payment/payments"
	"servery/internal/phone"
)

// idleOrder is an order of a guest that may be idle.
type idleOrder struct {
	orderRef

	phone     string
	sessionID int64
}

// listIdleOrders returns up to a hundred orders of the site's guests who, as far as is stored, were
// last seen earlier than seenBefore: the longest idle. They are sorted by id, since all transactions
// lock in that order.
func listIdleOrders(ctx context.Context, q *gen.Queries, siteAlias string, seenBefore time.Time) ([]idleOrder, error) {
	rows, err := q.ListIdleGuestOrders(ctx, gen.ListIdleGuestOrdersParams{Site: siteAlias, Before: sql.NullTime{Time: seenBefore, Valid: true}})
	if err != nil {
		return nil, fmt.Errorf("list idle orders: %w", err)
	}
	found := make([]idleOrder, len(rows))
	for i, row := range rows {
		found[i] = idleOrder{orderRef{row.ID, order.State(row.State)}, row.Phone, row.SessionID}
	}
	slices.SortFunc(found, func(a, b idleOrder) int { return cmp.Compare(a.id, b.id) })
	return found, nil
}

// guestLastSeen returns when the phone last ordered or the browser was last used, whichever is
// later; the zero time when neither is known any more.
func guestLastSeen(ctx context.Context, q *gen.Queries, siteAlias string, o idleOrder) (time.Time, error) {
	ordered, err := q.NewestOrderOfPhone(ctx, gen.NewestOrderOfPhoneParams{Site: siteAlias, Phone: o.phone})
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return time.Time{}, fmt.Errorf("read newest order: %w", err)
	}
	seen, err := q.GetSessionSeen(ctx, o.sessionID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return time.Time{}, fmt.Errorf("read session: %w", err)
	}
	archived, err := q.NewestArchivedOrderOfPhone(ctx, gen.NewestArchivedOrderOfPhoneParams{Site: siteAlias, Phone: o.phone})
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return time.Time{}, fmt.Errorf("read newest archived order: %w", err)
	}
	if archived.After(ordered) {
		ordered = archived
	}
	if seen.After(ordered) {
		return seen, nil
	}
	return ordered, nil
}

// setPersonSeen stores when the person of an order was last seen. Sweeps find idle orders by that time.
func setPersonSeen(ctx context.Context, q *gen.Queries, id int64, seen time.Time) error {
	if err := q.SetOrderPersonSeen(ctx, gen.SetOrderPersonSeenParams{ID: id, SeenAt: sql.NullTime{Time: seen, Valid: true}}); err != nil {
		return fmt.Errorf("write when a person was seen: %w", err)
	}
	return nil
}

// orderRef is an order with its state.
type orderRef struct {
	id    int64
	state order.State
}

// listOrdersOf returns the customer's orders, guests' orders with the customer's phone, and
// those that a guest placed in the customer's sessions. They are sorted by id, each once: all
// transactions touch them in that order.
func listOrdersOf(ctx context.Context, q *gen.Queries, e customer.Erased) ([]orderRef, error) {
	var found []orderRef
	own, err := q.ListOrdersOfCustomer(ctx, gen.ListOrdersOfCustomerParams{Site: e.Site, CustomerID: e.ID})
	if err != nil {
		return nil, fmt.Errorf("list orders of a customer: %w", err)
	}
	for _, o := range own {
		found = append(found, orderRef{o.ID, order.State(o.State)})
	}
	byPhone, err := q.ListGuestOrdersOfPhone(ctx, gen.ListGuestOrdersOfPhoneParams{Site: e.Site, Phone: e.Phone})
	if err != nil {
		return nil, fmt.Errorf("list orders of a phone: %w", err)
	}
	for _, o := range byPhone {
		found = append(found, orderRef{o.ID, order.State(o.State)})
	}
	for _, session := range e.SessionIDs {
		inSession, err := q.ListGuestOrdersOfSession(ctx, gen.ListGuestOrdersOfSessionParams{SessionID: session, Site: e.Site})
		if err != nil {
			return nil, fmt.Errorf("list orders of a session: %w", err)
		}
		for _, o := range inSession {
			found = append(found, orderRef{o.ID, order.State(o.State)})
		}
	}
	slices.SortFunc(found, func(a, b orderRef) int { return cmp.Compare(a.id, b.id) })
	return slices.CompactFunc(found, func(a, b orderRef) bool { return a.id == b.id }), nil
}

// checkAnonymizable returns the message key of the reason why the person of an order is still needed;
// empty when there is no reason.
func checkAnonymizable(ctx context.Context, q *gen.Queries, o orderRef) (refused string, err error) {
	if !o.state.IsFinal() {
		return "customer.order_running", nil
	}
	return payments.FindEraseBlocker(ctx, q, o.id)
}

// anonymize removes the person from an order and from its payments, with the names of couriers and of who
// worked the order, and closes the order to all who have looked it up. An order that is anonymized already
// stays as it is.
func anonymize(ctx context.Context, q *gen.Queries, id int64, marks phone.Marks) error {
	// A concurrent call may have replaced the phone by its mark, which must not be marked again.
	if _, err := q.LockOrder(ctx, id); err != nil {
		return fmt.Errorf("lock order: %w", err)
	}
	row, err := q.GetOrder(ctx, id)
	if err != nil {
		return fmt.Errorf("read order: %w", err)
	}
	if row.CacheKey == anonymizedKey(id) {
		return nil
	}
	var sold order.Details
	if err := json.Unmarshal(row.Details, &sold); err != nil {
		return fmt.Errorf("read order: %w", err)
	}
	details, err := json.Marshal(sold.Anonymized())
	if err != nil {
		return fmt.Errorf("write order: %w", err)
	}
	if err := q.ForgetChangePersons(ctx, id); err != nil {
		return fmt.Errorf("forget the persons of changes: %w", err)
	}
	if err := q.ForgetOrderCorrections(ctx, gen.ForgetOrderCorrectionsParams{OrderID: id, Empty: []byte("{}"), NoHash: []byte{}}); err != nil {
		return fmt.Errorf("forget corrections: %w", err)
	}
	err = q.ForgetOrder(ctx, gen.ForgetOrderParams{
		ID: id, Mark: marks.Of(row.Site, row.Phone), Details: details, Link: order.NewSecret(), CacheKey: anonymizedKey(id), RequestHash: []byte{},
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
	return payments.Anonymize(ctx, q, id)
}
