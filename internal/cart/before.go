package cart

import (
	"reflect"
)

// HoldsAny reports whether there is a dish, gift or present in the cart.
func (c Cart) HoldsAny() bool {
	return len(c.Lines) > 0 || len(c.Gifts) > 0 || len(c.Presents) > 0
}

// WithoutStaleBefore returns the changed cart c. It removes Before when the change was to dishes,
// gifts, promocode or place, because restoring Before would lose that change. found is the cart
// before the change. A Before that the change itself has set stays.
func (c Cart) WithoutStaleBefore(found Cart) Cart {
	isSetByChange := c.Before != found.Before // the pointers differ: Before is another cart
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
