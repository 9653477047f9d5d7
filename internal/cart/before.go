package cart

import (
	"reflect"
)

// HoldsAny reports whether there is a dish, gift or present in the cart.
func (c Cart) HoldsAny() bool {
	return len(c.Lines) > 0 || len(c.Gifts) > 0 || len(c.Presents) > 0
}

// WithoutStaleBefore returns a changed cart without its Before when the change was to the dishes,
// gifts, code or place: restoring Before would then lose that change. found is the cart before
// the change. A Before that the change itself has set stays.
func (c Cart) WithoutStaleBefore(found Cart) Cart {
	isSetByChange := c.Before != found.Before // pointers: what is filled in is another cart
	if c.Before == nil || isSetByChange {
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
