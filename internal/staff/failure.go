package staff

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
)

const (
	// failureWindow is the time in which failures are counted.
	failureWindow = 15 * time.Minute
	// maxFailures bounds those of a login from one address, maxLoginFailures those of a login from all: more,
	// so that a stranger does not lock a person out with a few tries.
	maxFailures      = 5
	maxLoginFailures = 30
)

// counter is one of the counts that an attempt is in.
type counter struct {
	key  string
	most int64
}

// counters are all counts that an attempt is in.
type counters []counter

// countFailure counts an attempt as failed before it is checked, in all processes. When too many have
// failed it returns common.too_many_requests (TooMany) with the time to wait.
func (s *Service) countFailure(ctx context.Context, counted counters) error {
	var wait time.Duration
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		wait = 0 // the transaction may run again
		for _, c := range counted {
			count, since, err := countFailure(ctx, tx.Q, hashSecret(c.key), now, now.Add(-failureWindow))
			if err != nil {
				return err
			}
			if count > c.most {
				wait = max(wait, since.Add(failureWindow).Sub(now))
			}
		}
		return nil
	})
	if err == nil && wait > 0 {
		err = fault.New(fault.TooMany, "common.too_many_requests", fault.RetryAfter(wait))
	}
	return err
}

// uncountFailure takes an attempt that was right out of the counts. What failed before stays counted.
func (s *Service) uncountFailure(ctx context.Context, counted counters) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		for _, c := range counted {
			if err := uncountFailure(ctx, tx.Q, hashSecret(c.key)); err != nil {
				return err
			}
		}
		return nil
	})
}
