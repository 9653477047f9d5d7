package payment

import (
	"maps"
	"slices"

	"servery/internal/acquiring"
	"servery/internal/fault"
	"servery/internal/money"
)

// Ledger is what was sold for an attempt and what of it was refunded.
type Ledger struct {
	Attempt  Attempt
	Parts    []Part
	Refunded RefundedLines
	// Total is what was refunded or is being refunded.
	Total money.Amount
	// IsClosed is set once the acquirer was called for the closing receipt of the attempt.
	IsClosed bool
}

// AmountLeft returns how much money is neither refunded nor being refunded.
func (l Ledger) AmountLeft() money.Amount { return l.Attempt.TakenSum().Amount.Sub(l.Total) }

// RefundRest returns a refund of everything that is left.
func (l Ledger) RefundRest(cause RefundCause, reason string) Refund {
	r := l.NewRefund(cause, reason)
	r.Lines, r.Sum.Amount = l.linesLeft(), l.AmountLeft()
	return r
}

// Refund returns the refund that an operator asks for. Faults: order.refund_line_unknown and
// order.refund_line_over at lines, order.refund_over and common.not_allowed at amount (Invalid);
// order.nothing_to_refund (Conflict) when no money is left, or the lines cost nothing or more than that.
func (l Ledger) Refund(cause RefundCause, r RefundRequest) (Refund, error) {
	refund := l.NewRefund(cause, r.Reason)
	refund.Bearer, refund.Actor = r.Bearer, r.Actor
	var err error
	switch {
	case l.AmountLeft() <= 0:
		return Refund{}, NothingToRefund()
	case r.All:
		refund.Lines, refund.Sum.Amount = l.linesLeft(), l.AmountLeft()
		return refund, nil
	case r.Amount != 0:
		refund.Lines, err = l.amountLines(r.Amount)
	default:
		refund.Lines, err = l.requestedLines(r.Lines)
	}
	if err != nil {
		return Refund{}, err
	}
	refund.Sum.Amount = SumOf(refund.Lines)
	if refund.Sum.Amount <= 0 || refund.Sum.Amount > l.AmountLeft() {
		return Refund{}, NothingToRefund()
	}
	return refund, nil
}

// amountLines returns the lines of a refund of an amount. Faults, both Invalid at amount:
// order.refund_over with what is left, common.not_allowed for a negative amount and for a fraction of
// the currency's unit.
func (l Ledger) amountLines(amount money.Amount) ([]RefundLine, error) {
	unit := l.Attempt.TakenSum().Currency.Unit()
	switch left := l.AmountLeft(); {
	case amount < 0 || amount%unit != 0:
		return nil, fault.New(fault.Invalid, "common.invalid", fault.Field("amount", "common.not_allowed"))
	case amount > left:
		args := fault.Args{"left": left}
		return nil, fault.New(fault.Invalid, "order.refund_over", fault.With(args), fault.Field("amount", "order.refund_over", args))
	}
	return l.Refunded.shareLines(l.Parts, amount, unit), nil
}

// NothingToRefund returns the fault order.nothing_to_refund (Conflict).
func NothingToRefund() error { return fault.New(fault.Conflict, "order.nothing_to_refund") }

// linesLeft returns the lines of what is left; none for an attempt with which no part of the order
// was bought.
func (l Ledger) linesLeft() []RefundLine {
	if l.Attempt.IsMismatch() {
		return nil
	}
	return l.Refunded.RemainingLines(l.Parts)
}

// NewRefund returns an empty refund of the attempt, to which sum and lines are added.
func (l Ledger) NewRefund(cause RefundCause, reason string) Refund {
	return Refund{
		PaymentID: l.Attempt.ID, OrderID: l.Attempt.OrderID, Sum: acquiring.Sum{Currency: l.Attempt.TakenSum().Currency},
		Cause: cause, Reason: reason, AfterClosing: l.IsClosed, Attempt: 1,
	}
}

// requestedLines returns the lines that an operator asks for, with their prices. Faults:
// order.refund_line_unknown, order.refund_line_over (Invalid) at lines.
func (l Ledger) requestedLines(requested []RefundLine) ([]RefundLine, error) {
	refused := func(key string, line RefundLine) error {
		args := fault.Args{"line": line.Key}
		return fault.New(fault.Invalid, key, fault.With(args), fault.Field("lines", key, args))
	}
	var lines []RefundLine
	refunded := maps.Clone(l.Refunded)
	for _, line := range requested {
		i := slices.IndexFunc(l.Parts, func(p Part) bool { return p.Key == line.Key })
		if i < 0 {
			return nil, refused("order.refund_line_unknown", line)
		}
		part := l.Parts[i]
		if line.Count < 1 || line.Count > part.Count-refunded[line.Key].Count {
			return nil, refused("order.refund_line_over", line)
		}
		priced := refunded.priceLine(part, line.Count, l.Attempt.TakenSum().Currency.Unit())
		refunded.AddLines([]RefundLine{priced})
		lines = append(lines, priced)
	}
	return lines, nil
}

// HandLedger returns the ledger of a bill that was paid on receipt.
func HandLedger(bill Bill, refunds []HandRefund) Ledger {
	l := Ledger{Attempt: Attempt{OrderID: bill.OrderID, State: Paid, Sum: bill.Sum}, Parts: bill.Parts, Refunded: RefundedLines{}}
	for _, h := range refunds {
		l.Refunded.AddLines(h.Lines)
		l.Total = l.Total.Add(h.Amount)
	}
	return l
}
