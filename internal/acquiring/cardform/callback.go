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

// VerifyCallback returns the notice of a signed notification. It returns an error of kind
// [acquiring.Forged] for any other, and of kind [acquiring.Lost] when the API does not know the
// payment. The signature proves that the acquirer wrote the body, but not the kind of the
// notification: Check, sent before any money moves, looks like Pay. So the payment is read again
// through the API. Only Check is not, because it moves no money: it becomes an event of state
// [acquiring.Asked], and the reply decides whether the payment goes on. Refunds, payouts and
// payments without an id of ours are ignored.
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
		return a.noticeOfCheck(n)
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

// noticeOfCheck returns the notice of a notification of kind Check, by which the acquirer asks
// whether the payment may go on. A sum or currency that cannot be read is an error of kind
// [acquiring.Forged].
func (a *Acquirer) noticeOfCheck(n notification) (acquiring.Notice, error) {
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

// isSigned reports whether the signature of header Content-HMAC is ours for the body as it was
// sent. The second header signs the decoded body and proves nothing: two bodies with different
// meanings may decode to the same.
func (a *Acquirer) isSigned(body []byte, signature string) bool {
	given, err := base64.StdEncoding.DecodeString(signature)
	if err != nil || len(body) == 0 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(a.config.APISecret))
	mac.Write(body)
	return hmac.Equal(given, mac.Sum(nil))
}

// parseNotification reads a notification in JSON or as a form; the settings in the acquirer's
// cabinet decide which is sent. It returns false when the body cannot be read or has no number of
// a transaction.
func parseNotification(contentType string, body []byte) (notification, bool) {
	n := notification{}
	if strings.HasPrefix(contentType, "application/json") {
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

// toReply returns the reply for a verdict, with the acquirer's code: 0 to go on, 10 for an
// unknown payment, 12 for a wrong sum, 13 for an order that cannot be paid any more, and 20 after
// the deadline. The other verdicts have the status of [acquiring.PlainReply].
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
