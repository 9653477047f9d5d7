// Package cardform takes cards that are entered on our own page and encrypted there, in
// the way of CloudPayments: a cryptogram, 3-D Secure with the fields of version 1, and
// links to pay by SBP and SberPay.
//
// Payments are taken at once, never held. Its callbacks are signed.
package cardform

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/call"
	"servery/internal/clock"
)

// Name is what settings call this acquirer.
const Name = "cardform"

// BaseURL is the production API, Script what encrypts cards on the page. The script has to
// come from there.
const (
	BaseURL = "https://api.cloudpayments.ru"
	Script  = "https://checkout.cloudpayments.ru/checkout.js"
)

// Config is the account of a shop.
type Config struct {
	// BaseURL is [BaseURL] or a double's. Script is [Script] or a double's; with none, the
	// page encrypts by itself and is given the key.
	BaseURL, Script string
	// PublicID is public; APISecret is secret, signs callbacks too.
	PublicID, APISecret string
	// Timeout bounds each request; a minute when zero. The API may need longer, which is
	// then an unknown outcome like any other.
	Timeout time.Duration
	// SBP and SberPay say that the shop has them.
	SBP, SberPay bool
	Clock        clock.Clock
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
		c.Timeout = time.Minute
	}
	if c.PublicID == "" || c.APISecret == "" || c.Clock == nil {
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

// SupportsMethod reports whether payments of the method can be started: a card on our form, and
// SBP and SberPay where the account has them.
func (a *Acquirer) SupportsMethod(m acquiring.Method) bool {
	return m == acquiring.CardForm || m == acquiring.SBP && a.config.SBP || m == acquiring.SberPay && a.config.SberPay
}

// ReceiptSupport returns WithoutClosing: receipts of payments and refunds are registered, closing
// receipts are not. CloudKassir has a call for receipts apart from payments, but its answers and
// its idempotency are not known.
func (a *Acquirer) ReceiptSupport() acquiring.ReceiptSupport { return acquiring.WithoutClosing }

// LoadSettings returns what the page needs to pay by a method. For a card without a configured
// script it reads the public key through the API. The key seldom changes, so callers should
// cache it.
func (a *Acquirer) LoadSettings(ctx context.Context, m acquiring.Method) (acquiring.Settings, error) {
	s := acquiring.Settings{PublicID: a.config.PublicID}
	if m != acquiring.CardForm {
		return s, nil
	}
	if s.Script = a.config.Script; s.Script != "" {
		return s, nil
	}
	answer, err := a.callAPI(ctx, call.Request{Op: "public key", Method: http.MethodGet, Path: "/payments/publickey"})
	if err != nil {
		return acquiring.Settings{}, err
	}
	var key struct {
		Pem     string `json:"Pem"`
		Version int    `json:"Version"`
	}
	if err := answer.ReadJSON(&key); err != nil {
		return acquiring.Settings{}, err
	}
	s.PublicKey, s.KeyVersion = key.Pem, strconv.Itoa(key.Version)
	return s, nil
}

// ListOrigins returns the origins of the script that encrypts cards and of the API, which the
// page's policy has to allow. It returns none for other methods and without a script.
func (a *Acquirer) ListOrigins(m acquiring.Method) acquiring.Origins {
	if m != acquiring.CardForm || a.config.Script == "" {
		return acquiring.Origins{}
	}
	return acquiring.Origins{Scripts: acquiring.OriginOf(a.config.Script), Connections: acquiring.OriginOf(a.config.BaseURL)}
}

// StartPayment begins the payment, once for each id: a card is charged at once, unless its bank
// requires 3-D Secure; SBP and SberPay return a link. An outcome that is not clear is
// [acquiring.Unknown]. An error means that this call took nothing.
func (a *Acquirer) StartPayment(ctx context.Context, in acquiring.Intent) (acquiring.Next, error) {
	if err := in.Check(Name, a.SupportsMethod(in.Method), a.config.Clock.Now()); err != nil {
		return acquiring.Next{}, err
	}
	path, body := "/payments/cards/charge", a.chargeBody(in)
	switch in.Method {
	case acquiring.CardForm:
		if in.Token == "" || in.Customer.Address == "" {
			return acquiring.Next{}, a.callError("start", acquiring.Invalid, "cryptogram")
		}
	case acquiring.SBP:
		path, body = "/payments/qr/sbp/link", a.linkBody(in)
	default:
		path, body = "/payments/qr/sberpay/link", a.linkBody(in)
	}
	answer, err := a.callAPI(ctx, call.Request{Op: "start", Path: path, JSON: body, Header: requestID(in.ID)})
	switch {
	case call.IsUnclear(err):
		return acquiring.Next{Kind: acquiring.Unknown}, nil
	case err != nil:
		return acquiring.Next{}, err
	}
	var e envelope
	if answer.ReadJSON(&e) != nil || e.Success == nil {
		return acquiring.Next{Kind: acquiring.Unknown}, nil //nolint:nilerr // an answer that cannot be read is no refusal
	}
	if e.Model == nil {
		return a.readRefusal(ctx, in)
	}
	if in.Method != acquiring.CardForm {
		return e.readLink(in), nil
	}
	return e.readCharge(in), nil
}

// readRefusal returns what an answer without a payment means, such as the answer to a cryptogram
// that cannot be read. It queries the payment: the answer is a refusal only when no earlier
// request under this id made a payment. A cryptogram can be used once, so a repeated request is
// refused even when the first one succeeded.
func (a *Acquirer) readRefusal(ctx context.Context, in acquiring.Intent) (acquiring.Next, error) {
	event, err := a.QueryStatus(ctx, in.Lookup(acquiring.NoRef))
	switch {
	case err != nil:
		return acquiring.Next{Kind: acquiring.Unknown}, nil //nolint:nilerr // it will be polled
	case event.State == acquiring.Absent:
		return acquiring.DeclinedNext(in, acquiring.NoRef, acquiring.Refused, "request"), nil
	}
	return acquiring.NextOfEvent(event), nil
}

// Finish3DS submits the result of the bank's page and returns the outcome of the payment. A
// result can be used once. For a payment that is paid or failed already, Finish3DS submits
// nothing. It returns an error of kind [acquiring.Foreign] for a result of another payment, and of
// kind [acquiring.Unsent] when the payment could not be read before: the result is still good.
func (a *Acquirer) Finish3DS(ctx context.Context, proof acquiring.ThreeDSResult) (acquiring.Next, error) {
	number, err := strconv.ParseInt(proof.Ref, 10, 64)
	if err != nil || number <= 0 || proof.PaRes == "" {
		return acquiring.Next{}, a.callError("finish 3ds", acquiring.Invalid, "proof")
	}
	// The number comes from a form in the customer's browser: first see whose it is.
	event, err := a.QueryStatus(ctx, proof.Lookup)
	switch {
	case err != nil && acquiring.KindOf(err) == acquiring.Foreign:
		return acquiring.Next{}, err
	case err != nil: // the result was not sent, so it is still good
		return acquiring.Next{}, a.callError("finish 3ds", acquiring.Unsent, "status")
	case event.State == acquiring.Absent:
		return acquiring.Next{}, a.callError("finish 3ds", acquiring.Foreign, "")
	case event.State == acquiring.Paid, event.State == acquiring.Failed:
		return acquiring.NextOfEvent(event), nil
	}
	answer, err := a.callAPI(ctx, call.Request{
		Op: "finish 3ds", Path: "/payments/cards/post3ds",
		JSON: map[string]any{"TransactionId": number, "PaRes": proof.PaRes.Reveal()},
	})
	switch {
	case call.IsUnclear(err):
		return acquiring.Next{Kind: acquiring.Unknown, Ref: proof.Ref}, nil
	case err != nil:
		return acquiring.Next{}, err
	}
	var e envelope
	if answer.ReadJSON(&e) != nil || e.Success == nil || e.Model == nil || e.Model.transactionRef() != proof.Ref {
		return acquiring.Next{Kind: acquiring.Unknown, Ref: proof.Ref}, nil //nolint:nilerr // it may have been charged
	}
	return acquiring.NextOfEvent(e.Model.toEvent(proof.ID)), nil
}

// QueryStatus reads the payment by its reference, or by our id while that is not known. A
// payment that the acquirer does not know is [acquiring.Absent]. An answer about another payment
// is an error of kind [acquiring.Foreign]; one that cannot be read is of kind [acquiring.Lost].
func (a *Acquirer) QueryStatus(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	q := call.Request{Op: "status", Path: "/payments/find", JSON: map[string]any{"InvoiceId": string(which.ID)}}
	if which.Ref != "" {
		number, err := strconv.ParseInt(which.Ref, 10, 64)
		if err != nil {
			return acquiring.Event{}, a.callError("status", acquiring.Invalid, "ref")
		}
		q.Path, q.JSON = "/payments/get", map[string]any{"TransactionId": number}
	}
	answer, err := a.callAPI(ctx, q)
	if err != nil {
		return acquiring.Event{}, err
	}
	var e envelope
	if err := answer.ReadJSON(&e); err != nil {
		return acquiring.Event{}, err
	}
	switch {
	case e.Model != nil:
		const noOtherID = "" // the answer itself has to name the payment
		event := e.Model.toEvent(noOtherID)
		if event.State == acquiring.Absent {
			return acquiring.Event{}, answer.LostError("payment")
		}
		if event.ID != which.ID || which.Ref != "" && event.Ref != which.Ref {
			return acquiring.Event{}, a.callError("status", acquiring.Foreign, "")
		}
		return event, nil
	case e.Success != nil && !*e.Success && e.Message == "Not found":
		return acquiring.Event{Ref: which.Ref, ID: which.ID, State: acquiring.Absent}, nil
	}
	return acquiring.Event{}, answer.LostError("payment")
}

// CancelPayment releases held money and returns what the payment is afterwards. Nothing else can
// be canceled: a link ends at the deadline, and 3-D Secure that is never finished takes nothing.
func (a *Acquirer) CancelPayment(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	event, err := a.QueryStatus(ctx, which)
	if err != nil || event.State != acquiring.Held {
		return event, err
	}
	number, err := strconv.ParseInt(event.Ref, 10, 64)
	if err != nil {
		return acquiring.Event{}, a.callError("cancel", acquiring.Lost, "ref")
	}
	if _, err := a.callAPI(ctx, call.Request{
		Op: "cancel", Path: "/payments/void", JSON: map[string]any{"TransactionId": number}, Header: requestID(which.ID + "-void"),
	}); err != nil {
		return acquiring.Event{}, err
	}
	return a.QueryStatus(ctx, acquiring.Lookup{Ref: event.Ref, ID: which.ID})
}

// repeatLimit is how old a refund may be when it is sent again: the API forgets its id an hour after
// the first request.
const repeatLimit = 50 * time.Minute

// RefundPayment refunds a part or all of a payment, once for each refund id. An outcome that is
// not clear is [acquiring.RefundUnknown]; an error means that this call refunded nothing. A refund
// that is older than repeatLimit is not sent again; see findRefund.
func (a *Acquirer) RefundPayment(ctx context.Context, r acquiring.Refund) (acquiring.Refunded, error) {
	if err := r.Check(Name); err != nil {
		return acquiring.Refunded{}, err
	}
	number, err := strconv.ParseInt(r.Of.Ref, 10, 64)
	if err != nil {
		return acquiring.Refunded{}, a.callError("refund", acquiring.Invalid, "ref")
	}
	if r.IsOlderThan(repeatLimit, a.config.Clock.Now()) {
		return a.findRefund(ctx, r, number)
	}
	body := map[string]any{"TransactionId": number, "Amount": toDecimal(r.Sum.Amount)}
	if len(r.Receipt.Lines) > 0 {
		body["JsonData"] = receiptBody(r.Receipt)
	}
	answer, err := a.callAPI(ctx, call.Request{Op: "refund", Path: "/payments/refund", JSON: body, Header: requestID(r.ID)})
	switch {
	case call.IsUnclear(err):
		return acquiring.Refunded{State: acquiring.RefundUnknown}, nil
	case err != nil:
		return acquiring.Refunded{}, err
	}
	var e envelope
	switch {
	case answer.ReadJSON(&e) != nil || e.Success == nil:
		return acquiring.Refunded{State: acquiring.RefundUnknown}, nil //nolint:nilerr // it may have been made
	case !*e.Success:
		return acquiring.Refunded{State: acquiring.RefundFailed, Code: "refused"}, nil
	case e.Model == nil || e.Model.TransactionID <= 0:
		return acquiring.Refunded{State: acquiring.RefundUnknown}, nil
	}
	return acquiring.Refunded{State: acquiring.RefundDone, Ref: e.Model.transactionRef()}, nil
}

// findRefund asks for the newest transaction of a payment and returns that the refund is done when it is
// a refund of that sum and none of the earlier ones. Otherwise whether it was made is not known, which
// is an error of kind [acquiring.Late]. paymentNumber is the payment's.
func (a *Acquirer) findRefund(ctx context.Context, r acquiring.Refund, paymentNumber int64) (acquiring.Refunded, error) {
	late := a.callError("refund", acquiring.Late, "request_id")
	if r.Before > 0 && len(r.Earlier) == 0 {
		return acquiring.Refunded{}, late // an earlier one may be mistaken for it
	}
	answer, err := a.callAPI(ctx, call.Request{Op: "find refund", Path: "/v2/payments/find", JSON: map[string]any{"InvoiceId": string(r.Of.ID)}})
	if err != nil {
		return acquiring.Refunded{}, err
	}
	var newest struct{ Model *transaction }
	if err := answer.ReadJSON(&newest); err != nil {
		return acquiring.Refunded{}, err
	}
	if newest.Model == nil || !newest.Model.isRefund(paymentNumber, r.Sum) || slices.Contains(r.Earlier, newest.Model.transactionRef()) {
		return acquiring.Refunded{}, late
	}
	return acquiring.Refunded{State: acquiring.RefundDone, Ref: newest.Model.transactionRef()}, nil
}

// callAPI makes one request with the account's user and password.
func (a *Acquirer) callAPI(ctx context.Context, q call.Request) (call.Answer, error) {
	q.Account = call.Account{User: a.config.PublicID, Password: a.config.APISecret}
	return a.call.DoOnce(ctx, q)
}

// callError returns an error of this acquirer in the operation op. code says what is at fault.
func (a *Acquirer) callError(op string, kind acquiring.ErrorKind, code string) error {
	return &acquiring.Error{Acquirer: Name, Op: op, Kind: kind, Code: code}
}

// requestID returns the header that makes a request safe to repeat: the API answers the same id
// only once.
func requestID(id acquiring.ID) map[string]string {
	return map[string]string{"X-Request-ID": string(id)}
}
