package orders

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/parallel"
	"servery/internal/site"
	"servery/internal/visit"
)

// expireConcurrency is how many unpaid orders are canceled at a time.
const expireConcurrency = 8

// cancelUnpaidOrder cancels an order that waits for its payment and releases all that it has
// reserved. Before that it cancels the active payment attempt; if the attempt turns out to be paid,
// the order is accepted instead. It returns the order as it is afterwards. It must not be called in
// a transaction.
func (s *Service) cancelUnpaidOrder(ctx context.Context, id int64, by order.Actor, now time.Time) (order.Order, error) {
	for range maxRetries {
		if err := s.payments.CancelActive(ctx, id); err != nil {
			return order.Order{}, err
		}
		o, err := Load(ctx, s.db.Read(), id)
		if err != nil || o.State != order.WaitingForPayment {
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
	return order.Order{}, fmt.Errorf("cancel unpaid order %d: %w", id, errMoved)
}

// cancelWaiting cancels an order that still waits for its payment, in the transaction, and
// releases what it has reserved. An attempt that could not be canceled is polled from then on.
// It returns the order; one that does not wait any more is returned as it is. It returns
// errMoved when the order was moved concurrently.
func (s *Service) cancelWaiting(ctx context.Context, tx *db.Tx, id int64, by order.Actor, now time.Time) (order.Order, error) {
	if err := lockOrder(ctx, tx.Q, id); err != nil {
		return order.Order{}, err
	}
	o, err := Load(ctx, tx.Q, id)
	if err != nil || !order.CanMove(o.State, order.Canceled, o.Type, by) || o.State != order.WaitingForPayment {
		return o, err
	}
	if err := s.payments.AbandonActive(ctx, tx, id, now); err != nil {
		return order.Order{}, err
	}
	moved, err := s.move(ctx, tx, &o, order.Canceled, string(by), now)
	if err == nil && !moved {
		err = errMoved
	}
	if err != nil {
		return order.Order{}, err
	}
	return o, releaseReservations(ctx, tx, o, now)
}

// cancelUnpaidOrders cancels the visitor's orders in a city that wait for their payment, because
// a new checkout begins. It returns order.already_paid (Conflict), an [*AlreadyPaid], when one
// of them turns out to be paid.
func (s *Service) cancelUnpaidOrders(ctx context.Context, v visit.Context, city *site.City) error {
	ids, err := listUnpaidOf(ctx, s.db.Read(), ownerOf(v, city), v.CustomerID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		o, err := s.cancelUnpaidOrder(ctx, id, order.Customer, v.Now)
		if err != nil {
			return err
		}
		if o.State != order.Canceled {
			return &AlreadyPaid{OrderID: id}
		}
	}
	return nil
}

// AlreadyPaid is the fault order.already_paid (Conflict): an order that was about to be canceled
// had been paid.
type AlreadyPaid struct{ OrderID int64 }

// Error returns the text of the fault order.already_paid, for logs.
func (e *AlreadyPaid) Error() string { return e.Unwrap().Error() }

// Unwrap returns the fault order.already_paid (Conflict).
func (*AlreadyPaid) Unwrap() error { return fault.New(fault.Conflict, "order.already_paid") }

// expireJob cancels an order at its deadline for paying.
type expireJob struct {
	OrderID int64 `json:"order_id"`
}

// Kind returns the name of the job in the queue.
func (expireJob) Kind() string { return "order.cancel_unpaid" }

// runExpire cancels the order of the job if its deadline is over and it still waits for its
// payment. It does nothing for an order that does not exist.
func (s *Service) runExpire(ctx context.Context, job expireJob) error {
	o, err := Load(ctx, s.db.Read(), job.OrderID)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if now := s.clock.Now(); err == nil && o.State == order.WaitingForPayment && !now.Before(o.PayUntil) {
		_, err = s.cancelUnpaidOrder(ctx, o.ID, order.Deadline, now)
	}
	return err
}

// sweepUnpaid cancels all orders that were not paid by their deadline, several at a time. It
// returns the errors of all that failed, joined.
func (s *Service) sweepUnpaid(ctx context.Context, now time.Time) error {
	ids, err := listUnpaid(ctx, s.db.Read(), now)
	if err != nil {
		return err
	}
	return parallel.Each(ids, expireConcurrency, func(id int64) error {
		if _, err := s.cancelUnpaidOrder(ctx, id, order.Deadline, now); err != nil {
			return fmt.Errorf("cancel unpaid order %d: %w", id, err)
		}
		return nil
	})
}
