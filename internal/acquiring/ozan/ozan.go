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

	"servery/internal/acquiring"
	"servery/internal/acquiring/call"
	"servery/internal/clock"
	"servery/internal/money"
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
	if c.APIKey == "" || c.SecretKey == "" || c.Clock == nil {
		return nil, callError("settings", acquiring.Invalid, "account")
	}
	client, err := call.New(Name, c.BaseURL, c.Timeout)
	if err != nil {
		return nil, err
	}
	return &Acquirer{config: c, call: client}, nil
}

// Name returns what settings call this acquirer.
func (a *Acquirer) Name() string { return Name }

// SupportsMethod reports whether payments of the method can be started: only cards on Ozan's
// page.
func (a *Acquirer) SupportsMethod(m acquiring.Method) bool { return m == acquiring.CardOnline }

// ReceiptSupport returns NoReceipts: Ozan registers no fiscal receipts.
func (a *Acquirer) ReceiptSupport() acquiring.ReceiptSupport { return acquiring.NoReceipts }

// LoadSettings returns empty settings: the page needs nothing to send the customer to Ozan.
func (a *Acquirer) LoadSettings(context.Context, acquiring.Method) (acquiring.Settings, error) {
	return acquiring.Settings{}, nil
}

// StartPayment begins the payment, once for each id, and returns the page to send the customer
// to. The customer's email is required. When the answer has no page, the payment's own status
// decides. An outcome that is not clear is [acquiring.Unknown]; an error means that this call
// took nothing.
func (a *Acquirer) StartPayment(ctx context.Context, in acquiring.Intent) (acquiring.Next, error) {
	if err := in.Check(Name, a.SupportsMethod(in.Method), a.config.Clock.Now()); err != nil {
		return acquiring.Next{}, err
	}
	if in.Customer.Email == "" {
		return acquiring.Next{}, callError("start", acquiring.Invalid, "email")
	}
	var p payment
	answer, err := a.callAPI(ctx, "start", "/purchase", a.purchaseBody(in), &p)
	switch {
	case call.IsUnclear(err):
		return acquiring.Next{Kind: acquiring.Unknown}, nil
	case err != nil:
		return acquiring.Next{}, err
	case answer.OK() && acquiring.IsPlainRef(p.TransactionID) && p.isPending() && p.RedirectURL != "":
		return acquiring.Next{Kind: acquiring.Redirect, Ref: p.TransactionID, URL: p.RedirectURL}, nil
	}
	// Approved or refused: the payment itself says so best.
	which := in.Lookup(acquiring.NoRef) // unless the answer names the payment
	if answer.OK() && acquiring.IsPlainRef(p.TransactionID) {
		which.Ref = p.TransactionID
	}
	event, err := a.QueryStatus(ctx, which)
	switch {
	case err != nil:
		return acquiring.Next{Kind: acquiring.Unknown, Ref: which.Ref}, nil //nolint:nilerr // it will be polled
	case event.State == acquiring.Absent && !answer.OK():
		return acquiring.DeclinedNext(in, acquiring.NoRef, acquiring.Refused, p.Code), nil
	case event.State == acquiring.Absent:
		return acquiring.Next{Kind: acquiring.Unknown, Ref: which.Ref}, nil
	}
	return acquiring.NextOfEvent(event), nil
}

// Finish3DS returns an error of kind [acquiring.Invalid]: Ozan does 3-D Secure on its own pages.
func (a *Acquirer) Finish3DS(context.Context, acquiring.ThreeDSResult) (acquiring.Next, error) {
	return acquiring.Next{}, callError("finish 3ds", acquiring.Invalid, "method")
}

