package login

import (
	"testing"

	"servery/internal/db/storedtest"
)

func TestStoredForm_ofLogin(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, sendJob{})
}
