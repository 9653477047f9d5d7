package server

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

// router is a mux that records its patterns, so that tests can check the rights of every route, and
// counts the calls at work in each. It finds a route without wildcards by one lookup, where a mux walks all parts
// of the path.
type router struct {
	*http.ServeMux

	patterns []string
	atWork   *prometheus.GaugeVec
	// literals are the routes whose pattern is a method and a whole path.
	literals map[literal]route
}

// literal is a pattern of a method and a whole path.
type literal struct{ method, path string }

// route is what a request is passed to, with the pattern that the request is counted by.
type route struct {
	pattern string
	handler http.Handler
}

// newRouter returns a router without routes, which counts by the gauge.
func newRouter(atWork *prometheus.GaugeVec) *router {
	return &router{ServeMux: http.NewServeMux(), atWork: atWork, literals: map[literal]route{}}
}

// ServeHTTP passes the request to the handler of its route.
func (r *router) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if found, ok := r.literals[literal{request.Method, request.URL.Path}]; ok {
		request.Pattern = found.pattern
		found.handler.ServeHTTP(w, request)
		return
	}
	r.ServeMux.ServeHTTP(w, request)
}

// methodsOf returns the methods that the address has routes of its own for.
func (r *router) methodsOf(address *url.URL) (methods []string) {
	for _, method := range []string{http.MethodDelete, http.MethodGet, http.MethodPatch, http.MethodPost, http.MethodPut} {
		_, pattern := r.Handler(&http.Request{Method: method, URL: address})
		if strings.HasPrefix(pattern, method+" ") {
			methods = append(methods, method)
		}
	}
	return methods
}

// parseLiteral returns the method and the path of a pattern; false for a pattern with wildcards, without a
// method, or of a whole folder.
func parseLiteral(pattern string) (literal, bool) {
	method, path, hasMethod := strings.Cut(pattern, " ")
	return literal{method, path}, hasMethod && !strings.Contains(path, "{") && !strings.HasSuffix(path, "/")
}

// HandleFunc does for a function what Handle does.
func (r *router) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	r.Handle(pattern, http.HandlerFunc(handler))
}

// Handle routes a pattern, records it, and counts the calls at work in it.
func (r *router) Handle(pattern string, handler http.Handler) {
	r.patterns = append(r.patterns, pattern)
	atWork := r.atWork.WithLabelValues(pattern)
	counted := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		atWork.Inc()
		defer atWork.Dec()
		handler.ServeHTTP(w, request)
	})
	r.ServeMux.Handle(pattern, counted)
	if l, ok := parseLiteral(pattern); ok {
		r.literals[l] = route{pattern, counted}
	}
}

// routeBelow routes everything below the pattern to a handler that stands before another
// router, and records that router's patterns. That router must have all its routes.
func (r *router) routeBelow(pattern string, below *router, handler http.Handler) {
	r.patterns = append(r.patterns, below.patterns...)
	r.ServeMux.Handle(pattern, handler)
	for l := range below.literals {
		if _, isOwn := r.literals[l]; !isOwn {
			r.literals[l] = route{pattern, handler}
		}
	}
}
