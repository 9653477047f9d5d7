package schedule

import (
	"testing"

	"servery/internal/db/storedtest"
)

// The JSON form of stored minutes is the one recorded in the repository.
func TestStoredForm_ofSchedule(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, Minutes{})
}
