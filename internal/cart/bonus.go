package cart

import (
	"time"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
)

// PricedBonus is what a customer can do with bonuses. It is shown where the city or the brand has a
// programme and the customer is signed in.
type PricedBonus struct {
	// Balance is what the customer has, Limit the most that this cart can spend, and Wanted the most
	// that the customer asked to spend.
	Balance, Limit, Wanted money.Amount
	// IsAvailable is false while bonuses cannot be spent at all.
	IsAvailable bool
}

// ApplyBonuses returns the cart with the maximum of bonuses to pay with; each pricing spends as many of
// them as the rules then allow. 0 is always accepted. Faults, all Invalid at the field bonuses:
// cart.bad_bonuses, cart.bonuses_of_guest, cart.bonuses_unavailable, cart.bonuses_off,
// cart.bonuses_until, cart.bonuses_with_discount.
func (c Cart) ApplyBonuses(maximum money.Amount, place Place, menu *catalog.Menu, facts Facts, l lang.Lang, now time.Time) (Cart, error) {
	switch {
	case maximum.IsNegative():
		return c, refuseAt("bonuses", fault.Message{Key: "cart.bad_bonuses"})
	case maximum == 0:
		c.Bonuses = 0
		return c, nil
	case facts.CustomerID == 0:
		return c, refuseAt("bonuses", fault.Message{Key: "cart.bonuses_of_guest"})
	}
	q := Quote(c, place, menu, facts, l, now)
	switch {
	case q.Bonus == nil:
		return c, refuseAt("bonuses", fault.Message{Key: "cart.bonuses_unavailable"})
	case !q.Bonus.IsAvailable:
		return c, refuseAt("bonuses", q.BonusNotices[0]) // which says why they are not available
	case q.Prices.Discount > 0:
		return c, refuseAt("bonuses", fault.Message{Key: "cart.bonuses_with_discount"})
	}
	c.Bonuses = maximum
	return c, nil
}

// leastPrice is paid in money for each portion and package, however many bonuses are spent: one
// currency unit.
const leastPrice money.Amount = money.Scale

// payWithBonuses sets Bonus, BonusNotices and the bonuses that the order will accrue, and spends as many
// bonuses as the customer asked for and the rules allow. For a guest it sets nothing. In a city without a
// bonus programme it sets only Bonus, and a notice that bonuses cannot be spent there, for a customer who
// has bonuses at the brand.
func (q *Quoted) payWithBonuses() {
	programme := q.Spot.City.Bonus
	hasIdleBonuses := q.Menu.Site.Bonus != nil && q.Facts.Balance != 0
	if q.Facts.CustomerID == 0 || programme == nil && !hasIdleBonuses {
		return
	}
	q.Bonus = &PricedBonus{Balance: q.Facts.Balance, Wanted: q.Cart.Bonuses}
	switch {
	case programme == nil:
		q.BonusNotices = append(q.BonusNotices, fault.Message{Key: "cart.bonuses_off"})
		return
	case !programme.IsSpendable(q.At, q.Spot.City.Location):
		q.BonusNotices = append(q.BonusNotices, fault.Message{Key: "cart.bonuses_until", Args: fault.Args{"date": *programme.SpendUntil}})
	default:
		q.Bonus.IsAvailable = true
	}
	if q.Bonus.IsAvailable && q.Prices.Discount == 0 { // beside a discount none are spent, and Limit stays 0
		q.spendBonuses()
	}
	if programme.IsAccruing(q.At, q.Spot.City.Location) {
		q.Prices.UpcomingBonuses = q.paidForLines().BasisPoints(programme.BasisPoints, q.Spot.City.Currency.Unit())
	}
}

// spendBonuses sets the limit of bonuses, the bonuses spent, and the share that they pay of each
// line, each package and the delivery. The shares add up to the bonuses spent. A share is at most
// the payable sum of its part.
func (q *Quoted) spendBonuses() {
	payable, unit := q.payableWithBonuses(), q.Spot.City.Currency.Unit()
	// Both are rounded down to whole units of the currency.
	q.Bonus.Limit = max(min(q.Bonus.Balance, money.Sum(payable...)), 0) / unit * unit
	q.Prices.Bonuses = max(min(q.Bonus.Wanted, q.Bonus.Limit), 0) / unit * unit
	if q.Prices.Bonuses == 0 {
		return
	}
	shares := q.Prices.Bonuses.ProrateUnits(unit, payable)
	for i := range q.Lines {
		q.Lines[i].Bonuses = shares[i]
	}
	for i := range q.Packages {
		q.Packages[i].Bonuses = shares[len(q.Lines)+i]
	}
	q.DeliveryBonuses = shares[len(shares)-1]
}

// payableWithBonuses returns how much of each line, each package and the delivery may be paid with
// bonuses, in this order. Of each portion and package at least leastPrice is paid in money, and the whole deposit.
func (q *Quoted) payableWithBonuses() []money.Amount {
	parts := make([]money.Amount, 0, len(q.Lines)+len(q.Packages)+1)
	for i := range q.Lines {
		var payable money.Amount
		if l := &q.Lines[i]; l.IsSold() {
			payable = max(l.WithModifiers.Sub(l.Product.Deposit).Sub(leastPrice), 0).Times(l.Count)
		}
		parts = append(parts, payable)
	}
	for i := range q.Packages {
		parts = append(parts, max(q.Packages[i].Price.Sub(leastPrice), 0).Times(q.Packages[i].Count))
	}
	return append(parts, q.Prices.Delivery)
}

// paidForLines returns the total of the sold lines less their deposits, discounts and bonuses.
func (q *Quoted) paidForLines() money.Amount {
	var paid money.Amount
	for i := range q.Lines {
		if l := &q.Lines[i]; l.IsSold() {
			paid = paid.Add(l.withoutDeposit()).Sub(l.Discount).Sub(l.Bonuses)
		}
	}
	return paid
}
