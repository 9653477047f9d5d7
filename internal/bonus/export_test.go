package bonus

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/money"
)

// Release returns what the order has reserved to the customer and leaves the order free to
// accrue. It does nothing for an order that has reserved nothing, was confirmed or was released
// before.
func Release(ctx context.Context, tx *db.Tx, orderID int64, now time.Time) error {
	return settleReserved(ctx, tx, orderID, func(key string, account lockedAccount, amount money.Amount) error {
		return postMovement(ctx, tx.Q, key, account, ofHeld, amount, now)
	})
}
