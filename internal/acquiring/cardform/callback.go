package cardform

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"servery/internal/acquiring"
	"servery/internal/money"
)

// CheckQuery is the query of the address that is set for notifications of kind Check; the
// address of all others has none. The notifications themselves do not say their kind.
const CheckQuery = "kind=check"

// notification is what all kinds have.
type notification struct {
	TransactionID        string
	PaymentTransactionID string
	Amount, Currency     string
	InvoiceID            string
	OperationType        string
}

// VerifyCallback implements [acquiring.Acquirer]. The signature says that the acquirer wrote the body,
// but not what kind of notification it is: one of kind Check, sent before any money
// moves, looks like one of kind Pay. So what they say is read again through the API; only
// Check, which moves nothing, is taken by its word and becomes an event of state
// [acquiring.Asked], whose answer decides.
func (a *Acquirer) VerifyCallback(ctx context.Context, c acquiring.Callback) (acquiring.Notice, error) {
	if !a.isSigned(c.Body, c.Header.Get("Content-HMAC")) {
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "signature")
	}
	n, ok := parseNotification(c.Header.Get("Content-Type"), c.Body)
	if !ok {
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "body")
	}
	switch {
	case n.OperationType == "Refund":
		// Refunds are ours, and their calls say what became of them.
		return acquiring.IgnoredNotice(toReply), nil
	case n.OperationType == "CardPayout" || !acquiring.ID(n.InvoiceID).IsValid():
		return acquiring.IgnoredNotice(toReply), nil
	case c.Query == CheckQuery:
		return a.checkNotification(n)
	}
	event, err := a.QueryStatus(ctx, acquiring.Lookup{Ref: n.TransactionID, ID: acquiring.ID(n.InvoiceID)})
	switch {
	case err != nil:
		return acquiring.Notice{}, err
	case event.State == acquiring.Absent:
		return acquiring.Notice{}, a.callError("callback", acquiring.Lost, "payment")
	}
	return acquiring.NewNotice(event, toReply), nil
}

func (a *Acquirer) checkNotification(n notification) (acquiring.Notice, error) {
	amount, err := acquiring.ParseDecimal(n.Amount)
	if err != nil {
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "amount")
	}
	currency, err := money.ParseCurrency(n.Currency)
	if err != nil {
		return acquiring.Notice{}, a.callError("callback", acquiring.Forged, "currency")
	}
	return acquiring.NewNotice(acquiring.Event{
		Ref: n.TransactionID, ID: acquiring.ID(n.InvoiceID), State: acquiring.Asked, Sum: acquiring.Sum{Amount: amount, Currency: currency},
	}, toReply), nil
}

// isSigned looks at the signature of the body as it was sent. The second header, of the
// decoded body, is no proof: two bodies that mean different things decode to the same.
func (a *Acquirer) isSigned(body []byte, signature string) bool {
	given, err := base64.StdEncoding.DecodeString(signature)
	if err != nil || len(body) == 0 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(a.config.APISecret))
	mac.Write(body)
	return hmac.Equal(given, mac.Sum(nil))
}

// parseNotification reads a form or JSON, as the cabinet is set.
func parseNotification(kind string, body []byte) (notification, bool) {
	n := notification{}
	if strings.HasPrefix(kind, "application/json") {
		var j struct {
			TransactionID        json.Number `json:"TransactionId"`
			PaymentTransactionID json.Number `json:"PaymentTransactionId"`
			Amount               json.Number `json:"Amount"`
			Currency             string      `json:"Currency"`
			InvoiceID            string      `json:"InvoiceId"`
			OperationType        string      `json:"OperationType"`
		}
		if json.Unmarshal(body, &j) != nil {
			return n, false
		}
		n = notification{
			TransactionID: j.TransactionID.String(), PaymentTransactionID: j.PaymentTransactionID.String(),
			Amount: j.Amount.String(), Currency: j.Currency, InvoiceID: j.InvoiceID, OperationType: j.OperationType,
		}
	} else {
		v, err := url.ParseQuery(string(body))
		if err != nil {
			return n, false
		}
		n = notification{
			TransactionID: v.Get("TransactionId"), PaymentTransactionID: v.Get("PaymentTransactionId"), Amount: v.Get("Amount"),
			Currency: v.Get("Currency"), InvoiceID: v.Get("InvoiceId"), OperationType: v.Get("OperationType"),
		}
	}
	number, err := strconv.ParseInt(n.TransactionID, 10, 64)
	return n, err == nil && number > 0
}

// toReply says a verdict in the acquirer's codes. Code 13 is any other reason of ours.
func toReply(v acquiring.Verdict) acquiring.Reply {
	code := 0
	switch v {
	case acquiring.Accepted:
	case acquiring.NotKnown:
		code = 10
	case acquiring.WrongSum:
		code = 12
	case acquiring.NotNow:
		code = 13
	case acquiring.TooLate:
		code = 20
	case acquiring.TryAgain, acquiring.Unwelcome:
		return acquiring.PlainReply(v)
	}
	return acquiring.Reply{
		Status: http.StatusOK, ContentType: "application/json", Body: `{"code":` + strconv.Itoa(code) + `}`,
	}
}
