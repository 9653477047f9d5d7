package orders

import (
	"context"

	"servery/internal/db"
	"servery/internal/visit"
)

// Join moves the orders and checkouts of the guest's session guestID, 0 for none, to the
// customer's session v. It must be called in the transaction of the sign-in. Those of the orders
// that have the customer's phone become the customer's. Orders of other sessions with that phone
// do not: it may have belonged to somebody else then.
func (s *Service) Join(ctx context.Context, tx *db.Tx, v visit.Context, guestID int64) error {
	if guestID == 0 {
		return nil
	}
	if err := moveSession(ctx, tx.Q, guestID, v.SessionID); err != nil {
		return err
	}
	return assignToCustomer(ctx, tx.Q, v)
}
