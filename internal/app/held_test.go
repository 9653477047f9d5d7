package app_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"servery/internal/app"
	"servery/internal/config"
)

// A copy must not query the bank about the original's payments, and a balancer must send it no customers.
func TestStart_ofACopySendsNothing(t *testing.T) {
	t.Parallel()
	eachShop(t, func(t *testing.T, s *shop) {
		d, err := app.OpenDatabase(t.Context(), s.cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(d.Hold(t.Context(), time.Now(), "a rehearsal"), d.Close()); err != nil {
			t.Fatal(err)
		}
		held, err := s.start(t, func(*config.Config) {})
		if err != nil {
			t.Fatal(err)
		}
		s.log.await(t, "no jobs are run and nothing is sent")
		if status := getStatus(t, "http://"+held.Addr().String()+"/readyz"); status != http.StatusServiceUnavailable {
			t.Errorf("readiness of a copy: %d", status)
		}
		if status := getStatus(t, "http://"+held.Addr().String()+"/dev/sandbox"); status != http.StatusNotFound {
			t.Errorf("the bank of a copy: %d", status)
		}
		if _, text := getText(t, "http://"+held.Addr().String()+"/metrics"); strings.Contains(text, `task="sweep"`) {
			t.Error("the metrics of a copy say that it sweeps")
		}
		if status := getStatus(t, "http://"+held.Addr().String()+"/healthz"); status != http.StatusOK {
			t.Errorf("health of a copy: %d", status)
		}
	})
}
