package server

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// A router passes each request to the route that its mux would choose, and counts it by the same pattern.
func TestRouter_findsTheRouteThatItsMuxFinds(t *testing.T) {
	t.Parallel()
	operations, err := readContract()
	if err != nil {
		t.Fatal(err)
	}
	atWork := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "at_work"}, []string{"route"})
	say := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Route", text) })
	}
	below := newRouter(atWork)
	requests := []string{
		"HEAD /api/cities", "DELETE /api/cities", "GET /api//cities", "GET /api/none", "GET /healthz", "POST /healthz", "HEAD /healthz",
		"GET /api/callback/sandbox", "GET /moscow", "GET /",
	}
	own := []string{"GET /healthz", "GET /{city}", "GET /api/errors", "GET /api/user/get"}
	wildcard := regexp.MustCompile(`\{[^}]*\}`)
	for pattern := range operations {
		requests = append(requests, wildcard.ReplaceAllString(pattern, "7"))
		if strings.Contains(pattern, apiRoot+"/callback/") || strings.Contains(pattern, apiRoot+"/order/3ds/") {
			own = append(own, pattern) // as acquirers' calls are
			continue
		}
		below.Handle(pattern, say("below: "+pattern))
	}
	below.Handle(apiRoot+"/", say("unknown"))
	above := newRouter(atWork)
	above.Handle("GET /api/shops", say("own, before"))
	above.routeBelow(apiRoot+"/", below, below)
	for _, pattern := range own {
		above.Handle(pattern, say("own: "+pattern))
	}
	for _, request := range requests {
		method, path, _ := strings.Cut(request, " ")
		for name, r := range map[string]*router{"above": above, "below": below} {
			ask := func(handler http.Handler) (status int, route, pattern string) {
				w, asked := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
				handler.ServeHTTP(w, asked)
				return w.Code, w.Header().Get("Route"), asked.Pattern
			}
			status, route, pattern := ask(r)
			wantStatus, wantRoute, wantPattern := ask(r.ServeMux)
			if status != wantStatus || route != wantRoute || pattern != wantPattern {
				t.Errorf("%s, %s: %d %q as %q, the mux finds %d %q as %q", request, name, status, route, pattern, wantStatus, wantRoute, wantPattern)
			}
		}
	}
}
