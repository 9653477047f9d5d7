package catalog

import (
	"testing"

	"servery/internal/db/storedtest"
)

// The JSON names of a stored document are those recorded in the repository.
func TestStoredForm_ofCatalog(t *testing.T) {
	t.Parallel()
	// What was stored before is read by a test of its own, in content.
	storedtest.ExpectNames(t, Document{})
}
