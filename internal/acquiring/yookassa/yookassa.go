// Package yookassa takes payments through YooKassa, API v3: cards and SBP on its pages,
// SberPay by a push or its page.
//
// Payments are taken at once, never held. Its callbacks are not signed, so each is read
// again through the API before anything is believed.
package yookassa

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/call"
	"servery/internal/clock"
)

// Name is what settings call this acquirer.
const Name = "yookassa"

// BaseURL is the production API; test shops use it too, with keys that begin with test_.
const BaseURL = "https://api.yookassa.ru/v3"

// SenderNetworks returns the networks from which YooKassa says that its callbacks come.
func SenderNetworks() []netip.Prefix {
	return []netip.Prefix{
		netip.MustParsePrefix("185.71.76.0/27"), netip.MustParsePrefix("185.71.77.0/27"),
		netip.MustParsePrefix("77.75.153.0/25"), netip.MustParsePrefix("77.75.154.128/25"),
		netip.MustParsePrefix("77.75.156.11/32"), netip.MustParsePrefix("77.75.156.35/32"),
		netip.MustParsePrefix("2a02:5180::/32"),
	}
}

// Config is the account of a shop.
type Config struct {
	// BaseURL is [BaseURL] or a double's.
	BaseURL string
	ShopID  string
	// SecretKey is secret.
	SecretKey string
	// Timeout bounds each request; 20 s when zero.
	Timeout time.Duration
	// Senders refuses callbacks from elsewhere before anything is asked; empty lets all
	// through. It saves work and proves nothing.
	Senders []netip.Prefix
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
		c.Timeout = 20 * time.Second
	}
	if c.ShopID == "" || c.SecretKey == "" || c.Clock == nil {
		return nil, &acquiring.Error{Acquirer: Name, Op: "settings", Kind: acquiring.Invalid, Code: "account"}
	}
	client, err := call.New(Name, c.BaseURL, c.Timeout)
	if err != nil {
		return nil, err
	}
	return &Acquirer{config: c, call: client}, nil
}

// Name returns what settings call this acquirer.
func (a *Acquirer) Name() string { return Name }

// SupportsMethod reports whether payments of the method can be started: cards on YooKassa's
// page, SBP and SberPay.
func (a *Acquirer) SupportsMethod(m acquiring.Method) bool {
	return m == acquiring.CardOnline || m == acquiring.SBP || m == acquiring.SberPay
}

// ReceiptSupport returns WithClosing: YooKassa registers all receipts.
func (a *Acquirer) ReceiptSupport() acquiring.ReceiptSupport { return acquiring.WithClosing }

// LoadSettings returns empty settings: the page needs nothing to send the customer to YooKassa.
func (a *Acquirer) LoadSettings(context.Context, acquiring.Method) (acquiring.Settings, error) {
	return acquiring.Settings{}, nil
}

// StartPayment begins the payment, once for each id, and returns the page to send the customer
// to, or that SberPay asks on the customer's phone. An outcome that is not clear is
// [acquiring.Unknown]; an error means that this call took nothing.
func (a *Acquirer) StartPayment(ctx context.Context, in acquiring.Intent) (acquiring.Next, error) {
	if err := in.Check(Name, a.SupportsMethod(in.Method), a.config.Clock.Now()); err != nil {
		return acquiring.Next{}, err
	}
	answer, err := a.callAPI(ctx, call.Request{
		Op: "start", Path: "/payments", JSON: paymentBody(in), Header: idempotenceKey(string(in.ID)),
	})
	switch {
	case call.IsUnclear(err):
		return acquiring.Next{Kind: acquiring.Unknown}, nil
	case err != nil:
		return acquiring.Next{}, err
	case !answer.OK():
		return a.readRefusal(ctx, in, answer), nil
	}
	var o object
	if answer.ReadJSON(&o) != nil || !acquiring.IsPlainRef(o.ID) || o.Metadata.PaymentID != string(in.ID) {
		return acquiring.Next{Kind: acquiring.Unknown}, nil //nolint:nilerr // an answer that cannot be read is no refusal
	}
	event, err := o.toEvent()
	if err != nil {
		return acquiring.Next{Kind: acquiring.Unknown, Ref: o.ID}, nil //nolint:nilerr // an answer that cannot be read is no refusal
	}
	if event.State != acquiring.Pending {
		return acquiring.NextOfEvent(event), nil
	}
	switch c := o.Confirmation; {
	case c.Type == "redirect" && c.URL != "":
		return acquiring.Next{Kind: acquiring.Redirect, Ref: o.ID, URL: c.URL}, nil
	case c.Type == "external":
		return acquiring.Next{Kind: acquiring.Push, Ref: o.ID}, nil
	}
	return acquiring.Next{Kind: acquiring.Unknown, Ref: o.ID}, nil
}

// readRefusal returns the outcome of a payment whose beginning was answered with a status 4xx.
// It is declined only when no earlier request under this key made a payment, since another body
// under a used key is refused as well.
func (a *Acquirer) readRefusal(ctx context.Context, in acquiring.Intent, answer call.Answer) acquiring.Next {
	var e struct {
		Code string `json:"code"`
	}
	_ = answer.ReadJSON(&e) // the status says enough
	event, err := a.QueryStatus(ctx, in.Lookup(acquiring.NoRef))
	switch {
	case err != nil:
		return acquiring.Next{Kind: acquiring.Unknown}
	case event.State == acquiring.Absent:
		return acquiring.DeclinedNext(in, acquiring.NoRef, acquiring.Refused, e.Code)
	}
	return acquiring.NextOfEvent(event)
}

