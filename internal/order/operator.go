package order

import (
	"context"
	"errors"
	"fmt"
	"time"

	"servery/internal/bonus"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/payment"
	"servery/internal/site"
)

// Open returns open orders: those that are not done or canceled and do not wait for their
// payment. It returns the first limit of those whose last change has a number above after,
// sorted by that number. A caller that continues from the highest number received misses no
// change, because a change is returned only once all with lower numbers are visible.
func (s *Service) Open(ctx context.Context, after int64, limit int) ([]Order, error) {
	last, err := LastVisibleChange(ctx, s.db)
	if err != nil {
		return nil, err
	}
	var orders []Order
	// An order that moves while the others are read must not show a number above those of
	// changes that this answer lacks.
	err = s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		var err error
		orders, err = openOrders(ctx, at.Q, after, last, limit)
		return err
	})
	return orders, err
}

// Read returns orders for the restaurant, in the order of the ids. It leaves out an id without an
// order. The caller must be allowed to see all of them.
func (s *Service) Read(ctx context.Context, ids ...int64) ([]Order, error) {
	orders := make([]Order, 0, len(ids))
	err := s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		for _, id := range ids {
			o, err := Load(ctx, at.Q, id)
			switch {
			case errors.Is(err, db.ErrNotFound):
				continue
			case err != nil:
				return err
			}
			orders = append(orders, o)
		}
		return nil
	})
	return orders, err
}

// maxActorName is how many characters the name of who moved an order may have.
const maxActorName = 64

// SetState moves an order on the operator's behalf; actor names who did it and may be empty.
// Canceling releases what the order has reserved and refunds it. Done makes the closing receipt
// and accrues the promised bonuses. Leaving Sent deletes the courier's position. An order that
// is in the state already stays as it is. Faults: common.too_long (Invalid) at actor,
// order.not_found (NotFound), order.not_movable (Conflict).
func (s *Service) SetState(ctx context.Context, id int64, to State, actor string, now time.Time) (Order, error) {
	var wrong validationErrors
	if wrong.checkLength("actor", actor, maxActorName); len(wrong) > 0 {
		return Order{}, fault.New(fault.Invalid, "common.invalid", wrong...)
	}
	var o Order
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var err error
		if o, err = Load(ctx, tx.Q, id); err != nil {
			return hideNotFound(err)
		}
		if o.State == to {
			return nil
		}
		from := o.State
		refused := fault.New(fault.Conflict, "order.not_movable", fault.With(fault.Args{"from": string(from), "to": string(to)}))
		if !CanMove(from, to, o.Type, Operator) {
			return refused
		}
		who := string(Operator)
		if actor != "" {
			who += ":" + actor
		}
		switch moved, err := s.move(ctx, tx, &o, to, who, now); {
		case err != nil:
			return err
		case !moved:
			return refused
		}
		if from == Sent { // where the courier goes next is not to be seen
			if err := tx.Q.DeleteCourierPosition(ctx, id); err != nil {
				return fmt.Errorf("forget courier position: %w", err)
			}
		}
		switch to {
		case Canceled:
			if err := releaseReservations(ctx, tx, o, now); err != nil {
				return err
			}
			return s.payments.RefundCanceled(ctx, tx, o.PaidBy, now)
		case Done:
			if err := s.payments.CloseReceipt(ctx, tx, o.PaidBy, now); err != nil {
				return err
			}
			return accrueBonuses(ctx, tx, o, now)
		case WaitingForPayment, Accepted, Cooking, Sent:
		}
		return nil
	})
	return o, err
}

// Refund refunds an order on the operator's behalf.
//
// What was paid online is refunded through the acquirer, all that is left or the lines that are
// named: see [payment.Service.Refund].
//
// An order paid on receipt is only marked as refunded in full, because the counter or the courier
// returns that money by hand. The order must be done; marking it again changes nothing.
//
// When the last of the money is refunded, spent bonuses return to the customer and accrued ones are
// taken back.
//
// Faults: order.not_found (NotFound); order.not_refundable (Conflict); order.refund_whole_only
// (Invalid); those of [payment.RefundRequest.Check] and [payment.Service.Refund].
func (s *Service) Refund(ctx context.Context, id int64, r payment.RefundRequest, now time.Time) (Order, error) {
	if err := r.Check(); err != nil {
		return Order{}, err
	}
	var o Order
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		// Of two concurrent calls one waits for the other.
		if err := lockOrder(ctx, tx.Q, id); err != nil {
			return hideNotFound(err)
		}
		var err error
		if o, err = Load(ctx, tx.Q, id); err != nil {
			return hideNotFound(err)
		}
		switch {
		case site.IsOnline(o.PaymentType):
			return s.payments.Refund(ctx, tx, o.Bill(), r, now)
		case !o.isPaidOnReceipt() || o.State != Done:
			return fault.New(fault.Conflict, "order.not_refundable")
		case !r.All:
			return fault.New(fault.Invalid, "order.refund_whole_only", fault.Field("lines", "order.refund_whole_only"))
		}
		return markRefunded(ctx, tx, &o, now)
	})
	return o, err
}

// markRefunded stores that a done order was refunded by hand, sets that in o, and reverses what
// the order did to bonuses. It does nothing for an order that is marked already.
func markRefunded(ctx context.Context, tx *db.Tx, o *Order, now time.Time) error {
	refunded, err := setRefundedByHand(ctx, tx.Q, o.ID, now)
	if err != nil || !refunded {
		return err
	}
	o.RefundedAt = now
	return refundBonuses(ctx, tx, *o, now)
}

// accrueBonuses adds the bonuses that were promised when a done order was placed to its
// customer's account. It does nothing for a guest's order.
func accrueBonuses(ctx context.Context, tx *db.Tx, o Order, now time.Time) error {
	if o.customerID == 0 || o.Prices.UpcomingBonuses == 0 {
		return nil
	}
	return bonus.Accrue(ctx, tx, o.account(), o.ID, o.Prices.UpcomingBonuses, now)
}
