package cart

import (
	"testing"

	"servery/internal/db/storedtest"
	"servery/internal/geo"
)

func TestStoredForm_ofCart(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, Cart{}, request{}, Addition{}, geo.Address{})
}
