package order

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/site"
	"servery/internal/visit"
)

// withdraw makes sure, as far as the acquirer can, that a try is not paid any more, outside
// of any transaction, and gives what is known of it then. It reports false when the
// acquirer could not be asked.
func (s *Service) withdraw(ctx context.Context, p Payment) (Payment, bool, error) {
	a, err := s.acquirer(p)
	var e acquiring.Event
	if err == nil {
		calling, cancel := patient(ctx, cancelWithin)
		defer cancel()
		e, err = a.Cancel(calling, p.Lookup())
	}
	if err != nil {
		s.logRefusal(ctx, p, "cancel", err)
		return p, false, nil
	}
	known, err := s.believe(ctx, p, e)
	return known, true, err
}

// withdrawOrder cancels an order that waits for its payment and gives back all that it
// holds. Its live try is stopped before; one that is paid by then accepts the order
// instead. It gives the order as it is afterwards.
func (s *Service) withdrawOrder(ctx context.Context, id int64, by Mover, now time.Time) (Order, error) {
	for range attempts {
		o, err := s.stopTry(ctx, id)
		if err != nil || o.State != WaitingForPayment {
			return o, err
		}
		err = s.db.InTx(ctx, func(tx *db.Tx) error {
			o, err = s.cancelWaiting(ctx, tx, id, by, now)
			return err
		})
		if !errors.Is(err, errMoved) {
			return o, err
		}
	}
	return Order{}, fmt.Errorf("withdraw order %d: %w", id, errMoved)
}

// stopTry asks the acquirer to stop the live try of an order, and gives the order as it is then.
func (s *Service) stopTry(ctx context.Context, id int64) (Order, error) {
	tries, err := paymentsOf(ctx, s.db.Read(), id)
	if err != nil {
		return Order{}, err
	}
	if live, ok := liveTry(tries); ok {
		if _, _, err := s.withdraw(ctx, live); err != nil {
			return Order{}, err
		}
	}
	return load(ctx, s.db.Read(), id)
}

// cancelWaiting cancels an order that still waits. A try that could not be stopped is
// watched from then on.
func (s *Service) cancelWaiting(ctx context.Context, tx *db.Tx, id int64, by Mover, now time.Time) (Order, error) {
	if err := lockOrder(ctx, tx.Q, id); err != nil {
		return Order{}, err
	}
	o, err := load(ctx, tx.Q, id)
	if err != nil || !CanMove(o.State, Canceled, o.Type, by) || o.State != WaitingForPayment {
		return o, err
	}
	if err := s.abandonLive(ctx, tx, id, now); err != nil {
		return Order{}, err
	}
	moved, err := advance(ctx, tx, &o, Canceled, string(by), now)
	if err == nil && !moved {
		err = errMoved
	}
	if err != nil {
		return Order{}, err
	}
	return o, giveBack(ctx, tx, o, now)
}

// withdrawUnpaid takes back the visitor's orders of a city that wait for their payment,
// because he begins anew. Fault: order.already_paid (Conflict), with [AlreadyPaid], when
// one of them turns out to be paid.
func (s *Service) withdrawUnpaid(ctx context.Context, v visit.Context, city *site.City) error {
	ids, err := unpaidOf(ctx, s.db.Read(), ownerOf(v, city), v.CustomerID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		o, err := s.withdrawOrder(ctx, id, Customer, v.Now)
		if err != nil {
			return err
		}
		if o.State != Canceled {
			return fault.New(fault.Conflict, "order.already_paid", fault.Data(AlreadyPaid{OrderID: id}))
		}
	}
	return nil
}

// unpaidJob is the deadline of an order that is paid online.
type unpaidJob struct {
	OrderID int64 `json:"order_id"`
}

// Kind names the job.
func (unpaidJob) Kind() string { return "order.cancel_unpaid" }

func (s *Service) cancelIfUnpaid(ctx context.Context, job unpaidJob) error {
	o, err := load(ctx, s.db.Read(), job.OrderID)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if now := s.clock.Now(); err == nil && o.State == WaitingForPayment && !now.Before(o.PayUntil) {
		_, err = s.withdrawOrder(ctx, o.ID, Deadline, now)
	}
	return err
}

// cancelUnpaid cancels the orders whose payment has not come until their deadline, and
// gives back what they hold. One that fails keeps no other from its deadline.
func (s *Service) cancelUnpaid(ctx context.Context, now time.Time) error {
	ids, err := unpaid(ctx, s.db.Read(), now)
	if err != nil {
		return err
	}
	return side(ids, func(id int64) error {
		if _, err := s.withdrawOrder(ctx, id, Deadline, now); err != nil {
			return fmt.Errorf("cancel unpaid order %d: %w", id, err)
		}
		return nil
	})
}
