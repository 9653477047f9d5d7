package queue

import (
	"testing"

	"servery/internal/db/storedtest"
)

func TestStoredForm_ofQueue(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, envelope{})
}
