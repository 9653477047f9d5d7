package orders

import (
	"context"

	"servery/internal/db"
	"servery/internal/visit"
)

// Join moves the orders, checkouts, grants of lookups and push subscriptions of the guest's session
// guestSessionID to the session of the customer who has signed in. It does nothing when guestSessionID is 0.
// It must be called in the transaction of the sign-in. Moved orders with the customer's phone become the
// customer's. Orders of other sessions with that phone do not, because the phone may have belonged to
// somebody else then.
func (s *Service) Join(ctx context.Context, tx *db.Tx, v visit.Context, guestSessionID int64) error {
	if guestSessionID == 0 {
		return nil
	}
	if err := moveSession(ctx, tx.Q, guestSessionID, v.SessionID); err != nil {
		return err
	}
	return assignToCustomer(ctx, tx.Q, v)
}
