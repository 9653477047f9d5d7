package stock

import (
	"testing"

	"servery/internal/db/storedtest"
)

func TestStoredForm_ofStock(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, []entry{})
}
