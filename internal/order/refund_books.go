package order

import (
	"context"
	"crypto/rand"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/money"
	"servery/internal/queue"
)

// giveMoneyBack writes down that what is left of what was taken is to be given back, with
// the job that does it. The caller has locked the order and written down that it was taken
// in the same transaction. It may be called again: what is given back or on its way already
// is not given back again.
func (s *Service) giveMoneyBack(ctx context.Context, tx *db.Tx, p Payment, cause RefundCause, now time.Time) error {
	b, err := openBooks(ctx, tx, p)
	if err != nil || b.left() <= 0 {
		return err
	}
	return s.writeRefund(ctx, tx, b.rest(cause, ""), refundCall{}, now)
}

// giveCanceledBack gives back what was paid for an order that was just canceled, in the
// transaction that canceled it.
func (s *Service) giveCanceledBack(ctx context.Context, tx *db.Tx, o Order, now time.Time) error {
	if o.PaidBy == "" {
		return nil
	}
	p, err := loadPayment(ctx, tx.Q, o.PaidBy)
	if err != nil {
		return err
	}
	return s.giveMoneyBack(ctx, tx, p, OnCancel, now)
}

// books are what was sold for a payment and what of it was given back.
type books struct {
	payment Payment
	parts   []sold
	given   given
	back    money.Amount
	// isClosed says that the acquirer was asked for the closing receipt of the payment.
	isClosed bool
}

// openBooks reads them. The order is locked, or two calls might give the same back.
func openBooks(ctx context.Context, tx *db.Tx, p Payment) (books, error) {
	o, err := load(ctx, tx.Q, p.OrderID)
	if err != nil {
		return books{}, err
	}
	refunds, err := refundsOf(ctx, tx.Q, p.OrderID)
	if err != nil {
		return books{}, err
	}
	closing, err := closingOf(ctx, tx.Q, p.ID)
	if err != nil {
		return books{}, err
	}
	b := books{payment: p, parts: o.sold(), given: given{}, isClosed: closing != nil && closing.State.coversLines()}
	for _, r := range refunds {
		if r.PaymentID == p.ID && r.State != RefundFailed {
			b.given.add(r.Lines)
			b.back = b.back.Add(r.Sum.Amount)
		}
	}
	return b, nil
}

// left is what is neither given back nor on its way.
func (b books) left() money.Amount { return b.payment.taken().Amount.Sub(b.back) }

// rest is a refund of all that is left.
func (b books) rest(cause RefundCause, reason string) Refund {
	r := b.refund(cause, reason)
	r.Sum.Amount = b.left()
	if !b.payment.IsMismatch() { // no part of the order was bought with it
		r.Lines = b.given.rest(b.parts)
	}
	return r
}

// refund is one of the payment, of nothing yet.
func (b books) refund(cause RefundCause, reason string) Refund {
	return Refund{
		PaymentID: b.payment.ID, OrderID: b.payment.OrderID, Sum: acquiring.Sum{Currency: b.payment.taken().Currency},
		Cause: cause, Reason: reason, AfterClosing: b.isClosed, attempt: 1,
	}
}

// writeRefund writes a refund down, with its job. It is made at its time, now when it has none.
func (s *Service) writeRefund(ctx context.Context, tx *db.Tx, r Refund, call refundCall, now time.Time) error {
	r.ID, r.CreatedAt = newRefundID(), now
	if r.checkAt.IsZero() {
		r.checkAt = now
	}
	if err := insertRefund(ctx, tx.Q, r, call); err != nil {
		return err
	}
	return s.queue.Enqueue(ctx, tx, refundJob{ID: r.ID}, queue.At(r.checkAt))
}

// isOnItsWay reports whether the money of such a refund still has to go back.
func (s RefundState) isOnItsWay() bool { return s == RefundWaiting || s == RefundRunning }

// newRefundID gives an id that no payment and no other refund has.
func newRefundID() acquiring.ID { return acquiring.ID(rand.Text()) }
