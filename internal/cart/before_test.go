package cart_test

import (
	"testing"

	"servery/internal/cart"
)

// A cart that was filled from an order has the former cart in Before. It is gone once the cart
// is ordered or emptied.
func TestCart_hasNoFormerCartOnceOrderedOrEmptied(t *testing.T) {
	t.Parallel()
	c := cart.Cart{Lines: []cart.Line{{Key: "1-1001", Count: 1}}, Before: &cart.Cart{}}
	if left := c.Without(cart.Bought{Lines: map[string]int{"1-1001": 1}}); left.Before != nil {
		t.Errorf("ordered: %+v", left)
	}
	if left := c.Emptied(); left.Before != nil {
		t.Errorf("emptied: %+v", left)
	}
}
