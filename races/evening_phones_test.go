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

// phones are the phones of all customers. They receive from a double of the provider of messages.
type phones struct {
	*double.Server

	url string

	mu sync.Mutex
	// held is the phone whose next message gets no answer, empty for none. taken is closed when that message
	// has arrived.
	held  string
	taken chan struct{}
	// isBroken says that each message is answered with an error of the provider.
	isBroken bool
}

// newPhones starts the double of the provider, until the end of the test, and returns its phones.
func newPhones(t *testing.T) *phones {
	t.Helper()
	p := &phones{Server: double.New(phonesKey)}
	server := httptest.NewServer(http.HandlerFunc(p.handle))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

// handle takes a message. It does not answer a message to the held phone until the sender closes the connection, and
// refuses all while the provider is broken.
func (p *phones) handle(w http.ResponseWriter, r *http.Request) {
	if p.refuses() {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	if to := r.FormValue("to"); p.releaseHeld(to) {
		p.ServeHTTP(httptest.NewRecorder(), r)
		close(p.taken)
		<-r.Context().Done()
		return
	}
	p.ServeHTTP(w, r)
}

// releaseHeld reports whether the phone is held, and releases it, because a hold is for one message only.
func (p *phones) releaseHeld(phone string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if phone == "" || phone != p.held {
		return false
	}
	p.held = ""
	return true
}

// hold leaves the next message to a phone without an answer. The returned channel is closed when that message has
// arrived.
func (p *phones) hold(phone string) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held, p.taken = phone, make(chan struct{})
	return p.taken
}

// setBroken lets the provider answer each message with 500, or as usual again.
func (p *phones) setBroken(isBroken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isBroken = isBroken
}

// refuses reports whether the provider is broken.
func (p *phones) refuses() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.isBroken
}

// phrases has a text that occurs in the messages of an occasion. The text of accepted also occurs in messages that an
// order is late, so accepted is first and a later match replaces it.
var phrases = []struct{ occasion, text string }{
	{"accepted", "We have your order."},
	{"delayed", "running late"},
	{"sent", "The courier is on the way."},
	{"canceled", "The order is canceled."},
	{"refunded", "We are refunding"},
}

// occasions counts the messages to a phone by their occasion. A message of no known occasion counts under its text.
func (p *phones) occasions(phone string) map[string]int {
	counts := map[string]int{}
	for _, m := range p.Sent(phone) {
		occasion := m.Text
		for _, p := range phrases {
			if strings.Contains(m.Text, p.text) {
				occasion = p.occasion
			}
		}
		counts[occasion]++
	}
	return counts
}