// Finish3DS returns an error of kind [acquiring.Invalid]: YooKassa does 3-D Secure on its own
// pages.
func (a *Acquirer) Finish3DS(context.Context, acquiring.ThreeDSResult) (acquiring.Next, error) {
	return acquiring.Next{}, &acquiring.Error{Acquirer: Name, Op: "finish 3ds", Kind: acquiring.Invalid, Code: "method"}
}

// QueryStatus reads the payment by its reference, or by our id while that is not known. A
// payment that YooKassa does not know is [acquiring.Absent]. An answer about another payment is
// an error of kind [acquiring.Foreign]; one that cannot be read is of kind [acquiring.Lost].
func (a *Acquirer) QueryStatus(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	if which.Ref == "" {
		return a.searchByID(ctx, which)
	}
	if !acquiring.IsPlainRef(which.Ref) {
		return acquiring.Event{}, a.callError("status", acquiring.Invalid, "ref")
	}
	answer, err := a.callAPI(ctx, call.Request{Op: "status", Method: http.MethodGet, Path: "/payments/" + which.Ref})
	if err != nil {
		return acquiring.Event{}, err
	}
	if answer.Status == http.StatusNotFound {
		return acquiring.Event{Ref: which.Ref, ID: which.ID, State: acquiring.Absent}, nil
	}
	var o object
	if !answer.OK() {
		return acquiring.Event{}, answer.LostError("status")
	}
	if err := answer.ReadJSON(&o); err != nil {
		return acquiring.Event{}, err
	}
	if o.ID != which.Ref || which.ID != "" && o.Metadata.PaymentID != string(which.ID) {
		return acquiring.Event{}, a.callError("status", acquiring.Foreign, "")
	}
	return o.toEvent()
}

// searchByID finds a payment by our id. The API cannot search by that id, so searchByID reads the list
// of the payments of a day since the start, or of all payments when the start is not known. The event is [acquiring.Absent] when there is
// none. After 20 pages of the list it returns an error of kind [acquiring.Lost].
func (a *Acquirer) searchByID(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	query := url.Values{"limit": {"100"}}
	if !which.Started.IsZero() {
		// Their clock may be another.
		since := which.Started.Add(-5 * time.Minute)
		query.Set("created_at.gte", since.UTC().Format("2006-01-02T15:04:05.000Z"))
		query.Set("created_at.lte", since.Add(24*time.Hour).UTC().Format("2006-01-02T15:04:05.000Z"))
	}
	const pages = 20
	for range pages {
		answer, err := a.callAPI(ctx, call.Request{Op: "search", Method: http.MethodGet, Path: "/payments", Query: query})
		if err != nil {
			return acquiring.Event{}, err
		}
		var list struct {
			Items  *[]object `json:"items"`
			Cursor string    `json:"next_cursor"`
		}
		if answer.ReadJSON(&list) != nil || !answer.OK() || list.Items == nil {
			return acquiring.Event{}, answer.LostError("list")
		}
		for _, o := range *list.Items {
			if o.Metadata.PaymentID == string(which.ID) {
				return o.toEvent()
			}
		}
		if list.Cursor == "" {
			return acquiring.Event{ID: which.ID, State: acquiring.Absent}, nil
		}
		query.Set("cursor", list.Cursor)
	}
	return acquiring.Event{}, a.callError("search", acquiring.Lost, "too many payments")
}

// CancelPayment releases held money and returns what the payment is afterwards. A shop cannot
// cancel a pending payment, which ends by itself after an hour.
func (a *Acquirer) CancelPayment(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	event, err := a.QueryStatus(ctx, which)
	if err != nil || event.State != acquiring.Held {
		return event, err
	}
	_, err = a.callAPI(ctx, call.Request{
		Op: "cancel", Path: "/payments/" + event.Ref + "/cancel", JSON: struct{}{}, Header: idempotenceKey(string(which.ID) + "-cancel"),
	})
	if err != nil {
		return acquiring.Event{}, err
	}
	return a.QueryStatus(ctx, acquiring.Lookup{Ref: event.Ref, ID: which.ID})
}

// callAPI makes one request with the account's user and password.
func (a *Acquirer) callAPI(ctx context.Context, q call.Request) (call.Answer, error) {
	q.Account = call.Account{User: a.config.ShopID, Password: a.config.SecretKey}
	return a.call.DoOnce(ctx, q)
}

// callError returns an error of this acquirer in the operation op. code says what is at fault.
func (a *Acquirer) callError(op string, kind acquiring.ErrorKind, code string) error {
	return &acquiring.Error{Acquirer: Name, Op: op, Kind: kind, Code: code}
}

// idempotenceKey returns the header that makes a request safe to repeat: the API carries out one
// with the same key only once.
func idempotenceKey(value string) map[string]string {
	return map[string]string{"Idempotence-Key": value}
}
