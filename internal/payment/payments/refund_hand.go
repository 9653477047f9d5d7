package payments

import (
	"context"
	"slices"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/payment"
)

// RefundByHand stores a refund of a bill that was paid in cash or by the courier's terminal: as handed back by
// the actor, or as owed when the request says so. It returns the stored refund, and false when the same request was
// stored before. It must be called in a transaction that has locked the order. Faults:
// order.nothing_to_refund (Conflict); order.refund_key_used, those of the amount and the lines
// (Invalid).
func RefundByHand(ctx context.Context, tx *db.Tx, bill payment.Bill, r payment.RefundRequest, now time.Time) (payment.HandRefund, bool, error) {
	hash, err := r.Hash()
	if err != nil {
		return payment.HandRefund{}, false, err
	}
	before, err := listHandRefunds(ctx, tx.Q, bill.OrderID)
	if err != nil {
		return payment.HandRefund{}, false, err
	}
	if i := slices.IndexFunc(before, func(h payment.HandRefund) bool { return h.Key == r.Key }); i >= 0 {
		return before[i], false, checkRepeated(before[i].Hash, hash)
	}
	l := payment.HandLedger(bill, before)
	refund, err := l.Refund(payment.ByOperator, r)
	if err != nil {
		return payment.HandRefund{}, false, err
	}
	h := payment.HandRefund{
		Key: r.Key, Amount: refund.Sum.Amount, Lines: refund.Lines, Bearer: refund.Bearer, Reason: r.Reason, Actor: r.Actor, CreatedAt: now, Hash: hash,
	}
	if !r.Owed {
		h.HandedBackBy, h.HandedBackAt = r.Actor, now
	}
	return h, true, insertHandRefund(ctx, tx.Q, bill.OrderID, h)
}

// HandBack stores that the refund with the key was handed back by the actor. It returns the refund, and
// false when it was handed back before. Fault: order.refund_unknown (NotFound) at key.
func HandBack(ctx context.Context, tx *db.Tx, orderID int64, key, actor string, now time.Time) (payment.HandRefund, bool, error) {
	isFirst, err := setHandedBack(ctx, tx.Q, orderID, key, actor, now)
	if err != nil {
		return payment.HandRefund{}, false, err
	}
	refunds, err := listHandRefunds(ctx, tx.Q, orderID)
	if err != nil {
		return payment.HandRefund{}, false, err
	}
	i := slices.IndexFunc(refunds, func(h payment.HandRefund) bool { return h.Key == key })
	if i < 0 {
		return payment.HandRefund{}, false, fault.New(fault.NotFound, "order.refund_unknown", fault.Field("key", "order.refund_unknown"))
	}
	return refunds[i], isFirst, nil
}

// IsHandedBack reports whether the whole sum of the bill was handed back by hand. Refunds that are still
// owed do not count.
func IsHandedBack(ctx context.Context, tx *db.Tx, bill payment.Bill) (bool, error) {
	refunds, err := listHandRefunds(ctx, tx.Q, bill.OrderID)
	var sum money.Amount
	for _, h := range refunds {
		if !h.IsOwed() {
			sum = sum.Add(h.Amount)
		}
	}
	return sum >= bill.Sum.Amount, err
}
