package app_test

import (
	"testing"

	"servery/internal/app"
)

func TestLocalAddress_isOnThisMachine(t *testing.T) {
	t.Parallel()
	for listen, want := range map[string]string{
		":8080": "127.0.0.1:8080", "0.0.0.0:8080": "127.0.0.1:8080", "[::]:8080": "127.0.0.1:8080", "10.0.0.1:9090": "10.0.0.1:9090",
	} {
		if got := app.LocalAddress(listen); got != want {
			t.Errorf("%s is reached at %s", listen, got)
		}
	}
}
