package order

import (
	"context"
	"slices"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/site"
)

// Refund notes that a done order was paid back in full, as the counter or the courier
// has done by hand: spent bonuses return to the customer, accrued ones are taken back.
// Twice is once. Faults: order.not_found (NotFound); order.not_refundable (Conflict) when it
// is not done or was not paid on receipt.
func (s *Service) Refund(ctx context.Context, id int64, now time.Time) (Order, error) {
	var o Order
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		// The row is written before it is read, so that of two calls one waits for the other.
		refunded, err := refund(ctx, tx.Q, id, now)
		if err != nil {
			return err
		}
		if o, err = load(ctx, tx.Q, id); err != nil {
			return hide(err)
		}
		switch {
		case !o.IsRefunded() || !o.isPaidOnReceipt():
			return fault.New(fault.Conflict, "order.not_refundable")
		case !refunded:
			return nil
		}
		return undoBonuses(ctx, tx, o, now)
	})
	return o, err
}

// isPaidOnReceipt reports whether the money was handed over with the order.
func (o Order) isPaidOnReceipt() bool {
	return slices.Contains([]string{site.Cash, site.Card}, o.PaymentType)
}
