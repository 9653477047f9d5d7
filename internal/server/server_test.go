package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	contract "servery/api"
	"servery/internal/access"
	"servery/internal/acquiring"
	"servery/internal/asset"
	"servery/internal/audit"
	"servery/internal/bonus"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/feedback"
	"servery/internal/forward"
	"servery/internal/geo"
	"servery/internal/kitchen"
	"servery/internal/lang"
	"servery/internal/limit"
	"servery/internal/login"
	"servery/internal/notify/mailbox"
	"servery/internal/order"
	"servery/internal/order/correct"
	"servery/internal/order/feed"
	"servery/internal/order/follow"
	"servery/internal/order/history"
	"servery/internal/order/message"
	"servery/internal/order/orders"
	"servery/internal/order/search"
	"servery/internal/payment/payments"
	"servery/internal/provider"
	"servery/internal/push"
	"servery/internal/queue"
	"servery/internal/server"
	"servery/internal/server/api"
	"servery/internal/server/operator"
	"servery/internal/server/precompressed"
	"servery/internal/site"
	"servery/internal/staff"
	"servery/internal/vk"
	"servery/web"
)

const operatorToken = "operator-of-the-tests"

// edge is a running server over the small restaurant of the cart's tests, and the areas that tests use directly.
type edge struct {
	*carttest.Restaurant

	server *server.TestServer
	http   *httptest.Server
	orders *orders.Service
	follow *follow.Service
	log    *journal
	queue  *queue.Queue
	// mailbox gets the codes, once the queue runs.
	mailbox *mailbox.Mailbox
	// providers may be filled by a test before its first call.
	providers provider.Book
	// delivery posts changes of sushi's orders to the till, when a test calls it.
	delivery *feed.Delivery
	till     till
}

// newEdge returns a running server on the database, without acquirers.
func newEdge(t *testing.T, d *db.DB) *edge {
	t.Helper()
	return newPayingEdge(t, d, nil)
}

// newPayingEdge returns an edge whose brands have accounts with acquirers. accounts is nil for none.
func newPayingEdge(t *testing.T, d *db.DB, accounts func(c *clock.Fake) acquiring.Accounts) *edge {
	t.Helper()
	return newEdgeWith(t, d, accounts, func(*server.Options) {})
}

// newEdgeWith returns an edge with options that change may change.
func newEdgeWith(t *testing.T, d *db.DB, accounts func(c *clock.Fake) acquiring.Accounts, change func(o *server.Options)) *edge {
	t.Helper()
	return newEdgeOver(t, carttest.New(t, d), accounts, change)
}

