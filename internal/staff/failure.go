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
	// maxAddressFailures bounds those of all logins from one address: more than an office behind one address
	// has. Each costs the hash of a password, also of a login that does not exist.
	maxAddressFailures = 60
)

// counter is one of the counts that an attempt is in.
type counter struct {
	key  string
	most int64
}

// counters are all counts that an attempt is in, those that fewer callers share before the others. Calls
// that share several counts must have them in the same order, because each count locks its row.
type counters []counter

// signInCounters returns the counts of a sign-in. An address has no space, so that no login makes the key of
// another login.
func signInCounters(login, address string) counters {
	return counters{
		{"login_at " + address + " " + login, maxFailures},
		{"address " + address, maxAddressFailures},
		{"login " + login, maxLoginFailures},
	}
}

// countFailure counts an attempt as failed before it is checked, in all processes. When a count is full it
// returns common.too_many_requests (TooMany) with the time to wait, and raises none: else one address could
// fill the count of a login with attempts that are refused.
func (s *Service) countFailure(ctx context.Context, counted counters) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		for _, c := range counted {
			count, since, err := countFailure(ctx, tx.Q, hashSecret(c.key), now, now.Add(-failureWindow))
			if err != nil {
				return err
			}
			if count > c.most { // the fault takes back what was raised
				return fault.New(fault.TooMany, "common.too_many_requests", fault.RetryAfter(since.Add(failureWindow).Sub(now)))
			}
		}
		return nil
	})
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
