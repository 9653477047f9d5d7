// Package double speaks Stripe's protocol in front of a bank in memory.
package double

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/clock"
	"servery/internal/money"
)

// The only account.
const (
	SecretKey     = "sk_test_double"
	WebhookSecret = "whsec_double"
)

// Double is the handler of the API; mount it at the root.
type Double struct {
	Bank *double.Bank

	mux *http.ServeMux
}

// keyLife is how long the API remembers an Idempotency-Key.
const keyLife = 24 * time.Hour

// New returns the double in front of the bank, which forgets idempotency keys after keyLife.
func New(bank *double.Bank) *Double {
	bank.KeyLife = keyLife
	d := &Double{Bank: bank, mux: http.NewServeMux()}
	d.mux.HandleFunc("POST /checkout/sessions", bank.HandleOperation("start", d.answerOnce(d.openSession)))
	d.mux.HandleFunc("POST /payment_intents", bank.HandleOperation("start", d.answerOnce(d.chargeMethod)))
	d.mux.HandleFunc("GET /checkout/sessions", bank.HandleOperation("search", d.listObjects("cs_", sessionObject)))
	d.mux.HandleFunc("GET /payment_intents", bank.HandleOperation("search", d.listObjects("pi_", intentObject)))
	d.mux.HandleFunc("GET /checkout/sessions/{ref}", bank.HandleOperation("status", d.getObject(sessionObject)))
	d.mux.HandleFunc("GET /payment_intents/{ref}", bank.HandleOperation("status", d.getObject(intentObject)))
	d.mux.HandleFunc("POST /checkout/sessions/{ref}/expire", bank.HandleOperation("cancel", d.closeObject(sessionObject)))
	d.mux.HandleFunc("POST /payment_intents/{ref}/cancel", bank.HandleOperation("cancel", d.closeObject(intentObject)))
	d.mux.HandleFunc("POST /refunds", bank.HandleOperation("refund", d.answerOnce(d.refundPayment)))
	d.mux.HandleFunc("GET /refunds", bank.HandleOperation("find refund", d.listRefunds))
	return d
}

