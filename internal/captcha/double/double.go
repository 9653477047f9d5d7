// Package double stands in for the captchas, for tests. Both take the token [Person] as
// often as it comes, any other that begins with it once, and nothing else.
package double

import (
	"net/http"
	"strings"
	"sync"

	"servery/internal/remote/faultinject"
)

// Person is a token that is always good.
const Person = "person"

// Server is a provider with one secret.
type Server struct {
	faultinject.Handler

	secret string

	mu        sync.Mutex
	spent     map[string]bool
	addresses []string
}

// NewTurnstile returns a double of Turnstile.
func NewTurnstile(secret string) *Server {
	s := &Server{secret: secret, spent: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /turnstile/v0/siteverify", s.handleTurnstile)
	s.Next = mux
	return s
}

// NewSmartCaptcha returns a double of SmartCaptcha.
func NewSmartCaptcha(secret string) *Server {
	s := &Server{secret: secret, spent: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/validate", s.handleSmartCaptcha)
	s.Next = mux
	return s
}

// Addresses returns the addresses of visitors that were sent, the newest last.
func (s *Server) Addresses() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addresses
}

// useToken records the use of a token by a visitor with the address. It reports whether the token is
// accepted, or else whether it was used before. A valid token can be used once; [Person] can be used any
// number of times.
func (s *Server) useToken(token, address string) (isAccepted, wasUsed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addresses = append(s.addresses, address)
	if !strings.HasPrefix(token, Person) {
		return false, false
	}
	if s.spent[token] {
		return false, true
	}
	s.spent[token] = token != Person
	return true, false
}

// handleTurnstile answers as Turnstile does.
func (s *Server) handleTurnstile(w http.ResponseWriter, r *http.Request) {
	answer := map[string]any{"success": false, "error-codes": []string{"invalid-input-response"}}
	if r.FormValue("secret") != s.secret {
		answer["error-codes"] = []string{"invalid-input-secret"}
		faultinject.WriteJSON(w, http.StatusOK, answer)
		return
	}
	switch isAccepted, wasUsed := s.useToken(r.FormValue("response"), r.FormValue("remoteip")); {
	case isAccepted:
		answer = map[string]any{"success": true, "error-codes": []string{}, "hostname": "example.com", "challenge_ts": "2026-11-21T10:00:00Z", "action": "", "cdata": ""}
	case wasUsed:
		answer["error-codes"] = []string{"timeout-or-duplicate"}
	}
	faultinject.WriteJSON(w, http.StatusOK, answer)
}

// handleSmartCaptcha answers as SmartCaptcha does.
func (s *Server) handleSmartCaptcha(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("secret") != s.secret {
		faultinject.WriteJSON(w, http.StatusForbidden, map[string]any{"status": "failed", "message": "Authentication failed. Secret has not provided."})
		return
	}
	switch isAccepted, wasUsed := s.useToken(r.FormValue("token"), r.FormValue("ip")); {
	case isAccepted:
		faultinject.WriteJSON(w, http.StatusOK, map[string]any{"status": "ok", "message": "", "host": "example.com"})
	case wasUsed:
		faultinject.WriteJSON(w, http.StatusOK, map[string]any{"status": "failed", "message": "Invalid or expired Token.", "host": ""})
	default:
		faultinject.WriteJSON(w, http.StatusOK, map[string]any{"status": "failed", "message": "Token invalid or expired.", "host": ""})
	}
}
