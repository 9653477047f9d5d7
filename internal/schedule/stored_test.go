package schedule

import (
	"testing"

	"servery/internal/db/storedtest"
)

func TestStoredForm_ofSchedule(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, Minutes{})
}
