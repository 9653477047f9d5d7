package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The file of providers is empty on the first day, and docs/production.md names no brand.
func TestTry_ofAFileWithoutProvidersNamesTheFile(t *testing.T) {
	t.Parallel()
	providers := filepath.Join(t.TempDir(), "providers.yaml")
	if err := os.WriteFile(providers, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := shell{"SERVERY_PROVIDERS=" + providers}.run(t, "try", "sms", "79161234567")
	if err == nil || !strings.Contains(err.Error(), providers+" names no provider yet") {
		t.Errorf("it says %v\n%s", err, text)
	}
}
