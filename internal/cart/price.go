package cart

import (
	"time"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/schedule"
)

// Prices are the sums of a cart. Total = Subtotal + Packages + Delivery − Discount −
// Bonuses, and is never below zero.
type Prices struct {
	Subtotal, Delivery, Packages       money.Amount
	Discount, Bonuses, UpcomingBonuses money.Amount
	Total                              money.Amount
}

// Quoted is a cart with its prices at one time.
type Quoted struct {
	Cart Cart
	Spot Spot
	Menu *catalog.Menu
	// Lines are in the order of the cart. Those that are not Sold count in no sum.
	Lines []Priced
	// Count is how many portions are in the cart, sold or not.
	Count    int
	Packages []Packed
	Prices   Prices
	// Minimum is what is still missing; nil when nothing is.
	Minimum *Minimum
	// Interval is the chosen time; nil when none is or when it can be had no longer.
	Interval *schedule.Interval
	// Notices are to be shown with the cart.
	Notices []fault.Message
}

// Priced is a line with its price.
type Priced struct {
	Line
	Product *catalog.Product
	Type    catalog.ProductType
	// Alert says why the line cannot be had; nil when it can.
	Alert     *fault.Message
	Modifiers []PricedModifier
	// WithModifiers is the price of one portion, Total that of all of them.
	WithModifiers, Total money.Amount
	Step                 int
}

// PricedModifier is a chosen modifier with its content. GroupID is 0 for one that
// stands alone.
type PricedModifier struct {
	*catalog.Modifier
	GroupID int64
	Count   int
}

// Packed is a package and how many of it the order takes.
type Packed struct {
	catalog.Package
	Count int
}

// MinimumKind is what a minimum is for. The set is closed.
type MinimumKind string

// The kinds of minimum.
const (
	ForOrder        MinimumKind = "order"         // without it nothing is delivered
	ForFreeDelivery MinimumKind = "free_delivery" // from it delivery costs nothing
)

// Minimum is a sum that has not been reached.
type Minimum struct {
	Kind            MinimumKind
	Amount, Missing money.Amount
}

// IsSold reports whether the line can be ordered.
func (p Priced) IsSold() bool { return p.Alert == nil }

// IsComplete reports whether every line can be ordered.
func (q Quoted) IsComplete() bool {
	for _, l := range q.Lines {
		if !l.IsSold() {
			return false
		}
	}
	return true
}

// Needs gives how much work the cart is for the kitchen, by product group.
func (q Quoted) Needs() schedule.Minutes {
	needs := schedule.Minutes{}
	for _, l := range q.Lines {
		if l.IsSold() {
			minutes := l.Product.MakeMinutes * l.Count
			needs[schedule.AllGroups] += minutes
			needs[l.Product.GroupID] += minutes
		}
	}
	return needs
}

// Quote prices a cart at a spot by the menu of that spot. It is pure: the same input
// gives the same prices. Words are in l.
func Quote(c Cart, spot Spot, menu *catalog.Menu, l lang.Lang, now time.Time) Quoted {
	q := Quoted{Cart: c, Spot: spot, Menu: menu, Lines: make([]Priced, 0, len(c.Lines))}
	portions := 0
	for _, line := range c.Lines {
		product, ok := menu.Product(line.ProductID)
		if !ok {
			continue // the service takes such lines out
		}
		p := priceLine(line, product, spot, menu, l, now)
		q.Lines = append(q.Lines, p)
		q.Count += p.Count
		if p.IsSold() {
			portions += p.Count
			q.Prices.Subtotal = q.Prices.Subtotal.Add(p.Total)
		}
	}
	q.Packages = packagesOf(menu, portions, c.WithoutBag)
	for _, p := range q.Packages {
		q.Prices.Packages = q.Prices.Packages.Add(p.Price.Times(p.Count))
	}
	if spot.Zone != nil {
		goods := q.Prices.Subtotal.Add(q.Prices.Packages)
		q.Prices.Delivery, q.Minimum = deliveryOf(spot.Zone, goods)
		if portions == 0 {
			q.Prices.Delivery = 0
		}
	}
	q.Prices.Total = q.Prices.Subtotal.Add(q.Prices.Packages).Add(q.Prices.Delivery).
		Sub(q.Prices.Discount).Sub(q.Prices.Bonuses)
	q.findInterval(now)
	q.notice(portions)
	return q
}

