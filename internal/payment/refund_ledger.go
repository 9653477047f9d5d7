package payment

import (
	"context"

	"servery/internal/acquiring"
	"servery/internal/db"
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
	r.Sum.Amount = l.amountLeft()
	if !l.attempt.IsMismatch() { // no part of the order was bought with it
		r.Lines = l.refunded.remainingLines(l.parts)
	}
	return r
}

// newRefund returns an empty refund of the attempt, to which sum and lines are added.
func (l ledger) newRefund(cause RefundCause, reason string) Refund {
	return Refund{
		PaymentID: l.attempt.ID, OrderID: l.attempt.OrderID, Sum: acquiring.Sum{Currency: l.attempt.takenSum().Currency},
		Cause: cause, Reason: reason, AfterClosing: l.isClosed, attempt: 1,
	}
}
