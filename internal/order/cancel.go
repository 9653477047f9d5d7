package order

import (
	"context"
	"errors"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/visit"
)

// Cancel cancels an accepted order that the visitor placed or has the link of, and releases all
// that it has reserved: its interval, limited stock, bonuses. What was paid online is refunded.
// An order that is canceled already is returned as it is. Faults: order.not_found (NotFound);
// order.not_cancelable with its state in the key, or alone when it was moved again and again
// (Conflict).
func (s *Service) Cancel(ctx context.Context, v visit.Context, id int64) (Order, error) {
	for range maxRetries {
		var canceled Order
		err := s.db.InTx(ctx, func(tx *db.Tx) error {
			var err error
			canceled, err = s.cancelIn(ctx, tx, v, id)
			return err
		})
		if !errors.Is(err, errMoved) {
			return canceled, err
		}
	}
	return Order{}, fault.New(fault.Conflict, "order.not_cancelable")
}

// errMoved is returned when another transaction moved the order first. The caller has to read it
// again.
var errMoved = errors.New("the order was moved concurrently")

// notCancelable returns the fault (Conflict) of an order in a state in which it can no longer be
// canceled; its key ends with the state.
func notCancelable(s State) error {
	return fault.New(fault.Conflict, "order.not_cancelable_"+string(s))
}

// cancelIn cancels an order at its customer's request: it releases what the order has reserved
// and stores the refund of what was paid online. It must be called in a transaction. An order
// that is canceled already is returned as it is. It returns order.not_found (NotFound),
// order.not_cancelable_<state> (Conflict), or errMoved when another transaction moved the order
// first; the caller must then roll back and may try again.
func (s *Service) cancelIn(ctx context.Context, tx *db.Tx, v visit.Context, id int64) (Order, error) {
	o, err := Load(ctx, tx.Q, id)
	if err != nil {
		return Order{}, hideNotFound(err)
	}
	as, ok, err := viewOf(ctx, tx.Q, v, o)
	o.View = as
	switch {
	case err != nil:
		return Order{}, err
	case !ok || as == BriefView:
		return Order{}, NotFound()
	case o.State == Canceled:
		return o, nil
	case !o.State.CanCancel():
		return Order{}, notCancelable(o.State)
	}
	moved, err := s.move(ctx, tx, &o, Canceled, string(Customer), v.Now)
	if err == nil && !moved {
		err = errMoved
	}
	if err != nil {
		return Order{}, err
	}
	if err := releaseReservations(ctx, tx, o, v.Now); err != nil {
		return Order{}, err
	}
	return o, s.payments.RefundCanceled(ctx, tx, o.PaidBy, v.Now)
}
