package stock

import (
	"testing"

	"servery/internal/db/storedtest"
)

// The JSON form of a stored reservation is the one recorded in the repository.
func TestStoredForm_ofStock(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, []entry{})
}
