package carts

import (
	"testing"

	"servery/internal/cart"
	"servery/internal/db/storedtest"
	"servery/internal/geo"
)

// The JSON form of carts and requests is as in testdata, so that a new program reads what an older one
// has stored.
func TestStoredForm_ofCart(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, cart.Cart{}, request{}, cart.Addition{}, geo.Address{})
}
