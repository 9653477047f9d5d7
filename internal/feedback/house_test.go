package feedback_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/feedback"
	"servery/internal/forward"
	"servery/internal/geo"
	"servery/internal/limit"
	"servery/internal/notify"
	"servery/internal/queue"
	"servery/internal/site"
	"servery/internal/visit"
)

// office is a brand's mailbox; answer is what each delivery ends with.
type office struct {
	mu     sync.Mutex
	got    []forward.Message
	answer error
}

func (*office) Name() string { return "office" }

func (o *office) Send(_ context.Context, m forward.Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.got = append(o.got, m)
	return o.answer
}

func (o *office) Forwarder(string) (forward.Sender, bool) { return o, o != nil }

func (o *office) mails() []forward.Message {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]forward.Message{}, o.got...)
}

// phones take text messages; answer is what each ends with.
type phones struct {
	mu     sync.Mutex
	got    []notify.Message
	answer error
}

func (*phones) Name() string { return "phones" }

func (p *phones) Send(_ context.Context, m notify.Message) (notify.Sent, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, m)
	return notify.Sent{}, p.answer
}

func (p *phones) Senders(string, notify.Channel) []notify.Sender { return []notify.Sender{p} }

func (p *phones) messages() []notify.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]notify.Message{}, p.got...)
}

// lines is a log that jobs write while a test reads it.
type lines struct {
	mu      sync.Mutex
	written bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written.String()
}

// desk is a brand's database with a service on it.
type desk struct {
	*carttest.Restaurant
	*feedback.Service

	office *office
	phones *phones
	queue  *queue.Queue
	log    *lines
	// covers and revision are the coverage of the content.
	covers   bool
	revision int64
}

// newDesk returns a desk; without an office forms are only stored.
func newDesk(t *testing.T, d *db.DB, o *office) *desk {
	t.Helper()
	k := &desk{Restaurant: carttest.New(t, d), office: o, phones: &phones{}, log: &lines{}, revision: 1}
	k.restart(t, d)
	return k
}

// restart replaces the queue and the service, as a new process on the same database does.
func (k *desk) restart(t *testing.T, d *db.DB) {
	t.Helper()
	q, err := queue.New(d, queue.Options{Poll: 10 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	k.queue = q
	options := feedback.Options{
		DB: d, Queue: q, Clock: k.Clock, Log: slog.New(slog.NewTextHandler(k.log, nil)), Senders: k.phones, Forwarders: noForwarders{},
		Limits: limit.Limits{FormsPerSession: 3, FormsPerPhone: 5},
		Site:   func(alias string) (*site.Site, bool) { return k.Catalog.Current().Sites.ByAlias(alias) },
		Coverage: func() feedback.Coverage {
			return feedback.Coverage{Revision: k.revision, Covers: func(string, int64, geo.Point) bool { return k.covers }}
		},
		Address: func(*site.Site) string { return "https://sushi.example" },
	}
	if k.office != nil {
		options.Forwarders = k.office
	}
	k.Service = feedback.New(options)
}

// noForwarders are the forwarders of a brand that has none.
type noForwarders struct{}

func (noForwarders) Forwarder(string) (forward.Sender, bool) { return nil, false }

// run runs the jobs until done returns true. It fails the test when that takes more than 20 seconds.
func (k *desk) run(t *testing.T, done func() bool) {
	t.Helper()
	if err := k.queue.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for !done() && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond)
	}
	if err := k.queue.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !done() {
		t.Fatal("the jobs have not done it")
	}
}

// submit checks and stores a form of a visitor.
func (k *desk) submit(t *testing.T, v visit.Context, key string, f feedback.Form) error {
	t.Helper()
	checked, err := f.Check(v.Site)
	if err != nil {
		return err
	}
	return k.Submit(t.Context(), feedback.Visitor{
		Site: v.Site, SessionID: v.SessionID, CustomerID: v.CustomerID, Lang: v.Lang, Key: key, Now: k.Clock.Now(),
	}, checked)
}

// listForms returns all stored forms, the newest first.
func (k *desk) listForms(t *testing.T) []feedback.Stored {
	t.Helper()
	page, _, err := k.List(t.Context(), feedback.Filter{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// question returns a form of Anna with the text as its message.
func question(text string) feedback.Form {
	return feedback.Form{
		Kind: feedback.Question, CityID: carttest.Moscow, Name: " Anna ", Phone: "8 916 123-45-67", IsAgreed: true,
		Fields: feedback.Fields{Email: "anna@example.com", Message: text},
	}
}

var errDown = errors.New("the server is down")

// expectLogged fails the test unless the log has the wanted text and none of the refused ones.
func expectLogged(t *testing.T, k *desk, wanted string, refused ...string) {
	t.Helper()
	if !strings.Contains(k.log.String(), wanted) {
		t.Errorf("%q is not in the log:\n%s", wanted, k.log)
	}
	for _, word := range refused {
		if strings.Contains(k.log.String(), word) {
			t.Errorf("%q is in the log:\n%s", word, k.log)
		}
	}
}
