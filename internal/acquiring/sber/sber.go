// Package sber takes payments through Sberbank: its new gateway, which speaks JSON, and
// behind a switch the older one, which speaks forms and which other banks run too.
//
// Payments are taken at once, never held. On the bank's page a customer may try again
// after a refusal, so a refused try is [acquiring.Pending] with a reason until the session is
// over or the order is declined by [Acquirer].CancelPayment.
package sber

import (
	"context"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/call"
	"servery/internal/clock"
)

// Names are what settings call this acquirer: the new gateway and the older one.
const (
	Name       = "sber_new"
	NameLegacy = "sber"
)

// Hosts of the bank. Banks with the older gateway have hosts of their own, so it is a
// setting.
const (
	BaseURL       = "https://ecommerce.sberbank.ru"
	BaseURLLegacy = "https://securepayments.sberbank.ru"
)

// Config is the account of a shop.
type Config struct {
	// BaseURL is scheme and host of the gateway or of a double.
	BaseURL string
	// Legacy speaks to the older gateway.
	Legacy bool
	// UserName and Password are the account; the older gateway takes Token in their place.
	UserName, Password, Token string
	// CallbackKey verifies the checksum of the older gateway's callbacks; without it none
	// is accepted. The new gateway has no checksum.
	CallbackKey string
	// FormPage begins the address of the bank's page, to which the order's name is added.
	// With it the page is found again when the answer that held its address was lost.
	FormPage string
	// SBP and SberPay say what the shop has.
	SBP, SberPay bool
	// CardForm takes cards of our own form as seToken. The bank has to agree to that first:
	// the fields that it publishes take card numbers, which never come to the server.
	CardForm bool
	// PublicKey, in PEM, encrypts cards on our own form together with the verify_param.
	PublicKey string
	// Session is how long the bank's page may be used at most; 10 minutes when zero.
	Session time.Duration
	// Company is for receipts.
	Company Company
	// Timeout bounds each request; 30 s when zero.
	Timeout time.Duration
	Clock   clock.Clock
}

// Company is the shop as receipts name it.
type Company struct{ Email, INN, Site string }

// Acquirer implements [acquiring.Acquirer].
type Acquirer struct {
	config Config
	name   string
	call   *call.Client
}

// New returns the acquirer of a shop. A missing account or an unsafe address is an error of
// kind [acquiring.Invalid].
func New(c Config) (*Acquirer, error) {
	a := &Acquirer{name: Name}
	if c.Legacy {
		a.name = NameLegacy
	}
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	if c.Session == 0 {
		c.Session = 10 * time.Minute
	}
	account := c.UserName != "" && c.Password != "" || c.Legacy && c.Token != ""
	if !account || c.Clock == nil || c.CardForm && c.PublicKey == "" {
		return nil, a.callError("settings", acquiring.Invalid, "account")
	}
	client, err := call.New(a.name, c.BaseURL, c.Timeout)
	if err != nil {
		return nil, err
	}
	a.config, a.call = c, client
	return a, nil
}

// Name returns what settings call this acquirer; the two gateways have different names.
func (a *Acquirer) Name() string { return a.name }

// SupportsMethod reports whether payments of the method can be started: cards on the bank's
// page, and what the settings say that the shop has.
func (a *Acquirer) SupportsMethod(m acquiring.Method) bool {
	switch m {
	case acquiring.CardOnline:
		return true
	case acquiring.SBP:
		return a.config.SBP
	case acquiring.SberPay:
		return a.config.SberPay
	case acquiring.CardForm:
		return a.config.CardForm
	default:
		return false
	}
}

// ReceiptSupport returns WithoutClosing: receipts of payments and refunds are registered, closing
// receipts are not. The new gateway has separate calls for receipts, whose fields are not known;
// the older one takes receipts only with payments and refunds.
func (a *Acquirer) ReceiptSupport() acquiring.ReceiptSupport { return acquiring.WithoutClosing }

// LoadSettings returns what the page needs to pay by a method: for a card of our own form the
// key that encrypts it together with a verify_param.
func (a *Acquirer) LoadSettings(_ context.Context, m acquiring.Method) (acquiring.Settings, error) {
	if m != acquiring.CardForm {
		return acquiring.Settings{}, nil
	}
	return acquiring.Settings{PublicKey: a.config.PublicKey, NeedsVerify: true}, nil
}

// StartPayment registers the order, then makes the calls that the method requires, and returns
// what comes next. An order's number can be used once, so a repeated call finds the order that
// is registered. An outcome that is not clear is [acquiring.Unknown]; an error means that this
// call took nothing.
func (a *Acquirer) StartPayment(ctx context.Context, in acquiring.Intent) (acquiring.Next, error) {
	if err := in.Check(a.name, a.SupportsMethod(in.Method), a.config.Clock.Now()); err != nil {
		return acquiring.Next{}, err
	}
	if in.Method == acquiring.CardForm && in.Token != "" {
		return a.chargeCard(ctx, in)
	}
	var o registered
	err := a.callMethod(ctx, "start", "register.do", a.orderParams(in), &o)
	switch {
	case err != nil && call.IsUnclear(err):
		return acquiring.Next{Kind: acquiring.Unknown}, nil
	case err != nil:
		return acquiring.Next{}, err
	case !o.isOK():
		return a.findBegun(ctx, in, o.errorCode())
	case !acquiring.IsPlainRef(o.OrderID):
		return acquiring.Next{Kind: acquiring.Unknown}, nil
	}
	return a.startMethod(ctx, in, o)
}

