package payment

import (
	"bytes"
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/queue"
	"servery/internal/visit"
)

// Check refuses a request that does not say what to refund, or says it twice: a field that was
// left out by mistake must not refund the whole order. Faults: common.invalid,
// order.refund_one_of (Invalid).
func (r RefundRequest) Check() error {
	if r.Key == "" {
		return fault.New(fault.Invalid, "common.invalid", fault.Field("key", "common.required"))
	}
	return r.CheckShare()
}

// CheckShare checks that the request says what to refund and who bears it, without its key. Faults:
// order.refund_one_of at all, common.invalid with the field bearer (Invalid).
func (r RefundRequest) CheckShare() error {
	forms := 0
	for _, isThere := range [...]bool{r.All, len(r.Lines) > 0, r.Amount != 0} {
		if isThere {
			forms++
		}
	}
	switch {
	case forms != 1:
		return fault.New(fault.Invalid, "order.refund_one_of", fault.Field("all", "order.refund_one_of"))
	case !slices.Contains([]Bearer{"", Restaurant, CourierService, Platform}, r.Bearer):
		return fault.New(fault.Invalid, "common.invalid", fault.Field("bearer", "common.not_allowed"))
	}
	return nil
}

// hash returns the hash of the request. A request that says what is meant without saying it has the
// same hash.
func (r RefundRequest) hash() ([]byte, error) {
	if r.Bearer == Restaurant {
		r.Bearer = ""
	}
	return visit.HashRequest(r)
}

// Refund stores what an operator refunds of an order that is paid online, and the jobs that
// make the refunds. With All it refunds everything that is left of all attempts, otherwise
// lines or an amount of the attempt that paid. It may be called as soon as the order is paid, and
// after it was canceled. It returns the sum of the refunds; a repeated key with the same
// request changes nothing and returns 0. It must be called in a transaction that has locked the order.
//
// Faults: order.nothing_to_refund (Conflict); order.refund_key_used, common.not_allowed at owed, those
// of the amount and the lines (Invalid).
func (s *Service) Refund(ctx context.Context, tx *db.Tx, bill Bill, r RefundRequest, now time.Time) (money.Amount, error) {
	if r.Owed {
		return 0, fault.New(fault.Invalid, "common.invalid", fault.Field("owed", "common.not_allowed"))
	}
	hash, err := r.hash()
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
		if a.takenSum().Amount == 0 || !r.All && a.ID != bill.PaidBy {
			continue
		}
		l, err := loadLedger(ctx, tx, bill, a)
		if err != nil {
			return 0, err
		}
		if l.amountLeft() <= 0 {
			continue
		}
		refund, err := l.refund(ByOperator, r)
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
		return 0, nothingToRefund()
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
	return s.refundAll(ctx, tx, a, OnCancel, now)
}

// KeepCanceled stores the refund of a part of what was paid online for an order that is canceled in
// the same transaction, which has locked it, and returns what is left and so kept. r is nil when
// nothing is refunded. The closing receipt of what is kept is stored too. Faults: those of the
// amount and the lines (Invalid), order.nothing_to_refund (Conflict).
func (s *Service) KeepCanceled(ctx context.Context, tx *db.Tx, bill Bill, r *RefundRequest, now time.Time) (money.Amount, error) {
	if bill.PaidBy == "" {
		return 0, nothingToRefund()
	}
	a, err := loadAttempt(ctx, tx.Q, bill.PaidBy)
	if err != nil {
		return 0, err
	}
	l, err := loadLedger(ctx, tx, bill, a)
	if err != nil {
		return 0, err
	}
	kept := l.amountLeft()
	if r != nil && (!r.All || kept > 0) {
		refund, err := l.refund(OnCancel, *r)
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
func (s *Service) refundAll(ctx context.Context, tx *db.Tx, a Attempt, cause RefundCause, now time.Time) error {
	bill, err := s.orders.Bill(ctx, tx.Q, a.OrderID)
	if err != nil {
		return err
	}
	l, err := loadLedger(ctx, tx, bill, a)
	if err != nil || l.amountLeft() <= 0 {
		return err
	}
	return s.storeRefund(ctx, tx, l.refundRest(cause, noOperatorReason), refundCall{}, now)
}

// storeRefund stores a refund with its job. call is the operator's call, empty for a refund that
// nobody asked for. The job runs at r.callAt, and at once when that is zero.
func (s *Service) storeRefund(ctx context.Context, tx *db.Tx, r Refund, call refundCall, now time.Time) error {
	r.ID, r.CreatedAt = newID(), now
	if r.callAt.IsZero() {
		r.callAt = now
	}
	if err := insertRefund(ctx, tx.Q, r, call); err != nil {
		return err
	}
	return s.queue.Enqueue(ctx, tx, refundJob{ID: r.ID}, queue.At(r.callAt))
}

// newID returns a new random id.
func newID() acquiring.ID { return acquiring.ID(rand.Text()) }

// RefundCorrection stores the refund of a part of what was paid online for the part of an order with
// the key, which a correction has made cheaper, and returns what it refunds: no more than is left of
// that part. It must be called in a transaction that has locked the order.
func (s *Service) RefundCorrection(ctx context.Context, tx *db.Tx, bill Bill, key string, amount money.Amount, actor string, now time.Time) (money.Amount, error) {
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
	for _, part := range l.parts {
		if part.Key == key {
			amount = min(amount, part.Paid.Sub(l.refunded[key].Amount))
			if amount <= 0 {
				return 0, nil
			}
			refund := l.newRefund(OnCorrection, noOperatorReason)
			refund.Lines, refund.Sum.Amount, refund.Actor = []RefundLine{{Key: key, Amount: amount}}, amount, actor
			return amount, s.storeRefund(ctx, tx, refund, refundCall{}, now)
		}
	}
	return 0, nil
}

// requestedLines returns the lines that an operator asks for, with their prices. Faults:
// order.refund_line_unknown, order.refund_line_over (Invalid) at lines.
func (l ledger) requestedLines(requested []RefundLine) ([]RefundLine, error) {
	refused := func(key string, line RefundLine) error {
		args := fault.Args{"line": line.Key}
		return fault.New(fault.Invalid, key, fault.With(args), fault.Field("lines", key, args))
	}
	var lines []RefundLine
	refunded := maps.Clone(l.refunded)
	for _, line := range requested {
		i := slices.IndexFunc(l.parts, func(p Part) bool { return p.Key == line.Key })
		if i < 0 {
			return nil, refused("order.refund_line_unknown", line)
		}
		part := l.parts[i]
		if line.Count < 1 || line.Count > part.Count-refunded[line.Key].Count {
			return nil, refused("order.refund_line_over", line)
		}
		priced := refunded.priceLine(part, line.Count)
		refunded.addLines([]RefundLine{priced})
		lines = append(lines, priced)
	}
	return lines, nil
}
