package server_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestOperator_wrongTokensOfAnAddressAreBounded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		const path = "/api/operator/orders"
		for range 50 { // a system that was left with an old token, beside one that was not
			b.refused(http.StatusUnauthorized, "", "GET", path, nil, "Authorization", "Bearer the-token-of-last-year")
			b.ok("GET", path, nil, asOperator...)
		}
		for n := range 9 {
			b.refused(http.StatusUnauthorized, "", "GET", path, nil, "Authorization", fmt.Sprint("Bearer guess-", n))
		}
		for _, token := range []string{"Bearer guess-10", "Bearer the-token-of-last-year", asOperator[1]} {
			a := b.call("GET", path, nil, "Authorization", token)
			if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") != "600" {
				t.Errorf("%.12s: %d, retry after %s", token, a.status, a.header.Get("Retry-After"))
			}
		}
		b.refused(http.StatusUnauthorized, "", "GET", path, nil) // no guess
		e.Clock.Advance(10 * time.Minute)
		b.ok("GET", path, nil, asOperator...)
	})
}

func TestOps_servesMetricsAndReadinessAndNothingOfTheShop(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	ops := httptest.NewServer(e.server.Ops())
	t.Cleanup(ops.Close)
	for path, want := range map[string]int{
		"/metrics": 200, "/healthz": 200, "/readyz": 200, "/readyz/pages": 200, "/": 404, "/moscow": 404, "/api/city": 404, "/api/operator/orders": 404,
		"/debug/pprof/": 200, "/debug/pprof/heap": 200, "/debug/pprof/symbol": 200, "/debug/pprof/cmdline": 404,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, ops.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := ops.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, res.StatusCode, want)
		}
	}
}
