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

// SweepIdle calls erase for the customers of the site that were last seen before the instant, a batch
// at most. For a customer who was active later it only stores the time. When erase returns a
// Conflict, because an order or a payment is under way, it stores a later time, so that the next
// attempt is a month away.
func (s *Customers) SweepIdle(ctx context.Context, site string, before time.Time, erase func(id int64) error) error {
	ids, err := listIdleCustomers(ctx, s.db.Read(), site, before)
	if err != nil {
		return err
	}
	for _, id := range ids {
		lastActive, err := lastActivity(ctx, s.db.Read(), site, id)
		if err != nil {
			return err
		}
		storedAsSeen := lastActive
		if lastActive.Before(before) {
			err := erase(id)
			if err == nil || errors.Is(err, ErrSignInFirst) || errors.Is(err, ErrNotIdle) {
				continue // erased, by this call or another, or active again
			}
			if fault.CodeOf(err) != fault.Conflict {
				return fmt.Errorf("erase an idle customer: %w", err)
			}
			storedAsSeen = before.Add(retryAfter)
		}
		if err := s.db.InTx(ctx, func(tx *db.Tx) error { return setSeen(ctx, tx.Q, id, storedAsSeen) }); err != nil {
			return err
		}
	}
	return nil
}

// Sweep deletes presents that ended longer than presentLife ago, and times of exports from longer
// than exportLife ago.
func (s *Customers) Sweep(ctx context.Context) error {
	now := s.clock.Now()
	err := s.db.InBatches(ctx, func(tx *db.Tx) (int64, error) { return deleteEndedPresents(ctx, tx.Q, now.Add(-presentLife)) })
	return errors.Join(err, s.db.InBatches(ctx, func(tx *db.Tx) (int64, error) { return deleteOldExports(ctx, tx.Q, now.Add(-exportLife)) }))
}
