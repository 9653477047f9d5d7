//go:build !release

package server_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"servery/internal/acquiring/sandbox"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/server"
	"servery/internal/server/api"
)

// A page of another site that a developer has open must not change the test bank.
func TestDevelopmentPages_otherSitesChangeNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		bank := sandbox.New(sandbox.Options{DB: d, Clock: e.Clock, Log: slog.New(slog.DiscardHandler)})
		edge, err := server.New(server.Areas{Areas: api.Areas{Catalog: e.Catalog}}, server.Options{
			Log: slog.New(slog.DiscardHandler), Clock: e.Clock, Probe: func(context.Context) error { return nil }, CallsPerSecond: 1000,
			Development: bank.PagesHandler(), DevelopmentOpen: sandbox.OpenPatterns(),
		})
		if err != nil {
			t.Fatal(err)
		}
		post := func(path string, header ...string) int {
			form := url.Values{"site": {"sushi"}, "call": {sandbox.Calls()[0]}, "fault": {string(sandbox.Faults()[0])}, "times": {"3"}}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost"+sandbox.Root+path, strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			for i := 0; i < len(header); i += 2 {
				r.Header.Set(header[i], header[i+1])
			}
			w := httptest.NewRecorder()
			edge.ServeHTTP(w, r)
			return w.Code
		}
		for _, header := range foreign {
			for _, path := range []string{"faults", "pay/x", "pay/x/check", "cancel/x", "sbp/x", "phone/x", "wallet/x", "acs/answer", "acs/2/method/done"} {
				if status := post(path, header...); status != http.StatusForbidden {
					t.Errorf("%s with %v: %d", path, header, status)
				}
			}
			for _, path := range []string{"acs/1", "acs/2", "acs/2/method"} {
				if status := post(path, header...); status == http.StatusForbidden {
					t.Errorf("a shop on another site cannot begin a check at %s", path)
				}
			}
		}
		if status := post("faults", "Origin", "http://localhost", "Sec-Fetch-Site", "same-origin"); status != http.StatusSeeOther {
			t.Errorf("its own page: %d", status)
		}
		if status := post("faults"); status != http.StatusSeeOther {
			t.Errorf("a tool: %d", status)
		}
	})
}
