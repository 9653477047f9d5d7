package carts

import (
	"context"

	"servery/internal/cart"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/site"
	"servery/internal/visit"
)

// FillMode says what happens to the cart that an order is put into. The set is closed.
type FillMode string

// The modes of filling a cart.
const (
	Replace   FillMode = "replace" // the order takes the place of what is in the cart
	Join      FillMode = "add"     // the order's dishes are added to the cart, which keeps its place
	WhenEmpty FillMode = "empty"   // only an empty cart is filled
)

// fillChange names the change of [Service.Fill].
const fillChange = "fill"

// Filling is the content of an order that is put into a cart.
type Filling struct {
	OrderID int64
	Mode    FillMode
	// Cart has the place and the dishes of the order. Its place is used when the visitor's cart has
	// no place or is replaced.
	Cart cart.Cart
	// SaveAddress saves the address of Cart as one of the visitor's and returns it as saved; nil when it is saved
	// already. It is called only when the mode lets the cart be filled.
	SaveAddress func(ctx context.Context, a geo.Address) (geo.Address, error)
}

// Fill puts the dishes of an order into the visitor's cart of its city. The cart as it was before
// can be restored by [Service.BringBack]. A repeated request with the same idempotency key returns
// the cart as it was filled the first time. A cart gets no more than [cart.MaxCount] portions of a
// product. It returns cart.filled (Conflict) when the mode is WhenEmpty and the cart is not empty, and the
// faults of SaveAddress.
func (s *Service) Fill(ctx context.Context, v visit.Context, f Filling) (cart.Quoted, error) {
	cityID := f.Cart.CityID
	asked := request{fillChange, cart.PlaceRequest{CityID: cityID}, []any{f.OrderID, f.Mode}}
	return s.updateInCity(ctx, v, cityID, asked, func(ctx context.Context, c cart.Cart, loader *factLoader) (cart.Cart, error) {
		if f.Mode == WhenEmpty && c.HoldsAny() {
			return c, fault.New(fault.Conflict, "cart.filled")
		}
		filled := f.Cart
		if filled.Address != nil && f.SaveAddress != nil {
			saved, err := f.SaveAddress(ctx, *filled.Address)
			if err != nil {
				return c, err
			}
			filled.Address = &saved
		}
		if f.Mode == Join {
			filled = joinOrder(v, c, filled, loader.city)
		}
		filled.Version, filled.Phone, filled.Before = c.Version, c.Phone, nil
		if c.HoldsAny() {
			c.Before = nil
			filled.Before = &c
		}
		return filled, nil
	})
}

// joinOrder returns the cart with the order's dishes added. A cart without a chosen place gets the
// order's place.
func joinOrder(v visit.Context, c, order cart.Cart, city *site.City) cart.Cart {
	if cart.PlaceOf(v, c, city).CheckOrderable() != nil {
		c.OrderType, c.ShopID, c.Address, c.ZoneID = order.OrderType, order.ShopID, order.Address, order.ZoneID
	}
	for _, line := range order.Lines {
		c = c.With(line)
	}
	return c
}

// StoredCart returns the visitor's cart of a city as it is stored, not priced, and reports
// whether its place is chosen.
func (s *Service) StoredCart(ctx context.Context, v visit.Context, city *site.City) (cart.Cart, bool, error) {
	found, err := s.findCart(ctx, v, city)
	return found.cart, err == nil && cart.PlaceOf(v, found.cart, city).CheckOrderable() == nil, err
}

// BringBack replaces the visitor's cart of a city by the cart as it was before an order was put
// into it, and returns it with its prices. It returns cart.not_kept (Conflict) when there is
// none.
func (s *Service) BringBack(ctx context.Context, v visit.Context, cityID int64) (cart.Quoted, error) {
	asked := request{Change: "bring back", Place: cart.PlaceRequest{CityID: cityID}}
	return s.updateInCity(ctx, v, cityID, asked, func(_ context.Context, c cart.Cart, _ *factLoader) (cart.Cart, error) {
		if c.Before == nil {
			return c, fault.New(fault.Conflict, "cart.not_kept")
		}
		before := *c.Before
		before.CityID, before.Version, before.Phone = c.CityID, c.Version, c.Phone
		return before, nil
	})
}

// Composition is what staff put into a cart for a customer who is on the phone.
type Composition struct {
	Place cart.PlaceRequest
	// Address is where a delivery goes; nil for takeaway. It decides the zone.
	Address   *geo.Address
	Additions []cart.Addition
	// GiftIDs has the id of a gift once for each time that it is given.
	GiftIDs   []int64
	Promocode string
	// Phone is the customer's: gifts and codes for a first order depend on it.
	Phone      string
	WithoutBag bool
}

// ComposeIn returns a cart of what staff has entered for a customer on the phone, with its prices. It
// reads all it needs (uses of offers, bonuses, …) in the caller's transaction, and saves nothing. The
// visitor's own cart stays as it is. Faults: those of [cart.MoveTo], [cart.Cart.Add],
// [cart.Cart.ApplyPromocode] and [cart.Cart.AddGift].
func (s *Service) ComposeIn(ctx context.Context, tx *db.Tx, v visit.Context, city *site.City, m Composition) (cart.Quoted, error) {
	loader := s.factLoaderIn(tx, v, city)
	c, err := cart.MoveTo(v, cart.Cart{CityID: city.ID, Phone: m.Phone, Address: m.Address, WithoutBag: m.WithoutBag}, m.Place, city)
	if err != nil {
		return cart.Quoted{}, err
	}
	place := cart.PlaceOf(v, c, city)
	for _, a := range m.Additions {
		if c, err = c.Add(a, place, cart.MenuAt(v, place), v.Lang, v.Now); err != nil {
			return cart.Quoted{}, err
		}
	}
	if m.Promocode != "" {
		c.Promocode = m.Promocode
		in, err := loader.loadPricing(ctx, c)
		if err != nil {
			return cart.Quoted{}, err
		}
		if c, err = c.ApplyPromocode(m.Promocode, in.place, in.menu, in.facts, v.Lang, v.Now); err != nil {
			return cart.Quoted{}, err
		}
	}
	for _, id := range m.GiftIDs {
		in, err := loader.loadPricing(ctx, c)
		if err != nil {
			return cart.Quoted{}, err
		}
		if c, err = c.AddGift(id, in.place, in.menu, in.facts, v.Lang, v.Now); err != nil {
			return cart.Quoted{}, err
		}
	}
	return loader.priceCart(ctx, c)
}
