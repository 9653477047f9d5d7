package order

import (
	"slices"

	"servery/internal/acquiring"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/payment"
	"servery/internal/site"
)

// DeliveryKey is the key of the delivery among the parts of a bill.
const DeliveryKey = "delivery"

// Bill returns what payments read of the order, with the prices before corrections. The bill of an
// order that was read without its lines has no parts.
func (o Order) Bill() payment.Bill {
	total, _ := o.paidPrices()
	bill := payment.Bill{
		OrderID: o.ID, Site: o.Site, CityID: o.CityID, Type: o.Type, CacheKey: o.CacheKey, Link: o.Link, CreatedAt: o.CreatedAt,
		State: payment.BillAccepted, OrderState: string(o.State), Sum: acquiring.Sum{Amount: total, Currency: o.Currency},
		Deadline: o.PayUntil, PaymentType: o.PaymentType, PaidBy: o.PaidBy, Kept: o.Kept,
		Payer: payment.Payer{Name: o.Details.Username, Phone: o.Phone, Email: o.Details.Email},
	}
	switch o.State {
	case WaitingForPayment:
		bill.State = payment.BillDue
	case Canceled:
		bill.State = payment.BillCanceled
	case Accepted, Cooking, Sent, Done:
	}
	if len(o.Lines) > 0 {
		bill.Parts = o.parts()
	}
	return bill
}

// SurchargeBill returns the bill of what was collected at the hand-over of an order paid online: the
// delivery became dearer by that much.
func (o Order) SurchargeBill() payment.Bill {
	bill := o.Bill()
	bill.Sum.Amount = o.Surcharge
	bill.Parts = []payment.Part{{Key: DeliveryKey, Name: deliveryName(), Count: 1, Paid: o.Surcharge, IsService: true}}
	return bill
}

// parts returns what was sold, each part with what was paid for it: its price without its shares
// of discount and bonuses. These amounts add up to the total. In old orders, which have no stored
// shares, bonuses are divided over all parts by price, as on their receipts.
func (o Order) parts() []payment.Part {
	parts := make([]payment.Part, 0, len(o.Lines)+len(o.Details.Packages)+1)
	weights := make([]money.Amount, 0, cap(parts))
	add := func(part payment.Part, price money.Amount) {
		parts = append(parts, part)
		weights = append(weights, max(0, price))
	}
	for _, l := range o.Lines {
		part := payment.Part{Key: l.Key, Name: l.Name, Count: l.Count, Bonuses: l.Bonuses}
		for _, m := range l.Modifiers {
			part.Modifiers = append(part.Modifiers, payment.Modifier{Name: m.Name, Count: m.Count})
		}
		add(part, l.Total.Sub(l.Discount).Sub(l.Bonuses))
	}
	for _, p := range o.Details.Packages {
		add(payment.Part{Key: p.Alias, Name: p.Name, Count: p.Count, Bonuses: p.Bonuses}, p.Price.Times(p.Count).Sub(p.Bonuses))
	}
	total, delivery := o.paidPrices()
	if delivery > 0 {
		add(payment.Part{Key: DeliveryKey, Name: deliveryName(), Count: 1, Bonuses: o.Details.DeliveryBonuses, IsService: true}, delivery.Sub(o.Details.DeliveryBonuses))
	}
	// The weights add up to the total, so they stay as they are, except in old orders.
	for i, paid := range total.ProrateUnits(o.Currency.Unit(), weights) {
		parts[i].Paid = paid
	}
	return parts
}

// deliveryName returns what the delivery is called among the parts of a bill.
func deliveryName() lang.Text {
	name := lang.Text{}
	for _, l := range lang.All() {
		name[l] = lang.T(l, "refund.delivery", nil)
	}
	return name
}

// IsPaidOnReceipt reports whether the money is handed over with the order.
func (o Order) IsPaidOnReceipt() bool {
	return slices.Contains([]string{site.Cash, site.Card}, o.PaymentType)
}

// WithPayment is an order with all that happened to its payment, as of one instant.
type WithPayment struct {
	Order   Order
	Payment payment.History
}
