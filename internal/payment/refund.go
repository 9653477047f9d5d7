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
	"servery/internal/queue"
	"servery/internal/visit"
)

// Check refuses a request that does not say what to refund, or says it twice: a field that was
// left out by mistake must not refund the whole order. Faults: common.invalid,
// order.refund_all_or_lines (Invalid).
func (r RefundRequest) Check() error {
	switch {
	case r.Key == "":
		return fault.New(fault.Invalid, "common.invalid", fault.Field("key", "common.required"))
	case r.All == (len(r.Lines) > 0):
		return fault.New(fault.Invalid, "order.refund_all_or_lines", fault.Field("all", "order.refund_all_or_lines"))
	}
	return nil
}

// Refund stores what an operator refunds of an order that is paid online, and the jobs that
// make the refunds. With All it refunds everything that is left of all attempts, otherwise the
// named lines of the attempt that paid. It may be called as soon as the order is paid, and
// after it was canceled. A repeated key with the same request changes nothing. It must be
// called in a transaction that has locked the order.
//
// Faults: order.nothing_to_refund (Conflict); order.refund_key_used and, at lines,
// order.refund_line_unknown and order.refund_line_over (Invalid).
func (s *Service) Refund(ctx context.Context, tx *db.Tx, bill Bill, r RefundRequest, now time.Time) error {
	hash, err := visit.HashRequest(r)
	if err != nil {
		return err
	}
	call := refundCall{key: r.Key, hash: hash}
	switch storedHash, err := hashOfCall(ctx, tx.Q, bill.OrderID, call.key); {
	case err != nil:
		return err
	case storedHash != nil && bytes.Equal(storedHash, call.hash):
		return nil
	case storedHash != nil:
		return fault.New(fault.Invalid, "order.refund_key_used", fault.Field("key", "order.refund_key_used"))
	}
	attempts, err := listAttempts(ctx, tx.Q, bill.OrderID)
	if err != nil {
		return err
	}
	isStored := false
	for _, a := range attempts {
		if a.takenSum().Amount == 0 || !r.All && a.ID != bill.PaidBy {
			continue
		}
		l, err := loadLedger(ctx, tx, bill, a)
		if err != nil {
			return err
		}
		if l.amountLeft() <= 0 {
			continue
		}
		refund := l.refundRest(ByOperator, r.Reason)
		if !r.All {
			if refund, err = l.refundLines(r); err != nil {
				return err
			}
		}
		if err := s.storeRefund(ctx, tx, refund, call, now); err != nil {
			return err
		}
		// The key is unique, so it is stored with the first refund of this call only.
		isStored, call = true, refundCall{}
	}
	if !isStored {
		return fault.New(fault.Conflict, "order.nothing_to_refund")
	}
	return nil
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

// refundLines returns a refund of the lines that an operator asks for. Faults:
// order.refund_line_unknown, order.refund_line_over (Invalid) at lines, order.nothing_to_refund
// (Conflict).
func (l ledger) refundLines(r RefundRequest) (Refund, error) {
	refund := l.newRefund(ByOperator, r.Reason)
	refused := func(key string, line RefundLine) (Refund, error) {
		args := fault.Args{"line": line.Key}
		return Refund{}, fault.New(fault.Invalid, key, fault.With(args), fault.Field("lines", key, args))
	}
	refunded := maps.Clone(l.refunded)
	for _, line := range r.Lines {
		i := slices.IndexFunc(l.parts, func(p Part) bool { return p.Key == line.Key })
		if i < 0 {
			return refused("order.refund_line_unknown", line)
		}
		part := l.parts[i]
		if line.Count < 1 || line.Count > part.Count-refunded[line.Key].Count {
			return refused("order.refund_line_over", line)
		}
		priced := refunded.priceLine(part, line.Count)
		refunded.addLines([]RefundLine{priced})
		refund.Lines = append(refund.Lines, priced)
	}
	refund.Sum.Amount = sumOf(refund.Lines)
	if refund.Sum.Amount <= 0 || refund.Sum.Amount > l.amountLeft() {
		return Refund{}, fault.New(fault.Conflict, "order.nothing_to_refund")
	}
	return refund, nil
}
