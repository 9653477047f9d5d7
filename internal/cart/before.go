package cart

import (
	"reflect"
)

// HoldsAny reports whether there is a dish, gift or present in the cart.
func (c Cart) HoldsAny() bool {
	return len(c.Lines) > 0 || len(c.Gifts) > 0 || len(c.Presents) > 0
}

// WithoutStaleBefore returns c, which a call has just made from found. It drops c.Before, the cart that
// can be restored after an order was put in, when dishes, gifts, presents, promocode or place have
// changed, because restoring would lose that change. A Before that the call itself has set stays.
func (c Cart) WithoutStaleBefore(found Cart) Cart {
	isSetByCall := c.Before != found.Before // the pointers differ: Before is another cart
	if c.Before == nil || isSetByCall {
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
