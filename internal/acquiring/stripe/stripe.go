// Package stripe takes payments through Stripe: cards on its page, and cards and wallets
// that Stripe's script turned into a payment method on our page.
//
// Payments are taken at once, never held. Its callbacks are signed. The few calls that
// are needed are made here, by hand: no attempt is repeated unseen, and whether one may
// have been carried out is known after each.
package stripe

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/call"
	"servery/internal/clock"
)

// Name is what settings call this acquirer.
const Name = "stripe"

// BaseURL is the API, Script what Stripe's fields on our page need, Version that of the
// API whose fields are read here.
const (
	BaseURL = "https://api.stripe.com/v1"
	Script  = "https://js.stripe.com/v3/"
	Version = "2026-03-25.dahlia"
)

// Config is the account of a shop.
type Config struct {
	// BaseURL is [BaseURL] or a double's.
	BaseURL string
	// PublishableKey is public; SecretKey and WebhookSecret are secret.
	PublishableKey, SecretKey, WebhookSecret string
	// Version pins another version of the API than [Version].
	Version string
	// CardForm says that cards are entered by Stripe's script, ApplePay and GooglePay that
	// the account has these wallets on Stripe's page.
	CardForm, ApplePay, GooglePay bool
	// Timeout bounds each request; 30 s when zero.
	Timeout time.Duration
	Clock   clock.Clock
}

// Acquirer implements [acquiring.Acquirer].
type Acquirer struct {
	config Config
	call   *call.Client
}

// New returns the acquirer of a shop. A missing account or an unsafe address is an error of
// kind [acquiring.Invalid].
func New(c Config) (*Acquirer, error) {
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	if c.SecretKey == "" || c.WebhookSecret == "" || c.Clock == nil {
		return nil, callError("settings", acquiring.Invalid, "account")
	}
	if c.Version == "" {
		c.Version = Version
	}
	client, err := call.New(Name, c.BaseURL, c.Timeout)
	if err != nil {
		return nil, err
	}
	return &Acquirer{config: c, call: client}, nil
}

// Name returns what settings call this acquirer.
func (a *Acquirer) Name() string { return Name }

// SupportsMethod reports whether payments of the method can be started: cards on Stripe's page,
// and what the settings say that the account has.
func (a *Acquirer) SupportsMethod(m acquiring.Method) bool {
	switch m {
	case acquiring.CardOnline:
		return true
	case acquiring.CardForm:
		return a.config.CardForm
	case acquiring.ApplePay:
		return a.config.ApplePay
	case acquiring.GooglePay:
		return a.config.GooglePay
	default:
		return false
	}
}

// ReceiptSupport returns NoReceipts: Stripe registers no fiscal receipts.
func (a *Acquirer) ReceiptSupport() acquiring.ReceiptSupport { return acquiring.NoReceipts }

// LoadSettings returns what the page needs to pay by a method: for a card on our page Stripe's
// script and key. Wallets need nothing, because Stripe's page offers them.
func (a *Acquirer) LoadSettings(_ context.Context, m acquiring.Method) (acquiring.Settings, error) {
	if m != acquiring.CardForm {
		return acquiring.Settings{}, nil
	}
	return acquiring.Settings{PublicID: a.config.PublishableKey, Script: Script, Gateway: Name, GatewayMerchant: a.config.PublishableKey}, nil
}

// ListOrigins returns the origins of Stripe's script and API, which the page's policy has to
// allow for cards on our page. It returns none for other methods.
func (a *Acquirer) ListOrigins(m acquiring.Method) acquiring.Origins {
	if m != acquiring.CardForm || !a.SupportsMethod(m) {
		return acquiring.Origins{}
	}
	return acquiring.Origins{Scripts: acquiring.OriginOf(Script), Connections: acquiring.OriginOf(a.config.BaseURL)}
}

