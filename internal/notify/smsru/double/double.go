// Package double stands in for SMS.RU, for tests: text messages and calls, and a list of
// what was sent.
package double

import (
	"fmt"
	"net/http"
	"regexp"
	"sync"

	"servery/internal/remote/faultinject"
)

// Sent is one message or call.
type Sent struct {
	Channel string `json:"channel"` // sms or call
	Phone   string `json:"phone"`
	Text    string `json:"text,omitempty"`
	// Code is the code of a call.
	Code string `json:"code,omitempty"`
	IP   string `json:"ip"`
	From string `json:"from,omitempty"`
}

// Server is the provider. GET /sent?phone= lists what was sent, the newest first.
type Server struct {
	faultinject.Handler

	apiID string

	mu      sync.Mutex
	sent    []Sent
	refused map[string]int
	codes   []any
}

// New returns a provider with one account.
func New(apiID string) *Server {
	s := &Server{apiID: apiID, refused: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/sms/send", s.handleSend)
	mux.HandleFunc("/code/call", s.handleCall)
	mux.HandleFunc("GET /sent", func(w http.ResponseWriter, r *http.Request) {
		faultinject.WriteJSON(w, http.StatusOK, s.Sent(r.URL.Query().Get("phone")))
	})
	s.Next = mux
	return s
}

// Refuse makes messages to a phone fail with a status code, in an answer that is OK as a whole.
func (s *Server) Refuse(phone string, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused[phone] = code
}

// SetNextCode sets the code of the next call, which is text or a number.
func (s *Server) SetNextCode(code any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes = append(s.codes, code)
}

// Sent returns the messages to a phone, the newest first; all messages for an empty phone.
func (s *Server) Sent(phone string) []Sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := []Sent{}
	for i := len(s.sent) - 1; i >= 0; i-- {
		if phone == "" || s.sent[i].Phone == phone {
			found = append(found, s.sent[i])
		}
	}
	return found
}

// badNumber is the provider's code for a number that does not exist.
const badNumber = 202

var number = regexp.MustCompile(`^[0-9]{10,15}$`)

// handleSend answers as the provider does, and records the text message.
func (s *Server) handleSend(w http.ResponseWriter, r *http.Request) {
	to, text := r.FormValue("to"), r.FormValue("msg")
	switch {
	case r.FormValue("json") != "1": // without it the answer is lines of text
		_, _ = fmt.Fprintln(w, "100")
	case r.FormValue("api_id") != s.apiID:
		faultinject.WriteJSON(w, http.StatusOK, map[string]any{"status": "ERROR", "status_code": 200, "status_text": "Неправильный api_id"})
	case text == "":
		faultinject.WriteJSON(w, http.StatusOK, map[string]any{"status": "ERROR", "status_code": 203, "status_text": "Нет текста сообщения"})
	default:
		faultinject.WriteJSON(w, http.StatusOK, map[string]any{
			"status": "OK", "status_code": 100, "balance": 4122.56,
			"sms": map[string]any{to: s.recordMessage(Sent{Channel: "sms", Phone: to, Text: text, IP: r.FormValue("ip"), From: r.FormValue("from")})},
		})
	}
}

// recordMessage records a message and returns the result for its number.
func (s *Server) recordMessage(m Sent) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	code := s.refused[m.Phone]
	if !number.MatchString(m.Phone) {
		code = badNumber
	}
	if code != 0 {
		return map[string]any{"status": "ERROR", "status_code": code, "status_text": "На номер " + m.Phone + " нельзя отправить сообщение"}
	}
	s.sent = append(s.sent, m)
	return map[string]any{"status": "OK", "status_code": 100, "sms_id": fmt.Sprintf("000000-10000%03d", len(s.sent)), "cost": "2.30"}
}

// handleCall answers as the provider does, and records the call.
func (s *Server) handleCall(w http.ResponseWriter, r *http.Request) {
	phone := r.FormValue("phone")
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case r.FormValue("api_id") != s.apiID:
		faultinject.WriteJSON(w, http.StatusOK, map[string]any{"status": "ERROR", "status_code": 200, "status_text": "Неправильный api_id"})
		return
	case !number.MatchString(phone) || s.refused[phone] != 0:
		faultinject.WriteJSON(w, http.StatusOK, map[string]any{"status": "ERROR", "status_text": "Неправильно указан номер телефона получателя " + phone})
		return
	}
	var code any = fmt.Sprintf("%04d", (len(s.sent)*2719+435)%10_000) // another one for each call
	if len(s.codes) > 0 {
		code, s.codes = s.codes[0], s.codes[1:]
	}
	s.sent = append(s.sent, Sent{Channel: "call", Phone: phone, Code: fmt.Sprint(code), IP: r.FormValue("ip")})
	faultinject.WriteJSON(w, http.StatusOK, map[string]any{
		"status": "OK", "code": code, "call_id": fmt.Sprintf("000000-2000%03d", len(s.sent)), "cost": 0.4, "balance": 4122.16,
	})
}
