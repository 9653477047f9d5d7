package double

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
)

// NewCallback returns the signed notification, as a form, about a payment as it is now: Refund
// when some was refunded, Fail when it failed, else Pay. Check has the fields of Pay.
func NewCallback(p double.Payment) acquiring.Callback {
	v := url.Values{
		"TransactionId": {p.Ref}, "Amount": {acquiring.Decimal(p.Amount)}, "Currency": {p.Currency}, "InvoiceId": {p.ID},
		"DateTime": {"2026-11-21 12:00:00"}, "CardFirstSix": {"424242"}, "CardLastFour": {"4242"}, "TestMode": {"1"},
		"OperationType": {"Payment"}, "Name": {"ANNA & BRAUN+"},
	}
	switch {
	case p.Refunded() > 0:
		v.Set("PaymentTransactionId", p.Ref)
		v.Set("TransactionId", "990001")
		v.Set("OperationType", "Refund")
	case p.State == double.Failed:
		v.Set("ReasonCode", p.Code)
	default:
		v.Set("Status", "Completed")
	}
	return SignCallback([]byte(v.Encode()), APISecret)
}

// SignCallback returns a callback with a body, signed with a secret in both headers.
func SignCallback(body []byte, secret string) acquiring.Callback {
	decoded, err := url.QueryUnescape(string(body))
	if err != nil {
		decoded = string(body)
	}
	return acquiring.Callback{Method: http.MethodPost, Body: body, Header: http.Header{
		"Content-Type":   {"application/x-www-form-urlencoded"},
		"Content-Hmac":   {hmacOf(string(body), secret)},
		"X-Content-Hmac": {hmacOf(decoded, secret)},
	}}
}

// hmacOf returns the HMAC-SHA256 of a text with a secret, in base64.
func hmacOf(text, secret string) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}
