package order_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/queue"
	"servery/internal/visit"
)

// desk is an acquirer in memory that does what the test says. It keeps the rules of
// [acquiring.Acquirer]: whatever is asked how often, money is taken once under an id.
type desk struct {
	mu    sync.Mutex
	clock *clock.Fake
	tries map[acquiring.ID]*tryAtDesk
	// order are the ids in the order in which they came.
	order []acquiring.ID
	// onStart, when there is one, answers in place of the desk.
	onStart func(in acquiring.Intent) (acquiring.Next, error)
	// onFinish is the outcome of 3-D Secure.
	onFinish func(proof acquiring.Proof) (acquiring.Next, error)
	// away says that Status and Cancel get no answer; stubborn that nothing can be cancelled.
	away, stubborn  bool
	statuses, ended int
	refunded        money.Amount
	refunds         []acquiring.Refund
	// verdict, when there is one, answers callbacks.
	verdict func(acquiring.Verdict) acquiring.Reply
}

type tryAtDesk struct {
	intent acquiring.Intent
	event  acquiring.Event
	starts int
}

func newDesk(c *clock.Fake) *desk { return &desk{clock: c, tries: map[acquiring.ID]*tryAtDesk{}} }

func (*desk) Name() string                  { return "desk" }
func (*desk) Takes(m acquiring.Method) bool { return m != acquiring.GooglePay }

func (*desk) Settings(context.Context, acquiring.Method) (acquiring.Settings, error) {
	return acquiring.Settings{}, nil
}

func (*desk) Receipts() acquiring.ReceiptSupport { return acquiring.NoReceipts }

// reach makes the payment known at the desk.
func (d *desk) reach(in acquiring.Intent) *tryAtDesk {
	d.mu.Lock()
	defer d.mu.Unlock()
	try, ok := d.tries[in.ID]
	if !ok {
		try = &tryAtDesk{intent: in, event: acquiring.Event{Ref: "ref-" + string(in.ID), ID: in.ID, State: acquiring.Pending, Sum: in.Sum}}
		d.tries[in.ID] = try
		d.order = append(d.order, in.ID)
	}
	try.starts++
	return try
}

func (d *desk) Start(_ context.Context, in acquiring.Intent) (acquiring.Next, error) {
	if err := in.Check("desk", d.Takes(in.Method), d.clock.Now()); err != nil {
		return acquiring.Next{}, err
	}
	if do := d.onStart; do != nil {
		return do(in)
	}
	return d.usual(in), nil
}

// usual is what the desk answers by itself: a page, a link, a push; a card is paid at once.
func (d *desk) usual(in acquiring.Intent) acquiring.Next {
	try := d.reach(in)
	next := acquiring.Next{Ref: try.event.Ref}
	switch {
	case try.event.State != acquiring.Pending:
		return acquiring.Outcome(try.event)
	case in.Method == acquiring.SBP:
		next.Kind, next.URL, next.QR = acquiring.MobileLink, "https://bank.example/"+string(in.ID), "qr"
	case in.Method == acquiring.SberPay:
		next.Kind = acquiring.Push
	case in.Token != "":
		d.pay(in.ID)
		return acquiring.Outcome(try.event)
	default:
		next.Kind, next.URL = acquiring.Redirect, "https://bank.example/"+string(in.ID)
	}
	return next
}

func (d *desk) Finish3DS(_ context.Context, p acquiring.Proof) (acquiring.Next, error) {
	return d.onFinish(p)
}

func (d *desk) Status(_ context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.statuses++
	if d.away {
		return acquiring.Event{}, &acquiring.Error{Acquirer: "desk", Op: "status", Kind: acquiring.Lost}
	}
	if try, ok := d.tries[which.ID]; ok {
		return try.event, nil
	}
	return acquiring.Event{ID: which.ID, State: acquiring.Absent}, nil
}

func (d *desk) Cancel(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	e, err := d.Status(ctx, which)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil && e.State == acquiring.Pending && !d.stubborn {
		d.ended++
		try := d.tries[which.ID]
		try.event.State, try.event.Reason = acquiring.Failed, acquiring.Withdrawn
		e = try.event
	}
	return e, err
}

func (d *desk) Refund(_ context.Context, r acquiring.Refund) (acquiring.Refunded, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := r.Check("desk"); err != nil {
		return acquiring.Refunded{}, err
	}
	d.refunds, d.refunded = append(d.refunds, r), d.refunded.Add(r.Sum.Amount)
	return acquiring.Refunded{State: acquiring.RefundDone, Ref: string(r.ID)}, nil
}

// Verify believes a callback whose header knows the word.
func (d *desk) Verify(_ context.Context, c acquiring.Callback) (acquiring.Notice, error) {
	var e acquiring.Event
	if c.Header.Get("Signature") != "word" || json.Unmarshal(c.Body, &e) != nil {
		return acquiring.Notice{}, &acquiring.Error{Acquirer: "desk", Op: "callback", Kind: acquiring.Forged}
	}
	return acquiring.NewNotice(e, d.verdict), nil
}

