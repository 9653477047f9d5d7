package customer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/stock"
)

// storeSeenEvery is how often it is stored that a customer was seen: the term of personal data is
// counted in months.
const storeSeenEvery = 24 * time.Hour

// touchCustomer stores that a customer was seen, at most once a day.
func touchCustomer(ctx context.Context, q *gen.Queries, id int64, now time.Time) error {
	err := q.TouchCustomer(ctx, gen.TouchCustomerParams{
		ID: id, Now: sql.NullTime{Time: now, Valid: true}, Before: sql.NullTime{Time: now.Add(-storeSeenEvery), Valid: true},
	})
	if err != nil {
		return fmt.Errorf("touch customer: %w", err)
	}
	return nil
}

// listIdleCustomers returns a batch of customers that were last seen before the instant, by what is stored;
// one who was never seen counts from their creation. The longest idle come first, and none is erased.
func listIdleCustomers(ctx context.Context, q *gen.Queries, site string, before time.Time) ([]int64, error) {
	ids, err := q.ListIdleCustomers(ctx, gen.ListIdleCustomersParams{Site: site, Before: sql.NullTime{Time: before, Valid: true}})
	if err != nil {
		return nil, fmt.Errorf("list idle customers: %w", err)
	}
	return ids, nil
}

// lastActivity returns when a customer last ordered or used a session, whichever is later; the zero
// time for never. Orders in the archive count too.
func lastActivity(ctx context.Context, q *gen.Queries, site string, id int64) (time.Time, error) {
	ordered, err := q.NewestCustomerOrder(ctx, gen.NewestCustomerOrderParams{Site: site, CustomerID: id})
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return time.Time{}, fmt.Errorf("read newest order: %w", err)
	}
	archived, err := q.NewestArchivedOrderOfCustomer(ctx, gen.NewestArchivedOrderOfCustomerParams{Site: site, CustomerID: id})
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return time.Time{}, fmt.Errorf("read newest archived order: %w", err)
	}
	if archived.After(ordered) {
		ordered = archived
	}
	seen, err := q.NewestCustomerSession(ctx, id)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return time.Time{}, fmt.Errorf("read newest session: %w", err)
	}
	if seen.After(ordered) {
		return seen, nil
	}
	return ordered, nil
}

// CheckIdle returns [ErrNotIdle] when it is stored that the customer was seen since the instant. It must be called in
// the transaction that erases them: they may have come back since SweepIdle found them.
func CheckIdle(ctx context.Context, tx *db.Tx, id int64, before time.Time) error {
	seen, err := tx.Q.GetCustomerSeen(ctx, id)
	if err != nil {
		return fmt.Errorf("read when a customer was seen: %w", err)
	}
	if seen.Valid && !seen.Time.Before(before) {
		return ErrNotIdle
	}
	return nil
}

// setSeen stores when the customer was seen last.
func setSeen(ctx context.Context, q *gen.Queries, id int64, at time.Time) error {
	if err := q.SetCustomerSeen(ctx, gen.SetCustomerSeenParams{ID: id, SeenAt: sql.NullTime{Time: at, Valid: true}}); err != nil {
		return fmt.Errorf("write when a customer was seen: %w", err)
	}
	return nil
}

// deleteEndedPresents deletes a batch of presents that ended before the instant, with the counts of
// their use, and returns how many.
func deleteEndedPresents(ctx context.Context, q *gen.Queries, before time.Time) (int64, error) {
	ended, err := q.ListEndedPresents(ctx, sql.NullTime{Time: before, Valid: true})
	if err != nil {
		return 0, fmt.Errorf("list ended presents: %w", err)
	}
	for _, p := range ended {
		if err := stock.DeletePresentCount(ctx, q, p.Site, p.ID); err != nil {
			return 0, err
		}
		if err := q.DeletePresent(ctx, p.ID); err != nil {
			return 0, fmt.Errorf("delete present: %w", err)
		}
	}
	return int64(len(ended)), nil
}

// deleteOldExports deletes a batch of the records that a customer had an export before the instant, and
// returns how many.
func deleteOldExports(ctx context.Context, q *gen.Queries, before time.Time) (int64, error) {
	return q.DeleteOldExports(ctx, before)
}
