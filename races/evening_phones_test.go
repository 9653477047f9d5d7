package races_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"servery/internal/notify/smsru/double"
)

const phonesKey = "phones-of-the-evening"

// phones are those of all customers, behind a double of the provider that sends to them.
type phones struct {
	*double.Server

	url string

	mu sync.Mutex
	// held is the phone whose next message arrives and is not answered, taken is closed when it has.
	held  string
	taken chan struct{}
}

// newPhones returns phones that can be sent messages to until the end of the test.
func newPhones(t *testing.T) *phones {
	t.Helper()
	p := &phones{Server: double.New(phonesKey)}
	server := httptest.NewServer(http.HandlerFunc(p.handle))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

// handle takes a message. That to the phone that is held is not answered while its sender lives.
func (p *phones) handle(w http.ResponseWriter, r *http.Request) {
	if to := r.FormValue("to"); p.letGo(to) {
		p.ServeHTTP(httptest.NewRecorder(), r)
		close(p.taken)
		<-r.Context().Done()
		return
	}
	p.ServeHTTP(w, r)
}

// letGo reports whether the phone is held, which it is for one message.
func (p *phones) letGo(phone string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if phone == "" || phone != p.held {
		return false
	}
	p.held = ""
	return true
}

// hold keeps the next message to a phone from being answered, and returns what is closed when it has arrived.
func (p *phones) hold(phone string) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held, p.taken = phone, make(chan struct{})
	return p.taken
}

// sayings are what only the messages of an occasion say. That an order is accepted a late one says too, so it
// stands first.
var sayings = []struct{ occasion, text string }{
	{"accepted", "We have your order."},
	{"delayed", "running late"},
	{"sent", "The courier is on the way."},
	{"canceled", "The order is canceled."},
	{"refunded", "We are refunding"},
}

// occasions counts the messages to a phone by their occasion. A text of none is counted under itself.
func (p *phones) occasions(phone string) map[string]int {
	counts := map[string]int{}
	for _, m := range p.Sent(phone) {
		found := m.Text
		for _, s := range sayings {
			if strings.Contains(m.Text, s.text) {
				found = s.occasion
			}
		}
		counts[found]++
	}
	return counts
}
