package order

import (
	"servery/internal/money"
)

// DeliveryKey is the key of the delivery among what an order was sold as.
const DeliveryKey = "delivery"

// sold is a part of an order and what was paid for it. Gifts cost nothing and are none.
type sold struct {
	// key is that of the line, the alias of the package, or [DeliveryKey].
	key   string
	count int
	// paid is for all of it: its price without its share of discounts and bonuses.
	paid money.Amount
}

// sold returns the parts of the order. What was paid for them adds up to the total: each is
// its price without its shares of discount and bonuses. Orders from before the shares of
// bonuses were kept have none, and their bonuses are taken off all parts by their price, as
// their receipts say.
func (o Order) sold() []sold {
	parts := make([]sold, 0, len(o.Lines)+len(o.Details.Packages)+1)
	weights := make([]money.Amount, 0, cap(parts))
	add := func(key string, count int, price money.Amount) {
		parts = append(parts, sold{key: key, count: count})
		weights = append(weights, max(0, price))
	}
	for _, l := range o.Lines {
		add(l.Key, l.Count, l.Total.Sub(l.Discount).Sub(l.Bonuses))
	}
	for _, p := range o.Details.Packages {
		add(p.Alias, p.Count, p.Price.Times(p.Count).Sub(p.Bonuses))
	}
	if o.Prices.Delivery > 0 {
		add(DeliveryKey, 1, o.Prices.Delivery.Sub(o.Details.DeliveryBonuses))
	}
	for i, paid := range o.Prices.Total.Prorate(weights) {
		parts[i].paid = paid
	}
	return parts
}

// given is what of each part was given back so far, or is on its way.
type given map[string]RefundLine

// add counts lines as given back.
func (g given) add(lines []RefundLine) {
	for _, l := range lines {
		before := g[l.Key]
		g[l.Key] = RefundLine{Key: l.Key, Count: before.Count + l.Count, Amount: before.Amount.Add(l.Amount)}
	}
}

// next prices count more of a part. The last of it gets what is left, so that however a part
// is given back, it adds up to what was paid for it.
func (g given) next(part sold, count int) RefundLine {
	before := g[part.key]
	l := RefundLine{Key: part.key, Count: count}
	if before.Count+count >= part.count {
		l.Amount = part.paid.Sub(before.Amount)
	} else {
		l.Amount = (part.paid / money.Amount(part.count)).Times(count)
	}
	return l
}

// rest gives all that is left.
func (g given) rest(parts []sold) []RefundLine {
	var lines []RefundLine
	for _, part := range parts {
		if left := part.count - g[part.key].Count; left > 0 {
			lines = append(lines, g.next(part, left))
		}
	}
	return lines
}

// sumOf adds lines up.
func sumOf(lines []RefundLine) money.Amount {
	var sum money.Amount
	for _, l := range lines {
		sum = sum.Add(l.Amount)
	}
	return sum
}
