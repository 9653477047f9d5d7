package server

import "net/http"

// router is a mux that knows what it routes: the tests ask every route who may use it.
type router struct {
	*http.ServeMux

	patterns []string
}

func newRouter() *router { return &router{ServeMux: http.NewServeMux()} }

// HandleFunc routes a pattern.
func (r *router) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	r.Handle(pattern, http.HandlerFunc(handler))
}

// Handle routes a pattern.
func (r *router) Handle(pattern string, handler http.Handler) {
	r.patterns = append(r.patterns, pattern)
	r.ServeMux.Handle(pattern, handler)
}

// with routes everything below the pattern to a handler before another router.
func (r *router) with(pattern string, below *router, handler http.Handler) {
	r.patterns = append(r.patterns, below.patterns...)
	r.ServeMux.Handle(pattern, handler)
}
