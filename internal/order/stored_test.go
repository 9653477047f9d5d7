package order

import (
	"testing"

	"servery/internal/db/storedtest"
)

func TestStoredForm_ofOrder(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, Details{}, Line{}, Request{}, expireJob{}, releaseHold{})
}
