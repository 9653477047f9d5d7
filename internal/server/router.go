package server

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
)

// router is a mux that records its patterns, so that tests can check the rights of every route, and
// counts the calls at work in each.
type router struct {
	*http.ServeMux

	patterns []string
	atWork   *prometheus.GaugeVec
}

// newRouter returns a router without routes, which counts by the gauge.
func newRouter(atWork *prometheus.GaugeVec) *router {
	return &router{ServeMux: http.NewServeMux(), atWork: atWork}
}

// HandleFunc does for a function what Handle does.
func (r *router) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	r.Handle(pattern, http.HandlerFunc(handler))
}

// Handle routes a pattern, records it, and counts the calls at work in it.
func (r *router) Handle(pattern string, handler http.Handler) {
	r.patterns = append(r.patterns, pattern)
	atWork := r.atWork.WithLabelValues(pattern)
	r.ServeMux.Handle(pattern, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		atWork.Inc()
		defer atWork.Dec()
		handler.ServeHTTP(w, request)
	}))
}

// routeBelow routes everything below the pattern to a handler that stands before another
// router, and records that router's patterns.
func (r *router) routeBelow(pattern string, below *router, handler http.Handler) {
	r.patterns = append(r.patterns, below.patterns...)
	r.ServeMux.Handle(pattern, handler)
}
