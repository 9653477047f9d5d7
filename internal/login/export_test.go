package login

import (
	"context"
	"time"

	"servery/internal/db"
)

// Deliver runs the job of a code.
func (s *Service) Deliver(ctx context.Context, id int64) error {
	return s.sendCode(ctx, sendJob{ID: id})
}

// Hurry bounds each attempt to send a code by timeout, and removes the pause between attempts.
func (s *Service) Hurry(timeout time.Duration) { s.sendTimeout, s.retryPause = timeout, 0 }

// CountSent adds codes to those that were sent under a scope within the present hour.
func (s *Service) CountSent(ctx context.Context, site, scope string, sent int) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		return addTraffic(ctx, tx.Q, site, scope, hourOf(s.clock.Now()), trafficCounts{sent: int64(sent)})
	})
}
