package server

import "net/http"

// router is a mux that records its patterns, so that tests can check the rights of every route.
type router struct {
	*http.ServeMux

	patterns []string
}

// newRouter returns a router without routes.
func newRouter() *router { return &router{ServeMux: http.NewServeMux()} }

// HandleFunc routes a pattern and records it.
func (r *router) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	r.Handle(pattern, http.HandlerFunc(handler))
}

// Handle routes a pattern and records it.
func (r *router) Handle(pattern string, handler http.Handler) {
	r.patterns = append(r.patterns, pattern)
	r.ServeMux.Handle(pattern, handler)
}

// routeBelow routes everything below the pattern to a handler that stands before another
// router, and records that router's patterns.
func (r *router) routeBelow(pattern string, below *router, handler http.Handler) {
	r.patterns = append(r.patterns, below.patterns...)
	r.ServeMux.Handle(pattern, handler)
}