// ServeHTTP answers a call of the API. Without the right key it answers 401.
func (d *Double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+SecretKey {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	d.mux.ServeHTTP(w, r)
}

// noFields are the further fields of an error that has none.
var noFields map[string]any

// errorAnswer returns an error of the API, of a type and with a code. more are further fields of
// the error.
func errorAnswer(status int, kind, code string, more map[string]any) double.Answer {
	e := map[string]any{"type": kind, "code": code}
	for name, value := range more {
		e[name] = value
	}
	return double.Answer{Status: status, Value: map[string]any{"error": e}}
}

// invalidRequest returns the answer of status 400 for a wrong request, with a code.
func invalidRequest(code string) double.Answer {
	return errorAnswer(http.StatusBadRequest, "invalid_request_error", code, noFields)
}

// answerOnce returns a handler that carries out a request once for each Idempotency-Key. A
// repetition gets the same answer; another request with the same key is refused.
func (d *Double) answerOnce(do func(double.Request) double.Answer) func(double.Request) double.Answer {
	return func(r double.Request) double.Answer {
		const noCode = ""
		other := errorAnswer(http.StatusBadRequest, "idempotency_error", noCode, noFields)
		return d.Bank.AnswerOnce(r.Header.Get("Idempotency-Key"), r.Raw, other, func() double.Answer { return do(r) })
	}
}

// How long Stripe keeps a checkout page open at least and at most.
const shortestSession, longestSession = 30 * time.Minute, 24 * time.Hour

// openSession opens a checkout page and answers with it. Its payment has two references: the
// session's (Ref) and the intent's. It refuses a wrong field and a page that is open for less
// than 30 minutes or more than a day.
func (d *Double) openSession(r double.Request) double.Answer {
	amount, err := strconv.ParseInt(r.Values.Get("line_items[0][price_data][unit_amount]"), 10, 64)
	until, untilErr := strconv.ParseInt(r.Values.Get("expires_at"), 10, 64)
	now := d.Bank.Clock.Now()
	if err != nil || untilErr != nil || amount <= 0 || r.Values.Get("mode") != "payment" || r.Values.Get("success_url") == "" ||
		until < now.Add(shortestSession).Unix() || until > now.Add(longestSession).Unix() {
		return invalidRequest("parameter_invalid")
	}
	number := strconv.Itoa(d.Bank.NextNumber())
	p := d.Bank.OpenPayment(double.Payment{
		Ref: "cs_test_" + number, ID: r.Values.Get("metadata[payment_id]"), Amount: money.Amount(amount), Method: "checkout",
		Currency: strings.ToUpper(r.Values.Get("line_items[0][price_data][currency]")), Until: time.Unix(until, 0), MayTryAgain: true,
		Extra: map[string]string{"intent": "pi_" + number, "via": r.Values.Get("payment_intent_data[metadata][via]")},
	})
	return double.OK(collapseObject(sessionObject(p)))
}

// collapseObject replaces the objects within an object by their ids, as Stripe sends it without
// the parameter expand, and returns the same object.
func collapseObject(o map[string]any) map[string]any {
	for _, field := range []string{"payment_intent", "latest_charge"} {
		if inner, ok := o[field].(map[string]any); ok {
			o[field] = inner["id"]
		}
	}
	return o
}

// chargeMethod charges a payment method, whose name says what happens: pm_ok pays, pm_secure
// requires 3-D Secure, pm_<code> fails with the code. A suffix after a hyphen is ignored.
func (d *Double) chargeMethod(r double.Request) double.Answer {
	amount, err := strconv.ParseInt(r.Values.Get("amount"), 10, 64)
	method := r.Values.Get("payment_method")
	if err != nil || amount <= 0 || method == "" || r.Values.Get("confirm") != "true" || r.Values.Get("return_url") == "" {
		return invalidRequest("parameter_invalid")
	}
	p := d.Bank.OpenPayment(double.Payment{
		Ref: "pi_" + strconv.Itoa(d.Bank.NextNumber()), ID: r.Values.Get("metadata[payment_id]"), Amount: money.Amount(amount),
		Currency: strings.ToUpper(r.Values.Get("currency")), Method: "card", MayTryAgain: true,
	})
	code, _, _ := strings.Cut(strings.TrimPrefix(method, "pm_"), "-")
	switch code {
	case "secure":
		return double.OK(collapseObject(intentObject(p)))
	case "ok":
		code = ""
	}
	d.Bank.SettlePayment(p.Ref, code)
	p, _ = d.Bank.FindPayment(p.Ref)
	if p.State == double.Failed {
		return errorAnswer(http.StatusPaymentRequired, "card_error", "card_declined", map[string]any{"decline_code": code, "payment_intent": collapseObject(intentObject(p))})
	}
	return double.OK(collapseObject(intentObject(p)))
}

// failureObject returns why a payment failed, in the form of the API.
func failureObject(p double.Payment) map[string]any {
	return map[string]any{"code": "card_declined", "decline_code": p.Code}
}

// chargeObject returns the charge of a payment, in the form of the API.
func chargeObject(p double.Payment) map[string]any {
	return map[string]any{"id": "ch_" + p.Ref, "amount_refunded": int64(p.Refunded())}
}

// intentObject returns a payment as a payment intent of the API.
func intentObject(p double.Payment) map[string]any {
	o := map[string]any{
		"id": p.Ref, "object": "payment_intent", "amount": int64(p.Amount), "currency": strings.ToLower(p.Currency),
		"metadata": map[string]string{"payment_id": p.ID},
	}
	if p.Extra["intent"] != "" { // of a page
		o["id"], o["metadata"] = p.Extra["intent"], map[string]string{"payment_id": p.ID, "via": p.Extra["via"]}
	}
	switch {
	case p.State == double.Open:
		o["status"] = "requires_action"
		o["next_action"] = map[string]any{"type": "redirect_to_url", "redirect_to_url": map[string]string{"url": "https://hooks.stripe.example/3ds/" + p.Ref}}
	case p.State == double.Paid:
		o["status"], o["latest_charge"] = "succeeded", chargeObject(p)
	case p.MayTryAgain:
		o["status"], o["last_payment_error"] = "requires_payment_method", failureObject(p)
	default:
		o["status"] = "canceled"
		if p.Code != "" {
			o["last_payment_error"] = failureObject(p)
		}
	}
	return o
}

// sessionObject returns a payment as a checkout page of the API.
func sessionObject(p double.Payment) map[string]any {
	o := map[string]any{
		"id": p.Ref, "object": "checkout.session", "amount_total": int64(p.Amount), "currency": strings.ToLower(p.Currency),
		"metadata": map[string]string{"payment_id": p.ID}, "payment_status": "unpaid", "payment_intent": nil,
	}
	switch {
	case p.State == double.Paid:
		o["status"], o["payment_status"], o["payment_intent"] = "complete", "paid", intentObject(p)
	case p.State == double.Open:
		o["status"], o["url"] = "open", "https://checkout.stripe.example/"+p.Ref
	case p.MayTryAgain:
		o["status"], o["url"], o["payment_intent"] = "open", "https://checkout.stripe.example/"+p.Ref, intentObject(p)
	default:
		o["status"] = "expired"
	}
	return o
}

// notFound returns the answer for an unknown object.
func notFound() double.Answer {
	return errorAnswer(http.StatusNotFound, "invalid_request_error", "resource_missing", noFields)
}

// findPayment returns the payment with a reference of a session or of an intent, and false when
// there is none.
func (d *Double) findPayment(ref string) (double.Payment, bool) {
	for _, p := range d.Bank.PaymentsOf(double.AnyID) {
		if p.Ref == ref || p.Extra["intent"] == ref {
			return p, true
		}
	}
	return double.Payment{}, false
}

// getObject returns the handler that answers with the payment of the path, as object makes it. Without
// expand[] the objects within it are ids, as at Stripe.
func (d *Double) getObject(object func(double.Payment) map[string]any) func(double.Request) double.Answer {
	return func(r double.Request) double.Answer {
		p, ok := d.findPayment(r.PathValue("ref"))
		if !ok {
			return notFound()
		}
		if !r.Values.Has("expand[]") {
			return double.OK(collapseObject(object(p)))
		}
		return double.OK(object(p))
	}
}

// listObjects returns the handler that lists the payments whose reference has a prefix, newest
// first, as object makes them. It returns two on a page, so that clients have to read further
// pages.
func (d *Double) listObjects(prefix string, object func(double.Payment) map[string]any) func(double.Request) double.Answer {
	return func(r double.Request) double.Answer {
		since, _ := strconv.ParseInt(r.Values.Get("created[gte]"), 10, 64)
		payments := d.Bank.PaymentsOf(double.AnyID)
		data, hasMore := []map[string]any{}, false
		isAfterCursor := r.Values.Get("starting_after") == ""
		for i := len(payments) - 1; i >= 0; i-- { // the newest first
			p := payments[i]
			name, _ := object(p)["id"].(string)
			switch {
			case !strings.HasPrefix(name, prefix), p.Created.Unix() < since,
				r.Values.Has("payment_intent") && p.Extra["intent"] != r.Values.Get("payment_intent"): // left out
			case !isAfterCursor:
				isAfterCursor = name == r.Values.Get("starting_after")
			case len(data) == 2:
				hasMore = true
			default:
				data = append(data, collapseObject(object(p)))
			}
		}
		return double.OK(map[string]any{"object": "list", "data": data, "has_more": hasMore})
	}
}

// closeObject returns the handler that expires a session or cancels an intent, and answers with
// the payment as object makes it. It refuses one that is over.
func (d *Double) closeObject(object func(double.Payment) map[string]any) func(double.Request) double.Answer {
	return func(r double.Request) double.Answer {
		p, ok := d.findPayment(r.PathValue("ref"))
		if !ok {
			return notFound()
		}
		isClosed := false
		d.Bank.ChangePayment(p.Ref, func(p *double.Payment) {
			if p.State == double.Paid || p.State == double.Failed && !p.MayTryAgain {
				return
			}
			isClosed, p.State, p.MayTryAgain = true, double.Failed, false
		})
		if !isClosed {
			return invalidRequest("unexpected_state")
		}
		p, _ = d.Bank.FindPayment(p.Ref)
		return double.OK(collapseObject(object(p)))
	}
}

// NewCallback returns the signed event about a payment as it is now: of its refund, its page or
// its intent.
func NewCallback(p double.Payment, c clock.Clock) acquiring.Callback {
	kind, object := "payment_intent.succeeded", intentObject(p)
	page := p.Extra["intent"] != ""
	switch {
	case p.Refunded() > 0:
		kind = "charge.refunded"
		object = map[string]any{"id": "ch_1", "payment_intent": object["id"]}
	case page && p.State == double.Paid:
		kind, object = "checkout.session.completed", sessionObject(p)
	case page:
		kind, object = "checkout.session.expired", sessionObject(p)
	case p.State == double.Failed:
		kind = "payment_intent.payment_failed"
	}
	body, _ := json.Marshal(map[string]any{"id": "evt_1", "type": kind, "data": map[string]any{"object": collapseObject(object)}})
	return SignCallback(body, WebhookSecret, c.Now())
}

// SignCallback returns a callback with a body that is signed with a secret at an instant.
func SignCallback(body []byte, secret string, at time.Time) acquiring.Callback {
	seconds := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(seconds + "."))
	mac.Write(body)
	return acquiring.Callback{Method: http.MethodPost, Body: body, Header: http.Header{
		"Content-Type": {"application/json"}, "Stripe-Signature": {"t=" + seconds + ",v1=" + hex.EncodeToString(mac.Sum(nil)) + ",v0=00"},
	}}
}
