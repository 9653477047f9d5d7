package order

import (
	"context"
	"errors"
	"slices"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/payment"
	"servery/internal/visit"
)

// Cancel cancels an order that the visitor placed or has the link of, while [Order.CanCancel]
// reports that they may, and releases all that it has reserved: its interval, limited stock,
// bonuses. What was paid online is refunded. An order that is canceled already is returned as it
// is. Faults: order.not_found (NotFound); order.not_cancelable with its state in the key, or alone
// when it was moved again and again (Conflict).
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
	case !o.CanCancel():
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

// CancelRequest is how the restaurant cancels an order.
type CancelRequest struct {
	// Outcome is [OutcomeRefused] for an order that nobody has begun to cook, [OutcomeUndelivered] for
	// one on its way, and [OutcomeCanceled] for any.
	Outcome Outcome
	// Reason is one of [CancelReasons], or empty; the customer reads it. Note is for the restaurant's
	// own people, and may be empty.
	Reason CancelReason
	Note   string
	// Food is what became of the dishes of an undelivered order: one of [Foods].
	Food Food
	// KeepMoney says that nothing of what was paid online is refunded. Part is what is, nil for all.
	KeepMoney bool
	Part      *payment.RefundRequest
	// Actor names who did it, as the restaurant's system knows them; it may be empty.
	Actor string
}

// maxNote is how many characters a note may have.
const maxNote = 500

// check returns common.invalid (Invalid) with the fields that are wrong, and the faults of
// [payment.RefundRequest.CheckShare].
func (r CancelRequest) check() error {
	var wrong validationErrors
	wrong.checkLength("actor", r.Actor, maxActorName)
	wrong.checkLength("note", r.Note, maxNote)
	if !slices.Contains(Outcomes(), r.Outcome) {
		wrong.add("outcome", "common.not_allowed")
	}
	if r.Reason != "" && !slices.Contains(CancelReasons(), r.Reason) {
		wrong.add("reason", "common.not_allowed")
	}
	switch isKnown := slices.Contains(Foods(), r.Food); {
	case r.Outcome == OutcomeUndelivered && r.Food == "":
		wrong.add("food", "common.required")
	case r.Food != "" && (!isKnown || r.Outcome != OutcomeUndelivered):
		wrong.add("food", "common.not_allowed")
	}
	if len(wrong) > 0 {
		return fault.New(fault.Invalid, "common.invalid", wrong...)
	}
	if r.Part == nil {
		return nil
	}
	if r.KeepMoney {
		return fault.New(fault.Invalid, "order.refund_one_of", fault.Field("refund", "order.refund_one_of"))
	}
	return r.Part.CheckShare()
}

// suits reports whether an order in the state can end so.
func (o Outcome) suits(s State) bool {
	switch o {
	case OutcomeRefused:
		return s == Accepted
	case OutcomeUndelivered:
		return s == Sent
	case OutcomeCanceled:
	}
	return true
}

// CancelForRestaurant cancels an order that is accepted, cooked or on its way, as the request says, and
// releases all that it has reserved. What was paid online is refunded as the request says, and what
// is kept is closed by a receipt. An order that is
// canceled already is returned as it is. Faults: common.invalid (Invalid) with its fields, order.not_found (NotFound), order.not_movable
// (Conflict), those of [payments.Service.KeepCanceled].
func (s *Service) CancelForRestaurant(ctx context.Context, id int64, r CancelRequest, now time.Time) (Order, error) {
	if err := r.check(); err != nil {
		return Order{}, err
	}
	var o Order
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if o, err = lockAndLoad(ctx, tx, id); err != nil || o.State == Canceled {
			return err
		}
		if !CanMove(o.State, Canceled, o.Type, Operator) || !r.Outcome.suits(o.State) {
			return notMovable(o.State, Canceled)
		}
		before := o
		if err := s.cancelForRestaurant(ctx, tx, &o, r, now); err != nil {
			return err
		}
		return recordChange(ctx, tx, before, o)
	})
	return o, err
}

// cancelForRestaurant cancels an order that the transaction has locked, as the request says. It does
// not check that the order can be canceled.
func (s *Service) cancelForRestaurant(ctx context.Context, tx *db.Tx, o *Order, r CancelRequest, now time.Time) error {
	from := o.State
	o.Outcome = r.Outcome
	c := Change{Kind: Cancellation, State: Canceled, Actor: operatorName(r.Actor), At: now, Reason: r.Reason, Note: r.Note, Food: r.Food}
	if err := s.StoreChange(ctx, tx, o, c); err != nil {
		return err
	}
	if err := leaveRoad(ctx, tx, o.ID, from); err != nil {
		return err
	}
	if err := releaseReservations(ctx, tx, *o, now); err != nil {
		return err
	}
	switch isAll := r.Part == nil || r.Part.All; {
	case r.Part == nil && !r.KeepMoney, isAll && o.PaidBy == "":
		return s.payments.RefundCanceled(ctx, tx, o.PaidBy, now)
	case r.Part != nil:
		r.Part.Actor = c.Actor
	}
	kept, err := s.payments.KeepCanceled(ctx, tx, o.Bill(), r.Part, now)
	if err != nil {
		return err
	}
	o.Kept = kept
	return setKept(ctx, tx.Q, *o)
}
