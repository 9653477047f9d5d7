// Package ozan takes cards in Turkey through Ozan, on the page that it sends the customer
// to.
//
// What is known of it comes from other programs that talk to it, not from a reference of
// its own. It is assumed that a purchase without a card leads to a page, that a purchase
// and a refund with a used referenceNo are not made again, that a payment is found by
// referenceNo, and that its status has sum and referenceNo. Try all of that with a test
// account first.
//
// Its callbacks have a checksum, which also covers what the customer's browser posts on
// the way back; each is read again through the API before anything is believed.
package ozan

import (
	"context"
	"net/http"
	"strings"
	"time"

	"servery/internal/clock"
	"servery/internal/money"
	"servery/internal/pay"
	"servery/internal/pay/call"
)

// Name is what settings call this acquirer.
const Name = "ozan"

// Addresses of the API.
const (
	BaseURL        = "https://api.ozan.com/api/v3"
	BaseURLSandbox = "https://api-sandbox.ozan.com/api/v3"
)

// Config is the account of a shop.
type Config struct {
	// BaseURL is [BaseURL], [BaseURLSandbox] or a double's.
	BaseURL string
	// APIKey and ProviderKey go with each request, SecretKey is for checksums; all are
	// secret. ProviderKey may be empty.
	APIKey, ProviderKey, SecretKey string
	// Address, City and Postcode stand for the customer's, which is not asked for.
	Address, City, Postcode string
	// Timeout bounds each request; 30 s when zero.
	Timeout time.Duration
	Clock   clock.Clock
}

// Acquirer implements [pay.Acquirer].
type Acquirer struct {
	config Config
	call   *call.Client
}

// New makes the acquirer of a shop. A missing account or an unsafe address is an error of
// kind [pay.Invalid].
func New(c Config) (*Acquirer, error) {
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	if c.APIKey == "" || c.SecretKey == "" || c.Clock == nil {
		return nil, fail("settings", pay.Invalid, "account")
	}
	client, err := call.New(Name, c.BaseURL, c.Timeout)
	if err != nil {
		return nil, err
	}
	return &Acquirer{config: c, call: client}, nil
}

// Name implements [pay.Acquirer].
func (a *Acquirer) Name() string { return Name }

// Takes implements [pay.Acquirer].
func (a *Acquirer) Takes(m pay.Method) bool { return m == pay.CardOnline }

// Receipts implements [pay.Acquirer].
func (a *Acquirer) Receipts() pay.ReceiptSupport { return pay.NoReceipts }

// Settings implements [pay.Acquirer]; the page needs nothing.
func (a *Acquirer) Settings(context.Context, pay.Method) (pay.Settings, error) {
	return pay.Settings{}, nil
}

// Start implements [pay.Acquirer]. The customer's e-mail is needed.
func (a *Acquirer) Start(ctx context.Context, in pay.Intent) (pay.Next, error) {
	if err := in.Check(Name, a.Takes(in.Method), a.config.Clock.Now()); err != nil {
		return pay.Next{}, err
	}
	if in.Customer.Email == "" {
		return pay.Next{}, fail("start", pay.Invalid, "email")
	}
	var p payment
	answer, err := a.ask(ctx, "start", "/purchase", a.purchase(in), &p)
	switch {
	case call.Unclear(err):
		return pay.Next{Kind: pay.Unknown}, nil
	case err != nil:
		return pay.Next{}, err
	case answer.OK() && pay.PlainRef(p.TransactionID) && p.waits() && p.RedirectURL != "":
		return pay.Next{Kind: pay.Redirect, Ref: p.TransactionID, URL: p.RedirectURL}, nil
	}
	// Approved or refused: the payment itself says so best.
	which := in.Lookup("")
	if answer.OK() && pay.PlainRef(p.TransactionID) {
		which.Ref = p.TransactionID
	}
	event, err := a.Status(ctx, which)
	switch {
	case err != nil:
		return pay.Next{Kind: pay.Unknown, Ref: which.Ref}, nil //nolint:nilerr // it will be polled
	case event.State == pay.Absent && !answer.OK():
		return pay.Refusal(in, "", pay.Refused, p.Code), nil
	case event.State == pay.Absent:
		return pay.Next{Kind: pay.Unknown, Ref: which.Ref}, nil
	}
	return pay.Outcome(event), nil
}

