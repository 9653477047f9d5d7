package order

import (
	"context"
	"fmt"
	"time"

	"servery/internal/cart"
	"servery/internal/db"
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
	moved, err := s.move(ctx, tx, &o, Accepted, string(Acquirer), now)
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
	if err := s.carts.RemoveBought(ctx, tx, o.boughtOfCart(), now); err != nil {
		return fmt.Errorf("empty the cart: %w", err)
	}
	return nil
}

// boughtOfCart returns what the order took from the customer's cart.
func (o Order) boughtOfCart() cart.Bought {
	b := cart.Bought{
		Site: o.Site, CityID: o.CityID, SessionID: o.sessionID, CustomerID: o.customerID,
		IntervalID: o.IntervalID, Promocode: o.Promocode, Bonuses: o.Prices.Bonuses,
		Lines: make(map[string]int, len(o.Lines)), Gifts: map[int64]int{}, Presents: map[int64]int{},
	}
	for _, l := range o.Lines {
		b.Lines[l.Key] += l.Count
	}
	for _, g := range o.Details.Gifts {
		switch g.Kind {
		case cart.Personal:
			b.Presents[g.ID] += g.Count
		case cart.ForEverybody:
			b.Gifts[g.ID] += g.Count
		case cart.FromPromocode: // comes and goes with the code
		}
	}
	return b
}