// StartPayment begins the payment, once for each id: it charges a token of Stripe's script, or
// opens Stripe's page for cards and for a wallet without a token. An outcome that is not clear
// is [acquiring.Unknown]; an error means that this call took nothing.
func (a *Acquirer) StartPayment(ctx context.Context, in acquiring.Intent) (acquiring.Next, error) {
	if err := in.Check(Name, a.SupportsMethod(in.Method), a.config.Clock.Now()); err != nil {
		return acquiring.Next{}, err
	}
	if !currencies[in.Sum.Currency.Code] {
		return acquiring.Next{}, callError("start", acquiring.Invalid, "currency")
	}
	if in.Method == acquiring.CardOnline || in.Method != acquiring.CardForm && in.Token == "" {
		return a.openPage(ctx, in)
	}
	if !acquiring.IsPlainRef(in.Token.Reveal()) {
		return acquiring.Next{}, callError("start", acquiring.Invalid, "token")
	}
	return a.chargeDirectly(ctx, in)
}

// openPage opens a checkout page, once for each id, and returns where to redirect the customer.
func (a *Acquirer) openPage(ctx context.Context, in acquiring.Intent) (acquiring.Next, error) {
	answer, err := a.callAPI(ctx, "start", http.MethodPost, "/checkout/sessions", checkoutForm(in), string(in.ID))
	if next, isFinal, err := a.readFailure(ctx, in, answer, err); isFinal {
		return next, err
	}
	var s session
	if answer.ReadJSON(&s) != nil {
		return acquiring.Next{Kind: acquiring.Unknown}, nil //nolint:nilerr // an answer that cannot be read is no refusal
	}
	event, err := s.toEvent()
	switch {
	case err != nil, event.ID != in.ID:
		return acquiring.Next{Kind: acquiring.Unknown}, nil //nolint:nilerr // an answer that cannot be read is no refusal
	case event.State == acquiring.Pending && s.URL != "":
		return acquiring.Next{Kind: acquiring.Redirect, Ref: s.ID, URL: s.URL}, nil
	}
	return acquiring.NextOfEvent(event), nil
}

// chargeDirectly charges the payment method that Stripe's script has made of a card or a wallet,
// once for each id, and returns the outcome or the page of 3-D Secure. A declined payment is
// canceled, so that it cannot be paid later.
func (a *Acquirer) chargeDirectly(ctx context.Context, in acquiring.Intent) (acquiring.Next, error) {
	answer, err := a.callAPI(ctx, "start", http.MethodPost, "/payment_intents", chargeForm(in), string(in.ID))
	var p intent
	if err == nil && answer.Status == http.StatusPaymentRequired {
		// A declined card: the payment is in the error.
		var e struct {
			Error struct {
				Intent intent `json:"payment_intent"`
			} `json:"error"`
		}
		if answer.ReadJSON(&e) != nil {
			return acquiring.Next{Kind: acquiring.Unknown}, nil //nolint:nilerr // an answer that cannot be read is no refusal
		}
		p = e.Error.Intent
	} else {
		if next, isFinal, err := a.readFailure(ctx, in, answer, err); isFinal {
			return next, err
		}
		if answer.ReadJSON(&p) != nil {
			return acquiring.Next{Kind: acquiring.Unknown}, nil //nolint:nilerr // an answer that cannot be read is no refusal
		}
	}
	event, err := p.toEvent()
	switch {
	case err != nil, event.ID != in.ID:
		return acquiring.Next{Kind: acquiring.Unknown}, nil //nolint:nilerr // an answer that cannot be read is no refusal
	case event.State == acquiring.Pending && event.Reason != acquiring.NoReason:
		// Close it: another try is another payment.
		closed, err := a.CancelPayment(ctx, in.Lookup(p.ID))
		if err != nil {
			return acquiring.Next{Kind: acquiring.Unknown, Ref: p.ID}, nil //nolint:nilerr // it will be polled
		}
		event = closed
	case event.State == acquiring.Pending && p.Action.Redirect.URL != "":
		return acquiring.Next{Kind: acquiring.Redirect, Ref: p.ID, URL: p.Action.Redirect.URL}, nil
	}
	return acquiring.NextOfEvent(event), nil
}

