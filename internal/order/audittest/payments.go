package audittest

import (
	"fmt"
	"time"

	"servery/internal/acquiring"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/payment"
)

// unknownGrace is how long after its deadline a payment attempt may be neither paid, failed nor
// abandoned.
const unknownGrace = 5 * time.Minute

// paymentRow is a payment attempt as it is stored.
type paymentRow struct {
	id               acquiring.ID
	order            int64
	currency         string
	state            payment.AttemptState
	amount, refunded money.Amount
	deadline         time.Time
	// other is what was taken, in otherCurrency, when that is not the requested amount; else 0.
	other         money.Amount
	otherCurrency string
	// returned is the sum of the refunds that are done, returning that of the open ones.
	returned, returning money.Amount
}

// String returns the id and the state of the payment attempt, as reports name it.
func (p *paymentRow) String() string { return fmt.Sprintf("payment %s (%s)", p.id, p.state) }

// takenSum returns the sum and the currency that were taken. They are the requested ones unless other
// ones are stored.
func (p *paymentRow) takenSum() (money.Amount, string) {
	if p.other > 0 {
		return p.other, p.otherCurrency
	}
	return p.amount, p.currency
}

// isTaken reports whether the database says that the money of the attempt was taken.
func (p *paymentRow) isTaken() bool { return p.state == payment.Paid || p.state == payment.Disputed }

// keepsMoney reports whether more was taken for the attempt than is refunded or being refunded.
func (p *paymentRow) keepsMoney() bool { return p.keepsMore(0) }

// keepsMore reports whether more than the amount is left of what was taken for the attempt, without
// what is being refunded.
func (p *paymentRow) keepsMore(amount money.Amount) bool {
	taken, _ := p.takenSum()
	return p.isTaken() && p.refunded.Add(p.returning).Add(amount) < taken
}

// refundRow is a refund as it is stored.
type refundRow struct {
	id, payment acquiring.ID
	order       int64
	amount      money.Amount
	state       string
	// receiptMode is empty where the refund has that of its payment.
	receiptMode string
}

// readPayments reads all payment attempts into a.payments and all refunds into a.refunds.
func (a *audit) readPayments() error {
	a.payments = map[acquiring.ID]*paymentRow{}
	var p paymentRow
	err := a.eachRow("SELECT id, order_id, currency, state, amount, refunded, deadline, taken_amount, taken_currency FROM payment",
		[]any{&p.id, &p.order, &p.currency, &p.state, &p.amount, &p.refunded, &p.deadline, &p.other, &p.otherCurrency}, func() {
			row := p
			a.payments[p.id] = &row
		})
	if err != nil {
		return err
	}
	var r refundRow
	return a.eachRow("SELECT id, payment_id, order_id, amount, state, receipt_mode FROM refund",
		[]any{&r.id, &r.payment, &r.order, &r.amount, &r.state, &r.receiptMode}, func() { a.refunds = append(a.refunds, r) })
}

// checkAttempts adds the refunds to their payment attempts, and reports what is wrong with each
// attempt and with how each order was paid.
func (a *audit) checkAttempts() error {
	a.addRefunds()
	attempts := map[int64][]*paymentRow{}
	for _, p := range a.payments {
		attempts[p.order] = append(attempts[p.order], p)
		a.checkAttempt(p)
	}
	for id, o := range a.orders {
		a.checkPaid(o, attempts[id])
	}
	return nil
}

// addRefunds adds each refund to the sums of its payment attempt, and reports refunds without
// one or in a state that may not be.
func (a *audit) addRefunds() {
	for _, r := range a.refunds {
		p := a.payments[r.payment]
		if p == nil || p.order != r.order {
			a.report("I4", "refund %s is of no payment of its order %d", r.id, r.order)
			continue
		}
		switch r.state {
		case "done":
			p.returned = p.returned.Add(r.amount)
		case "waiting", "running":
			p.returning = p.returning.Add(r.amount)
			if a.books.Settled {
				a.report("I3", "refund %s of order %d is still %s", r.id, r.order, r.state)
			}
		case "failed":
		default:
			a.report("I3", "refund %s is %q", r.id, r.state)
		}
	}
}

// checkAttempt reports a payment attempt that has no order or not its sum, of which more is
// refunded than was taken, or that is unknown or disputed for too long.
func (a *audit) checkAttempt(p *paymentRow) {
	o := a.orders[p.order]
	if o == nil {
		a.report("I4", "%s has no order", p)
		return
	}
	if p.amount != o.paid() || p.currency != o.currency {
		a.report("I3", "%s is of %d %s, %s cost %d %s", p, p.amount, p.currency, o, o.paid(), o.currency)
	}
	if p.refunded != p.returned {
		a.report("I3", "%s: %d are given back, its refunds say %d", p, p.refunded, p.returned)
	}
	if taken, _ := p.takenSum(); p.returned.Add(p.returning) > taken {
		a.report("I3", "%s of %d: %d are given back and %d will be", p, taken, p.returned, p.returning)
	}
	if p.other > 0 && p.state != payment.Disputed {
		a.report("I3", "%s is of another sum, %d %s", p, p.other, p.otherCurrency)
	}
	switch p.state {
	case payment.Starting, payment.Pending:
		if !a.books.Now.IsZero() && a.books.Now.After(p.deadline.Add(unknownGrace)) {
			a.report("I12", "%s is over since %s, and nobody knows what became of it", p, p.deadline.Format(time.RFC3339))
		}
	case payment.Disputed:
		if taken, _ := p.takenSum(); a.books.Settled && p.refunded < taken {
			a.report("I3", "%s is neither settled nor given back", p)
		}
	case payment.Abandoned, payment.Paid, payment.Failed:
	default:
		a.report("I3", "%s: no such state", p)
	}
}

