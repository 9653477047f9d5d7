package payments

import (
	"bytes"
	"context"
	"crypto/rand"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/payment"
	"servery/internal/queue"
)

// Refund stores what an operator refunds of an order that is paid online, and the jobs that
// make the refunds. With All it refunds everything that is left of all attempts, otherwise
// lines or an amount of the attempt that paid. It may be called as soon as the order is paid, and
// after it was canceled. It returns the sum of the refunds; a repeated key with the same
// request changes nothing and returns 0. It must be called in a transaction that has locked the order.
//
// Faults: order.nothing_to_refund (Conflict); order.refund_key_used, common.not_allowed at owed, those
// of the amount and the lines (Invalid).
func (s *Service) Refund(ctx context.Context, tx *db.Tx, bill payment.Bill, r payment.RefundRequest, now time.Time) (money.Amount, error) {
	if r.Owed {
		return 0, fault.New(fault.Invalid, "common.invalid", fault.Field("owed", "common.not_allowed"))
	}
	hash, err := r.Hash()
	if err != nil {
		return 0, err
	}
	switch storedHash, err := hashOfCall(ctx, tx.Q, bill.OrderID, r.Key); {
	case err != nil:
		return 0, err
	case storedHash != nil:
		return 0, checkRepeated(storedHash, hash)
	}
	attempts, err := listAttempts(ctx, tx.Q, bill.OrderID)
	if err != nil {
		return 0, err
	}
	var sum money.Amount
	call := refundCall{key: r.Key, hash: hash}
	for _, a := range attempts {
		if a.TakenSum().Amount == 0 || !r.All && a.ID != bill.PaidBy {
			continue
		}
		l, err := loadLedger(ctx, tx, bill, a)
		if err != nil {
			return 0, err
		}
		if l.AmountLeft() <= 0 {
			continue
		}
		refund, err := l.Refund(payment.ByOperator, r)
		if err != nil {
			return 0, err
		}
		if err := s.storeRefund(ctx, tx, refund, call, now); err != nil {
			return 0, err
		}
		// The key is unique, so it is stored with the first refund of this call only.
		sum, call = sum+refund.Sum.Amount, refundCall{}
	}
	if sum == 0 {
		return 0, payment.NothingToRefund()
	}
	return sum, nil
}

// checkRepeated returns order.refund_key_used (Invalid) when a key was used before with another
// request.
func checkRepeated(storedHash, hash []byte) error {
	if bytes.Equal(storedHash, hash) {
		return nil
	}
	return fault.New(fault.Invalid, "order.refund_key_used", fault.Field("key", "order.refund_key_used"))
}

// RefundCanceled stores the refund of everything that was paid for an order that was just
// canceled. It must be called in the transaction that canceled the order. paidBy is the attempt
// that paid, empty for an order that was not paid online.
func (s *Service) RefundCanceled(ctx context.Context, tx *db.Tx, paidBy acquiring.ID, now time.Time) error {
	if paidBy == "" {
		return nil
	}
	a, err := loadAttempt(ctx, tx.Q, paidBy)
	if err != nil {
		return err
	}
	return s.refundAll(ctx, tx, a, payment.OnCancel, now)
}

// KeepCanceled keeps the money of an order that was paid online and is canceled in the same transaction,
// which must have locked the order. It stores the refund that r asks for, if r is not nil. It returns the
// money that the restaurant keeps, and stores a closing receipt for it. Faults: those of the amount and
// the lines (Invalid), order.nothing_to_refund (Conflict).
func (s *Service) KeepCanceled(ctx context.Context, tx *db.Tx, bill payment.Bill, r *payment.RefundRequest, now time.Time) (money.Amount, error) {
	if bill.PaidBy == "" {
		return 0, payment.NothingToRefund()
	}
	a, err := loadAttempt(ctx, tx.Q, bill.PaidBy)
	if err != nil {
		return 0, err
	}
	l, err := loadLedger(ctx, tx, bill, a)
	if err != nil {
		return 0, err
	}
	kept := l.AmountLeft()
	if r != nil && (!r.All || kept > 0) { // all may be refunded already, which is no fault
		refund, err := l.Refund(payment.OnCancel, *r)
		if err != nil {
			return 0, err
		}
		if err := s.storeRefund(ctx, tx, refund, refundCall{}, now); err != nil {
			return 0, err
		}
		kept = kept.Sub(refund.Sum.Amount)
	}
	if kept == 0 {
		return 0, nil
	}
	return kept, s.CloseReceipt(ctx, tx, bill.PaidBy, now)
}