// newEdgeOver returns an edge over a restaurant, whose database other edges may use too.
func newEdgeOver(t *testing.T, h *carttest.Restaurant, accounts func(c *clock.Fake) acquiring.Accounts, change func(o *server.Options)) *edge {
	t.Helper()
	e, d := &edge{Restaurant: h, log: &journal{}}, h.DB
	log := slog.New(slog.NewTextHandler(e.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	q, err := queue.New(d, queue.Options{Logger: log, Poll: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	sessions := customer.NewSessions(d, e.Clock)
	e.queue, e.mailbox = q, mailbox.New(e.Clock, slog.New(slog.DiscardHandler))
	carts, addresses := carts.New(d), geo.NewAddresses(d, e.Clock)
	with := payments.Options{Log: log}
	if accounts != nil {
		with.Accounts = accounts(e.Clock)
	}
	payments := payments.New(d, q, e.Clock, with)
	pushes, err := push.New(t.Context(), push.Options{
		DB: d, Queue: q, Clock: e.Clock, Log: log, Contact: "https://example.com",
		Describe: func(context.Context, int64, lang.Lang) (push.State, error) { return push.State{}, db.ErrNotFound },
	})
	if err != nil {
		t.Fatal(err)
	}
	messages := message.New(message.Options{
		DB: d, Queue: q, Clock: e.Clock, Log: log, Senders: provider.Book{}.WithMailbox(e.mailbox),
		Address: func(*site.Site) string { return "https://sushi.example" },
		Site:    func(alias string) (*site.Site, bool) { return e.Catalog.Current().Sites.ByAlias(alias) },
	})
	e.orders = orders.New(d, carts, addresses, payments, q, e.Clock, orders.Options{Announce: func(ctx context.Context, tx *db.Tx, o order.Order, c order.Change) error {
		return errors.Join(pushes.Announce(ctx, tx, o.ID, c.ID), messages.Announce(ctx, tx, o, c))
	}})
	e.follow = follow.New(d, e.orders, e.Clock)
	assets, err := asset.New(d, e.Clock, fstest.MapFS{"entry-1.js": {Data: []byte("js")}, "entry-1.js.br": {Data: []byte("br")}})
	if err != nil {
		t.Fatal(err)
	}
	e.delivery = feed.NewDelivery(feed.DeliveryOptions{
		DB: d, Clock: e.Clock, Log: log, Sites: func() []string { return []string{"sushi"} },
		Hook:   func(site string) (forward.Sender, bool) { return &e.till, site == "sushi" },
		Encode: operator.ChangeEncoder(e.Catalog),
	})
	areas := server.Areas{Assets: assets, Finder: search.New(d, e.Clock), Feed: feed.New(d), Correct: correct.New(d, e.orders, payments), Kitchen: kitchen.New(d, e.Clock, e.Catalog), Audit: audit.NewLog(d), Tokens: access.NewTokens(d, e.Clock), Staff: staff.New(d, e.Clock), Delivery: e.delivery, Messages: messages, Areas: api.Areas{
		Catalog: e.Catalog, Sessions: sessions, Customers: customer.NewCustomers(d, e.Clock), Bonuses: bonus.New(d, e.Clock),
		Carts: carts, Addresses: addresses, Orders: e.orders, History: history.New(d, e.Clock), Follow: e.follow, Payments: payments, Feedback: newFeedback(d, q, e), Push: pushes,
		Providers: provider.Book{}.WithMailbox(e.mailbox), VK: vk.NewAccounts(d, e.Clock),
	}}
	e.providers = areas.Providers
	areas.Login = login.New(login.Options{
		DB: d, Queue: q, Clock: e.Clock, Log: log, Senders: areas.Providers, Sessions: sessions,
		Customers: areas.Customers, Secret: []byte("the secret of the tests"), Site: e.Catalog.Current().Sites.ByAlias,
	})
	options := server.Options{
		Log: log, Clock: e.Clock, Probe: func(ctx context.Context) error { return d.Probe(ctx, e.Clock.Now()) },
		OperatorToken: operatorToken, CallsPerSecond: 10_000, Limits: limit.Limits{ExportPause: 60},
		Page: server.Page{
			Manifest: web.Manifest{Entry: "/assets/entry-1.js", StartWatch: "/assets/start-watch-1.js", StaffInvitation: web.Route{
				Scripts: []string{"/assets/staff-invitation-1.js"}, Styles: []string{"/assets/staff-invitation-1.css"},
			}},
			Worker: "self.addEventListener('install', () => {});",
			Script: func() (string, error) {
				return `globalThis.renderPage = (json) => { const d = JSON.parse(json); return "<h1>" + d.page + " " + (d.city ? d.city.name : "") + "</h1>" + (d.path || ""); }`, nil
			},
		},
	}
	change(&options)
	if e.server, err = server.NewForTest(areas, options); err != nil {
		t.Fatal(err)
	}
	e.http = httptest.NewUnstartedServer(e.server)
	e.http.Listener = precompressed.WrapListener(e.http.Config, e.http.Listener)
	e.http.Start()
	t.Cleanup(e.http.Close)
	return e
}

// newFeedback returns the area of forms, which brands only store.
func newFeedback(d *db.DB, q *queue.Queue, e *edge) *feedback.Service {
	return feedback.New(feedback.Options{
		DB: d, Queue: q, Clock: e.Clock, Log: slog.New(slog.DiscardHandler), Forwarders: provider.Book{}, Senders: provider.Book{},
		Limits: limit.Limits{FormsPerSession: 5, FormsPerPhone: 5}, Site: e.Catalog.Current().Sites.ByAlias,
		Coverage: func() feedback.Coverage { return feedback.Coverage{} }, Address: func(*site.Site) string { return "" },
	})
}

// journal is a log that can be read while it is written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write adds a line.
func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(line)
}

// String returns what was logged so far.
func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// browser is one visitor: it keeps cookies, and proves that every answer is what the
// contract says.
type browser struct {
	t      *testing.T
	base   string
	client *http.Client
	header http.Header
}

// browser returns a new visitor of the server, without cookies.
func (e *edge) browser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t: t, base: e.http.URL, client: &http.Client{Jar: jar}, header: http.Header{"Accept-Language": {"en"}}}
}

type answer struct {
	status int
	header http.Header
	text   string
	json   map[string]any
}

// call makes a call and returns its answer, which must be one of the contract. A body that is not text is
// encoded as JSON; header are pairs of name and value.
func (b *browser) call(method, path string, body any, header ...string) answer {
	b.t.Helper()
	var reader io.Reader
	if body != nil {
		text, ok := body.(string)
		if !ok {
			encoded, err := json.Marshal(body)
			if err != nil {
				b.t.Fatal(err)
			}
			text = string(encoded)
		}
		reader = strings.NewReader(text)
	}
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.base+path, reader)
	if err != nil {
		b.t.Fatal(err)
	}
	for name, values := range b.header {
		req.Header[name] = values
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	res, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	a := answer{status: res.StatusCode, header: res.Header, text: string(raw)}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") && res.Header.Get("Content-Encoding") == "" && len(raw) > 0 {
		if err := json.Unmarshal(raw, &a.json); err != nil {
			b.t.Fatalf("%s %s: %v in %s", method, path, err, raw)
		}
	}
	b.expectContract(method, path, a)
	return a
}

