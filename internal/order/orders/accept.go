package orders

import (
	"context"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/order"
	"servery/internal/payment"
	"servery/internal/payment/payments"
)

// accept accepts an order that waits for its payment: it stores the attempt that has paid,
// confirms the reservations and removes from the cart what was bought. It must be called in a
// transaction. It returns [payments.ErrChanged] when the order is no longer waiting or was moved
// concurrently; the caller must then roll back.
func (s *Service) accept(ctx context.Context, tx *db.Tx, id int64, paid payment.Attempt, now time.Time) error {
	o, err := Load(ctx, tx.Q, id)
	if err != nil {
		return err
	}
	moved, err := s.move(ctx, tx, &o, order.Accepted, string(order.Acquirer), now)
	if err == nil && !moved {
		err = payments.ErrChanged
	}
	if err != nil {
		return err
	}
	if err := setPaidBy(ctx, tx.Q, o.ID, paid); err != nil {
		return err
	}
	if err := confirmReservations(ctx, tx, o.ID, now); err != nil {
		return err
	}
	if err := s.carts.RemoveBought(ctx, tx, o.BoughtOfCart(), now); err != nil {
		return fmt.Errorf("empty the cart: %w", err)
	}
	return nil
}
