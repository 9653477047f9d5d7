package content_test

import (
	"testing"

	demo "servery/content"
	"servery/internal/content"
)

func TestDemoContentHasNoFaults(t *testing.T) {
	t.Parallel()
	for _, f := range content.Check(demo.Demo()) {
		t.Error(f)
	}
}
