package order

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart"
	"servery/internal/db"
)

// errOtherSum says that an acquirer told of another sum than was asked for; it is to be
// asked itself before that is believed.
var errOtherSum = errors.New("another sum or currency than asked for")

// believe writes down what was heard of a try. Of a payment with a wrong sum the acquirer is
// asked itself, and only its own word is believed.
func (s *Service) believe(ctx context.Context, p Payment, e acquiring.Event) (Payment, error) {
	known, err := s.apply(ctx, p.ID, e, false)
	if !errors.Is(err, errOtherSum) {
		return known, err
	}
	e, err = s.statusOf(ctx, p, statusWithin)
	if err != nil {
		return p, err
	}
	return s.apply(ctx, p.ID, e, true)
}

// apply brings what an acquirer says of a try into the books, in one transaction: the try,
// and what follows for its order. It may be called any number of times with the same
// event, in any order, and gives the try as it stands then. certain says that the acquirer
// was asked itself: a wrong sum is else no more than errOtherSum.
func (s *Service) apply(ctx context.Context, id acquiring.ID, e acquiring.Event, certain bool) (Payment, error) {
	now := s.clock.Now()
	var p Payment
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if p, err = lockedPayment(ctx, tx, id); err != nil {
			return err
		}
		meaning := judge(p, e)
		if meaning == otherSum && !certain {
			return errOtherSum
		}
		switch meaning {
		case noNews:
			return s.noteStrangeRefund(ctx, tx, p, e)
		case stillPending:
			return keepNews(ctx, tx.Q, p, e)
		case notTaken, taken, otherSum:
		}
		isNew, err := insertNews(ctx, tx.Q, p.ID, keyOf(e), now)
		if err != nil || !isNew {
			return err
		}
		switch meaning {
		case taken:
			return s.take(ctx, tx, p, e, now)
		case otherSum:
			return s.dispute(ctx, tx, p, e, now)
		default:
			return endPayment(ctx, tx.Q, p, Failed, e, now)
		}
	})
	if err != nil {
		return p, err
	}
	return loadPayment(ctx, s.db.Read(), id)
}

// lockedPayment gives a try, with its order locked until the end of the transaction.
func lockedPayment(ctx context.Context, tx *db.Tx, id acquiring.ID) (Payment, error) {
	p, err := loadPayment(ctx, tx.Q, id)
	if err != nil {
		return Payment{}, err
	}
	if err := lockOrder(ctx, tx.Q, p.OrderID); err != nil {
		return Payment{}, err
	}
	return loadPayment(ctx, tx.Q, id) // as those left it that were waited for
}

// take writes down that the money of a try was taken. An order that waits for it is
// accepted; with any other nothing can be bought, so it goes back.
func (s *Service) take(ctx context.Context, tx *db.Tx, p Payment, e acquiring.Event, now time.Time) error {
	if err := endPayment(ctx, tx.Q, p, Paid, e, now); err != nil {
		return err
	}
	if p.State == Failed {
		s.log.ErrorContext(ctx, "a payment that had failed was paid after all",
			slog.Int64("order_id", p.OrderID), slog.String("payment_id", string(p.ID)))
	}
	p, err := loadPayment(ctx, tx.Q, p.ID)
	if err != nil {
		return err
	}
	o, err := load(ctx, tx.Q, p.OrderID)
	switch {
	case err != nil:
		return err
	case o.State == WaitingForPayment:
		return s.accept(ctx, tx, o, p, now)
	case o.PaidBy == "":
		return s.giveMoneyBack(ctx, tx, p, PaidLate, now)
	case o.PaidBy != p.ID:
		return s.giveMoneyBack(ctx, tx, p, PaidTwice, now)
	}
	return nil
}

// dispute writes down that another sum was taken than asked for. Nothing is bought with it,
// so it goes back as it was taken, and the customer may pay anew.
func (s *Service) dispute(ctx context.Context, tx *db.Tx, p Payment, e acquiring.Event, now time.Time) error {
	s.alert(ctx, alertOtherSum, "an acquirer took another sum than asked for: a person has to look",
		slog.Int64("order_id", p.OrderID), slog.String("payment_id", string(p.ID)),
		slog.String("asked", p.Sum.String()), slog.String("taken", e.Sum.String()))
	if err := endPayment(ctx, tx.Q, p, Disputed, e, now); err != nil {
		return err
	}
	p, err := loadPayment(ctx, tx.Q, p.ID)
	if err != nil {
		return err
	}
	return s.giveMoneyBack(ctx, tx, p, Mismatch, now)
}

// accept is what follows when the money came that an order waits for.
func (s *Service) accept(ctx context.Context, tx *db.Tx, o Order, p Payment, now time.Time) error {
	moved, err := advance(ctx, tx, &o, Accepted, string(Acquirer), now)
	if err == nil && !moved {
		err = errMoved
	}
	if err != nil {
		return err
	}
	if err := setPaidBy(ctx, tx.Q, o.ID, p); err != nil {
		return err
	}
	if err := settle(ctx, tx, o.ID, now); err != nil {
		return err
	}
	if err := s.abandonLive(ctx, tx, o.ID, now); err != nil {
		return err
	}
	if err := s.carts.RemoveBought(ctx, tx, o.inCart(), now); err != nil {
		return fmt.Errorf("empty the cart: %w", err)
	}
	return nil
}

// inCart says what of the customer's cart went into the order.
func (o Order) inCart() cart.Bought {
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

// abandonLive gives up the live try of an order, if it has one: from now on it is watched,
// and what is paid by it is given back.
func (s *Service) abandonLive(ctx context.Context, tx *db.Tx, orderID int64, now time.Time) error {
	tries, err := paymentsOf(ctx, tx.Q, orderID)
	if err != nil {
		return err
	}
	live, ok := liveTry(tries)
	if !ok {
		return nil
	}
	return s.abandon(ctx, tx, live, now)
}

func (s *Service) abandon(ctx context.Context, tx *db.Tx, p Payment, now time.Time) error {
	if err := abandonPayment(ctx, tx.Q, p.ID, now); err != nil {
		return err
	}
	return s.checkAt(ctx, tx, p.ID, now)
}
