package order

import (
	"context"
	"slices"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// Money is all that is known of the paying of an order.
type Money struct {
	Order Order
	// Payments are the tries to pay it and Refunds what was given back, each in the order in
	// which they were begun. An order paid on receipt has none.
	Payments []Payment
	Refunds  []Refund
	// Closings are the closing receipts.
	Closings []ClosingReceipt
}

// Refundable is a part of an order that was paid online.
type Refundable struct {
	Key  string
	Name lang.Text
	// Count and Paid are of all of it, Refunded and Back of what is given back or on its way.
	Count, Refunded int
	Paid, Back      money.Amount
}

// Money reads how the paying of an order stands, which the caller may see. The order in it
// is as it was at that instant, which may be later than o.
func (s *Service) Money(ctx context.Context, o Order) (Money, error) {
	if !site.IsOnline(o.PaymentType) {
		return Money{Order: o}, nil
	}
	return s.readMoney(ctx, o.ID)
}

// MoneyOf gives the order that an operator asks for with its money. Fault: order.not_found
// (NotFound).
func (s *Service) MoneyOf(ctx context.Context, id int64) (Money, error) {
	m, err := s.readMoney(ctx, id)
	if err != nil {
		return Money{}, hide(err)
	}
	return m, nil
}

// readMoney reads an order with its payments and refunds, all as of one instant.
func (s *Service) readMoney(ctx context.Context, id int64) (Money, error) {
	var m Money
	err := s.db.ReadSnapshot(ctx, func(at db.Snapshot) error {
		o, err := load(ctx, at.Q, id)
		if err != nil {
			return err
		}
		m, err = readMoney(ctx, at.Q, o)
		return err
	})
	return m, err
}

// State tells how the paying stands for the customer.
func (m Money) State() MoneyState { return moneyOf(m.Order, m.Payments) }

// Refunded is what was given back of all that was paid.
func (m Money) Refunded() money.Amount {
	return refundedOf(m.Payments)
}

// Message tells what became of the money where that needs saying; false where it does not.
// say writes sums as customers read them.
func (m Money) Message(say func(acquiring.Sum) string) (fault.Message, bool) {
	newest := newestRefund(m.Refunds)
	if newest == nil {
		return m.withoutRefund()
	}
	told := func(what string, sum acquiring.Sum) (fault.Message, bool) {
		return fault.Message{Key: "refund." + what, Args: fault.Args{"sum": say(sum)}}, true
	}
	isDone := func(s RefundState) bool { return s == RefundDone }
	if way := m.refunded(*newest, RefundState.isOnItsWay); way.Amount > 0 {
		return told("going_"+string(newest.Cause), way)
	}
	if newest.State == RefundFailed {
		return told("stuck", newest.Sum)
	}
	return told("done_"+string(newest.Cause), m.refunded(*newest, isDone))
}

// withoutRefund tells of money that nothing was given back of.
func (m Money) withoutRefund() (fault.Message, bool) {
	isWatched := slices.ContainsFunc(m.Payments, func(p Payment) bool { return p.State == Abandoned && p.hasToBeWatched() })
	switch {
	case slices.ContainsFunc(m.Payments, Payment.isUnclear):
		return fault.Message{Key: "refund.disputed"}, true
	case isWatched && m.State() == MoneyCanceled:
		return fault.Message{Key: "refund.watched"}, true
	}
	return fault.Message{}, false
}

// Payer gives what the customer told for a try to pay: himself.
func (p Payment) Payer() acquiring.Customer {
	return acquiring.Customer{
		Phone: p.asked.Phone, Email: p.asked.Email, Name: p.asked.Name, Address: p.asked.Address, UserAgent: p.asked.UserAgent,
		Mobile: p.asked.IsMobile,
	}
}

// hasToBeWatched reports whether a try that was given up may still be paid.
func (p Payment) hasToBeWatched() bool { return !p.checkAt.IsZero() }

// refunded adds up the refunds of the same cause and currency.
func (m Money) refunded(like Refund, is func(RefundState) bool) acquiring.Sum {
	sum := acquiring.Sum{Currency: like.Sum.Currency}
	for _, r := range m.Refunds {
		if r.Cause == like.Cause && r.Sum.Currency == sum.Currency && is(r.State) {
			sum.Amount = sum.Amount.Add(r.Sum.Amount)
		}
	}
	return sum
}

func newestRefund(refunds []Refund) *Refund {
	var newest *Refund
	for i := range refunds {
		if newest == nil || !refunds[i].CreatedAt.Before(newest.CreatedAt) {
			newest = &refunds[i]
		}
	}
	return newest
}

// Refundable gives the parts of an order that was paid online; none before it is paid.
func (m Money) Refundable() []Refundable {
	if m.Order.PaidBy == "" {
		return nil
	}
	taken, names := given{}, m.Order.names()
	for _, r := range m.Refunds {
		if r.PaymentID == m.Order.PaidBy && r.State != RefundFailed {
			taken.add(r.Lines)
		}
	}
	var parts []Refundable
	for _, part := range m.Order.sold() {
		parts = append(parts, Refundable{
			Key: part.key, Name: names[part.key], Count: part.count, Refunded: taken[part.key].Count,
			Paid: part.paid, Back: taken[part.key].Amount,
		})
	}
	return parts
}

// names gives what the parts of the order are called.
func (o Order) names() map[string]lang.Text {
	names := map[string]lang.Text{DeliveryKey: {}}
	for _, l := range lang.All() {
		names[DeliveryKey][l] = lang.T(l, "refund.delivery", nil)
	}
	for _, l := range o.Lines {
		names[l.Key] = l.Name
	}
	for _, p := range o.Details.Packages {
		names[p.Alias] = p.Name
	}
	return names
}
