package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
)

// A request that comes while the program starts is answered once it has started. A request whose caller
// hangs up before gets a 503.
func TestStartupHandler_hasRequestsWaitForTheStart(t *testing.T) {
	t.Parallel()
	h := newStartupHandler()
	arrived, answered := make(chan struct{}), make(chan int, 1)
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/moscow", http.NoBody)
	go func() {
		w := httptest.NewRecorder()
		close(arrived)
		h.ServeHTTP(w, request)
		answered <- w.Code
	}()
	<-arrived
	h.begin(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	if code := <-answered; code != http.StatusTeapot {
		t.Errorf("a request that waited is answered %d", code)
	}

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	newStartupHandler().ServeHTTP(w, request.WithContext(gone))
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("one that hung up is answered %d", w.Code)
	}
}
