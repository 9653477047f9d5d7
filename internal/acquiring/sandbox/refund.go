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

// refund is money given back, or not.
type refund struct {
	id     acquiring.ID
	ref    string
	amount money.Amount
	state  acquiring.RefundState
	// due is when a pending one is done.
	due time.Time
}

// applyRefund decides about a refund, sets its state and changes the payment accordingly. The refund
// fails when the payment is not paid or less is left. With RefundLost it is unknown once and is not
// stored, so the next try makes it; with RefundSlow it stays pending for a while.
func (p *payment) applyRefund(r *refund, now time.Time) {
	switch {
	case p.state != paid, p.outcome.Trouble == RefundRefused, p.reserved.Add(r.amount) > p.sum.Amount:
		r.state = acquiring.RefundFailed
	case p.outcome.Trouble == RefundLost:
		p.outcome = Outcome{Key: "paid"}
		r.state = acquiring.RefundUnknown
	case p.outcome.Trouble == RefundSlow:
		p.reserved = p.reserved.Add(r.amount)
		r.state, r.due = acquiring.RefundPending, now.Add(slowDelay)
	default:
		p.reserved, p.refunded = p.reserved.Add(r.amount), p.refunded.Add(r.amount)
		r.state = acquiring.RefundDone
	}
}

// RefundPayment refunds a part or all of a payment, once for each refund id. An internal error
// is an unknown outcome, because the refund may have been stored. A returned error means that
// this call refunded nothing.
func (a *Acquirer) RefundPayment(ctx context.Context, r acquiring.Refund) (acquiring.Refunded, error) {
	if err := r.Check(a.Name()); err != nil {
		return acquiring.Refunded{}, err
	}
	var stored refund
	isAnswered, refused, err := a.carryOut(ctx, "refund", func() (err error) {
		stored, err = a.bank.refundOnce(ctx, a.site, r)
		return err
	})
	switch {
	case err != nil || !isAnswered:
		return acquiring.Refunded{}, err
	case refused != nil:
		refused.Acquirer = a.Name()
		return acquiring.Refunded{}, refused
	}
	result := acquiring.Refunded{State: stored.state, Ref: string(stored.id)}
	if stored.state == acquiring.RefundFailed {
		result.Code = "refund_refused"
	}
	return result, nil
}

// refundOnce makes a refund, once for each id, and returns it. A pending refund that is due is
// completed. It returns an error of kind [acquiring.Rejected] or [acquiring.Foreign] when the
// request does not fit the payment or the refund under its id.
func (b *Bank) refundOnce(ctx context.Context, site string, r acquiring.Refund) (result refund, err error) {
	var isDue bool
	err = b.inTx(ctx, func(tx *db.Tx) error {
		old, found, err := findRefund(ctx, tx.Q, site, r.ID)
		switch {
		case err != nil:
			return err
		case found && (old.ref != r.Of.Ref || old.amount != r.Sum.Amount):
			return &acquiring.Error{Op: "refund", Kind: acquiring.Rejected, Code: "id"}
		case found:
			result = old
			isDue = !old.due.IsZero() && !b.clock.Now().Before(old.due)
			return nil
		}
		p, err := findByRef(ctx, tx.Q, r.Of.Ref)
		switch {
		case errors.Is(err, db.ErrNotFound) || err == nil && p.site != site:
			return &acquiring.Error{Op: "refund", Kind: acquiring.Rejected, Code: "payment"}
		case err != nil:
			return err
		case p.id != r.Of.ID:
			return &acquiring.Error{Op: "refund", Kind: acquiring.Foreign}
		case p.sum.Currency != r.Sum.Currency:
			return &acquiring.Error{Op: "refund", Kind: acquiring.Rejected, Code: "currency"}
		}
		now := b.clock.Now()
		before := p
		p.applyTime(now)
		result = refund{id: r.ID, ref: p.ref, amount: r.Sum.Amount}
		p.applyRefund(&result, now)
		if result.state != acquiring.RefundUnknown {
			if err := insertRefund(ctx, tx.Q, site, result, now); err != nil {
				return err
			}
		}
		if len(r.Receipt.Lines) > 0 && (result.state == acquiring.RefundDone || result.state == acquiring.RefundPending) {
			if err := insertReceipt(ctx, tx.Q, site, newReceipt(result.id, p.ref, ofRefund, r.Receipt, now), now); err != nil {
				return err
			}
		}
		return b.storePayment(ctx, tx, before, p)
	})
	if err == nil && isDue {
		if err = b.finishRefund(ctx, site, result); err == nil {
			result.state = acquiring.RefundDone
		}
	}
	return result, err
}
