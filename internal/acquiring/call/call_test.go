package call_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/call"
)

// newClient returns a client of an acquirer that answers with the handler until the test ends.
func newClient(t *testing.T, h http.HandlerFunc) *call.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c, err := call.New("x", server.URL, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Each status that says nothing of the request itself becomes an error of the right kind, and
// only Lost counts as unclear. A redirect is not followed.
func TestClient_DoOnce_readsTheStatus(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]acquiring.ErrorKind{
		301: acquiring.Lost, 307: acquiring.Lost, 408: acquiring.Lost, 401: acquiring.Denied, 403: acquiring.Denied, 429: acquiring.Busy, 500: acquiring.Lost, 502: acquiring.Lost, 504: acquiring.Lost,
	} {
		c := newClient(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
		})
		_, err := c.DoOnce(t.Context(), call.Request{Op: "x", Path: "/", JSON: struct{}{}})
		if err == nil || acquiring.KindOf(err) != want || call.IsUnclear(err) != (want == acquiring.Lost) {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// An answer of one megabyte is not read to its end; its outcome is unknown.
func TestClient_DoOnce_refusesAnEndlessAnswer(t *testing.T) {
	t.Parallel()
	c := newClient(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(strings.Repeat(" ", 1<<20)))
	})
	if _, err := c.DoOnce(t.Context(), call.Request{Op: "x", Path: "/"}); err == nil || acquiring.KindOf(err) != acquiring.Lost {
		t.Errorf("an endless answer: %v", err)
	}
}

// New accepts https, and http only to this machine.
func TestNew_refusesAnUnencryptedAddress(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]bool{
		"https://api.example/v3": true, "http://127.0.0.1:80": true, "http://localhost:8080/x": true, "http://[::1]:1": true,
		"http://api.example": false, "ftp://127.0.0.1": false, "": false, "https://": false, "https://u:p@api.example": false,
		"http://127.0.0.1.example": false, "https://api.example?x=1": false,
	} {
		if _, err := call.New("x", base, time.Second); (err == nil) != want {
			t.Errorf("%q: %v", base, err)
		}
	}
}

// The error for a connection that breaks names neither path, body, password nor address.
func TestClient_DoOnce_hidesTheRequestInErrors(t *testing.T) {
	t.Parallel()
	c := newClient(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	_, err := c.DoOnce(t.Context(), call.Request{Op: "x", Path: "/secret-path", JSON: "secret-body", Account: call.Account{User: "u", Password: "secret"}})
	if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("%v", err)
	}
}
