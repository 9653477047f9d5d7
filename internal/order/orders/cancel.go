package orders

import (
	"context"
	"errors"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/visit"
)

// Cancel cancels an order that the visitor placed or has the link of, while [Order.CanCancel]
// reports that they may, and releases all that it has reserved: its interval, limited stock,
// bonuses. What was paid online is refunded. An order that is canceled already is returned as it
// is. Faults: order.not_found (NotFound); order.not_cancelable_<state> (Conflict);
// order.not_cancelable (Conflict) when other transactions moved the order at each of the retries.
func (s *Service) Cancel(ctx context.Context, v visit.Context, id int64) (order.Order, error) {
	for range maxRetries {
		var canceled order.Order
		err := s.db.InTx(ctx, func(tx *db.Tx) error {
			var err error
			canceled, err = s.cancelIn(ctx, tx, v, id)
			return err
		})
		if !errors.Is(err, errMoved) {
			return canceled, err
		}
	}
	return order.Order{}, fault.New(fault.Conflict, "order.not_cancelable")
}

// errMoved is returned when another transaction moved the order first. The caller has to read it
// again.
var errMoved = errors.New("the order was moved concurrently")

// notCancelable returns the fault (Conflict) of an order in a state in which it can no longer be
// canceled; its key ends with the state.
func notCancelable(s order.State) error {
	return fault.New(fault.Conflict, "order.not_cancelable_"+string(s))
}

// cancelIn cancels an order at its customer's request: it releases what the order has reserved
// and stores the refund of what was paid online. It must be called in a transaction. An order
// that is canceled already is returned as it is. It returns order.not_found (NotFound),
// order.not_cancelable_<state> (Conflict), or errMoved when another transaction moved the order
// first; the caller must then roll back and may try again.
func (s *Service) cancelIn(ctx context.Context, tx *db.Tx, v visit.Context, id int64) (order.Order, error) {
	// Locked, so that no change that is being written gets a higher number than the cancellation.
	o, err := s.lockAndLoad(ctx, tx, id)
	if err != nil {
		return order.Order{}, err
	}
	as, ok, err := viewOf(ctx, tx.Q, v, o)
	o.View = as
	switch {
	case err != nil:
		return order.Order{}, err
	case !ok || as == order.BriefView:
		return order.Order{}, order.NotFound()
	case o.State == order.Canceled:
		return o, nil
	case !o.CanCancel():
		return order.Order{}, notCancelable(o.State)
	}
	moved, err := s.move(ctx, tx, &o, order.Canceled, string(order.Customer), v.Now)
	if err == nil && !moved {
		err = errMoved
	}
	if err != nil {
		return order.Order{}, err
	}
	if err := releaseReservations(ctx, tx, o, v.Now); err != nil {
		return order.Order{}, err
	}
	return o, s.payments.RefundCanceled(ctx, tx, o.PaidBy, v.Now)
}

// CancelForRestaurant cancels an order that is accepted, cooked or on its way, as the request says, and
// releases all that it has reserved. What was paid online is refunded as the request says; money that is
// kept gets a closing receipt. An order that is canceled already is returned as it is. Faults:
// those of [order.CancelRequest.Check], order.not_found (NotFound), order.not_movable (Conflict),
// those of [payments.Service.KeepCanceled].
func (s *Service) CancelForRestaurant(ctx context.Context, id int64, r order.CancelRequest, now time.Time) (order.Order, error) {
	if err := r.Check(); err != nil {
		return order.Order{}, err
	}
	var o order.Order
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if o, err = s.lockAndLoad(ctx, tx, id); err != nil || o.State == order.Canceled {
			return err
		}
		if !order.CanMove(o.State, order.Canceled, o.Type, order.Operator) || !r.Outcome.Suits(o.State) {
			return notMovable(o.State, order.Canceled)
		}
		before := o
		if err := s.cancelForRestaurant(ctx, tx, &o, r, now); err != nil {
			return err
		}
		return recordChange(ctx, tx, before, o)
	})
	return o, err
}

// cancelForRestaurant cancels an order that the transaction has locked, and releases all that it has
// reserved. Of what was paid online it refunds all or r.Part, or nothing when r.KeepMoney is set; what is not
// refunded is stored as kept, in o too. It sets the actor of r.Part. The caller must have checked that the
// order can be canceled. Faults: those of [payments.Service.KeepCanceled].
func (s *Service) cancelForRestaurant(ctx context.Context, tx *db.Tx, o *order.Order, r order.CancelRequest, now time.Time) error {
	from := o.State
	o.Outcome = r.Outcome
	c := order.Change{Kind: order.Cancellation, State: order.Canceled, Actor: operatorName(r.Actor), At: now, Reason: r.Reason, Note: r.Note, Food: r.Food}
	if err := s.StoreChange(ctx, tx, o, c); err != nil {
		return err
	}
	if err := deletePosition(ctx, tx, o.ID, from); err != nil {
		return err
	}
	if err := releaseReservations(ctx, tx, *o, now); err != nil {
		return err
	}
	refundsAll := r.Part == nil && !r.KeepMoney
	namesNoSum := r.Part == nil || r.Part.All // and so suits an order that was not paid online
	if refundsAll || namesNoSum && o.PaidBy == "" {
		return s.payments.RefundCanceled(ctx, tx, o.PaidBy, now)
	}
	if r.Part != nil {
		r.Part.Actor = c.Actor
	}
	kept, err := s.payments.KeepCanceled(ctx, tx, o.Bill(), r.Part, now)
	if err != nil {
		return err
	}
	o.Kept = kept
	return setKept(ctx, tx.Q, *o)
}
