package ordertest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/payment"
	"servery/internal/payment/payments"
	"servery/internal/site"
	"servery/internal/visit"
)

// Desk is an acquirer in memory that does what the test sets. It keeps the contract of
// [acquiring.Acquirer]: however often it is called, money is taken once under an id.
type Desk struct {
	Mu       sync.Mutex
	Clock    *clock.Fake
	Attempts map[acquiring.ID]*DeskAttempt
	// IDs are those of the attempts, in the order in which they came.
	IDs []acquiring.ID
	// OnStart, when there is one, answers in place of the desk.
	OnStart func(in acquiring.Intent) (acquiring.Next, error)
	// OnFinish is the outcome of 3-D Secure.
	OnFinish func(result acquiring.ThreeDSResult) (acquiring.Next, error)
	// NeverAnswers says that QueryStatus and CancelPayment get no answer, NeverCancels that nothing can
	// be canceled.
	NeverAnswers, NeverCancels bool
	StatusCalls, CancelCount   int
	Refunded                   money.Amount
	Refunds                    []acquiring.Refund
	// OnVerdict, when there is one, answers callbacks.
	OnVerdict func(acquiring.Verdict) acquiring.Reply
}

// DeskAttempt is a payment at the desk.
type DeskAttempt struct {
	Intent acquiring.Intent
	Event  acquiring.Event
	Starts int
}

// NewDesk returns a desk without payments.
func NewDesk(c *clock.Fake) *Desk { return &Desk{Clock: c, Attempts: map[acquiring.ID]*DeskAttempt{}} }

// Name returns the name of the acquirer.
func (*Desk) Name() string { return "desk" }

// SupportsMethod reports that the desk supports any method but Google Pay.
func (*Desk) SupportsMethod(m acquiring.Method) bool { return m != acquiring.GooglePay }

// LoadSettings returns empty settings.
func (*Desk) LoadSettings(context.Context, acquiring.Method) (acquiring.Settings, error) {
	return acquiring.Settings{}, nil
}

// ReceiptSupport returns NoReceipts: the desk registers no receipts.
func (*Desk) ReceiptSupport() acquiring.ReceiptSupport { return acquiring.NoReceipts }

// RecordStart counts a call to start a payment and returns the payment. The first call under an
// id creates it as pending.
func (d *Desk) RecordStart(in acquiring.Intent) *DeskAttempt {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	attempt, ok := d.Attempts[in.ID]
	if !ok {
		attempt = &DeskAttempt{Intent: in, Event: acquiring.Event{Ref: "ref-" + string(in.ID), ID: in.ID, State: acquiring.Pending, Sum: in.Sum}}
		d.Attempts[in.ID] = attempt
		d.IDs = append(d.IDs, in.ID)
	}
	attempt.Starts++
	return attempt
}

// StartPayment returns the answer of OnStart, or that of DefaultAnswer when OnStart is nil. It
// returns an error for an intent that is not valid.
func (d *Desk) StartPayment(_ context.Context, in acquiring.Intent) (acquiring.Next, error) {
	if err := in.Check("desk", d.SupportsMethod(in.Method), d.Clock.Now()); err != nil {
		return acquiring.Next{}, err
	}
	if do := d.OnStart; do != nil {
		return do(in)
	}
	return d.DefaultAnswer(in), nil
}

// DefaultAnswer counts a call to start a payment and returns its answer: a page, for SBP a link,
// for SberPay a push. A card with a token is paid at once. A payment that is over is answered
// with its outcome.
func (d *Desk) DefaultAnswer(in acquiring.Intent) acquiring.Next {
	attempt := d.RecordStart(in)
	next := acquiring.Next{Ref: attempt.Event.Ref}
	switch {
	case attempt.Event.State != acquiring.Pending:
		return acquiring.NextOfEvent(attempt.Event)
	case in.Method == acquiring.SBP:
		next.Kind, next.URL, next.QR = acquiring.MobileLink, "https://bank.example/"+string(in.ID), "qr"
	case in.Method == acquiring.SberPay:
		next.Kind = acquiring.Push
	case in.Token != "":
		d.Pay(in.ID)
		return acquiring.NextOfEvent(attempt.Event)
	default:
		next.Kind, next.URL = acquiring.Redirect, "https://bank.example/"+string(in.ID)
	}
	return next
}

// Finish3DS returns the answer of OnFinish, which the test must have set.
func (d *Desk) Finish3DS(_ context.Context, p acquiring.ThreeDSResult) (acquiring.Next, error) {
	return d.OnFinish(p)
}

// QueryStatus counts the call and returns how the payment stands, Absent for an unknown one.
// With NeverAnswers it returns an error of the kind Lost.
func (d *Desk) QueryStatus(_ context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	d.StatusCalls++
	if d.NeverAnswers {
		return acquiring.Event{}, &acquiring.Error{Acquirer: "desk", Op: "status", Kind: acquiring.Lost}
	}
	if attempt, ok := d.Attempts[which.ID]; ok {
		return attempt.Event, nil
	}
	return acquiring.Event{ID: which.ID, State: acquiring.Absent}, nil
}

