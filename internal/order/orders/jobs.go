package orders

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/order/guestlimit"
	"servery/internal/schedule"
	"servery/internal/stock"
)

const (
	// cacheLife is how long the key of a checkout answers with its order.
	cacheLife = 24 * time.Hour
	// grantLife is how long an order that was looked up stays open to the session.
	grantLife = 256 * 24 * time.Hour
	// positionLife is how long the last position of a courier is kept.
	positionLife = 24 * time.Hour
	// stockLife is how long an order can release what it has reserved of limited stock.
	stockLife = 90 * 24 * time.Hour
	// slotLife is how long taken intervals are kept after they began.
	slotLife = 48 * time.Hour
)

// releaseHold is the job that releases the time of a checkout at its deadline. The release before enqueues
// one for each checkout; this one has [Service.ReleaseExpired], and runs those that are left.
type releaseHold struct {
	Key string `json:"key"`
}

// Kind returns the name of the job in the queue.
func (releaseHold) Kind() string { return "order.release_hold" }

// runRelease releases the time that the checkout of the job has reserved. A time that has become
// an order's belongs to the order and stays.
func (s *Service) runRelease(ctx context.Context, job releaseHold) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error { return schedule.Release(ctx, tx, checkoutHolder(job.Key)) })
}

// Sweep does the work of lost jobs: it cancels unpaid orders, polls payments, makes refunds and
// closing receipts that wait, and releases expired reservations. It also deletes what is older
// than its term: checkouts, grants, origins, courier positions, intervals. It is called every
// minute and may run more often, or twice at once. It returns the errors of all parts joined.
func (s *Service) Sweep(ctx context.Context, now time.Time) error {
	return errors.Join(s.sweepUnpaid(ctx, now), s.payments.Sweep(ctx, now), s.sweepReservations(ctx, now), s.deleteOld(ctx, now))
}

// sweepReservations releases the intervals and the limited stock whose reservations have
// expired, and deletes the records of confirmed and past ones after their term. It ends at the
// first error.
func (s *Service) sweepReservations(ctx context.Context, now time.Time) error {
	if err := s.ReleaseExpired(ctx, now); err != nil {
		return err
	}
	if err := stock.DeleteConfirmed(ctx, s.db, now, now.Add(-stockLife)); err != nil {
		return err
	}
	return schedule.DeletePast(ctx, s.db, now.Add(-slotLife))
}

// ReleaseExpired releases the intervals and the limited stock whose reservations have expired. It is
// called every few seconds.
func (s *Service) ReleaseExpired(ctx context.Context, now time.Time) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := schedule.ReleaseExpired(ctx, tx, now); err != nil {
			return err
		}
		_, err := stock.ReleaseExpired(ctx, tx, now)
		return err
	})
}

// deleteOld deletes checkouts, grants, origins and courier positions that are past their term, in
// batches. It ends at the first error.
func (s *Service) deleteOld(ctx context.Context, now time.Time) error {
	for what, forget := range map[string]func(tx *db.Tx) (int64, error){
		"checkouts": func(tx *db.Tx) (int64, error) { return deleteOldCheckouts(ctx, tx.Q, now.Add(-cacheLife)) },
		"grants":    func(tx *db.Tx) (int64, error) { return deleteOldGrants(ctx, tx.Q, now.Add(-grantLife)) },
		"origins":   func(tx *db.Tx) (int64, error) { return guestlimit.DeleteOld(ctx, tx, now) },
		"positions": func(tx *db.Tx) (int64, error) { return deleteOldPositions(ctx, tx.Q, now.Add(-positionLife)) },
	} {
		if err := s.db.InBatches(ctx, forget); err != nil {
			return fmt.Errorf("forget old %s: %w", what, err)
		}
	}
	return nil
}
