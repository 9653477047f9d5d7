package orders

import (
	"testing"

	"servery/internal/db/storedtest"
	"servery/internal/order"
)

// The JSON forms of all that orders store are those recorded in the repository.
func TestStoredForm_ofOrder(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, order.Details{}, order.Line{}, order.Request{}, expireJob{}, releaseHold{})
}