// findBegun returns what comes next after the gateway refused, with the code, to register an order.
// An earlier request may have registered the order, so findBegun looks it up and continues it. The
// payment is declined only when there is no order and the gateway itself works.
func (a *Acquirer) findBegun(ctx context.Context, in acquiring.Intent, code string) (acquiring.Next, error) {
	event, err := a.QueryStatus(ctx, in.Lookup(acquiring.NoRef))
	switch {
	case err != nil:
		return acquiring.Next{Kind: acquiring.Unknown}, nil //nolint:nilerr // it will be polled
	case event.State == acquiring.Absent && code == codeSystem: // the gateway failed: it says nothing of the order
		return acquiring.Next{Kind: acquiring.Unknown}, nil
	case event.State == acquiring.Absent:
		return acquiring.DeclinedNext(in, acquiring.NoRef, acquiring.Refused, code), nil
	case event.State != acquiring.Pending || event.Reason != acquiring.NoReason: // it is over, or a card was refused
		return acquiring.NextOfEvent(event), nil
	}
	o := registered{OrderID: event.Ref}
	if a.config.FormPage != "" {
		o.FormURL = a.config.FormPage + event.Ref
	}
	return a.startMethod(ctx, in, o)
}

// startMethod makes the calls that the method requires after the order o is registered, and
// returns what comes next: the page, a link, a push, or that a card may be entered. Without an
// address to send the customer to it returns [acquiring.Unknown].
func (a *Acquirer) startMethod(ctx context.Context, in acquiring.Intent, o registered) (acquiring.Next, error) {
	unknown := acquiring.Next{Kind: acquiring.Unknown, Ref: o.OrderID}
	switch {
	case in.Method == acquiring.CardForm:
		return acquiring.Next{Kind: acquiring.Prepared, Ref: o.OrderID, VerifyParam: o.OrderID}, nil
	case in.Method == acquiring.SberPay && in.Customer.RussianPhone() != "":
		return a.pushToPhone(ctx, in, o.OrderID)
	case in.Method == acquiring.SBP && a.config.Legacy:
		return a.getQR(ctx, o.OrderID)
	case in.Method == acquiring.SBP && o.External.SBP != "":
		return acquiring.Next{Kind: acquiring.MobileLink, Ref: o.OrderID, URL: o.External.SBP, QR: o.External.SBP}, nil
	case in.Method == acquiring.SBP:
		return unknown, nil
	case o.FormURL != "":
		return acquiring.Next{Kind: acquiring.Redirect, Ref: o.OrderID, URL: o.FormURL}, nil
	}
	return unknown, nil
}

// pushToPhone makes the bank's app ask the customer to pay the order ref. It returns
// [acquiring.Unknown] when the push failed, since the order may still be paid.
func (a *Acquirer) pushToPhone(ctx context.Context, in acquiring.Intent, ref string) (acquiring.Next, error) {
	var r result
	err := a.callMethod(ctx, "push", "paymentSberPay.do", map[string]any{"orderId": ref, "phone": in.Customer.RussianPhone()}, &r)
	if err != nil || !r.isOK() {
		return acquiring.Next{Kind: acquiring.Unknown, Ref: ref}, nil //nolint:nilerr // the order stands and may be paid
	}
	return acquiring.Next{Kind: acquiring.Push, Ref: ref}, nil
}

// getQR requests from the older gateway the link and code for SBP of the order ref. It returns
// [acquiring.Unknown] when there is none, since the order may still be paid.
func (a *Acquirer) getQR(ctx context.Context, ref string) (acquiring.Next, error) {
	var r struct {
		result

		Payload string `json:"payload"`
	}
	err := a.callMethod(ctx, "qr", "sbp/c2b/qr/dynamic/get.do", map[string]any{
		"mdOrder": ref, "qrFormat": "image", "qrHeight": "300", "qrWidth": "300",
	}, &r)
	if err != nil || !r.isOK() || r.Payload == "" {
		return acquiring.Next{Kind: acquiring.Unknown, Ref: ref}, nil //nolint:nilerr // the order stands and may be paid
	}
	return acquiring.Next{Kind: acquiring.MobileLink, Ref: ref, URL: r.Payload, QR: r.Payload}, nil
}

// callError returns an error of this acquirer in the operation op. code says what is at fault.
func (a *Acquirer) callError(op string, kind acquiring.ErrorKind, code string) error {
	return &acquiring.Error{Acquirer: a.name, Op: op, Kind: kind, Code: code}
}
