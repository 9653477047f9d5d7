package bonus

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/money"
)

// Release returns what the order has reserved to the customer, as [Refund] does for an order that
// is not confirmed, but leaves the order free to accrue. It changes nothing for an order that has
// reserved nothing or was confirmed.
func Release(ctx context.Context, tx *db.Tx, orderID int64, now time.Time) error {
	return settleReserved(ctx, tx, orderID, func(key string, mine lockedAccount, amount money.Amount) error {
		return postMovement(ctx, tx.Q, key, mine, ofHeld, amount, now)
	})
}