// Finish3DS implements [pay.Acquirer]. Ozan does 3-D Secure on its own pages.
func (a *Acquirer) Finish3DS(context.Context, pay.Proof) (pay.Next, error) {
	return pay.Next{}, fail("finish 3ds", pay.Invalid, "method")
}

// Status implements [pay.Acquirer].
func (a *Acquirer) Status(ctx context.Context, which pay.Lookup) (pay.Event, error) {
	body := map[string]any{"transactionId": which.Ref}
	if which.Ref == "" {
		body = map[string]any{"referenceNo": string(which.ID)}
	}
	var p payment
	answer, err := a.ask(ctx, "status", "/status", body, &p)
	switch {
	case err != nil:
		return pay.Event{}, err
	case answer.Status == http.StatusNotFound:
		return pay.Event{Ref: which.Ref, ID: which.ID, State: pay.Absent}, nil
	case !answer.OK():
		return pay.Event{}, answer.Lost(pay.CleanCode(p.Code))
	}
	event, ok := p.event()
	switch {
	case !ok:
		return pay.Event{}, answer.Lost("payment")
	case which.ID != "" && event.ID != which.ID, which.Ref != "" && event.Ref != which.Ref:
		return pay.Event{}, fail("status", pay.Foreign, "")
	}
	return event, nil
}

// Cancel implements [pay.Acquirer].
func (a *Acquirer) Cancel(ctx context.Context, which pay.Lookup) (pay.Event, error) {
	event, err := a.Status(ctx, which)
	if err != nil || event.State != pay.Pending {
		return event, err
	}
	var p payment
	if _, err := a.ask(ctx, "cancel", "/cancel", map[string]any{"transactionId": event.Ref}, &p); err != nil {
		return pay.Event{}, err
	}
	return a.Status(ctx, pay.Lookup{Ref: event.Ref, ID: which.ID})
}

// Refund implements [pay.Acquirer].
func (a *Acquirer) Refund(ctx context.Context, r pay.Refund) (pay.Refunded, error) {
	if err := r.Check(Name); err != nil {
		return pay.Refunded{}, err
	}
	var p payment
	answer, err := a.ask(ctx, "refund", "/refund", map[string]any{
		"transactionId": r.Of.Ref, "referenceNo": string(r.ID), "amount": int64(r.Sum.Amount), "currency": r.Sum.Currency.Code,
	}, &p)
	switch {
	case call.Unclear(err):
		return pay.Refunded{State: pay.RefundUnknown}, nil
	case err != nil:
		return pay.Refunded{}, err
	case !answer.OK():
		return pay.Refunded{State: pay.RefundFailed, Code: pay.CleanCode(p.Code)}, nil
	}
	switch p.Status {
	case "APPROVED", "REFUNDED":
		return pay.Refunded{State: pay.RefundDone, Ref: p.TransactionID}, nil
	case "PENDING", "WAITING":
		return pay.Refunded{State: pay.RefundPending, Ref: p.TransactionID}, nil
	case "DECLINED", "FAILED", "CANCELLED":
		return pay.Refunded{State: pay.RefundFailed, Ref: p.TransactionID, Code: pay.CleanCode(p.Code)}, nil
	}
	return pay.Refunded{State: pay.RefundUnknown}, nil
}

// ask calls the API, whose account is in the body.
func (a *Acquirer) ask(ctx context.Context, op, path string, body map[string]any, into *payment) (call.Answer, error) {
	body["apiKey"] = a.config.APIKey
	if a.config.ProviderKey != "" {
		body["providerKey"] = a.config.ProviderKey
	}
	answer, err := a.call.Do(ctx, call.Request{Op: op, Path: path, JSON: body})
	if err != nil {
		return answer, err
	}
	return answer, answer.Read(into)
}

