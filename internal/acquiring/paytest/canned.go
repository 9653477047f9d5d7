package paytest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/money"
)

// ServeCanned starts a server that returns the same answer to every request, and returns its
// address.
func ServeCanned(t *testing.T, status int, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Recorder is a server that writes down what it is asked and answers the same to all.
type Recorder struct {
	URL string

	mu   sync.Mutex
	text strings.Builder
}

// NewRecorder starts a server until the end of the test that answers every request the same and
// records method, address, body and the named headers.
func NewRecorder(t *testing.T, answer string, headers ...string) *Recorder {
	t.Helper()
	r := &Recorder{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		fmt.Fprintf(&r.text, "%s %s\n", q.Method, q.URL)
		for _, name := range headers {
			fmt.Fprintf(&r.text, "%s: %s\n", name, q.Header.Get(name))
		}
		r.text.WriteString(spreadBody(q.Header.Get("Content-Type"), body) + "\n")
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	r.URL = server.URL
	return r
}

// spreadBody returns a body over several lines, with its fields in the order of their names. A
// body that is neither a form nor JSON is returned as it is.
func spreadBody(contentType string, body []byte) string {
	if contentType == "application/x-www-form-urlencoded" {
		lines := strings.Split(string(body), "&") // encoded in the order of names
		for i, line := range lines {
			if text, err := url.QueryUnescape(line); err == nil {
				lines[i] = text
			}
		}
		return strings.Join(lines, "\n")
	}
	var value any
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return string(body)
	}
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return string(body)
	}
	return string(text)
}

// CompareGolden fails the test unless the requests so far are those of a file of testdata. It
// writes a missing file for a person to read, and fails the test.
func (r *Recorder) CompareGolden(t *testing.T, file string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	want, err := os.ReadFile(file)
	if err != nil {
		if err := os.WriteFile(file, []byte(r.text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Fatalf("%s was missing; read what was written", file)
	}
	if string(want) != r.text.String() {
		t.Errorf("%s differs; asked was:\n%s", file, r.text.String())
	}
}

// NewIntent returns an intent that has every field, in the given currency.
func NewIntent(t *testing.T, m acquiring.Method, currency string) acquiring.Intent {
	t.Helper()
	c, err := money.ParseCurrency(currency)
	if err != nil {
		t.Fatal(err)
	}
	lines := []acquiring.Line{
		{Name: "Ролл «Филадельфия» & соус", Unit: 34950, Count: 3, VAT: acquiring.VAT22},
		{Name: "Вода", Unit: 9000, Count: 2, VAT: acquiring.VAT10},
		{Name: "Доставка", Unit: 9900, Count: 1, VAT: acquiring.NoVAT, Service: true},
	}
	const total = 120001 // after a discount
	return acquiring.Intent{
		ID: "0192f0c8-order-1204", Sum: acquiring.Sum{Amount: total, Currency: c}, Method: m, Description: "Заказ 1204", Language: "ru",
		Customer:  acquiring.Customer{Phone: "79991234567", Email: "buyer@example.com", Name: "Anna Braun", Address: "203.0.113.9"},
		ReturnURL: "https://shop.example/back", FailURL: "https://shop.example/fail", CallbackURL: "https://shop.example/api/callback/x",
		TermURL: "https://shop.example/term", Started: Now, Deadline: Now.Add(10 * time.Minute), Token: "token-of-a-card",
		Receipt: acquiring.Receipt{Lines: acquiring.FitLines(lines, total), Tax: acquiring.TaxSimpleIncome, Email: "buyer@example.com", Phone: "79991234567"},
	}
}

// State is what a canned answer has to be read as; Lost is an answer that says nothing.
type State struct {
	Answer   string
	Status   int
	Want     acquiring.State
	Reason   acquiring.Reason
	Refunded money.Amount
	Lost     bool
}

// ReadStates checks what an acquirer returns as the status of a payment for each canned answer.
// build makes the acquirer for a base address.
func ReadStates(t *testing.T, which acquiring.Lookup, build func(base string) acquiring.Acquirer, states map[string]State) {
	t.Helper()
	for name, s := range states {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if s.Status == 0 {
				s.Status = http.StatusOK
			}
			e, err := build(ServeCanned(t, s.Status, s.Answer)).QueryStatus(t.Context(), which)
			switch {
			case s.Lost && (err == nil || acquiring.KindOf(err) != acquiring.Lost):
				t.Errorf("%+v, %v; want nothing to be believed", e, err)
			case !s.Lost && (err != nil || e.State != s.Want || e.Reason != s.Reason || e.Refunded != s.Refunded):
				t.Errorf("%+v, %v; want %s %s %d", e, err, s.Want, s.Reason, s.Refunded)
			}
		})
	}
}
