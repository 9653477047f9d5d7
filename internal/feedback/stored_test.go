package feedback

import (
	"testing"

	"servery/internal/db/storedtest"
)

func TestStoredForm_ofFeedback(t *testing.T) {
	t.Parallel()
	storedtest.ExpectForm(t, Fields{}, forwardJob{}, noticeJob{}, payload{})
}
