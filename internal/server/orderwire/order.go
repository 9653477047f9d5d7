package orderwire

import (
	"strings"

	"servery/internal/acquiring"
	"servery/internal/cart"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/payment"
	"servery/internal/server/contentwire"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// OrderLocalizer converts orders of one brand for one visitor.
type OrderLocalizer struct {
	Localizer

	// City is that of the order, or what stands in its place, see [LeftCity].
	City *site.City

	v     visit.Context
	atlas *geo.Atlas
	// isServed says that the brand still is in the city.
	isServed bool
}

// ForOrder returns the localizer for an order. An order of a city that the brand has left is
// still shown, with the clock of the brand's first city.
func ForOrder(v visit.Context, o order.Order) OrderLocalizer {
	return ForOrderIn(v, o.CityID, o.Details.Address)
}

// ForOrderIn returns the localizer for an order in the city with the id, also for a city that
// the brand has left: its name is then taken from the order's address, which may be nil.
func ForOrderIn(v visit.Context, id int64, a *geo.Address) OrderLocalizer {
	city, ok := v.Site.City(id)
	if !ok {
		city = LeftCity(v, id, a)
	}
	return OrderLocalizer{Of(v), city, v, v.Snapshot.Atlas(v.Site), ok}
}

// LeftCity returns a city in place of one that the brand has left: a copy of the brand's first city,
// in which nothing can be ordered. Its name is taken from the address, and is empty without one.
func LeftCity(v visit.Context, id int64, a *geo.Address) *site.City {
	left := *v.Site.Cities[0] // a brand has at least one
	left.ID, left.Name, left.Delivery, left.Takeaway = id, nil, false, false
	if a != nil {
		left.Name = lang.Text{v.Site.DefaultLanguage: a.Locality}
	}
	return &left
}

// Status converts the state of an order, with the steps that it takes.
func (s OrderLocalizer) Status(o order.Order) wire.OrderStatus {
	var sentences []string
	for _, m := range o.Description(s.City.Location, s.v.Now) {
		sentences = append(sentences, s.Message(m))
	}
	w := wire.OrderStatus{
		Alias: wire.OrderStatusAlias(o.State), Name: s.Message(o.State.Name(o.Type)), Description: strings.Join(sentences, " "),
		OriginalStatus: originalStatus(o), ChangedAt: o.ChangedAt, Final: o.State.IsFinal(),
		CanCancel: o.CanCancel() && o.View != order.BriefView,
		CanRepeat: o.State.CanRepeat() && s.isServed && o.View != order.BriefView,
	}
	for _, state := range order.Path(o.Type) {
		step := wire.OrderStep{Alias: wire.OrderStatusAlias(state), Name: s.Message(state.Name(o.Type))}
		if at, ok := o.ReachedAt(state); ok {
			step.ReachedAt = &at
		}
		w.Steps = append(w.Steps, step)
	}
	return w
}

// originalStatus returns how a canceled order ended, and the state of any other order.
func originalStatus(o order.Order) string {
	if o.Outcome != "" {
		return string(o.Outcome)
	}
	return string(o.State)
}

// Order converts an order, as much of it as its view allows.
func (s OrderLocalizer) Order(o order.Order) wire.Order {
	w := wire.Order{
		OrderID: o.ID, OrderType: wire.OrderType(o.Type), Status: s.Status(o), ShopID: convert.OrNil(o.ShopID),
		PaymentType: s.PaymentType(o.PaymentType, o.Type), Cash: o.Details.Cash, Comment: convert.OrNil(o.Details.Comment),
		Username: convert.OrNil(o.Details.Username), Phone: convert.OrNil(o.Phone), CityID: o.CityID, CityAlias: s.City.Alias, Currency: o.Currency.Code,
		IntervalID: convert.OrNil(o.IntervalID), Asap: o.IsASAP(), PromisedFrom: o.PromisedFrom.In(s.City.Location),
		PromisedTo: o.PromisedTo.In(s.City.Location), CreatedAt: o.CreatedAt.In(s.City.Location), Link: convert.OrNil(o.Link),
		CourierTracking: s.Site.Settings.CourierTracking && o.View != order.BriefView, IsBrief: o.View == order.BriefView,
	}
	if shop, ok := s.atlas.Shop(o.ShopID); ok {
		shown := s.Shop(shop, s.City, s.v.Now)
		w.Shop = &shown
	}
	if o.Courier.ID != "" && !o.State.IsFinal() {
		w.Courier = &wire.OrderCourier{Name: o.Courier.FirstName()}
		if s.Site.Settings.CourierPhone && o.State == order.Sent {
			w.Courier.Phone = convert.OrNil(o.Courier.Phone)
		}
	}
	w.SoldBy = s.seller(o)
	if o.Details.Address != nil {
		address := s.Address(s.v, *o.Details.Address, s.City)
		address.CompanyName, address.Inn, address.Ogrn = nil, nil, nil // of the zone now; the order's are those of its shop
		if by := w.SoldBy; by != nil {
			address.CompanyName, address.Inn, address.Ogrn = by.CompanyName, by.Inn, by.Ogrn
		}
		w.DeliveryAddress = &address
	}
	w.Cart.Products = make([]wire.CartProduct, len(o.Lines))
	for i, l := range o.Lines {
		w.Cart.Products[i] = s.line(l)
	}
	w.Cart.Packages = []wire.Package{}
	for _, p := range o.Details.Packages {
		w.Cart.Packages = append(w.Cart.Packages, wire.Package{
			ID: p.ID, Alias: p.Alias, Name: s.Text(p.Name), Price: p.Price, Count: p.Count, CanRefuse: p.CanRefuse,
		})
	}
	w.Cart.Gifts = make([]wire.Gift, len(o.Details.Gifts))
	for i, g := range o.Details.Gifts {
		w.Cart.Gifts[i] = s.gift(g)
	}
	w.Cart.Promocode = convert.OrNil(o.Promocode)
	w.Cart.Prices = convert.Prices(o.ShownPrices())
	if len(o.Details.Allergens) > 0 {
		names := s.Allergens(o.Details.Allergens)
		w.Allergens = &names
	}
	return w
}

// seller converts the shop that took an order, as it was. What an order of an older release does not store
// is that of the shop now. It returns nil where the order's view does not show the shop.
func (s OrderLocalizer) seller(o order.Order) *wire.OrderSeller {
	sold := o.Details.Shop
	if shop, ok := s.atlas.Shop(o.ShopID); ok {
		now := order.NewShop(shop)
		if sold.Name == nil {
			sold = now
		}
		if sold.Seller == (order.Seller{}) {
			sold.Seller = now.Seller
		}
	}
	if sold.Name == nil {
		return nil
	}
	return &wire.OrderSeller{
		Name: s.Text(sold.Name), Street: s.Text(sold.Street), Coordinates: convert.Coordinates(sold.Point),
		CompanyName: convert.OrNil(sold.Seller.CompanyName), Inn: convert.OrNil(sold.Seller.INN), Ogrn: convert.OrNil(sold.Seller.OGRN),
	}
}

// line converts a line as it was sold, at the prices of the order.
func (s OrderLocalizer) line(l order.Line) wire.CartProduct {
	w := wire.CartProduct{
		Key: l.Key, ProductKey: l.ProductKey, ID: l.ProductID, Name: s.Text(l.Name), Lang: s.ForeignLang(l.Name), Images: contentwire.Images(l.Picture), Weight: s.Weight(l.Weight),
		Quantity: convert.OrNil(l.Quantity), Count: l.Count, Price: l.Price, BasicPrice: l.BasicPrice, PriceWithModifiers: l.WithModifiers,
		Total: l.Total, Type: wire.ProductTypeDefault, SaleMultiplicity: l.Step, ProductGroupID: l.GroupID, AddedAt: l.AddedAt,
		Modifiers: make([]wire.CartModifier, len(l.Modifiers)), Allergens: s.Allergens(l.Allergens),
	}
	for i, m := range l.Modifiers {
		w.Modifiers[i] = wire.CartModifier{
			ID: m.ID, GroupID: convert.OrNil(m.GroupID), Name: s.Text(m.Name), Lang: s.ForeignLang(m.Name), Count: m.Count, Price: m.Price,
		}
	}
	return w
}

// gift converts a gift as it was given: all of it is in the order, and no more can be taken.
func (s OrderLocalizer) gift(g order.Gift) wire.Gift {
	return wire.Gift{
		ID: g.ID, Name: s.Text(g.Name), Lang: s.ForeignLang(g.Name), Description: convert.OrNil(s.Text(g.Description)), BasicPrice: g.BasicPrice,
		Quantity: g.Quantity, Weight: s.Weight(g.Weight), Count: g.Count, MaxCount: g.Count, Type: wire.GiftType(g.Kind),
		Images: contentwire.Images(g.Picture), Conditions: []wire.GiftCondition{}, Allergens: s.Allergens(g.Allergens),
	}
}

// Payment converts the payment of an order, with what is collected at the hand-over besides; nil unless
// the order is paid online.
func (s OrderLocalizer) Payment(h payment.History, toCollect money.Amount) *wire.OrderPaymentBrief {
	if !site.IsOnline(h.Bill.PaymentType) {
		return nil
	}
	brief := wire.OrderPaymentBrief{
		State: wire.PaymentState(h.Status()), OrderCacheKey: convert.OrNil(h.Bill.CacheKey), PayUntil: h.Bill.Deadline.In(s.City.Location),
		Refunded: convert.OrNil(h.Refunded()), ToCollect: convert.OrNil(toCollect),
	}
	brief.Message = s.RefundMessage(h)
	return &brief
}

// RefundMessage converts the message about the money of a payment that was returned or kept; nil when there is
// none to show.
func (s OrderLocalizer) RefundMessage(p refundMessenger) *string {
	message, ok := p.RefundMessage(s.sum)
	if !ok {
		return nil
	}
	return convert.OrNil(s.Message(message))
}

// refundMessenger is a [payment.History] or a [payment.View].
type refundMessenger interface {
	RefundMessage(format func(acquiring.Sum) string) (fault.Message, bool)
}

// sum formats a sum in its own currency: the city may sell in another one by now.
func (s OrderLocalizer) sum(sum acquiring.Sum) string {
	city := *s.City
	city.Currency = sum.Currency
	return cart.FormatMoney(sum.Amount, &city, s.Site, s.Lang)
}
