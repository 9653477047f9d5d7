package audittest

import (
	"maps"

	"servery/internal/acquiring"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/payment"
)

// checkClosings reports breaches of rule I3 in the stored closing receipts: each must be of an
// order that was handed over, and of all that was not refunded before.
func (a *audit) checkClosings() error {
	refundedBefore := map[acquiring.ID]money.Amount{}
	for _, r := range a.refunds {
		if isBeforeClosing := r.receiptMode == ""; isBeforeClosing && r.state != string(payment.RefundFailed) {
			refundedBefore[r.payment] = refundedBefore[r.payment].Add(r.amount)
		}
	}
	var id acquiring.ID
	var orderID int64
	var amount money.Amount
	var state payment.ClosingState
	return a.eachRow("SELECT payment_id, order_id, amount, state FROM closing_receipt", []any{&id, &orderID, &amount, &state}, func() {
		o, p := a.orders[orderID], a.payments[id]
		switch {
		case o == nil || p == nil || o.paidBy != string(id) || o.state != order.Done && !o.isKept():
			a.report("I3", "the closing receipt of payment %s is of no order that was handed over or keeps money", id)
		case a.books.Settled && (state == payment.ClosingWaiting || state == payment.ClosingRunning):
			a.report("I3", "the closing receipt of %s is still %s", o, state)
		case (state == payment.ClosingDone || state == payment.ClosingManual) && amount != p.amount.Sub(refundedBefore[id]):
			a.report("I3", "the closing receipt of %s is of %d, %d were handed over", o, amount, p.amount.Sub(refundedBefore[id]))
		}
	})
}

// checkReceipts reports breaches of rule I3 in the receipts that the bank's register has of a
// payment: what was prepaid must have been refunded as a prepayment, or closed once when the
// order was handed over. It checks no payment without receipts, and none that took another sum than
// requested.
func (a *audit) checkReceipts(c Charge, p *paymentRow) {
	countByKind := map[string]int{}
	prepaid, closed := map[string]money.Amount{}, map[string]money.Amount{}
	add := func(to map[string]money.Amount, r Receipt, sign money.Amount) {
		for name, amount := range r.Items {
			if to[name] = to[name].Add(sign * amount); to[name] == 0 {
				delete(to, name)
			}
		}
	}
	isPrepaid := false
	for _, r := range c.Receipts {
		countByKind[r.Kind]++
		switch { // what is neither a payment nor a closing is a refund
		case r.Kind == "payment":
			if isPrepaid = r.Mode == acquiring.FullPrepayment.String(); isPrepaid {
				add(prepaid, r, 1)
			}
		case r.Kind == "closing":
			add(closed, r, 1)
			if r.Mode != acquiring.FullPayment.String() {
				a.report("I3", "a closing receipt of %s is one of %s", p, r.Mode)
			}
		case r.Mode == acquiring.FullPrepayment.String():
			add(prepaid, r, -1)
		default:
			add(closed, r, -1)
		}
	}
	o := a.orders[p.order]
	if len(c.Receipts) == 0 || o == nil || p.other > 0 {
		return
	}
	if countByKind["payment"] != 1 || countByKind["closing"] > 1 {
		a.report("I3", "the register has %v of %s", countByKind, p)
	}
	for name, amount := range closed {
		if isPrepaid && amount < 0 {
			a.report("I3", "%d of %s were given back of %s although no receipt says that it was handed over", -amount, name, o)
		}
	}
	if !a.books.Settled || !isPrepaid {
		return
	}
	isHandedOver := (o.state == order.Done || o.isKept()) && o.paidBy == string(p.id)
	switch {
	case !isHandedOver && countByKind["closing"] > 0:
		a.report("I3", "%s has a closing receipt and was not handed over", o)
	case isHandedOver && (countByKind["closing"] == 1) != (len(prepaid) > 0):
		a.report("I3", "%s has %d closing receipts, prepaid and not given back are %v", o, countByKind["closing"], prepaid)
	case isHandedOver && !maps.Equal(prepaid, closingItems(c)):
		a.report("I3", "the closing receipt of %s is of %v, prepaid and not given back are %v", o, closingItems(c), prepaid)
	}
}

// closingItems returns the items of the closing receipt of a charge with their sums, including
// items that were refunded later.
func closingItems(c Charge) map[string]money.Amount {
	items := map[string]money.Amount{}
	for _, r := range c.Receipts {
		if r.Kind == "closing" {
			maps.Copy(items, r.Items)
		}
	}
	return items
}