// QueryStatus reads the payment by its reference, or by our id while that is not known. A
// payment that Ozan does not know is [acquiring.Absent]. An answer about another payment is an
// error of kind [acquiring.Foreign]; one that cannot be read is of kind [acquiring.Lost].
func (a *Acquirer) QueryStatus(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	body := map[string]any{"transactionId": which.Ref}
	if which.Ref == "" {
		body = map[string]any{"referenceNo": string(which.ID)}
	}
	var p payment
	answer, err := a.callAPI(ctx, "status", "/status", body, &p)
	switch {
	case err != nil:
		return acquiring.Event{}, err
	case answer.Status == http.StatusNotFound:
		return acquiring.Event{Ref: which.Ref, ID: which.ID, State: acquiring.Absent}, nil
	case !answer.OK():
		return acquiring.Event{}, answer.LostError(acquiring.CleanCode(p.Code))
	}
	event, ok := p.toEvent()
	switch {
	case !ok:
		return acquiring.Event{}, answer.LostError("payment")
	case which.ID != "" && event.ID != which.ID, which.Ref != "" && event.Ref != which.Ref:
		return acquiring.Event{}, callError("status", acquiring.Foreign, "")
	}
	return event, nil
}

// CancelPayment cancels the payment if it is pending, and returns its state afterwards.
func (a *Acquirer) CancelPayment(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	event, err := a.QueryStatus(ctx, which)
	if err != nil || event.State != acquiring.Pending {
		return event, err
	}
	var p payment
	if _, err := a.callAPI(ctx, "cancel", "/cancel", map[string]any{"transactionId": event.Ref}, &p); err != nil {
		return acquiring.Event{}, err
	}
	return a.QueryStatus(ctx, acquiring.Lookup{Ref: event.Ref, ID: which.ID})
}

// RefundPayment refunds a part or all of a payment, once for each refund id. An outcome that is
// not clear is [acquiring.RefundUnknown]; an error means that this call refunded nothing.
func (a *Acquirer) RefundPayment(ctx context.Context, r acquiring.Refund) (acquiring.Refunded, error) {
	if err := r.Check(Name); err != nil {
		return acquiring.Refunded{}, err
	}
	var p payment
	answer, err := a.callAPI(ctx, "refund", "/refund", map[string]any{
		"transactionId": r.Of.Ref, "referenceNo": string(r.ID), "amount": int64(r.Sum.Amount), "currency": r.Sum.Currency.Code,
	}, &p)
	switch {
	case call.IsUnclear(err):
		return acquiring.Refunded{State: acquiring.RefundUnknown}, nil
	case err != nil:
		return acquiring.Refunded{}, err
	case !answer.OK():
		return acquiring.Refunded{State: acquiring.RefundFailed, Code: acquiring.CleanCode(p.Code)}, nil
	}
	switch p.Status {
	case "APPROVED", "REFUNDED":
		return acquiring.Refunded{State: acquiring.RefundDone, Ref: p.TransactionID}, nil
	case "PENDING", "WAITING":
		return acquiring.Refunded{State: acquiring.RefundPending, Ref: p.TransactionID}, nil
	case "DECLINED", "FAILED", "CANCELLED":
		return acquiring.Refunded{State: acquiring.RefundFailed, Ref: p.TransactionID, Code: acquiring.CleanCode(p.Code)}, nil
	}
	return acquiring.Refunded{State: acquiring.RefundUnknown}, nil
}

