package order

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// idleOrder is an order of a guest that may be idle.
type idleOrder struct {
	standing

	phone     string
	sessionID int64
}

func listIdleOrders(ctx context.Context, q *gen.Queries, siteAlias string, before time.Time) ([]idleOrder, error) {
	rows, err := q.ListIdleGuestOrders(ctx, gen.ListIdleGuestOrdersParams{Site: siteAlias, Before: nullTime(before)})
	if err != nil {
		return nil, fmt.Errorf("list idle orders: %w", err)
	}
	found := make([]idleOrder, len(rows))
	for i, row := range rows {
		found[i] = idleOrder{standing{row.ID, State(row.State)}, row.Phone, row.SessionID}
	}
	slices.SortFunc(found, func(a, b idleOrder) int { return cmp.Compare(a.id, b.id) }) // as all transactions touch them
	return found, nil
}

// lastSignOfGuest returns when the phone last ordered or the browser was last used.
func lastSignOfGuest(ctx context.Context, q *gen.Queries, siteAlias string, o idleOrder) (time.Time, error) {
	ordered, err := q.NewestOrderOfPhone(ctx, gen.NewestOrderOfPhoneParams{Site: siteAlias, Phone: o.phone})
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return time.Time{}, fmt.Errorf("read newest order: %w", err)
	}
	seen, err := q.GetSessionSeen(ctx, o.sessionID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return time.Time{}, fmt.Errorf("read session: %w", err)
	}
	if seen.After(ordered) {
		return seen, nil
	}
	return ordered, nil
}

func setPersonSeen(ctx context.Context, q *gen.Queries, id int64, seen time.Time) error {
	if err := q.SetOrderPersonSeen(ctx, gen.SetOrderPersonSeenParams{ID: id, SeenAt: sql.NullTime{Time: seen, Valid: true}}); err != nil {
		return fmt.Errorf("write when a person was seen: %w", err)
	}
	return nil
}
