package cart

import (
	"slices"
	"time"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/schedule"
	"servery/internal/site"
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
	// Cart is the cart after the removal of gifts that are no longer offered or earned.
	Cart Cart
	Spot Place
	Menu *catalog.Menu
	// Facts are what the cart was priced by, and At is when.
	Facts Facts
	At    time.Time
	// Lines are in the order of the cart. Lines that are not sold count in no sum.
	Lines []Priced
	// Count is how many portions are in the cart, sold or not.
	Count    int
	Packages []Packed
	// Gifts are all that the city offers and Presents the customer's own, in the cart or
	// not. The gift of the promocode is the last of Gifts.
	Gifts, Presents []PricedGift
	// Promocode is nil while the cart has none, Bonus where there is no programme for the
	// customer.
	Promocode *PricedCode
	Bonus     *PricedBonus
	Prices    Prices
	// DeliveryBonuses is what bonuses pay of the delivery.
	DeliveryBonuses money.Amount
	// Minimum is the sum that is still missing; nil when nothing is.
	Minimum *Minimum
	// Interval is the chosen time; nil when none is or when it is no longer available.
	Interval *schedule.Interval
	// Lost are the gifts that this quote has removed from Cart, each with a notice; their Count is
	// how many were removed.
	Lost []PricedGift
	// Notices are shown with the cart, BonusNotices beside the payment with bonuses: while there is
	// one, bonuses cannot be spent.
	Notices, BonusNotices []fault.Message
	// Fingerprint identifies all that a customer agrees to by ordering the cart as it is shown.
	Fingerprint string

	// deposits are the deposits of all lines that can be ordered; they are part of the subtotal.
	deposits money.Amount
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
	// Discount and Bonuses are the line's shares of the cart's, to be taken off Total.
	Discount, Bonuses money.Amount
	Step              int
}

// PricedModifier is a chosen modifier with its content. GroupID is 0 for one that belongs to no
// group.
type PricedModifier struct {
	*catalog.Modifier
	GroupID int64
	Count   int
}