// payment is every answer.
type payment struct {
	TransactionID string `json:"transactionId"`
	ReferenceNo   string `json:"referenceNo"`
	Status        string `json:"status"`
	Code          string `json:"code"`
	RedirectURL   string `json:"redirectUrl"`
	Amount        int64  `json:"amount"`
	Currency      string `json:"currency"`
}

func (p *payment) waits() bool { return p.Status == "PENDING" || p.Status == "WAITING" }

func (p *payment) event() (pay.Event, bool) {
	currency, err := money.ParseCurrency(p.Currency)
	if err != nil || p.Amount <= 0 || !pay.PlainRef(p.TransactionID) || p.ReferenceNo == "" {
		return pay.Event{}, false
	}
	e := pay.Event{
		Ref: p.TransactionID, ID: pay.ID(p.ReferenceNo), Sum: pay.Sum{Amount: money.Amount(p.Amount), Currency: currency},
	}
	switch p.Status {
	case "APPROVED":
		e.State = pay.Paid
	case "REFUNDED":
		e.State, e.Refunded = pay.Paid, e.Sum.Amount
	case "PENDING", "WAITING":
		e.State = pay.Pending
	case "DECLINED", "FAILED":
		e.State, e.Reason, e.Code = pay.Failed, reason(p.Code), pay.CleanCode(p.Code)
	case "CANCELLED":
		e.State, e.Reason, e.Code = pay.Failed, pay.CustomerCancelled, pay.CleanCode(p.Code)
	default:
		return pay.Event{}, false
	}
	return e, true
}

// reasons are the answers of ISO 8583, which banks give; Ozan may have words of its own.
var reasons = map[string]pay.Reason{
	"14": pay.CardNumber, "15": pay.CardNumber, "33": pay.CardExpiry, "54": pay.CardExpiry, "51": pay.InsufficientFunds,
	"82": pay.CardCode, "61": pay.LimitExceeded, "65": pay.LimitExceeded, "41": pay.Restricted, "43": pay.Restricted,
	"57": pay.Restricted, "62": pay.Restricted, "34": pay.Fraud, "59": pay.Fraud, "91": pay.BankAway, "96": pay.BankAway,
}

func reason(code string) pay.Reason {
	if r, ok := reasons[code]; ok {
		return r
	}
	return pay.BankDeclined
}

func (a *Acquirer) purchase(in pay.Intent) map[string]any {
	first, last, _ := strings.Cut(strings.TrimSpace(in.Customer.Name), " ")
	if last == "" {
		last = first
	}
	items := make([]map[string]any, 0, len(in.Receipt.Lines))
	for _, l := range in.Receipt.Lines {
		items = append(items, map[string]any{
			"name": pay.Cut(l.Name, 100), "description": pay.Cut(l.Name, 100), "category": "food", "quantity": l.Count, "unitPrice": int64(l.Unit),
		})
	}
	body := map[string]any{
		"amount": int64(in.Sum.Amount), "currency": in.Sum.Currency.Code, "referenceNo": string(in.ID), "is3d": true,
		"description": pay.Cut(in.Description, 200), "returnUrl": in.ReturnURL, "email": in.Customer.Email,
		"billingFirstName": first, "billingLastName": last, "billingPhone": in.Customer.Phone, "billingCountry": "TR",
		"billingAddress1": a.config.Address, "billingCity": a.config.City, "billingPostcode": a.config.Postcode,
		"customerIp": in.Customer.Address, "customerUserAgent": in.Customer.UserAgent,
		// The bank's guess at the browser; a page of its own knows better.
		"browserInfo": map[string]any{
			"language": in.Language, "colorDepth": 24, "screenHeight": 900, "screenWidth": 1440, "screenTZ": "-180",
			"javaEnabled": false, "acceptHeader": "*/*",
		},
	}
	if len(items) == 0 { // there has to be one
		items = []map[string]any{{
			"name": pay.Cut(in.Description, 100), "description": pay.Cut(in.Description, 100), "category": "food",
			"quantity": 1, "unitPrice": int64(in.Sum.Amount),
		}}
	}
	body["basketItems"] = items
	return body
}

func fail(op string, kind pay.ErrorKind, code string) error {
	return &pay.Error{Acquirer: Name, Op: op, Kind: kind, Code: code}
}
