package payment

import (
	"context"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/money"
)

// ledger is what was sold for an attempt and what of it was refunded.
type ledger struct {
	attempt  Attempt
	parts    []Part
	refunded refundedLines
	// total is what was refunded or is being refunded.
	total money.Amount
	// isClosed is set once the acquirer was called for the closing receipt of the attempt.
	isClosed bool
}

// loadLedger reads the ledger of an attempt. It must be called in a transaction that has locked
// the order, or two calls might refund the same items.
func loadLedger(ctx context.Context, tx *db.Tx, bill Bill, a Attempt) (ledger, error) {
	refunds, err := listRefunds(ctx, tx.Q, a.OrderID)
	if err != nil {
		return ledger{}, err
	}
	closing, err := findClosing(ctx, tx.Q, a.ID)
	if err != nil {
		return ledger{}, err
	}
	l := ledger{attempt: a, parts: bill.Parts, refunded: refundedLines{}, isClosed: closing != nil && closing.State.endsPrepayment()}
	for _, r := range refunds {
		if r.PaymentID == a.ID && r.State != RefundFailed {
			l.refunded.addLines(r.Lines)
			l.total = l.total.Add(r.Sum.Amount)
		}
	}
	return l, nil
}

// amountLeft returns how much money is neither refunded nor being refunded.
func (l ledger) amountLeft() money.Amount { return l.attempt.takenSum().Amount.Sub(l.total) }

// refundRest returns a refund of everything that is left.
func (l ledger) refundRest(cause RefundCause, reason string) Refund {
	r := l.newRefund(cause, reason)
	r.Lines, r.Sum.Amount = l.linesLeft(), l.amountLeft()
	return r
}

// refund returns the refund that an operator asks for. Faults: order.refund_line_unknown and
// order.refund_line_over at lines, order.refund_over and common.not_allowed at amount (Invalid),
// order.nothing_to_refund (Conflict).
func (l ledger) refund(cause RefundCause, r RefundRequest) (Refund, error) {
	refund := l.newRefund(cause, r.Reason)
	refund.Bearer, refund.Actor = r.Bearer, r.Actor
	var err error
	switch {
	case l.amountLeft() <= 0:
		return Refund{}, nothingToRefund()
	case r.All:
		refund.Lines, refund.Sum.Amount = l.linesLeft(), l.amountLeft()
		return refund, nil
	case r.Amount != 0:
		refund.Lines, err = l.amountLines(r.Amount)
	default:
		refund.Lines, err = l.requestedLines(r.Lines)
	}
	if err != nil {
		return Refund{}, err
	}
	refund.Sum.Amount = sumOf(refund.Lines)
	if refund.Sum.Amount <= 0 || refund.Sum.Amount > l.amountLeft() {
		return Refund{}, nothingToRefund()
	}
	return refund, nil
}

// amountLines returns the lines of a refund of an amount. Faults, both Invalid at amount:
// order.refund_over with what is left, common.not_allowed for what is no sum of the currency.
func (l ledger) amountLines(amount money.Amount) ([]RefundLine, error) {
	unit := l.attempt.takenSum().Currency.Unit()
	switch left := l.amountLeft(); {
	case amount < 0 || amount%unit != 0:
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("amount", "common.not_allowed"))
	case amount > left:
		args := fault.Args{"left": left}
		return nil, fault.New(fault.Invalid, "order.refund_over", fault.With(args), fault.Field("amount", "order.refund_over", args))
	}
	return l.refunded.shareLines(l.parts, amount, unit), nil
}

// nothingToRefund returns the fault order.nothing_to_refund (Conflict).
func nothingToRefund() error { return fault.New(fault.Conflict, "order.nothing_to_refund") }

// linesLeft returns the lines of what is left; none for an attempt with which no part of the order
// was bought.
func (l ledger) linesLeft() []RefundLine {
	if l.attempt.IsMismatch() {
		return nil
	}
	return l.refunded.remainingLines(l.parts)
}

// newRefund returns an empty refund of the attempt, to which sum and lines are added.
func (l ledger) newRefund(cause RefundCause, reason string) Refund {
	return Refund{
		PaymentID: l.attempt.ID, OrderID: l.attempt.OrderID, Sum: acquiring.Sum{Currency: l.attempt.takenSum().Currency},
		Cause: cause, Reason: reason, AfterClosing: l.isClosed, attempt: 1,
	}
}