// Packed is a package and how many of it the order needs.
type Packed struct {
	catalog.Package

	Count int
	// Bonuses is what bonuses pay of all of them.
	Bonuses money.Amount
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

// Needs returns how many minutes of kitchen work the cart is, by product group and in all. Gifts
// count like other dishes.
func (q Quoted) Needs() schedule.Minutes {
	needs := schedule.Minutes{}
	add := func(p *catalog.Product, count int) {
		needs[schedule.AllGroups] += p.MakeMinutes * count
		needs[p.GroupID] += p.MakeMinutes * count
	}
	for _, l := range q.Lines {
		if l.IsSold() {
			add(l.Product, l.Count)
		}
	}
	for _, g := range q.ChosenGifts() {
		add(g.Gift.Product, g.Count)
	}
	return needs
}

// ChosenGifts returns the gifts and presents that go into an order of the cart. A cart without a
// dish has none.
func (q Quoted) ChosenGifts() []PricedGift {
	var chosen []PricedGift
	if !q.hasDish() {
		return nil
	}
	for _, list := range [...][]PricedGift{q.Gifts, q.Presents} {
		for _, g := range list {
			if g.Count > 0 {
				chosen = append(chosen, g)
			}
		}
	}
	return chosen
}

// Quote prices a cart at a place by the menu of that place and by the facts, as docs/pricing.md
// says. It is pure: the same input always has the same result. Messages are in the language l.
func Quote(c Cart, place Place, menu *catalog.Menu, facts Facts, l lang.Lang, now time.Time) Quoted {
	q := Quoted{Cart: c, Spot: place, Menu: menu, Facts: facts, At: now}
	portions := q.priceLines(l)
	q.pricePromocode(l)
	q.addPackages(portions)
	q.priceDelivery(portions)
	q.quoteGifts(l)
	q.quotePresents(l)
	q.payWithBonuses()
	q.Prices = q.Prices.WithDelivery(q.Prices.Delivery)
	q.findInterval(now)
	q.addNotices(l)
	q.Fingerprint = q.computeFingerprint()
	return q
}

// priceLines sets Lines, Count and the subtotal, and returns how many portions can be ordered.
// Lines of products that the menu does not have are left out.
func (q *Quoted) priceLines(l lang.Lang) int {
	capacity, portions := 0, 0
	for i := range q.Cart.Lines {
		capacity += len(q.Cart.Lines[i].Modifiers)
	}
	modifiers := make([]PricedModifier, 0, capacity) // those of all lines, in one allocation
	q.Lines = make([]Priced, 0, len(q.Cart.Lines))
	for _, line := range q.Cart.Lines {
		product, ok := q.Menu.Product(line.ProductID)
		if !ok {
			continue // callers remove such lines from the cart first
		}
		before := len(modifiers)
		modifiers = appendModifiers(modifiers, product, line.Modifiers)
		p := q.priceLine(line, product, l)
		p.Modifiers = slices.Clip(modifiers[before:])
		q.Lines = append(q.Lines, p)
		q.Count += p.Count
		if p.IsSold() {
			portions += p.Count
			q.Prices.Subtotal = q.Prices.Subtotal.Add(p.Total)
			q.deposits = q.deposits.Add(product.Deposit.Times(p.Count))
		}
	}
	return portions
}

// priceLine returns the line with its price, and with Alert set when it cannot be ordered.
func (q *Quoted) priceLine(line Line, product *catalog.Product, l lang.Lang) Priced {
	p := Priced{
		Line: line, Product: product, Type: product.Type,
		WithModifiers: PortionPrice(product, line.Modifiers), Step: q.Spot.Step(product),
	}
	p.Total = p.WithModifiers.Times(line.Count)
	if err := checkSellable(product, q.Menu, l, q.At); err != nil {
		p.Alert = messageOf(err)
		return p
	}
	if _, err := Choose(product, line.Modifiers, q.Menu.Site, l); err != nil {
		p.Alert, p.Type = messageOf(err), catalog.Unavailable
	}
	return p
}

// subtotalWithoutDeposits returns the sum that minimums and the conditions of offers look at. A deposit is
// no price, and comes back with the empty bottle.
func (q *Quoted) subtotalWithoutDeposits() money.Amount { return q.Prices.Subtotal.Sub(q.deposits) }

// withoutDeposit returns the total of the line without what comes back with its empty bottles.
func (p *Priced) withoutDeposit() money.Amount {
	return p.Total.Sub(p.Product.Deposit.Times(p.Count))
}

// appendModifiers appends the chosen modifiers that the product has, with their content.
func appendModifiers(list []PricedModifier, product *catalog.Product, chosen []Chosen) []PricedModifier {
	for _, c := range chosen {
		if m, ok := modifierOf(product, c); ok {
			list = append(list, PricedModifier{Modifier: m, GroupID: c.GroupID, Count: c.Count})
		}
	}
	return list
}

// messageOf returns the message of a fault, and a general one for any other error.
func messageOf(err error) *fault.Message {
	if f, ok := fault.Of(err); ok {
		return &f.Message
	}
	return &fault.Message{Key: "common.not_allowed"}
}

// addPackages sets the packages that an order of this many portions needs, and adds up their
// price. Refused ones stay in the list with the count 0, so that the customer can choose them
// again.
func (q *Quoted) addPackages(portions int) {
	q.Packages = make([]Packed, 0, len(q.Menu.Packages))
	for _, p := range q.Menu.Packages {
		count := p.CountFor(portions)
		if q.Cart.WithoutBag && p.CanRefuse {
			count = 0
		}
		q.Packages = append(q.Packages, Packed{Package: p, Count: count})
		q.Prices.Packages = q.Prices.Packages.Add(p.Price.Times(count))
	}
}

// priceDelivery sets the price of delivery and the minimum that is not reached, both only for
// delivery to a zone. Delivery is free by a promocode and for a cart without a portion.
func (q *Quoted) priceDelivery(portions int) {
	if q.Spot.Zone == nil || q.Spot.OrderType != site.Delivery {
		return
	}
	goods := q.subtotalWithoutDeposits().Add(q.Prices.Packages)
	q.Prices.Delivery, q.Minimum = DeliveryTo(q.Spot.Zone, goods, q.Promocode.isFreeDelivery())
	if portions == 0 {
		q.Prices.Delivery = 0
	}
}

// findInterval sets Interval to the chosen time. When that is no longer available, it adds a notice
// instead. Whether the interval has room is not checked here.
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

// addNotices adds notices about what the customer might overlook: that the city or the shop takes no
// orders, a pause of the kitchen, lines that cannot be ordered, and dishes with another step in the last
// work hour.
func (q *Quoted) addNotices(l lang.Lang) {
	if stop, isStopped := q.stopNotice(l); isStopped {
		q.Notices = append(q.Notices, stop)
	}
	if q.Spot.Shop != nil && q.Spot.Shop.IsPausedAt(q.Spot.OrderType, q.At, q.Spot.City.Location) {
		pause, _ := q.Spot.Plan().PauseMessage(q.At)
		q.Notices = append(q.Notices, pause)
	}
	if !q.IsComplete() {
		q.Notices = append(q.Notices, fault.Message{Key: "cart.some_unavailable"})
	}
	if q.Spot.IsLastHour() && slices.ContainsFunc(q.Lines, Priced.hasOtherStep) {
		q.Notices = append(q.Notices, fault.Message{Key: "cart.last_hour"})
	}
}

// stopNotice returns why the city or the shop takes no orders; false when both do.
func (q *Quoted) stopNotice(l lang.Lang) (fault.Message, bool) {
	switch {
	case q.Spot.City.Stopped:
		return StopMessage("order.city_stopped", q.Spot.City.Alert, q.Menu.Site, l), true
	case q.Spot.Shop != nil && q.Spot.Shop.Stopped:
		return StopMessage("order.shop_stopped", q.Spot.Shop.Alert, q.Menu.Site, l), true
	}
	return fault.Message{}, false
}

// StopMessage returns why a city or a shop takes no orders: order.alert with the words of its alert, or the
// message with the key where it has none.
func StopMessage(key string, alert lang.Text, brand *site.Site, l lang.Lang) fault.Message {
	if words := brand.Text(alert, l); words != "" {
		return fault.Message{Key: "order.alert", Args: fault.Args{"alert": words}}
	}
	return fault.Message{Key: key}
}

// hasOtherStep reports whether the line can be ordered and its step is another one than usual.
func (p Priced) hasOtherStep() bool {
	return p.IsSold() && p.Step != max(p.Product.SaleMultiplicity, 1)
}

// IsLarge reports whether the cart needs more work than one interval takes.
func (q Quoted) IsLarge() bool { return q.Needs().Exceeds(q.Spot.Ceilings()) }

// LeastNeeds returns the work of the cart. A cart without a line needs one minute, so that a full
// interval is not offered for it.
func (q Quoted) LeastNeeds() schedule.Minutes {
	if len(q.Lines) == 0 {
		return schedule.Minutes{schedule.AllGroups: 1}
	}
	return q.Needs()
}
