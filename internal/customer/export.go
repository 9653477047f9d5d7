package customer

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
)

// ClaimExport stores that a customer's data is exported now. It must be called before the export. It
// returns customer.export_too_soon (TooMany) when the customer has had an export within the pause,
// through any process. A pause of 0 allows any number.
func (s *Customers) ClaimExport(ctx context.Context, id int64, pause time.Duration) error {
	if pause == 0 {
		return nil
	}
	now := s.clock.Now()
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		isClaimed, err := claimExport(ctx, tx.Q, id, now, pause)
		if err != nil || isClaimed {
			return err
		}
		last, err := lastExport(ctx, tx.Q, id)
		if err != nil {
			return err
		}
		wait := min(max(last.Add(pause).Sub(now), time.Second), pause) // also when clocks differ
		return fault.New(fault.TooMany, "customer.export_too_soon", fault.RetryAfter(wait))
	})
}
