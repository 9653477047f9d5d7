//go:build !release

package sandbox

import (
	"context"
	"errors"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/money"
)

// registerTime is how long the fiscal register takes for a receipt.
const registerTime = 2 * time.Second

// receiptKind is what a receipt is of. The set is closed; the values are stored.
type receiptKind string

const (
	ofPayment      receiptKind = "payment" // it counts once the payment is paid
	ofRefund       receiptKind = "refund"
	closingReceipt receiptKind = "closing"
)

// receipt is a receipt in the books.
type receipt struct {
	id     acquiring.ID
	ref    string // of the payment
	kind   receiptKind
	mode   string
	amount money.Amount
	// items are what was paid for each name.
	items map[string]money.Amount
	// registered is when the register has it.
	registered time.Time
}

// newReceipt returns the receipt to store for content, with what was paid for each name. ref is the
// reference of the payment. The register has the receipt two seconds later.
func newReceipt(id acquiring.ID, ref string, kind receiptKind, content acquiring.Receipt, now time.Time) receipt {
	r := receipt{
		id: id, ref: ref, kind: kind, mode: content.Mode.String(), amount: content.Total(), items: map[string]money.Amount{},
		registered: now.Add(registerTime),
	}
	for _, l := range content.Lines {
		r.items[l.Name] = r.items[l.Name].Add(l.Total())
	}
	return r
}

// storeReceipt stores the receipt that came with the request for the payment, if any.
func (p *payment) storeReceipt(ctx context.Context, tx *db.Tx, now time.Time) error {
	if len(p.receipt.Lines) == 0 {
		return nil
	}
	return insertReceipt(ctx, tx.Q, p.site, newReceipt(p.id, p.ref, ofPayment, p.receipt, now), now)
}

// toClosed returns the answer to the shop about a closing receipt: pending until the register
// has it, then done.
func (r receipt) toClosed(now time.Time) acquiring.Closed {
	if now.Before(r.registered) {
		return acquiring.Closed{State: acquiring.ClosingPending, Ref: string(r.id)}
	}
	return acquiring.Closed{State: acquiring.ClosingDone, Ref: string(r.id)}
}

// CloseReceipt registers a closing receipt, once for each id. A receipt that the bank refuses
// has the state [acquiring.ClosingFailed]. An internal error is an unknown outcome, because the
// receipt may have been registered; a returned error means that this call registered nothing.
func (a *Acquirer) CloseReceipt(ctx context.Context, c acquiring.Closing) (acquiring.Closed, error) {
	if err := c.Check(a.Name()); err != nil {
		return acquiring.Closed{}, err
	}
	var closing receipt
	isAnswered, refused, err := a.carryOut(ctx, "close", func() (err error) {
		closing, err = a.bank.closeReceipt(ctx, a.site, c)
		return err
	})
	if err != nil || !isAnswered {
		return acquiring.Closed{}, err
	}
	if refused != nil {
		return acquiring.Closed{State: acquiring.ClosingFailed, Code: refused.Code}, nil //nolint:nilerr // a refusal is an outcome of its own
	}
	return closing.toClosed(a.bank.clock.Now()), nil
}

// closeReceipt registers a closing receipt, once for each id, and returns it. Its sum must be
// what was prepaid, less what was refunded as a prepayment. It returns an error of kind
// [acquiring.Rejected], whose code says why, when there is no such payment, the sum is another,
// or the payment has another closing receipt.
func (b *Bank) closeReceipt(ctx context.Context, site string, c acquiring.Closing) (closing receipt, err error) {
	refused := func(code string) error { return &acquiring.Error{Op: "close", Kind: acquiring.Rejected, Code: code} }
	err = b.inTx(ctx, func(tx *db.Tx) error {
		p, err := findByRef(ctx, tx.Q, c.Of.Ref)
		switch {
		case errors.Is(err, db.ErrNotFound) || err == nil && (p.site != site || p.id != c.Of.ID):
			return refused("payment")
		case err != nil:
			return err
		}
		known, err := listReceipts(ctx, tx.Q, p.ref)
		if err != nil {
			return err
		}
		var prepaid money.Amount
		for _, r := range known {
			switch {
			case r.id == c.ID && r.kind == closingReceipt:
				if r.amount != c.Sum.Amount {
					return refused("id")
				}
				closing = r
				return nil
			case r.kind == closingReceipt:
				return refused("closed")
			case r.kind == ofPayment && r.mode == acquiring.FullPrepayment.String():
				prepaid = prepaid.Add(r.amount)
			case r.kind == ofRefund && r.mode == acquiring.FullPrepayment.String():
				prepaid = prepaid.Sub(r.amount)
			}
		}
		if p.state != paid || prepaid != c.Sum.Amount {
			return refused("sum")
		}
		now := b.clock.Now()
		closing = newReceipt(c.ID, p.ref, closingReceipt, c.Receipt, now)
		return insertReceipt(ctx, tx.Q, site, closing, now)
	})
	return closing, err
}