// ok makes a call that must succeed and returns its JSON.
func (b *browser) ok(method, path string, body any, header ...string) map[string]any {
	b.t.Helper()
	a := b.call(method, path, body, header...)
	if a.status != http.StatusOK {
		b.t.Fatalf("%s %s: %d %s", method, path, a.status, a.text)
	}
	return a.json
}

// refused makes a call that must fail with the status, and returns the first reason at the field, or the
// message of the answer when field is "".
func (b *browser) refused(status int, field, method, path string, body any, header ...string) string {
	b.t.Helper()
	a := b.call(method, path, body, header...)
	if a.status != status {
		b.t.Fatalf("%s %s: %d %s, want %d", method, path, a.status, a.text, status)
	}
	if field == "" {
		message, _ := a.json["message"].(string)
		return message
	}
	fields, _ := a.json["errors"].(map[string]any)
	reasons, _ := fields[field].([]any)
	if len(reasons) == 0 {
		b.t.Fatalf("%s %s: no reason at %s in %s", method, path, field, a.text)
	}
	return reasons[0].(string)
}

var contractDoc = func() *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(contract.Contract)
	if err != nil {
		panic(err)
	}
	return doc
}()

// expectContract fails the test unless the contract names the status of the answer and describes its JSON.
func (b *browser) expectContract(method, path string, a answer) {
	b.t.Helper()
	path, _, _ = strings.Cut(path, "?")
	path = strings.TrimPrefix(path, "/api")
	for pattern, item := range contractDoc.Paths.Map() {
		op := item.GetOperation(method)
		if op == nil || !matchesPattern(pattern, path) || pattern != path && contractDoc.Paths.Value(path) != nil {
			continue
		}
		response := op.Responses.Status(a.status)
		if response == nil {
			response = op.Responses.Default()
		}
		if response == nil {
			b.t.Errorf("%s %s answered %d, which the contract does not name", method, path, a.status)
			return
		}
		if a.json == nil {
			return
		}
		if err := response.Value.Content.Get("application/json").Schema.Value.VisitJSON(map[string]any(a.json)); err != nil {
			b.t.Errorf("%s %s answered %d outside the contract: %v", method, path, a.status, err)
		}
		return
	}
}

// matchesPattern reports whether a path matches a pattern of the contract, such as /orders/{id}.
func matchesPattern(pattern, path string) bool {
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(have) {
		return false
	}
	for i := range want {
		if want[i] != have[i] && !strings.HasPrefix(want[i], "{") {
			return false
		}
	}
	return true
}

type object = map[string]any

// dig returns the value at a path of names in decoded JSON, nil when there is none.
func dig(value any, path ...string) any {
	for _, name := range path {
		fields, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = fields[name]
	}
	return value
}
