package payment

import (
	"context"
	"slices"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/money"
)

// HandRefund is money of an order paid on receipt that a person hands back. It is owed while
// HandedBackAt is zero.
type HandRefund struct {
	Key    string
	Amount money.Amount
	Lines  []RefundLine
	Bearer Bearer
	Reason string
	// Actor decided it.
	Actor        string
	CreatedAt    time.Time
	HandedBackBy string
	HandedBackAt time.Time

	hash []byte
}

// IsOwed reports whether the money still has to be handed back.
func (r HandRefund) IsOwed() bool { return r.HandedBackAt.IsZero() }

// RefundByHand stores what is handed back by hand of an order that was paid on receipt: as handed back
// by the actor, or as owed when the request says so. It returns what it stored, and false when the same
// request was stored before. It must be called in a transaction that has locked the order. Faults:
// order.nothing_to_refund (Conflict); order.refund_key_used, those of the amount and the lines
// (Invalid).
func RefundByHand(ctx context.Context, tx *db.Tx, bill Bill, r RefundRequest, now time.Time) (HandRefund, bool, error) {
	hash, err := r.hash()
	if err != nil {
		return HandRefund{}, false, err
	}
	before, err := listHandRefunds(ctx, tx.Q, bill.OrderID)
	if err != nil {
		return HandRefund{}, false, err
	}
	if i := slices.IndexFunc(before, func(h HandRefund) bool { return h.Key == r.Key }); i >= 0 {
		return before[i], false, checkRepeated(before[i].hash, hash)
	}
	l := handLedger(bill, before)
	refund, err := l.refund(ByOperator, r)
	if err != nil {
		return HandRefund{}, false, err
	}
	h := HandRefund{
		Key: r.Key, Amount: refund.Sum.Amount, Lines: refund.Lines, Bearer: refund.Bearer, Reason: r.Reason, Actor: r.Actor, CreatedAt: now, hash: hash,
	}
	if !r.Owed {
		h.HandedBackBy, h.HandedBackAt = r.Actor, now
	}
	return h, true, insertHandRefund(ctx, tx.Q, bill.OrderID, h)
}

// HandBack stores that the refund with the key was handed back by the actor. It returns the refund, and
// false when it was handed back before. Fault: order.refund_unknown (NotFound) at key.
func HandBack(ctx context.Context, tx *db.Tx, orderID int64, key, actor string, now time.Time) (HandRefund, bool, error) {
	isFirst, err := setHandedBack(ctx, tx.Q, orderID, key, actor, now)
	if err != nil {
		return HandRefund{}, false, err
	}
	all, err := listHandRefunds(ctx, tx.Q, orderID)
	if err != nil {
		return HandRefund{}, false, err
	}
	i := slices.IndexFunc(all, func(h HandRefund) bool { return h.Key == key })
	if i < 0 {
		return HandRefund{}, false, fault.New(fault.NotFound, "order.refund_unknown", fault.Field("key", "order.refund_unknown"))
	}
	return all[i], isFirst, nil
}

// IsHandedBack reports whether all of the bill was handed back by hand.
func IsHandedBack(ctx context.Context, tx *db.Tx, bill Bill) (bool, error) {
	all, err := listHandRefunds(ctx, tx.Q, bill.OrderID)
	var sum money.Amount
	for _, h := range all {
		if !h.IsOwed() {
			sum = sum.Add(h.Amount)
		}
	}
	return sum >= bill.Sum.Amount, err
}

// handLedger returns the ledger of a bill that was paid on receipt.
func handLedger(bill Bill, refunds []HandRefund) ledger {
	l := ledger{attempt: Attempt{OrderID: bill.OrderID, State: Paid, Sum: bill.Sum}, parts: bill.Parts, refunded: refundedLines{}}
	for _, h := range refunds {
		l.refunded.addLines(h.Lines)
		l.total = l.total.Add(h.Amount)
	}
	return l
}
