// Package repeat fills a cart with the dishes of an earlier order, and lists how it differs from that.
package repeat

import (
	"context"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/site"
	"servery/internal/visit"
)

// DifferenceKind is how a part of a repeated order differs from the original. The set is closed.
type DifferenceKind string

// The kinds of differences.
const (
	Gone             DifferenceKind = "gone"      // not sold any more, or not here
	StoppedNow       DifferenceKind = "stopped"   // sold, but not now; it stays in the cart
	OtherPrice       DifferenceKind = "price"     // costs something else
	OtherCount       DifferenceKind = "count"     // sold in other steps now, so more are in the cart
	WithoutModifiers DifferenceKind = "modifiers" // some of the ordered modifiers cannot be chosen now
	CodeLeft         DifferenceKind = "promocode" // the customer has to apply the promocode, which is the Name, again
	GiftLeft         DifferenceKind = "gift"      // the customer has to choose the gift or present again
)

// Difference is a part of a repeated order that differs from the original. The prices are of one
// portion with its modifiers, and set for OtherPrice only; the counts are set for OtherCount only.
type Difference struct {
	Name               lang.Text
	Kind               DifferenceKind
	Old, New           *money.Amount
	OldCount, NewCount int
}

// Repeated is a cart that was filled from an order.
type Repeated struct {
	Order       order.Order
	Cart        cart.Quoted
	Differences []Difference
}

// Service repeats orders. It is safe for concurrent use.
type Service struct {
	orders    *orders.Service
	carts     *carts.Service
	addresses *geo.Addresses
}

// New returns the service over orders, carts and saved addresses.
func New(orders *orders.Service, carts *carts.Service, addresses *geo.Addresses) *Service {
	return &Service{orders, carts, addresses}
}

// Repeat fills the visitor's cart of the order's city with what was ordered, with the same modifiers, at
// today's prices and at the place of the order. With the mode Join a cart whose place is chosen keeps
// that place. Gifts, presents and the promocode are not repeated: the customer has to earn and choose
// them again. A count in which a dish is not sold now is rounded up. The differences name all of these, and each dish
// that is not as it was. Repeating an order twice has the same effect as once. Faults: order.not_found (NotFound), also
// for a visitor who may see the order in brief only; order.not_repeatable (Conflict); cart.unknown_city (NotFound) when
// the brand has left the city; those of [carts.Service.Fill].
func (s *Service) Repeat(ctx context.Context, v visit.Context, id int64, mode carts.FillMode) (Repeated, error) {
	o, err := s.orders.Get(ctx, v, id)
	if err != nil {
		return Repeated{}, err
	}
	if o.View == order.BriefView {
		return Repeated{}, order.NotFound()
	}
	if !o.State.CanRepeat() {
		return Repeated{}, fault.New(fault.Conflict, "order.not_repeatable")
	}
	city, err := v.City(o.CityID)
	if err != nil {
		return Repeated{}, err
	}
	filling, err := s.fillingAt(ctx, v, o, city, mode)
	if err != nil {
		return Repeated{}, err
	}
	place := cart.PlaceOf(v, filling.Cart, city)
	menu := cart.MenuAt(v, place)
	var differences []Difference
	for i, ordered := range o.Lines {
		line, difference, ok := repeatLine(ordered, place, menu, v)
		if ok && line.Count != ordered.Count {
			differences = append(differences, Difference{Name: ordered.Name, Kind: OtherCount, OldCount: ordered.Count, NewCount: line.Count})
		}
		if ok {
			line.AddedAt = v.Now.Add(time.Duration(i) * time.Millisecond) // keeps the order of the lines
			filling.Cart = filling.Cart.With(line)
		}
		if difference != nil {
			differences = append(differences, *difference)
		}
	}
	filled, err := s.carts.Fill(ctx, v, filling)
	return Repeated{Order: o, Cart: filled, Differences: append(differences, notRepeated(o)...)}, err
}