// noOperatorReason is the reason of a refund that no operator asked for.
const noOperatorReason = ""

// refundAll stores a refund of what is left of the money that an attempt took, and its job. It
// must be called in a transaction that has locked the order. Calling it again refunds nothing
// twice.
func (s *Service) refundAll(ctx context.Context, tx *db.Tx, a payment.Attempt, cause payment.RefundCause, now time.Time) error {
	bill, err := s.orders.Bill(ctx, tx.Q, a.OrderID)
	if err != nil {
		return err
	}
	l, err := loadLedger(ctx, tx, bill, a)
	if err != nil || l.AmountLeft() <= 0 {
		return err
	}
	return s.storeRefund(ctx, tx, l.RefundRest(cause, noOperatorReason), refundCall{}, now)
}

// storeRefund stores a refund with its job. call is the operator's call, empty for a refund that
// nobody asked for. The job runs at r.CallAt, and at once when that is zero.
func (s *Service) storeRefund(ctx context.Context, tx *db.Tx, r payment.Refund, call refundCall, now time.Time) error {
	r.ID, r.CreatedAt = newID(), now
	if r.CallAt.IsZero() {
		r.CallAt = now
	}
	if err := insertRefund(ctx, tx.Q, r, call); err != nil {
		return err
	}
	return s.queue.Enqueue(ctx, tx, refundJob{ID: r.ID}, queue.At(r.CallAt))
}

// newID returns a new random id.
func newID() acquiring.ID { return acquiring.ID(rand.Text()) }

// RefundCorrection stores a refund for a part of an order that a correction has made cheaper; key names
// the part. It returns the refunded amount, at most what is left of that part, and 0 for an order that
// was not paid online. It must be called in a transaction that has locked the order.
func (s *Service) RefundCorrection(ctx context.Context, tx *db.Tx, bill payment.Bill, key string, amount money.Amount, actor string, now time.Time) (money.Amount, error) {
	if bill.PaidBy == "" {
		return 0, nil
	}
	a, err := loadAttempt(ctx, tx.Q, bill.PaidBy)
	if err != nil {
		return 0, err
	}
	l, err := loadLedger(ctx, tx, bill, a)
	if err != nil {
		return 0, err
	}
	for _, part := range l.Parts {
		if part.Key == key {
			amount = min(amount, part.Paid.Sub(l.Refunded[key].Amount))
			if amount <= 0 {
				return 0, nil
			}
			refund := l.NewRefund(payment.OnCorrection, noOperatorReason)
			refund.Lines, refund.Sum.Amount, refund.Actor = []payment.RefundLine{{Key: key, Amount: amount}}, amount, actor
			return amount, s.storeRefund(ctx, tx, refund, refundCall{}, now)
		}
	}
	return 0, nil
}

// RefundedByCorrections returns what corrections have refunded of a bill, or are refunding. It must be called in a
// transaction that has locked the order.
func (s *Service) RefundedByCorrections(ctx context.Context, tx *db.Tx, bill payment.Bill) (money.Amount, error) {
	refunds, err := listRefunds(ctx, tx.Q, bill.OrderID)
	if err != nil {
		return 0, err
	}
	var sum money.Amount
	for _, r := range refunds {
		if r.PaymentID == bill.PaidBy && r.Cause == payment.OnCorrection && r.State != payment.RefundFailed {
			sum = sum.Add(r.Sum.Amount)
		}
	}
	return sum, nil
}

// loadLedger reads the ledger of an attempt. It must be called in a transaction that has locked
// the order, or two calls might refund the same items.
func loadLedger(ctx context.Context, tx *db.Tx, bill payment.Bill, a payment.Attempt) (payment.Ledger, error) {
	refunds, err := listRefunds(ctx, tx.Q, a.OrderID)
	if err != nil {
		return payment.Ledger{}, err
	}
	closing, err := findClosing(ctx, tx.Q, a.ID)
	if err != nil {
		return payment.Ledger{}, err
	}
	l := payment.Ledger{Attempt: a, Parts: bill.Parts, Refunded: payment.RefundedLines{}, IsClosed: closing != nil && closing.State.EndsPrepayment()}
	for _, r := range refunds {
		if r.PaymentID == a.ID && r.State != payment.RefundFailed {
			l.Refunded.AddLines(r.Lines)
			l.Total = l.Total.Add(r.Sum.Amount)
		}
	}
	return l, nil
}
