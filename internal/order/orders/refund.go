package orders

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/payment"
	"servery/internal/payment/payments"
	"servery/internal/site"
)

// Refund refunds an order on the operator's behalf.
//
// What was paid online is refunded through the acquirer: see [payments.Service.Refund].
//
// For an order that was paid on receipt it only stores that the money was handed back or, when the
// request says so, that it is owed: see [payments.RefundByHand]. The order must be done. It does the
// same for the surcharge that was collected at the hand-over of an order paid online, when the request
// is about that.
//
// A repeated request changes nothing. With a part of the money its share of the spent bonuses returns to
// the customer. When the last of the money is refunded, the rest of them returns and accrued ones are taken
// back; when only bonuses were spent, a refund of everything does so.
//
// Faults: order.not_found (NotFound); order.not_refundable (Conflict); common.too_long (Invalid) at
// actor; those of [payment.RefundRequest.Check] and of the refund.
func (s *Service) Refund(ctx context.Context, id int64, r payment.RefundRequest, now time.Time) (order.Order, error) {
	if err := r.Check(); err != nil {
		return order.Order{}, err
	}
	return s.ChangeForRestaurant(ctx, id, r.Actor, func(tx *db.Tx, o *order.Order, by string) error {
		r.Actor = by
		bill := o.Bill()
		switch {
		case r.Collected && (o.Surcharge == 0 || o.State != order.Done):
			return fault.New(fault.Conflict, "order.not_refundable")
		case r.Collected:
			bill = o.SurchargeBill()
		case site.IsOnline(o.PaymentType):
			refunded, err := s.payments.Refund(ctx, tx, bill, r, now)
			if err != nil || refunded == 0 { // 0: a repeated request
				return err
			}
			return recordRefund(ctx, tx, *o, r, refunded, now)
		case !o.IsPaidOnReceipt() || o.State != order.Done:
			return fault.New(fault.Conflict, "order.not_refundable")
		case o.Prices.Total == 0 && r.All && !o.IsRefunded(): // only bonuses were spent
			return s.storeHandedBack(ctx, tx, o, 0, by, now)
		}
		h, isNew, err := payments.RefundByHand(ctx, tx, bill, r, now)
		switch {
		case err != nil || !isNew:
			return err
		case h.IsOwed():
			return s.StoreChange(ctx, tx, o, order.Change{Kind: order.RefundOwed, State: o.State, Actor: by, At: now, Amount: h.Amount})
		}
		return s.storeHandedBack(ctx, tx, o, h.Amount, by, now)
	})
}

// HandBack stores that the owed money of a refund by hand was handed back; actor names who did it and
// may be empty. A refund that was handed back already stays as it is. Faults:
// common.too_long (Invalid) at actor, order.not_found (NotFound), order.refund_unknown (NotFound) at
// key.
func (s *Service) HandBack(ctx context.Context, id int64, key, actor string, now time.Time) (order.Order, error) {
	return s.ChangeForRestaurant(ctx, id, actor, func(tx *db.Tx, o *order.Order, by string) error {
		h, isFirst, err := payments.HandBack(ctx, tx, id, key, by, now)
		if err != nil || !isFirst {
			return err
		}
		return s.storeHandedBack(ctx, tx, o, h.Amount, by, now)
	})
}

// storeHandedBack stores among the changes of a done order that an amount was handed back. With a part of
// the money of an order paid on receipt it returns its share of the bonuses that were spent. Once all of
// the money is handed back, it marks the order as refunded and reverses the order's effect on bonuses, once.
func (s *Service) storeHandedBack(ctx context.Context, tx *db.Tx, o *order.Order, amount money.Amount, by string, now time.Time) error {
	c := order.Change{Kind: order.Refunded, State: o.State, Actor: by, At: now, Amount: amount}
	if err := s.StoreChange(ctx, tx, o, c); err != nil || site.IsOnline(o.PaymentType) {
		return err
	}
	isWhole, err := payments.IsHandedBack(ctx, tx, o.Bill())
	if err != nil {
		return err
	}
	if !isWhole {
		return returnBonuses(ctx, tx, *o, now)
	}
	isFirst, err := setRefundedByHand(ctx, tx.Q, o.ID, now)
	if err != nil || !isFirst {
		return err
	}
	o.RefundedAt = now
	return refundBonuses(ctx, tx, *o, now)
}
