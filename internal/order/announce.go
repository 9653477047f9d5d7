package order

import (
	"context"
	"time"

	"servery/internal/db"
)

// move moves an order like [moveOrder] does, and announces the change.
func (s *Service) move(ctx context.Context, tx *db.Tx, o *Order, to State, actor string, now time.Time) (bool, error) {
	isMoved, err := moveOrder(ctx, tx, o, to, actor, now)
	if err != nil || !isMoved || s.announce == nil {
		return isMoved, err
	}
	return true, s.announce(ctx, tx, o.ID, o.ChangeID)
}