// checkPaid reports breaches of rule I3: an order that is paid online must have the money of one
// attempt while it is not canceled, and all other money must be refunded or being refunded.
func (a *audit) checkPaid(o *orderRow, attempts []*paymentRow) {
	if !o.isOnline() && (len(attempts) > 0 || o.paidBy != "") {
		a.report("I4", "%s is paid on receipt, and has payments", o)
	}
	var paidBy *paymentRow
	active := 0
	for _, p := range attempts {
		switch {
		case string(p.id) == o.paidBy:
			paidBy = p
		case p.keepsMoney():
			a.report("I3", "%s was paid by %q, and not all of %s goes back", o, o.paidBy, p)
		case p.state == payment.Starting, p.state == payment.Pending:
			active++
		}
	}
	waits := o.state == order.WaitingForPayment
	if active > 1 || active == 1 && !waits {
		a.report("I3", "%s has %d active attempts", o, active)
	}
	switch {
	case o.paidBy != "" && paidBy == nil:
		a.report("I3", "%s is paid by a payment that is not its own", o)
	case paidBy == nil:
		if o.isOnline() && !waits && o.isStanding() {
			a.report("I3", "%s is not paid", o)
		}
	case paidBy.state != payment.Paid:
		a.report("I3", "%s is paid by %s", o, paidBy)
	case waits:
		a.report("I3", "%s is paid and waits", o)
	case !o.isStanding() && paidBy.keepsMore(o.kept):
		a.report("I3", "%s keeps %d of %d, not %d", o, paidBy.amount-paidBy.refunded-paidBy.returning, paidBy.amount, o.kept)
	}
}

// checkBank reports where the database and the bank's books differ. By I3 each payment must be
// taken once and in the right sum, and what is to be refunded must be; by I4 neither may have
// money that the other does not know.
func (a *audit) checkBank() error {
	if a.books.Bank == nil {
		return nil
	}
	taken := map[acquiring.ID]int{}
	kept := map[int64]money.Amount{}
	for _, c := range a.books.Bank {
		p := a.payments[c.ID]
		if p == nil {
			a.report("I4", "the bank has payment %s (%s), of which our books know nothing", c.ID, c.Ref)
			continue
		}
		if !c.Taken {
			continue
		}
		amount, currency := p.takenSum()
		isRight := c.Sum.Amount == amount && c.Sum.Currency.Code == currency
		taken[c.ID]++
		a.checkReceipts(c, p)
		kept[p.order] = kept[p.order].Add(c.Sum.Amount).Sub(c.Refunded)
		switch {
		case taken[c.ID] > 1:
			a.report("I3", "the bank took %s %d times", p, taken[c.ID])
		case p.isTaken() && !isRight:
			a.report("I3", "the bank took %s for %s of %d %s", c.Sum, p, amount, currency)
		case p.isTaken() && a.books.Settled && c.Refunded != p.refunded:
			a.report("I3", "the bank gave back %d of %s, our books say %d", c.Refunded, p, p.refunded)
		case p.state == payment.Failed:
			a.report("I4", "the bank took %s, our books say that it failed", c.Sum)
		case p.state != payment.Paid && a.books.Settled && c.Refunded < c.Sum.Amount:
			a.report("I4", "the bank took %s and keeps it, in our books it is %s", c.Sum, p)
		}
	}
	for id, p := range a.payments {
		if p.isTaken() && taken[id] == 0 {
			a.report("I4", "our books have %s, the bank took nothing", p)
		}
	}
	if !a.books.Settled {
		return nil
	}
	for id, o := range a.orders {
		var want money.Amount
		if paidBy := a.payments[acquiring.ID(o.paidBy)]; paidBy != nil {
			want = paidBy.amount.Sub(paidBy.refunded)
			if !o.isStanding() {
				want = min(want, o.kept)
			}
		}
		if kept[id] != want {
			a.report("I3", "the bank keeps %d for %s, it should be %d", kept[id], o, want)
		}
	}
	return nil
}

// ChargesOf returns the charge that toCharge makes of each value, for [Books.Bank]. The list is never
// nil, so that a bank without payments is compared too.
func ChargesOf[T any](values []T, toCharge func(T) Charge) []Charge {
	charges := make([]Charge, 0, len(values))
	for _, value := range values {
		charges = append(charges, toCharge(value))
	}
	return charges
}
