package customer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
)

const (
	// presentLife is how long a present is stored after it ended.
	presentLife = 365 * 24 * time.Hour
	// exportLife is longer than the pause between two exports.
	exportLife = 24 * time.Hour
	// retryAfter is when the erasure of a customer who cannot be erased yet is attempted again.
	retryAfter = 30 * 24 * time.Hour
)

// ErrNotIdle says that a customer came back while they were being erased.
var ErrNotIdle = errors.New("the customer is not idle any more")

// SweepIdle calls erase for customers of the site that were not seen since the instant, at most a
// batch of them. One whom erase refuses with Conflict, because an order or a payment is on its way,
// is tried again after a month.
func (s *Customers) SweepIdle(ctx context.Context, site string, before time.Time, erase func(id int64) error) error {
	ids, err := listIdleCustomers(ctx, s.db.Read(), site, before)
	if err != nil {
		return err
	}
	for _, id := range ids {
		seen, err := lastActivity(ctx, s.db.Read(), site, id)
		if err != nil {
			return err
		}
		if seen.Before(before) {
			err := erase(id)
			if err == nil || errors.Is(err, ErrSignInFirst) || errors.Is(err, ErrNotIdle) { // gone, or back
				continue
			}
			if fault.CodeOf(err) != fault.Conflict {
				return fmt.Errorf("erase an idle customer: %w", err)
			}
			seen = before.Add(retryAfter)
		}
		if err := s.db.InTx(ctx, func(tx *db.Tx) error { return setSeen(ctx, tx.Q, id, seen) }); err != nil {
			return err
		}
	}
	return nil
}

// Sweep removes presents that ended long ago, and the times of exports that bound none any more.
func (s *Customers) Sweep(ctx context.Context) error {
	now := s.clock.Now()
	err := s.db.InBatches(ctx, func(tx *db.Tx) (int64, error) { return deleteEndedPresents(ctx, tx.Q, now.Add(-presentLife)) })
	return errors.Join(err, s.db.InBatches(ctx, func(tx *db.Tx) (int64, error) { return deleteOldExports(ctx, tx.Q, now.Add(-exportLife)) }))
}
