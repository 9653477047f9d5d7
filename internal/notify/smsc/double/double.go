// Package double stands in for SMSC, for tests.
package double

import (
	"net/http"
	"sync"

	"servery/internal/remote/moody"
)

// Server is the provider, with one account that it knows by login and password, and by key.
type Server struct {
	moody.Handler

	login, password, key string

	mu      sync.Mutex
	sent    []map[string]string
	refused map[string]int
}

// New makes a provider that knows one account.
func New(login, password, key string) *Server {
	s := &Server{login: login, password: password, key: key, refused: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/sys/send.php", s.send)
	s.Next = mux
	return s
}

// Refuse lets messages to a phone fail with an error code.
func (s *Server) Refuse(phone string, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused[phone] = code
}

// Sent gives the fields of what was sent, the newest last.
func (s *Server) Sent() []map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

func (s *Server) send(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	phone := r.FormValue("phones")
	known := r.FormValue("apikey") == s.key && s.key != "" || r.FormValue("login") == s.login && r.FormValue("psw") == s.password
	code := s.refused[phone]
	switch {
	case r.FormValue("fmt") != "3":
		_, _ = w.Write([]byte("OK - 1 SMS, ID - 1"))
		return
	case !known:
		code = 2
	case phone == "" || r.FormValue("mes") == "":
		code = 1
	}
	if code != 0 {
		moody.JSON(w, http.StatusOK, map[string]any{"error": "message to " + phone + " is not possible", "error_code": code})
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
	moody.JSON(w, http.StatusOK, answer)
}
