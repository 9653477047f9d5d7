// Package double stands in for the captchas, for tests. Both take the token [Person] as
// often as it comes, any other that begins with it once, and nothing else.
package double

import (
	"net/http"
	"strings"
	"sync"

	"servery/internal/remote/moody"
)

// Person is a token that is always good.
const Person = "person"

// Server is a provider that knows one secret.
type Server struct {
	moody.Handler

	secret string

	mu    sync.Mutex
	spent map[string]bool
	asked []string // addresses
}

// NewTurnstile stands in for Turnstile.
func NewTurnstile(secret string) *Server {
	s := &Server{secret: secret, spent: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /turnstile/v0/siteverify", s.turnstile)
	s.Next = mux
	return s
}

// NewSmartCaptcha stands in for SmartCaptcha.
func NewSmartCaptcha(secret string) *Server {
	s := &Server{secret: secret, spent: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/validate", s.smart)
	s.Next = mux
	return s
}

// Asked gives the visitors' addresses that were told, the newest last.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// spend reports whether a token is good, and whether it was once.
func (s *Server) spend(token, address string) (good, before bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, address)
	if !strings.HasPrefix(token, Person) {
		return false, false
	}
	if s.spent[token] {
		return false, true
	}
	s.spent[token] = token != Person
	return true, false
}

func (s *Server) turnstile(w http.ResponseWriter, r *http.Request) {
	answer := map[string]any{"success": false, "error-codes": []string{"invalid-input-response"}}
	if r.FormValue("secret") != s.secret {
		answer["error-codes"] = []string{"invalid-input-secret"}
		moody.JSON(w, http.StatusOK, answer)
		return
	}
	switch good, before := s.spend(r.FormValue("response"), r.FormValue("remoteip")); {
	case good:
		answer = map[string]any{"success": true, "error-codes": []string{}, "hostname": "example.com", "challenge_ts": "2026-11-21T10:00:00Z", "action": "", "cdata": ""}
	case before:
		answer["error-codes"] = []string{"timeout-or-duplicate"}
	}
	moody.JSON(w, http.StatusOK, answer)
}

func (s *Server) smart(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("secret") != s.secret {
		moody.JSON(w, http.StatusForbidden, map[string]any{"status": "failed", "message": "Authentication failed. Secret has not provided."})
		return
	}
	switch good, before := s.spend(r.FormValue("token"), r.FormValue("ip")); {
	case good:
		moody.JSON(w, http.StatusOK, map[string]any{"status": "ok", "message": "", "host": "example.com"})
	case before:
		moody.JSON(w, http.StatusOK, map[string]any{"status": "failed", "message": "Invalid or expired Token.", "host": ""})
	default:
		moody.JSON(w, http.StatusOK, map[string]any{"status": "failed", "message": "Token invalid or expired.", "host": ""})
	}
}
