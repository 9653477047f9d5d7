package server

import (
	"net/http"
	"net/http/pprof"
)

// routeProfiles adds the routes of profiles, of which Go's pprof reads. It leaves out the command line, which may have
// the password of the database.
func routeProfiles(mux *http.ServeMux) {
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.Handle("GET /debug/pprof/cmdline", http.NotFoundHandler())
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
}