// CancelPayment makes a pending payment failed and counts it, unless NeverCancels is set, and
// returns how it stands. With NeverAnswers it returns an error of the kind Lost.
func (d *Desk) CancelPayment(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	e, err := d.QueryStatus(ctx, which)
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if err == nil && e.State == acquiring.Pending && !d.NeverCancels {
		d.CancelCount++
		attempt := d.Attempts[which.ID]
		attempt.Event.State, attempt.Event.Reason = acquiring.Failed, acquiring.Canceled
		e = attempt.Event
	}
	return e, err
}

// RefundPayment records the refund and returns that it is done. It returns an error for a
// request that is not valid.
func (d *Desk) RefundPayment(_ context.Context, r acquiring.Refund) (acquiring.Refunded, error) {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	if err := r.Check("desk"); err != nil {
		return acquiring.Refunded{}, err
	}
	d.Refunds, d.Refunded = append(d.Refunds, r), d.Refunded.Add(r.Sum.Amount)
	return acquiring.Refunded{State: acquiring.RefundDone, Ref: string(r.ID)}, nil
}

// VerifyCallback returns the notice of a webhook that [WebhookOf] has made, and an error of the
// kind Forged for any other.
func (d *Desk) VerifyCallback(_ context.Context, c acquiring.Callback) (acquiring.Notice, error) {
	var e acquiring.Event
	if c.Header.Get("Signature") != "word" || json.Unmarshal(c.Body, &e) != nil {
		return acquiring.Notice{}, &acquiring.Error{Acquirer: "desk", Op: "callback", Kind: acquiring.Forged}
	}
	return acquiring.NewNotice(e, d.OnVerdict), nil
}

// Pay makes the payment paid, as if the customer had paid at the bank, and returns its event.
func (d *Desk) Pay(id acquiring.ID) acquiring.Event {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	attempt := d.Attempts[id]
	attempt.Event.State, attempt.Event.Reason = acquiring.Paid, acquiring.NoReason
	return attempt.Event
}

// Fail makes the payment failed for the reason, as if the bank had refused it for good, and
// returns its event.
func (d *Desk) Fail(id acquiring.ID, why acquiring.Reason) acquiring.Event {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	attempt := d.Attempts[id]
	attempt.Event.State, attempt.Event.Reason = acquiring.Failed, why
	return attempt.Event
}

// Charges returns how many payments are paid.
func (d *Desk) Charges() int {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	n := 0
	for _, attempt := range d.Attempts {
		if attempt.Event.State == acquiring.Paid {
			n++
		}
	}
	return n
}

// LastID returns the id of the newest payment.
func (d *Desk) LastID() acquiring.ID {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return d.IDs[len(d.IDs)-1]
}

// WebhookOf returns a signed webhook with an event.
func WebhookOf(e acquiring.Event) acquiring.Callback {
	body, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return acquiring.Callback{Method: http.MethodPost, Header: http.Header{"Signature": {"word"}}, Body: body}
}

// Cashier is a restaurant whose orders are paid at a desk. Guest is its visitor, whose request Form became
// the order Placed.
type Cashier struct {
	*Restaurant

	Desk   *Desk
	Guest  visit.Context
	Form   order.Request
	Placed order.Order
}

// NewCashier returns a cashier whose visitor has an order that waits to be paid by the type.
// hasCardForm says where the city takes cards: carttest.OwnCardForm or carttest.BankPage.
func NewCashier(t *testing.T, d *db.DB, paymentType string, hasCardForm bool) *Cashier {
	t.Helper()
	c := &Cashier{Restaurant: New(t, d)}
	c.Import(t, carttest.Online(hasCardForm))
	c.Desk = NewDesk(c.Clock)
	c.Restart(t)
	c.Guest = c.Visitor(t, "sushi")
	c.PlaceOrder(t, paymentType)
	return c
}

// Restart replaces the services by those of a new process on the same database, with the desk as
// the acquirer.
func (c *Cashier) Restart(t *testing.T) {
	t.Helper()
	c.StartProcess(t, orders.Options{}, payments.Options{Accounts: acquiring.Accounts{"sushi": {carttest.Account: c.Desk}}})
}

// PlaceOrder places an order of the visitor for takeaway at half past two that is paid by the
// type, and stores it in the cashier.
func (c *Cashier) PlaceOrder(t *testing.T, paymentType string) {
	t.Helper()
	c.Guest = c.Again(t, c.Guest, "sushi")
	c.Form = c.Takeaway(t, c.Guest, carttest.Pokrovka, HalfPast(14))
	c.Form.PaymentType = paymentType
	c.Placed = c.Place(t, c.Guest, c.Form)
}

