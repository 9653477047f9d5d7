package orders

import (
	"context"

	"servery/internal/db"
	"servery/internal/visit"
)

// Join moves the orders and checkouts of the guest's session guestID to the session of the customer
// who has signed in. It does nothing when guestID is 0. It must be called in the transaction of the
// sign-in. Moved orders with the customer's phone become the customer's. Orders of other sessions with
// that phone do not, because the phone may have belonged to somebody else then.
func (s *Service) Join(ctx context.Context, tx *db.Tx, v visit.Context, guestID int64) error {
	if guestID == 0 {
		return nil
	}
	if err := moveSession(ctx, tx.Q, guestID, v.SessionID); err != nil {
		return err
	}
	return assignToCustomer(ctx, tx.Q, v)
}
