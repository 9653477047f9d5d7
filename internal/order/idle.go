package order

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/phone"
)

const (
	// idleAtOnce is how many orders are anonymized in one transaction, idleBatches how many
	// transactions one sweep makes.
	idleAtOnce, idleBatches = 100, 5
	// askAgainAfter is when an order that cannot be anonymized yet is looked at again.
	askAgainAfter = 30 * 24 * time.Hour
)

// AnonymizeIdle takes the person out of orders of guests at the site whom nothing was heard of
// since the instant: no order with the phone, no use of the browser. Orders of
// customers go with the account. One that is not done or canceled, or whose money is on its
// way, is looked at again after a month.
func (s *Service) AnonymizeIdle(ctx context.Context, siteAlias string, before time.Time, marks phone.Marks) error {
	for range idleBatches {
		looked := 0
		err := s.db.InTx(ctx, func(tx *db.Tx) error {
			found, err := listIdleOrders(ctx, tx.Q, siteAlias, before)
			if err != nil {
				return err
			}
			looked = len(found)
			for _, o := range found {
				if err := anonymizeIfIdle(ctx, tx, siteAlias, o, before, marks); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || looked < idleAtOnce {
			return err
		}
	}
	return nil
}

func anonymizeIfIdle(ctx context.Context, tx *db.Tx, siteAlias string, o idleOrder, before time.Time, marks phone.Marks) error {
	seen, err := lastSignOfGuest(ctx, tx.Q, siteAlias, o)
	if err != nil {
		return err
	}
	if seen.Before(before) {
		refused, err := checkForgettable(ctx, tx.Q, o.standing)
		if err != nil {
			return err
		}
		if refused == "" {
			return forget(ctx, tx.Q, o.id, marks)
		}
		seen = before.Add(askAgainAfter)
	}
	return setPersonSeen(ctx, tx.Q, o.id, seen)
}