// pay is the customer who pays at the bank.
func (d *desk) pay(id acquiring.ID) acquiring.Event {
	d.mu.Lock()
	defer d.mu.Unlock()
	try := d.tries[id]
	try.event.State, try.event.Reason = acquiring.Paid, acquiring.NoReason
	return try.event
}

// fail is the bank that refuses for good.
func (d *desk) fail(id acquiring.ID, why acquiring.Reason) acquiring.Event {
	d.mu.Lock()
	defer d.mu.Unlock()
	try := d.tries[id]
	try.event.State, try.event.Reason = acquiring.Failed, why
	return try.event
}

// charges is how many payments took money.
func (d *desk) charges() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for _, try := range d.tries {
		if try.event.State == acquiring.Paid {
			n++
		}
	}
	return n
}

func (d *desk) last() acquiring.ID {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.order[len(d.order)-1]
}

// notify is a callback of the event.
func notify(e acquiring.Event) acquiring.Callback {
	body, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return acquiring.Callback{Method: http.MethodPost, Header: http.Header{"Signature": {"word"}}, Body: body}
}

// cashier is a house whose orders are paid at a desk.
type cashier struct {
	*house

	desk *desk
	v    visit.Context
	r    order.Request
	o    order.Order
}

// atCashier gives a visitor whose order waits to be paid by the type.
func atCashier(t *testing.T, d *db.DB, paymentType string, form bool) *cashier {
	t.Helper()
	c := &cashier{house: newHouse(t, d)}
	c.Import(t, carttest.Online(form))
	c.desk = newDesk(c.Clock)
	c.orders = c.process(t)
	c.v = c.Visitor(t, "sushi")
	c.order(t, paymentType)
	return c
}

// process gives a process of the house that knows the desk.
func (c *cashier) process(t *testing.T) *order.Service {
	t.Helper()
	return order.New(c.DB, c.carts, c.addresses, newQueue(t, c.DB), c.Clock, order.Options{
		Accounts: acquiring.Accounts{"sushi": {carttest.Account: c.desk}},
	})
}

func newQueue(t *testing.T, d *db.DB) *queue.Queue {
	t.Helper()
	q, err := queue.New(d, queue.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// order places the visitor's order.
func (c *cashier) order(t *testing.T, paymentType string) {
	t.Helper()
	c.v = c.Again(t, c.v, "sushi")
	c.r = c.takeaway(t, c.v, carttest.Pokrovka, halfPast(14))
	c.r.PaymentType = paymentType
	c.o = c.place(t, c.v, c.r)
}

func (c *cashier) request(paymentType string) order.PayRequest {
	return order.PayRequest{OrderID: c.o.ID, CacheKey: c.r.CacheKey, PaymentType: paymentType, Origin: "https://sushi.example"}
}

// pays is the visitor who begins to pay.
func (c *cashier) pays(t *testing.T, r order.PayRequest) order.Paying {
	t.Helper()
	told, err := c.orders.Pay(t.Context(), c.Again(t, c.v, "sushi"), r)
	if err != nil {
		t.Fatal(err)
	}
	return told
}

// later lets time pass, and the sweep run twice: once for what is due, once for what that left.
func (c *cashier) later(t *testing.T, d time.Duration) {
	t.Helper()
	c.Clock.Advance(d)
	for range 2 {
		if err := c.orders.Sweep(t.Context(), c.Clock.Now()); err != nil {
			t.Error(err)
		}
	}
}

// hears is a callback that comes.
func (c *cashier) hears(t *testing.T, e acquiring.Event) acquiring.Reply {
	t.Helper()
	return c.orders.Callback(t.Context(), c.v.Site, carttest.Account, notify(e))
}

func (c *cashier) want(t *testing.T, state order.State, money order.MoneyState, tries ...order.PaymentState) {
	t.Helper()
	told, err := c.orders.PayingOf(t.Context(), c.v, c.r.CacheKey)
	if err != nil {
		t.Fatal(err)
	}
	payments, err := c.orders.Payments(t.Context(), c.o.ID)
	if err != nil {
		t.Fatal(err)
	}
	var have []order.PaymentState
	for _, p := range payments {
		have = append(have, p.State)
	}
	if told.Order.State != state || told.State != money || !slices.Equal(have, tries) {
		t.Errorf("the order is %s, its money %s, its tries %v; want %s, %s, %v", told.Order.State, told.State, have, state, money, tries)
	}
}

func (c *cashier) wantLines(t *testing.T, want map[string]int) {
	t.Helper()
	q, err := c.carts.Preview(t.Context(), c.Again(t, c.v, "sushi"), carttest.Takeaway(carttest.Pokrovka))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]int{}
	for _, l := range q.Lines {
		have[l.Key] = l.Count
	}
	if len(have) != len(want) {
		t.Errorf("the cart has %v, want %v", have, want)
	}
	for key, count := range want {
		if have[key] != count {
			t.Errorf("the cart has %v, want %v", have, want)
		}
	}
}

func wantFault(t *testing.T, err error, code fault.Code, key string) *fault.Error {
	t.Helper()
	f, ok := fault.Of(err)
	if !ok || f.Code != code || f.Message.Key != key {
		t.Fatalf("%v, want %v %s", err, code, key)
	}
	return f
}
