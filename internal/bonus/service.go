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

// Give is [Give] in a transaction of its own.
func (s *Service) Give(ctx context.Context, a Account, key string, amount money.Amount) (balance money.Amount, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		balance, err = Give(ctx, tx, a, key, amount, s.clock.Now())
		return err
	})
	return balance, err
}
