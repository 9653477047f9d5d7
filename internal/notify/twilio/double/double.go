// Package double stands in for Twilio Verify, for tests: it makes codes, sends them again, and
// accepts five attempts.
package double

import (
	"fmt"
	"net/http"
	"sync"

	"servery/internal/remote/faultinject"
)

const maxAttempts = 5 // sends, and checks, of one verification

// Error codes of the provider.
const (
	wrongAccount   = 20003
	notFound       = 20404
	badNumber      = 21211
	wrongParameter = 60200
	tooManyChecks  = 60202
	tooManySends   = 60203
)

const (
	// shortestNumber is how many characters a number has at least, with its +.
	shortestNumber = 11
	// deadNumber is the number that does not exist.
	deadNumber = "+70000000000"
)

type verification struct {
	sid, code, channel, locale string
	sends, checks              int
}

// Server is the provider with one Verify service.
type Server struct {
	faultinject.Handler

	service, account, secret string

	mu   sync.Mutex
	open map[string]*verification // by To
	made int
}

// New returns a provider with one service and one account.
func New(service, account, secret string) *Server {
	s := &Server{service: service, account: account, secret: secret, open: map[string]*verification{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v2/Services/{service}/Verifications", s.authorize(s.handleSend))
	mux.HandleFunc("POST /v2/Services/{service}/VerificationCheck", s.authorize(s.handleCheck))
	s.Next = mux
	return s
}

// LastCode returns code, channel and language of the last message to a phone.
func (s *Server) LastCode(phone string) (code, channel, locale string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.open["+"+phone]; v != nil {
		return v.code, v.channel, v.locale
	}
	return "", "", ""
}

// Expire removes the verification of a phone, as the provider does after ten minutes.
func (s *Server) Expire(phone string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, "+"+phone)
}

// refuse answers with an error code.
func refuse(w http.ResponseWriter, status, code int) {
	faultinject.WriteJSON(w, status, map[string]any{"code": code, "message": "refused", "more_info": "https://www.twilio.com/docs/errors", "status": status})
}

// authorize returns a handler that refuses another account or service, and bad numbers. It locks s.mu
// while next runs.
func (s *Server) authorize(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		user, password, _ := r.BasicAuth()
		switch to := r.FormValue("To"); {
		case user != s.account || password != s.secret:
			refuse(w, http.StatusUnauthorized, wrongAccount)
		case r.PathValue("service") != s.service:
			refuse(w, http.StatusNotFound, notFound)
		case len(to) < shortestNumber || to[0] != '+':
			refuse(w, http.StatusBadRequest, wrongParameter)
		case to == deadNumber:
			refuse(w, http.StatusBadRequest, badNumber)
		default:
			next(w, r)
		}
	}
}

// handleSend starts or repeats a verification.
func (s *Server) handleSend(w http.ResponseWriter, r *http.Request) {
	to := r.FormValue("To")
	v := s.open[to]
	if v == nil {
		s.made++
		v = &verification{sid: fmt.Sprintf("VE%032d", s.made), code: fmt.Sprintf("%04d", (s.made*3571)%10_000)}
		s.open[to] = v
	}
	if v.sends >= maxAttempts {
		refuse(w, http.StatusTooManyRequests, tooManySends)
		return
	}
	v.sends++
	v.channel, v.locale = r.FormValue("Channel"), r.FormValue("Locale")
	faultinject.WriteJSON(w, http.StatusCreated, map[string]any{"sid": v.sid, "to": to, "channel": v.channel, "status": "pending", "valid": false})
}

// handleCheck compares a code with the open verification of the number.
func (s *Server) handleCheck(w http.ResponseWriter, r *http.Request) {
	to := r.FormValue("To")
	v := s.open[to]
	switch {
	case v == nil:
		refuse(w, http.StatusNotFound, notFound)
		return
	case v.checks >= maxAttempts:
		refuse(w, http.StatusTooManyRequests, tooManyChecks)
		return
	}
	v.checks++
	status, valid := "pending", false
	if v.code == r.FormValue("Code") {
		status, valid = "approved", true
		delete(s.open, to)
	}
	faultinject.WriteJSON(w, http.StatusOK, map[string]any{"sid": v.sid, "to": to, "status": status, "valid": valid})
}
