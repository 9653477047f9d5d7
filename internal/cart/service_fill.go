package cart

import (
	"context"
	"reflect"

	"servery/internal/fault"
	"servery/internal/site"
	"servery/internal/visit"
)

// FillMode is what becomes of the cart that an order is put into. The set is closed.
type FillMode string

// The modes of filling a cart.
const (
	Replace   FillMode = "replace" // the order takes the place of what is in the cart
	Join      FillMode = "add"     // the order's dishes go to those in the cart, at its place
	WhenEmpty FillMode = "empty"   // only an empty cart is filled
)

// fillChange names the change of [Service.Fill].
const fillChange = "fill"

// Filling is what an order puts into a cart.
type Filling struct {
	OrderID int64
	Mode    FillMode
	// Cart has the place and the dishes. Its place counts where the cart has none, or is replaced.
	Cart Cart
}

// Fill puts the dishes of an order into the visitor's cart of its city. What was in the cart
// before can be brought back. A key that comes again is answered with the cart as it was filled,
// priced at that moment. Of no product the cart takes more than [MaxCount] portions. Fault:
// cart.filled (Conflict) when it must be empty and is not.
func (s *Service) Fill(ctx context.Context, v visit.Context, f Filling) (Quoted, error) {
	cityID := f.Cart.CityID
	asked := request{fillChange, PlaceRequest{CityID: cityID}, []any{f.OrderID, f.Mode}}
	return s.changeIn(ctx, v, cityID, asked, func(_ context.Context, c Cart, known *inquiry) (Cart, error) {
		if f.Mode == WhenEmpty && c.holdsAny() {
			return c, fault.New(fault.Conflict, "cart.filled")
		}
		filled := f.Cart
		if f.Mode == Join {
			filled = joinOrder(v, c, f.Cart, known.city)
		}
		filled.Version, filled.Phone, filled.Before = c.Version, c.Phone, nil
		if c.holdsAny() {
			c.Before = nil
			filled.Before = &c
		}
		return filled, nil
	})
}

// join returns the cart with the order's dishes, at the order's place where it has none.
func joinOrder(v visit.Context, c, order Cart, city *site.City) Cart {
	if placeOf(v, c, city).check() != nil {
		c.OrderType, c.ShopID, c.Address, c.ZoneID = order.OrderType, order.ShopID, order.Address, order.ZoneID
	}
	for _, line := range order.Lines {
		c = c.With(line)
	}
	return c
}

// Placed returns the visitor's cart of a city as it is kept, and reports whether its place is
// chosen.
func (s *Service) Placed(ctx context.Context, v visit.Context, city *site.City) (Cart, bool, error) {
	found, err := s.find(ctx, v, city)
	return found.cart, err == nil && placeOf(v, found.cart, city).check() == nil, err
}

// BringBack puts what was in the visitor's cart before an order was put into it in place of what
// is in it now. Fault: cart.not_kept (Conflict) when there is nothing to bring back.
func (s *Service) BringBack(ctx context.Context, v visit.Context, cityID int64) (Quoted, error) {
	asked := request{"bring back", PlaceRequest{CityID: cityID}, nil}
	return s.changeIn(ctx, v, cityID, asked, func(_ context.Context, c Cart, _ *inquiry) (Cart, error) {
		if c.Before == nil {
			return c, fault.New(fault.Conflict, "cart.not_kept")
		}
		before := *c.Before
		before.CityID, before.Version, before.Phone = c.CityID, c.Version, c.Phone
		return before, nil
	})
}

// holdsAny reports whether there is anything in the cart that another would take the place of.
func (c Cart) holdsAny() bool {
	return len(c.Lines) > 0 || len(c.Gifts) > 0 || len(c.Presents) > 0
}

// since returns the cart without what it held before an order was put into it, when its dishes,
// gifts, code or place are not those that were found: a choice of the customer's own is not
// to be lost by bringing back.
func (c Cart) since(found Cart) Cart {
	isFilled := c.Before != found.Before
	if c.Before == nil || isFilled {
		return c
	}
	isSame := reflect.DeepEqual(c.Lines, found.Lines) && reflect.DeepEqual(c.Gifts, found.Gifts) &&
		reflect.DeepEqual(c.Presents, found.Presents) && c.Promocode == found.Promocode &&
		c.OrderType == found.OrderType && c.ShopID == found.ShopID && reflect.DeepEqual(c.Address, found.Address)
	if !isSame {
		c.Before = nil
	}
	return c
}
