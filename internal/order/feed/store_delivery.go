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

// insertDelivery stores that a brand's changes after last are to be posted. It changes nothing when the
// brand has a state already.
func insertDelivery(ctx context.Context, d *db.DB, site string, last int64, now time.Time) error {
	return changeInTx(ctx, d, func(q *gen.Queries) error {
		return q.InsertChangeDelivery(ctx, gen.InsertChangeDeliveryParams{Site: site, LastChange: last, Now: clock.Cut(now)})
	})
}

// leaseDelivery leases the changes after last to this process, and returns the number of attempts with
// this one. It reports false when another process has the lease or has posted changes after last meanwhile,
// when the next attempt is not due yet, and when the webhook was given up.
func leaseDelivery(ctx context.Context, d *db.DB, site string, last int64, now, until time.Time) (attempts int64, isLeased bool, err error) {
	err = changeInTx(ctx, d, func(q *gen.Queries) (err error) {
		attempts, err = q.LeaseChangeDelivery(ctx, gen.LeaseChangeDeliveryParams{Site: site, LastChange: last, Now: clock.Cut(now), Until: clock.Cut(until)})
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return 0, false, nil
	}
	return attempts, err == nil, err
}

// finishDelivery stores that all changes up to last were posted. It changes nothing when a later number
// is stored already.
func finishDelivery(ctx context.Context, d *db.DB, site string, last int64, now time.Time) error {
	return changeInTx(ctx, d, func(q *gen.Queries) error {
		_, err := q.FinishChangeDelivery(ctx, gen.FinishChangeDeliveryParams{Site: site, LastChange: last, Now: clock.Cut(now)})
		return err
	})
}

// outcome is a failed attempt to post the changes after last: when and why it failed, when the next
// attempt is due, and when the webhook was given up, zero while it was not.
type outcome struct {
	last              int64
	now, due, givenUp time.Time
	why               string
}

// postponeDelivery ends a lease and stores the outcome of the attempt.
func postponeDelivery(ctx context.Context, d *db.DB, site string, o outcome) error {
	return changeInTx(ctx, d, func(q *gen.Queries) error {
		return q.PostponeChangeDelivery(ctx, gen.PostponeChangeDeliveryParams{
			Site: site, LastChange: o.last, DueAt: clock.Cut(o.due), Now: clock.Cut(o.now),
			FailedAt: sql.NullTime{Time: clock.Cut(o.givenUp), Valid: !o.givenUp.IsZero()}, Error: o.why,
		})
	})
}

// resumeDelivery makes a brand's changes after last due at once, and records that in the audit log;
// before is the number of the last change that was posted until now.
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

// changeInTx calls do in a transaction of its own. It returns [db.ErrNotFound] as it is, so that callers
// can compare it.
func changeInTx(ctx context.Context, d *db.DB, do func(q *gen.Queries) error) error {
	err := d.InTx(ctx, func(tx *db.Tx) error { return do(tx.Q) })
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return fmt.Errorf("store how far changes were posted: %w", err)
	}
	return err
}