// fillingAt returns what a cart is filled with, without dishes, at the place at which the order is repeated. That is
// the place of the visitor's cart when mode is Join and it has one, else the place of the order, whose address is saved
// as one of the visitor's when the cart is filled. Where the city no longer sells the order's type, it is one of the
// other type without a shop or an address.
func (s *Service) fillingAt(ctx context.Context, v visit.Context, o order.Order, city *site.City, mode carts.FillMode) (carts.Filling, error) {
	f := carts.Filling{OrderID: o.ID, Mode: mode, Cart: cart.Cart{
		CityID: o.CityID, OrderType: o.Type, ZoneID: o.ZoneID, WithoutBag: o.Details.WithoutBag,
	}}
	at := &f.Cart
	if mode == carts.Join {
		kept, isPlaced, err := s.carts.StoredCart(ctx, v, city)
		if err != nil {
			return f, err
		}
		if isPlaced {
			at.OrderType, at.ShopID, at.Address, at.ZoneID = kept.OrderType, kept.ShopID, kept.Address, kept.ZoneID
			return f, nil
		}
	}
	for _, other := range site.OrderTypes() {
		if !city.Sells(o.Type) && city.Sells(other) {
			at.OrderType, at.ZoneID = other, 0
			return f, nil
		}
	}
	if o.Details.Address == nil {
		at.ShopID = o.ShopID
		return f, nil
	}
	at.Address = o.Details.Address
	// The address is saved again, because the visitor may be in another session than the one that
	// ordered, or have removed it since.
	f.SaveAddress = func(ctx context.Context, a geo.Address) (geo.Address, error) {
		owner := geo.Owner{SessionID: v.SessionID, CustomerID: v.CustomerID, Site: v.Site.Alias}
		return s.addresses.Save(ctx, owner, a, city.Country.AddressForm())
	}
	return f, nil
}

// notRepeated returns a difference for the promocode and for each gift and present of the order,
// which are not repeated. A gift of the promocode has no difference of its own.
func notRepeated(o order.Order) []Difference {
	var left []Difference
	if o.Promocode != "" {
		name := lang.Text{lang.EN: o.Promocode} // the fallback of all languages
		left = append(left, Difference{Name: name, Kind: CodeLeft})
	}
	for _, g := range o.Details.Gifts {
		if g.Kind != cart.FromPromocode {
			left = append(left, Difference{Name: g.Name, Kind: GiftLeft})
		}
	}
	return left
}

// repeatLine returns the line of an order as a line for a cart, and how the dish differs from what was
// ordered, nil when it does not. It has the ordered modifiers, as far as they can be chosen now; see
// [repeatChoice]. Its count is rounded up to one in which the dish is sold at the place. It reports false when the line
// cannot be repeated at all.
func repeatLine(line order.Line, place cart.Place, menu *catalog.Menu, v visit.Context) (cart.Line, *Difference, bool) {
	differs := func(kind DifferenceKind) *Difference { return &Difference{Name: line.Name, Kind: kind} }
	product, ok := menu.Product(line.ProductID)
	if !ok || product.Type == catalog.Unavailable {
		return cart.Line{}, differs(Gone), false
	}
	chosen, err := cart.Choose(product, repeatChoice(product, line.Modifiers), menu.Site, v.Lang)
	if err != nil { // a group has nothing left to choose
		return cart.Line{}, differs(Gone), false
	}
	var difference *Difference
	if !hasAll(chosen, line.Modifiers) {
		difference = differs(WithoutModifiers)
	}
	count := place.RoundUp(product, line.Count)
	price := cart.PortionPrice(product, chosen)
	switch {
	case product.Type == catalog.Stopped:
		count = line.Count // it has no step until it is sold again
		difference = differs(StoppedNow)
	case difference == nil && price != line.WithModifiers:
		difference = differs(OtherPrice)
		difference.Old, difference.New = &line.WithModifiers, &price
	}
	return cart.Line{
		Key: cart.LineKey(product.Key, chosen), ProductID: product.ID, Count: count, Modifiers: chosen,
	}, difference, true
}
