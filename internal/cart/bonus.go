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
	Balance, Limit, Wanted money.Amount
	// IsAvailable is false while bonuses cannot be spent at all.
	IsAvailable bool
}

// ApplyBonuses returns the cart paid with at most this many bonuses, as far as the rules allow at
// each pricing; 0 pays with none and is always accepted. Faults, all Invalid at the field bonuses:
// cart.bad_bonuses, cart.bonuses_of_guest, cart.bonuses_unavailable, cart.bonuses_off,
// cart.bonuses_until, cart.bonuses_with_discount.
func (c Cart) ApplyBonuses(most money.Amount, place Place, menu *catalog.Menu, facts Facts, l lang.Lang, now time.Time) (Cart, error) {
	switch {
	case most.IsNegative():
		return c, refuseAt("bonuses", fault.Message{Key: "cart.bad_bonuses"})
	case most == 0:
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
		return c, refuseAt("bonuses", q.BonusNotices[0])
	case q.Prices.Discount > 0:
		return c, refuseAt("bonuses", fault.Message{Key: "cart.bonuses_with_discount"})
	}
	c.Bonuses = most
	return c, nil
}

// leastPrice is what each unit in the cart costs at least, however many bonuses are spent: one
// currency unit.
const leastPrice money.Amount = money.Scale

// payWithBonuses spends as many bonuses as the customer asked for and the rules allow, and sets
// Bonus, BonusNotices and the bonuses that the order will accrue.
func (q *Quoted) payWithBonuses(l lang.Lang) {
	programme := q.Spot.City.Bonus
	if q.Facts.CustomerID == 0 || programme == nil && (q.Menu.Site.Bonus == nil || q.Facts.Balance == 0) {
		return
	}
	q.Bonus = &PricedBonus{Balance: q.Facts.Balance, Wanted: q.Cart.Bonuses}
	switch {
	case programme == nil:
		q.BonusNotices = append(q.BonusNotices, fault.Message{Key: "cart.bonuses_off"})
	case !programme.IsSpendable(q.At, q.Spot.City.Location):
		q.BonusNotices = append(q.BonusNotices, fault.Message{Key: "cart.bonuses_until", Args: fault.Args{"date": lazyDate{*programme.SpendUntil, l}}})
	default:
		q.Bonus.IsAvailable = true
	}
	if q.Bonus.IsAvailable && q.Prices.Discount == 0 {
		q.spendBonuses()
	}
	if programme.IsAccruing(q.At, q.Spot.City.Location) {
		q.Prices.UpcomingBonuses = q.paidForLines().BasisPoints(programme.BasisPoints)
	}
}

// spendBonuses sets the limit, the total paid with bonuses and each part's share of it. The shares
// add up to the total, and none exceeds what its part adds to the limit.
func (q *Quoted) spendBonuses() {
	rooms := q.bonusRooms()
	q.Bonus.Limit = max(min(q.Bonus.Balance, money.Sum(rooms...)), 0)
	q.Prices.Bonuses = max(min(q.Bonus.Wanted, q.Bonus.Limit), 0)
	if q.Prices.Bonuses == 0 {
		return
	}
	shares := q.Prices.Bonuses.Prorate(rooms)
	for i := range q.Lines {
		q.Lines[i].Bonuses = shares[i]
	}
	for i := range q.Packages {
		q.Packages[i].Bonuses = shares[len(q.Lines)+i]
	}
	q.DeliveryBonuses = shares[len(shares)-1]
}

// bonusRooms returns how much of each line, each package and the delivery may be paid with
// bonuses, in this order.
func (q *Quoted) bonusRooms() []money.Amount {
	rooms := make([]money.Amount, 0, len(q.Lines)+len(q.Packages)+1)
	for i := range q.Lines {
		var room money.Amount
		if l := &q.Lines[i]; l.IsSold() {
			room = max(l.WithModifiers.Sub(leastPrice), 0).Times(l.Count)
		}
		rooms = append(rooms, room)
	}
	for i := range q.Packages {
		rooms = append(rooms, max(q.Packages[i].Price.Sub(leastPrice), 0).Times(q.Packages[i].Count))
	}
	return append(rooms, q.Prices.Delivery)
}

// paidForLines returns what is paid for the sold lines without discount and bonuses.
func (q *Quoted) paidForLines() money.Amount {
	var paid money.Amount
	for i := range q.Lines {
		if l := &q.Lines[i]; l.IsSold() {
			paid = paid.Add(l.Total).Sub(l.Discount).Sub(l.Bonuses)
		}
	}
	return paid
}