// priceLine prices a line, or says why it cannot be had.
func priceLine(line Line, product *catalog.Product, spot Spot, menu *catalog.Menu, l lang.Lang, now time.Time) Priced {
	p := Priced{Line: line, Product: product, Type: product.Type, WithModifiers: PortionPrice(product, line.Modifiers), Step: spot.Step(product)}
	for _, c := range line.Modifiers {
		if m, ok := modifierOf(product, c); ok {
			p.Modifiers = append(p.Modifiers, PricedModifier{Modifier: m, GroupID: c.GroupID, Count: c.Count})
		}
	}
	p.Total = p.WithModifiers.Times(line.Count)
	if err := sellable(product, menu, l, now); err != nil {
		p.Alert = messageOf(err)
		return p
	}
	if _, err := Choose(product, line.Modifiers, menu.Site, l); err != nil {
		p.Alert, p.Type = messageOf(err), catalog.Unavailable
	}
	return p
}

func messageOf(err error) *fault.Message {
	if f, ok := fault.Of(err); ok {
		return &f.Message
	}
	return &fault.Message{Key: "common.not_allowed"}
}

// packagesOf gives the packages of so many portions. Refused ones are given with the
// count 0, so that they can be taken again.
func packagesOf(menu *catalog.Menu, portions int, withoutBag bool) []Packed {
	packed := make([]Packed, 0, len(menu.Packages))
	for _, p := range menu.Packages {
		count := p.Count(portions)
		if withoutBag && p.CanRefuse {
			count = 0
		}
		packed = append(packed, Packed{Package: p, Count: count})
	}
	return packed
}

// deliveryOf gives what delivery of goods costs in a zone, and what is missing for
// the minimum order or for free delivery.
func deliveryOf(z *geo.Zone, goods money.Amount) (money.Amount, *Minimum) {
	missing := func(kind MinimumKind, amount money.Amount) *Minimum {
		return &Minimum{Kind: kind, Amount: amount, Missing: amount.Sub(goods)}
	}
	switch {
	case z.HasFreeDelivery && goods < z.MinimumOrder:
		return z.Delivery, missing(ForFreeDelivery, z.MinimumOrder)
	case z.HasFreeDelivery:
		return 0, nil
	case goods < z.MinimumOrder:
		return z.Delivery, missing(ForOrder, z.MinimumOrder)
	case z.FreeFrom == nil:
		return z.Delivery, nil
	case goods < *z.FreeFrom:
		return z.Delivery, missing(ForFreeDelivery, *z.FreeFrom)
	}
	return 0, nil
}

// findInterval finds the chosen time among those that can be had now.
func (q *Quoted) findInterval(now time.Time) {
	if q.Cart.IntervalID == "" || q.Spot.Shop == nil {
		return
	}
	found, err := q.Spot.Plan().Resolve(q.Cart.IntervalID, now)
	if err != nil {
		q.Notices = append(q.Notices, fault.Message{Key: "cart.interval_gone"})
		return
	}
	interval := found[0]
	interval.ID = q.Cart.IntervalID
	if interval.IsASAP() {
		interval.Title = ""
	}
	q.Interval = &interval
}

// notice tells of what the customer might overlook.
func (q *Quoted) notice(portions int) {
	if !q.IsComplete() {
		q.Notices = append(q.Notices, fault.Message{Key: "cart.some_unavailable"})
	}
	if q.Spot.LastHour && portions > 0 {
		q.Notices = append(q.Notices, fault.Message{Key: "cart.last_hour"})
	}
}
