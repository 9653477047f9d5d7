package order

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/site"
)

// Refund pays an order back on the operator's behalf.
//
// What was paid online goes back through the acquirer, all that is left or the lines that
// are named, from the moment the order is paid on, also of a canceled one: the refund is
// written down here and made by its job. The same key is one refund.
//
// Of an order paid on receipt it is noted that it was paid back in full, as the counter or
// the courier has done by hand, once it is done. Twice is once. With the last of the money
// spent bonuses return to the customer, accrued ones are taken back.
//
// Faults: order.not_found (NotFound); order.not_refundable and order.nothing_to_refund
// (Conflict); order.refund_all_or_lines, order.refund_key_used, order.refund_whole_only and,
// at lines, order.refund_line_unknown and order.refund_line_over (Invalid).
func (s *Service) Refund(ctx context.Context, id int64, r RefundRequest, now time.Time) (Order, error) {
	if err := r.check(); err != nil {
		return Order{}, err
	}
	var o Order
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		// Of two calls one waits for the other.
		if err := lockOrder(ctx, tx.Q, id); err != nil {
			return hide(err)
		}
		var err error
		if o, err = load(ctx, tx.Q, id); err != nil {
			return hide(err)
		}
		switch {
		case site.IsOnline(o.PaymentType):
			return s.refundOnline(ctx, tx, o, r, now)
		case !o.isPaidOnReceipt() || o.State != Done:
			return fault.New(fault.Conflict, "order.not_refundable")
		case !r.All:
			return fault.New(fault.Invalid, "order.refund_whole_only", fault.Field("lines", "order.refund_whole_only"))
		}
		return noteRefund(ctx, tx, &o, now)
	})
	return o, err
}

// check refuses a request that does not say what to give back, or says it twice: what is left
// out by mistake must not give back the whole order.
func (r RefundRequest) check() error {
	switch {
	case r.Key == "":
		return fault.New(fault.Invalid, "common.invalid", fault.Field("key", "common.required"))
	case r.All == (len(r.Lines) > 0):
		return fault.New(fault.Invalid, "order.refund_all_or_lines", fault.Field("all", "order.refund_all_or_lines"))
	}
	return nil
}

// isPaidOnReceipt reports whether the money was handed over with the order.
func (o Order) isPaidOnReceipt() bool {
	return slices.Contains([]string{site.Cash, site.Card}, o.PaymentType)
}

// noteRefund notes that a done order was paid back by hand.
func noteRefund(ctx context.Context, tx *db.Tx, o *Order, now time.Time) error {
	refunded, err := refund(ctx, tx.Q, o.ID, now)
	if err != nil || !refunded {
		return err
	}
	o.RefundedAt = now
	return undoBonuses(ctx, tx, *o, now)
}

// refundOnline writes down what the operator wants to give back of an order paid online.
func (s *Service) refundOnline(ctx context.Context, tx *db.Tx, o Order, r RefundRequest, now time.Time) error {
	call, err := callOf(r)
	if err != nil {
		return err
	}
	switch before, err := hashOfCall(ctx, tx.Q, o.ID, call.key); {
	case err != nil:
		return err
	case before != nil && bytes.Equal(before, call.hash):
		return nil
	case before != nil:
		return fault.New(fault.Invalid, "order.refund_key_used", fault.Field("key", "order.refund_key_used"))
	}
	payments, err := paymentsOf(ctx, tx.Q, o.ID)
	if err != nil {
		return err
	}
	written := false
	for _, p := range payments {
		if p.taken().Amount == 0 || !r.All && p.ID != o.PaidBy {
			continue
		}
		b, err := openBooks(ctx, tx, p)
		if err != nil {
			return err
		}
		if b.left() <= 0 {
			continue
		}
		wanted := b.rest(ByOperator, r.Reason)
		if !r.All {
			if wanted, err = b.linesOf(r); err != nil {
				return err
			}
		}
		if err := s.writeRefund(ctx, tx, wanted, call, now); err != nil {
			return err
		}
		written, call = true, refundCall{} // the key stands for all that this call gives back
	}
	if !written {
		return fault.New(fault.Conflict, "order.nothing_to_refund")
	}
	return nil
}

// callOf gives what a call is known by when it comes again.
func callOf(r RefundRequest) (refundCall, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return refundCall{}, fmt.Errorf("hash the request: %w", err)
	}
	hash := sha256.Sum256(text)
	return refundCall{key: r.Key, hash: hash[:]}, nil
}

// linesOf is a refund of the lines that are asked for.
func (b books) linesOf(r RefundRequest) (Refund, error) {
	refund := b.refund(ByOperator, r.Reason)
	refused := func(key string, l RefundLine) (Refund, error) {
		args := fault.Args{"line": l.Key}
		return Refund{}, fault.New(fault.Invalid, key, fault.With(args), fault.Field("lines", key, args))
	}
	taken := maps.Clone(b.given)
	for _, l := range r.Lines {
		i := slices.IndexFunc(b.parts, func(p sold) bool { return p.key == l.Key })
		if i < 0 {
			return refused("order.refund_line_unknown", l)
		}
		part := b.parts[i]
		if l.Count < 1 || l.Count > part.count-taken[l.Key].Count {
			return refused("order.refund_line_over", l)
		}
		priced := taken.next(part, l.Count)
		taken.add([]RefundLine{priced})
		refund.Lines = append(refund.Lines, priced)
	}
	refund.Sum.Amount = sumOf(refund.Lines)
	if refund.Sum.Amount <= 0 || refund.Sum.Amount > b.left() {
		return Refund{}, fault.New(fault.Conflict, "order.nothing_to_refund")
	}
	return refund, nil
}
