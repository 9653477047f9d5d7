package app

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/provider"
	"servery/internal/site"
)

// A held database sends nothing, so a drill needs none of the providers that the brand needs.
func TestCheckUnmet_refusesAReleaseUnlessItsDatabaseIsHeld(t *testing.T) {
	t.Parallel()
	const isRelease, isDevelopment = true, false
	brand := &site.Site{Alias: "sushi", Settings: site.Settings{IsAuthEnabled: true, NotificationChannels: []site.SignInChannel{site.BySMS}}}
	for name, c := range map[string]struct {
		held      db.Held
		isRelease bool
		isRefused bool
	}{
		"in use, release":     {db.Held{}, isRelease, true},
		"in use, development": {db.Held{}, isDevelopment, false},
		"held, release":       {db.Held{Since: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), Because: "a rehearsal"}, isRelease, false},
	} {
		var log bytes.Buffer
		a := &App{held: c.held, log: slog.New(slog.NewTextHandler(&log, nil))}
		a.cfg.Providers = "providers.yaml"
		err := a.checkUnmet(t.Context(), []*site.Site{brand}, c.isRelease)
		var refusal *provider.Unconfigured
		if errors.As(err, &refusal) != c.isRefused || err != nil && !c.isRefused {
			t.Errorf("%s: %v", name, err)
		}
		if isLogged := strings.Contains(log.String(), "provider not configured"); isLogged == c.isRefused {
			t.Errorf("%s: logged %q", name, &log)
		}
	}
}
