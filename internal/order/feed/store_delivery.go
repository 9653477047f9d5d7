package feed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"servery/internal/audit"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/gen"
)

// findDelivery returns the stored state of a brand; false when there is none.
func findDelivery(ctx context.Context, q *gen.Queries, site string) (State, bool, error) {
	row, err := q.GetChangeDelivery(ctx, site)
	if errors.Is(err, db.ErrNotFound) {
		return State{}, false, nil
	}
	if err != nil {
		return State{}, false, fmt.Errorf("read how far changes were posted: %w", err)
	}
	return State{
		Last: row.LastChange, Attempts: row.Attempts, Error: row.Error, DueAt: row.DueAt, FailedAt: row.FailedAt.Time, leasedUntil: row.LeasedUntil,
	}, true, nil
}

// insertDelivery stores that a brand's changes are posted from behind last on, unless it has a state.
func insertDelivery(ctx context.Context, d *db.DB, site string, last int64, now time.Time) error {
	return change(ctx, d, func(q *gen.Queries) error {
		return q.InsertChangeDelivery(ctx, gen.InsertChangeDeliveryParams{Site: site, LastChange: last, Now: clock.Cut(now)})
	})
}

// leaseDelivery makes this process the one that posts what comes behind last until the lease ends, and
// returns how many attempts there were with this one. It reports false when another one posts.
func leaseDelivery(ctx context.Context, d *db.DB, site string, last int64, now, until time.Time) (attempts int64, isLeased bool, err error) {
	err = change(ctx, d, func(q *gen.Queries) (err error) {
		attempts, err = q.LeaseChangeDelivery(ctx, gen.LeaseChangeDeliveryParams{Site: site, LastChange: last, Now: clock.Cut(now), Until: clock.Cut(until)})
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return 0, false, nil
	}
	return attempts, err == nil, err
}

// finishDelivery stores that everything up to last was posted. A later number that was stored stays.
func finishDelivery(ctx context.Context, d *db.DB, site string, last int64, now time.Time) error {
	return change(ctx, d, func(q *gen.Queries) error {
		_, err := q.FinishChangeDelivery(ctx, gen.FinishChangeDeliveryParams{Site: site, LastChange: last, Now: clock.Cut(now)})
		return err
	})
}

// outcome is an attempt in vain behind the change last: when and why it failed, when the next one is
// due, and when it was given up, which is zero while it was not.
type outcome struct {
	last             int64
	now, due, failed time.Time
	why              string
}

// postponeDelivery ends a lease and stores the outcome of the attempt.
func postponeDelivery(ctx context.Context, d *db.DB, site string, o outcome) error {
	return change(ctx, d, func(q *gen.Queries) error {
		return q.PostponeChangeDelivery(ctx, gen.PostponeChangeDeliveryParams{
			Site: site, LastChange: o.last, DueAt: clock.Cut(o.due), Now: clock.Cut(o.now),
			FailedAt: sql.NullTime{Time: clock.Cut(o.failed), Valid: !o.failed.IsZero()}, Error: o.why,
		})
	})
}

// resumeDelivery makes a brand's changes behind last be posted at once.
func resumeDelivery(ctx context.Context, d *db.DB, site string, before, last int64, now time.Time) error {
	return d.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.ResumeChangeDelivery(ctx, gen.ResumeChangeDeliveryParams{Site: site, LastChange: last, Now: clock.Cut(now)})
		if err != nil {
			return fmt.Errorf("store how far changes were posted: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{
			Site: site, Subject: "webhook", ID: "changes", Before: audit.Fields{"last": before}, After: audit.Fields{"last": last, "resumed": true},
		}, now)
	})
}

// change makes one change in a transaction of its own.
func change(ctx context.Context, d *db.DB, do func(q *gen.Queries) error) error {
	err := d.InTx(ctx, func(tx *db.Tx) error { return do(tx.Q) })
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return fmt.Errorf("store how far changes were posted: %w", err)
	}
	return err
}
