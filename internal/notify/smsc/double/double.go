// Package double stands in for SMSC, for tests.
package double

import (
	"net/http"
	"sync"

	"servery/internal/remote/faultinject"
)

// Server is the provider, with one account, by login and password, and by key.
type Server struct {
	faultinject.Handler

	login, password, key string

	mu      sync.Mutex
	sent    []map[string]string
	refused map[string]int
}

// New returns a provider with one account.
func New(login, password, key string) *Server {
	s := &Server{login: login, password: password, key: key, refused: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/sys/send.php", s.handleSend)
	s.Next = mux
	return s
}

// Refuse makes messages to a phone fail with an error code.
func (s *Server) Refuse(phone string, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused[phone] = code
}

// Sent returns the fields of all messages, the newest last.
func (s *Server) Sent() []map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

// Error codes of the provider.
const (
	wrongParameters = 1
	wrongLogin      = 2
)

// handleSend answers as the provider does, and records the message.
func (s *Server) handleSend(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	phone := r.FormValue("phones")
	known := r.FormValue("apikey") == s.key && s.key != "" || r.FormValue("login") == s.login && r.FormValue("psw") == s.password
	code := s.refused[phone]
	switch {
	case r.FormValue("fmt") != "3": // the answer is JSON with 3 alone
		_, _ = w.Write([]byte("OK - 1 SMS, ID - 1"))
		return
	case !known:
		code = wrongLogin
	case phone == "" || r.FormValue("mes") == "":
		code = wrongParameters
	}
	if code != 0 {
		faultinject.WriteJSON(w, http.StatusOK, map[string]any{"error": "message to " + phone + " is not possible", "error_code": code})
		return
	}
	fields := map[string]string{}
	for name := range r.Form {
		fields[name] = r.FormValue(name)
	}
	s.sent = append(s.sent, fields)
	answer := map[string]any{"id": len(s.sent), "cnt": 1}
	if r.FormValue("call") == "1" {
		answer["code"] = "280417"
	}
	faultinject.WriteJSON(w, http.StatusOK, answer)
}
