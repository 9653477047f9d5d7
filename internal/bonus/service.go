package bonus

import (
	"context"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/money"
)

// Service manages bonuses on behalf of the operator. It is safe for concurrent use.
type Service struct {
	db    *db.DB
	clock clock.Clock
}

// New returns the service on a migrated database.
func New(d *db.DB, c clock.Clock) *Service { return &Service{db: d, clock: c} }

// Adjust adds bonuses to an account in a transaction of its own, or takes some with a negative
// amount, and returns the balance afterwards. A key is used once at the customer's brand: a
// repeated call changes nothing. Faults: bonus.not_enough (Conflict) when the balance is less
// than the amount to take; bonus.key_reused when the key was used for another amount or account,
// and common.not_allowed when a sum is too large (both Invalid).
func (s *Service) Adjust(ctx context.Context, a Account, key string, amount money.Amount) (balance money.Amount, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		balance, err = Adjust(ctx, tx, a, key, amount, s.clock.Now())
		return err
	})
	return balance, err
}