// readFailure returns what an error or a refusal of a request that begins a payment means; answer
// and err are the request's result. A refusal is final only when no earlier request under the id
// made a payment. isFinal reports that next and the returned error are the outcome. It is false for
// an answer of status 2xx, which the caller has to read.
func (a *Acquirer) readFailure(ctx context.Context, in acquiring.Intent, answer call.Answer, err error) (next acquiring.Next, isFinal bool, _ error) {
	switch {
	case call.IsUnclear(err):
		return acquiring.Next{Kind: acquiring.Unknown}, true, nil
	case err != nil:
		return acquiring.Next{}, true, err
	case answer.OK():
		return acquiring.Next{}, false, nil
	case answer.Status == http.StatusConflict:
		return acquiring.Next{Kind: acquiring.Unknown}, true, nil // the same request is being carried out
	}
	event, err := a.QueryStatus(ctx, in.Lookup(acquiring.NoRef))
	switch {
	case err != nil:
		return acquiring.Next{Kind: acquiring.Unknown}, true, nil //nolint:nilerr // it will be polled
	case event.State == acquiring.Absent:
		return acquiring.DeclinedNext(in, acquiring.NoRef, acquiring.Refused, errorCode(answer)), true, nil
	}
	return acquiring.NextOfEvent(event), true, nil
}

// Finish3DS returns an error of kind [acquiring.Invalid]: Stripe does 3-D Secure on its own
// pages.
func (a *Acquirer) Finish3DS(context.Context, acquiring.ThreeDSResult) (acquiring.Next, error) {
	return acquiring.Next{}, callError("finish 3ds", acquiring.Invalid, "method")
}

// CancelPayment expires the checkout session or cancels the payment intent when it is pending or
// held, and returns the state afterwards. When a card was refused before, a canceled payment keeps
// the reason of that refusal.
func (a *Acquirer) CancelPayment(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	event, err := a.QueryStatus(ctx, which)
	if err != nil || event.State != acquiring.Pending && event.State != acquiring.Held {
		return event, err
	}
	path := "/payment_intents/" + event.Ref + "/cancel"
	if strings.HasPrefix(event.Ref, sessionPrefix) {
		path = "/checkout/sessions/" + event.Ref + "/expire"
	}
	answer, err := a.callAPI(ctx, "cancel", http.MethodPost, path, url.Values{}, noKey)
	switch {
	case err != nil:
		return acquiring.Event{}, err
	case !answer.OK():
		return a.QueryStatus(ctx, which) // most likely it has just been paid
	}
	canceled, err := a.QueryStatus(ctx, acquiring.Lookup{Ref: event.Ref, ID: which.ID})
	if err == nil && canceled.State == acquiring.Failed && event.Reason != acquiring.NoReason {
		canceled.Reason, canceled.Code = event.Reason, event.Code
	}
	return canceled, err
}

// noKey is the idempotency key of a request that may be carried out again.
const noKey = ""

// callAPI makes one request with the account's secret key. form is the query of a GET and the
// body of a POST. idempotencyKey is noKey unless the request must be carried out once.
func (a *Acquirer) callAPI(ctx context.Context, op, method, path string, form url.Values, idempotencyKey string) (call.Answer, error) {
	q := call.Request{Op: op, Method: method, Path: path, Header: map[string]string{
		"Authorization": "Bearer " + a.config.SecretKey, "Stripe-Version": a.config.Version,
	}}
	if method == http.MethodGet {
		q.Query = form
	} else {
		q.Form = form
	}
	if idempotencyKey != "" {
		q.Header["Idempotency-Key"] = idempotencyKey
	}
	return a.call.DoOnce(ctx, q)
}

// callError returns an error of this acquirer in the operation op. code says what is at fault.
func callError(op string, kind acquiring.ErrorKind, code string) error {
	return &acquiring.Error{Acquirer: Name, Op: op, Kind: kind, Code: code}
}
