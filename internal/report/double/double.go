// Package double is a server of error reports for tests: it speaks the envelopes of Sentry's protocol
// and has its faults.
package double

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"

	"servery/internal/remote/faultinject"
)

// maxLine bounds a line of an envelope, as servers do.
const maxLine = 1 << 20

const publicKey = "0123456789abcdef0123456789abcdef"

var path = regexp.MustCompile(`^/api/\d+/envelope/$`)

// Server keeps the events that it was sent. Close it after use.
type Server struct {
	*faultinject.Handler

	http *httptest.Server

	mu     sync.Mutex
	events []map[string]any
	raw    strings.Builder
	got    chan struct{}
}

// New returns a running server.
func New() *Server {
	s := &Server{got: make(chan struct{}, 1000)}
	s.Handler = &faultinject.Handler{Next: http.HandlerFunc(s.accept)}
	s.http = httptest.NewServer(s)
	return s
}

// DSN returns the address of its project.
func (s *Server) DSN() string {
	return strings.Replace(s.http.URL, "://", "://"+publicKey+"@", 1) + "/7"
}

// Close stops the server.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Got returns a channel that gets a value for each event that was accepted.
func (s *Server) Got() <-chan struct{} { return s.got }

// Events returns the events so far.
func (s *Server) Events() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]map[string]any{}, s.events...)
}

// Raw returns everything that was sent, as it came.
func (s *Server) Raw() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.raw.String()
}

// accept answers a request with an envelope, and stores the events of the envelope.
func (s *Server) accept(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || !path.MatchString(r.URL.Path) || !strings.Contains(r.Header.Get("X-Sentry-Auth"), "sentry_key="+publicKey) {
		http.Error(w, "no such project", http.StatusForbidden)
		return
	}
	lines := bufio.NewScanner(r.Body)
	lines.Buffer(nil, maxLine)
	if err := s.readItems(lines); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"id":"0"}`) // who has hung up needs no answer
}

// readItems stores the events of an envelope: a line for the envelope, then for each item a line with
// its type and one with its contents.
func (s *Server) readItems(lines *bufio.Scanner) error {
	var head struct{ Type string }
	for n := 0; lines.Scan(); n++ {
		s.mu.Lock()
		s.raw.WriteString(lines.Text() + "\n")
		s.mu.Unlock()
		switch {
		case n == 0: // of the envelope
		case head.Type == "":
			if err := json.Unmarshal(lines.Bytes(), &head); err != nil {
				return err
			}
		default:
			if err := s.storeEvent(head.Type, lines.Bytes()); err != nil {
				return err
			}
			head.Type = ""
		}
	}
	return lines.Err()
}

// storeEvent stores the contents of an item that is an event; items of other kinds are ignored.
func (s *Server) storeEvent(kind string, payload []byte) error {
	if kind != "event" {
		return nil
	}
	var event map[string]any
	if err := json.Unmarshal(payload, &event); err != nil {
		return err
	}
	s.mu.Lock()
	s.events = append(s.events, event)
	s.mu.Unlock()
	s.got <- struct{}{}
	return nil
}
