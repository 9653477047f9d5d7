package operator

import (
	"slices"
	"strings"
	"time"

	"servery/internal/catalog"
	"servery/internal/order"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// orderConverter converts orders of one brand for the restaurant: in the brand's own language, with
// the times of the order's city.
type orderConverter struct {
	convert.Localizer

	location *time.Location
	order    order.Order
}

// toWireOrder converts an order of the brand. For an order of a city that the brand has left, it uses
// the clock of the brand's first city.
func toWireOrder(o order.Order, brand *site.Site, now time.Time) wire.OperatorOrder {
	city, ok := brand.City(o.CityID)
	if !ok {
		city = brand.Cities[0] // a brand has at least one
	}
	c := orderConverter{convert.Localizer{Site: brand, Lang: brand.DefaultLanguage}, city.Location, o}
	w := wire.OperatorOrder{
		OrderID: o.ID, Site: o.Site, CityID: o.CityID, ShopID: o.ShopID, Shop: c.Text(o.Details.Shop.Name),
		OrderType: wire.OrderType(o.Type), Status: wire.OrderStatusAlias(o.State), Next: []wire.OrderStatusAlias{},
		Change: o.ChangeID, ChangedAt: c.at(o.ChangedAt), CreatedAt: c.at(o.CreatedAt),
		PromisedFrom: c.at(o.PromisedFrom), PromisedTo: c.at(o.PromisedTo), IsAsap: o.IsASAP(), CanStepBack: o.CanStepBack(now),
		Customer: wire.OperatorCustomer{
			Name: convert.OrNil(o.Details.Username), Phone: convert.OrNil(o.Phone), Email: convert.OrNil(o.Details.Email),
		},
		Comment: convert.OrNil(o.Details.Comment), Lines: c.lines(), Packages: c.packages(), WithoutBag: o.Details.WithoutBag,
		Promocode: convert.OrNil(o.Promocode), Prices: convert.Prices(o.ShownPrices()), Currency: o.Currency.Code, Payment: toWirePayment(o),
		Source: toWireSource(o), Consents: c.consents(), History: c.history(),
	}
	w.RefundedAt, w.TakenAt, w.AgreedTo = c.atOrNil(o.RefundedAt), c.atOrNil(o.TakenAt), c.atOrNil(o.AgreedTo)
	w.TakenBy, w.Outcome = convert.OrNil(o.TakenBy), convert.OrNil(wire.OrderOutcome(o.Outcome))
	if o.Courier.ID != "" {
		w.Courier = &wire.OperatorCourier{ID: o.Courier.ID, Name: o.Courier.Name, Phone: convert.OrNil(o.Courier.Phone)}
	}
	var ticket []string
	for _, message := range o.Ticket(c.Lang) {
		ticket = append(ticket, c.Message(message))
	}
	w.Ticket = convert.OrNil(strings.Join(ticket, "\n"))
	for _, next := range order.Next(o.State, o.Type, order.Operator) {
		w.Next = append(w.Next, wire.OrderStatusAlias(next))
	}
	from := convert.Coordinates(o.Details.Shop.Point)
	w.From = &from
	if a := o.Details.Address; a != nil {
		to := convert.Coordinates(a.Point)
		w.To = &to
		address := toWireAddress(*a)
		w.Address = &address
	}
	return w
}

// toWireSource returns where the order was placed.
func toWireSource(o order.Order) wire.OperatorOrderSource {
	if o.IsByPhone() {
		return wire.OperatorOrderSourcePhone
	}
	return wire.OperatorOrderSourceStorefront
}

// at returns the instant by the clock of the order's city.
func (c orderConverter) at(t time.Time) time.Time { return t.In(c.location) }

// atOrNil returns the instant by the clock of the order's city, nil for the zero time.
func (c orderConverter) atOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = c.at(t)
	return &t
}

// lines converts the lines of the order and, after them, its gifts.
func (c orderConverter) lines() []wire.OperatorLine {
	lines := make([]wire.OperatorLine, 0, len(c.order.Lines)+len(c.order.Details.Gifts))
	for _, l := range c.order.Lines {
		lines = append(lines, wire.OperatorLine{
			Key: l.Key, ProductKey: l.ProductKey, ProductID: l.ProductID, Alias: convert.OrNil(l.Alias), Name: c.Text(l.Name), Count: l.Count,
			Price: l.WithModifiers, Total: l.Total, Discount: convert.OrNil(l.Discount), Modifiers: c.modifiers(l.Modifiers),
			Allergens: c.conflicts(l.Allergens),
		})
	}
	isGift := true
	for _, g := range c.order.Details.Gifts {
		lines = append(lines, wire.OperatorLine{
			ProductKey: g.ProductKey, ProductID: g.ProductID, Alias: convert.OrNil(g.Alias), Name: c.Text(g.Product),
			Count: g.Count, Modifiers: c.modifiers(g.Modifiers), Allergens: c.conflicts(g.Allergens), Gift: &isGift,
		})
	}
	return lines
}

// modifiers converts the modifiers of a line, with their names in the language of the brand.
func (c orderConverter) modifiers(list []order.Modifier) []wire.OperatorModifier {
	modifiers := make([]wire.OperatorModifier, len(list))
	for i, m := range list {
		modifiers[i] = wire.OperatorModifier{ID: m.ID, Name: c.Text(m.Name), Count: m.Count, Price: m.Price}
	}
	return modifiers
}

// conflicts returns the names of the contained allergens that the customer does not eat, nil when there
// are none.
func (c orderConverter) conflicts(contained []catalog.Allergen) *[]string {
	var names []string
	for _, a := range contained {
		if slices.Contains(c.order.Details.Allergens, a) {
			names = append(names, c.Message(a.Message()))
		}
	}
	if names == nil {
		return nil
	}
	return &names
}

// packages converts the packages of the order.
func (c orderConverter) packages() []wire.OperatorPackage {
	packages := make([]wire.OperatorPackage, len(c.order.Details.Packages))
	for i, p := range c.order.Details.Packages {
		packages[i] = wire.OperatorPackage{Alias: p.Alias, Name: c.Text(p.Name), Count: p.Count, Price: p.Price}
	}
	return packages
}

// consents converts what the customer has agreed to with the order.
func (c orderConverter) consents() []wire.OperatorConsent {
	consents := make([]wire.OperatorConsent, len(c.order.Details.Consents))
	for i, given := range c.order.Details.Consents {
		consents[i] = wire.OperatorConsent{Alias: given.Alias, Version: given.Version, At: c.at(given.At)}
	}
	return consents
}

// history converts the changes of the order, with their times by the clock of its city.
func (c orderConverter) history() []wire.OperatorChange {
	changes := make([]wire.OperatorChange, len(c.order.History))
	for i, h := range c.order.History {
		changes[i] = toWireChange(h, c.location)
	}
	return changes
}

// toWirePayment returns how the order is paid. An order that is not paid online is paid when it is done.
func toWirePayment(o order.Order) wire.OperatorOrderPayment {
	isOnline := site.IsOnline(o.PaymentType)
	return wire.OperatorOrderPayment{
		Type: wire.PaymentTypeAlias(o.PaymentType), Online: isOnline, ChangeFrom: o.Details.Cash, ToCollect: o.ToCollect(),
		Paid: isOnline && o.PaidBy != "" || !isOnline && o.State == order.Done,
	}
}
