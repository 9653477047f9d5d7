package order

import (
	"testing"

	"servery/internal/db/storedtest"
)

// The JSON forms of all that orders store are those recorded in the repository.
func TestStoredForm_ofOrder(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, Details{}, Line{}, Request{}, expireJob{}, releaseHold{})
}