// callAPI makes one request, whose body it completes with the account's keys, and decodes the
// answer into target.
func (a *Acquirer) callAPI(ctx context.Context, op, path string, body map[string]any, target *payment) (call.Answer, error) {
	body["apiKey"] = a.config.APIKey
	if a.config.ProviderKey != "" {
		body["providerKey"] = a.config.ProviderKey
	}
	answer, err := a.call.DoOnce(ctx, call.Request{Op: op, Path: path, JSON: body})
	if err != nil {
		return answer, err
	}
	return answer, answer.ReadJSON(target)
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

// isPending reports whether the payment waits for the customer or the bank.
func (p *payment) isPending() bool { return p.Status == "PENDING" || p.Status == "WAITING" }

// toEvent returns the event of a payment, and false when the answer lacks something or has an
// unknown status.
func (p *payment) toEvent() (acquiring.Event, bool) {
	currency, err := money.ParseCurrency(p.Currency)
	if err != nil || p.Amount <= 0 || !acquiring.IsPlainRef(p.TransactionID) || p.ReferenceNo == "" {
		return acquiring.Event{}, false
	}
	e := acquiring.Event{
		Ref: p.TransactionID, ID: acquiring.ID(p.ReferenceNo), Sum: acquiring.Sum{Amount: money.Amount(p.Amount), Currency: currency},
	}
	switch p.Status {
	case "APPROVED":
		e.State = acquiring.Paid
	case "REFUNDED":
		e.State, e.Refunded = acquiring.Paid, e.Sum.Amount
	case "PENDING", "WAITING":
		e.State = acquiring.Pending
	case "DECLINED", "FAILED":
		e.State, e.Reason, e.Code = acquiring.Failed, reasonOf(p.Code), acquiring.CleanCode(p.Code)
	case "CANCELLED":
		e.State, e.Reason, e.Code = acquiring.Failed, acquiring.CustomerCancelled, acquiring.CleanCode(p.Code)
	default:
		return acquiring.Event{}, false
	}
	return e, true
}

// reasons are the answers of ISO 8583, which banks give; Ozan may have words of its own.
var reasons = map[string]acquiring.Reason{
	"14": acquiring.CardNumber, "15": acquiring.CardNumber, "33": acquiring.CardExpiry, "54": acquiring.CardExpiry, "51": acquiring.InsufficientFunds,
	"82": acquiring.CardCode, "61": acquiring.LimitExceeded, "65": acquiring.LimitExceeded, "41": acquiring.Restricted, "43": acquiring.Restricted,
	"57": acquiring.Restricted, "62": acquiring.Restricted, "34": acquiring.Fraud, "59": acquiring.Fraud, "91": acquiring.BankAway, "96": acquiring.BankAway,
}

// reasonOf returns the reason for a code of the acquirer, BankDeclined for an unknown one.
func reasonOf(code string) acquiring.Reason {
	if r, ok := reasons[code]; ok {
		return r
	}
	return acquiring.BankDeclined
}

// purchaseBody returns the JSON body that begins a payment. The billing address, which customers
// are not asked for, comes from the settings. Without receipt lines the basket has one item with
// the whole sum.
func (a *Acquirer) purchaseBody(in acquiring.Intent) map[string]any {
	firstName, lastName, _ := strings.Cut(strings.TrimSpace(in.Customer.Name), " ")
	if lastName == "" {
		lastName = firstName
	}
	items := make([]map[string]any, 0, len(in.Receipt.Lines))
	for _, l := range in.Receipt.Lines {
		items = append(items, map[string]any{
			"name": acquiring.CutText(l.Name, 100), "description": acquiring.CutText(l.Name, 100), "category": "food", "quantity": l.Count, "unitPrice": int64(l.Unit),
		})
	}
	body := map[string]any{
		"amount": int64(in.Sum.Amount), "currency": in.Sum.Currency.Code, "referenceNo": string(in.ID), "is3d": true,
		"description": acquiring.CutText(in.Description, 200), "returnUrl": in.ReturnURL, "email": in.Customer.Email,
		"billingFirstName": firstName, "billingLastName": lastName, "billingPhone": in.Customer.Phone, "billingCountry": "TR",
		"billingAddress1": a.config.Address, "billingCity": a.config.City, "billingPostcode": a.config.Postcode,
		"customerIp": in.Customer.Address, "customerUserAgent": in.Customer.UserAgent,
		// The fields are required. These are usual values, because our server does not know the browser.
		"browserInfo": map[string]any{
			"language": in.Language, "colorDepth": 24, "screenHeight": 900, "screenWidth": 1440, "screenTZ": "-180",
			"javaEnabled": false, "acceptHeader": "*/*",
		},
	}
	if len(items) == 0 { // there has to be one
		items = []map[string]any{{
			"name": acquiring.CutText(in.Description, 100), "description": acquiring.CutText(in.Description, 100), "category": "food",
			"quantity": 1, "unitPrice": int64(in.Sum.Amount),
		}}
	}
	body["basketItems"] = items
	return body
}

// callError returns an error of this acquirer in the operation op. code says what is at fault.
func callError(op string, kind acquiring.ErrorKind, code string) error {
	return &acquiring.Error{Acquirer: Name, Op: op, Kind: kind, Code: code}
}