// Request returns a request to pay the visitor's order by the type.
func (c *Cashier) Request(paymentType string) payment.PayRequest {
	return payment.PayRequest{OrderID: c.Placed.ID, CacheKey: c.Form.CacheKey, PaymentType: paymentType, Origin: "https://sushi.example"}
}

// BeginPayment sends the request to pay as the visitor and returns what they see. An error ends
// the test.
func (c *Cashier) BeginPayment(t *testing.T, r payment.PayRequest) payment.View {
	t.Helper()
	shown, err := c.Payments.Pay(t.Context(), c.Again(t, c.Guest, "sushi"), r)
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

// AdvanceAndSweep advances the clock by d and sweeps twice: the second sweep finishes what the first
// one has begun.
func (c *Cashier) AdvanceAndSweep(t *testing.T, d time.Duration) {
	t.Helper()
	c.Clock.Advance(d)
	for range 2 {
		if err := c.Orders.Sweep(t.Context(), c.Clock.Now()); err != nil {
			t.Error(err)
		}
	}
}

// DeliverWebhook delivers an event of the desk as a webhook and returns the reply.
func (c *Cashier) DeliverWebhook(t *testing.T, e acquiring.Event) acquiring.Reply {
	t.Helper()
	return c.Payments.HandleWebhook(t.Context(), c.Guest.Site, carttest.Account, WebhookOf(e))
}

// WantState fails the test unless the visitor's order is in the state, its payment has the
// status, and its attempts have the given states.
func (c *Cashier) WantState(t *testing.T, state order.State, money payment.Status, attempts ...payment.AttemptState) {
	t.Helper()
	shown, err := c.Payments.FindView(t.Context(), c.Guest, c.Form.CacheKey)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := c.Payments.ListAttempts(t.Context(), c.Placed.ID)
	if err != nil {
		t.Fatal(err)
	}
	var have []payment.AttemptState
	for _, a := range stored {
		have = append(have, a.State)
	}
	if shown.Bill.OrderState != string(state) || shown.Status != money || !slices.Equal(have, attempts) {
		t.Errorf("the order is %s, its money %s, its attempts %v; want %s, %s, %v", shown.Bill.OrderState, shown.Status, have, state, money, attempts)
	}
}

// WantLines fails the test unless the visitor's cart has exactly these portions by line key.
func (c *Cashier) WantLines(t *testing.T, want map[string]int) {
	t.Helper()
	q, err := c.Carts.Preview(t.Context(), c.Again(t, c.Guest, "sushi"), carttest.Takeaway(carttest.Pokrovka))
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

// WantFault ends the test unless err is a fault of the code and key. It returns the fault.
func WantFault(t *testing.T, err error, code fault.Code, key string) *fault.Error {
	t.Helper()
	f, ok := fault.Of(err)
	if !ok || f.Code != code || f.Message.Key != key {
		t.Fatalf("%v, want %v %s", err, code, key)
	}
	return f
}

// NewCashierWithOffers returns a cashier without an order, for a brand with offers and a bonus
// programme whose orders are paid online.
func NewCashierWithOffers(t *testing.T, d *db.DB) *Cashier {
	t.Helper()
	c := &Cashier{Restaurant: New(t, d)}
	files := carttest.Online(carttest.BankPage)
	files["sushi/brand.yaml"] += "bonus_programme: {percent: \"5\"}\n"
	for name, text := range Offers {
		files[name] = text
	}
	c.Import(t, files)
	c.Desk = NewDesk(c.Clock)
	c.Restart(t)
	return c
}

// LoadCart returns the visitor's cart for takeaway in Moscow, as they see it when they come
// back.
func (c *Cashier) LoadCart(t *testing.T, v visit.Context) cart.Quoted {
	t.Helper()
	q, err := c.Carts.Load(t.Context(), c.Again(t, v, "sushi"), cart.PlaceRequest{CityID: carttest.Moscow, OrderType: site.Takeaway}, carttest.SameInterval)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// PlaceUnpaid places an order that is paid online, which then waits for its payment.
func (c *Cashier) PlaceUnpaid(t *testing.T, v visit.Context, r order.Request) order.Order {
	t.Helper()
	r.PaymentType = site.SBP
	o := c.Place(t, v, r)
	if o.State != order.WaitingForPayment {
		t.Fatalf("the order is %s", o.State)
	}
	return o
}

// BeginAgain begins another checkout of the visitor's cart. It returns r with the key of that
// checkout and with the total and fingerprint of q.
func (c *Cashier) BeginAgain(t *testing.T, v visit.Context, r order.Request, q cart.Quoted) order.Request {
	t.Helper()
	checkout, err := c.Orders.Begin(t.Context(), v, carttest.Takeaway(r.ShopID))
	if err != nil {
		t.Fatal(err)
	}
	r.CacheKey = checkout.Key
	return Agree(r, q)
}
