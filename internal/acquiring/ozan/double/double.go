// Package double speaks Ozan's protocol, as far as it is known, in front of a bank in
// memory.
package double

import (
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/ozan"
	"servery/internal/money"
)

// The only account.
const (
	APIKey    = "apikey-double"
	SecretKey = "secret-of-the-double"
)

// Double is the handler of the API; mount it at the root.
type Double struct {
	Bank *double.Bank

	mux *http.ServeMux
}

// New returns the double in front of the bank.
func New(bank *double.Bank) *Double {
	d := &Double{Bank: bank, mux: http.NewServeMux()}
	d.mux.HandleFunc("POST /purchase", bank.HandleOperation("start", d.requireAccount(d.startPurchase)))
	d.mux.HandleFunc("POST /status", bank.HandleOperation("status", d.requireAccount(d.getStatus)))
	d.mux.HandleFunc("POST /cancel", bank.HandleOperation("cancel", d.requireAccount(d.cancelPayment)))
	d.mux.HandleFunc("POST /refund", bank.HandleOperation("refund", d.requireAccount(d.refundPayment)))
	return d
}

// ServeHTTP answers a call of the API.
func (d *Double) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.mux.ServeHTTP(w, r) }

type request struct {
	APIKey        string `json:"apiKey"`
	TransactionID string `json:"transactionId"`
	ReferenceNo   string `json:"referenceNo"`
	Amount        int64  `json:"amount"`
	Currency      string `json:"currency"`
	Email         string `json:"email"`
	ReturnURL     string `json:"returnUrl"`
	Is3D          bool   `json:"is3d"`
	Number        string `json:"number"`
}

// requireAccount returns a handler that reads the body and carries out do. It answers 401 to a
// wrong key and refuses a body that is no JSON.
func (d *Double) requireAccount(do func(request, []byte) double.Answer) func(double.Request) double.Answer {
	return func(r double.Request) double.Answer {
		var in request
		if json.Unmarshal(r.Raw, &in) != nil {
			return refusalAnswer("INVALID_REQUEST")
		}
		if in.APIKey != APIKey {
			return double.Answer{Status: http.StatusUnauthorized, Value: map[string]string{"code": "UNAUTHORIZED"}}
		}
		return do(in, r.Raw)
	}
}

// refusalAnswer returns an answer of status 400 with a code.
func refusalAnswer(code string) double.Answer {
	return double.Answer{Status: http.StatusBadRequest, Value: map[string]string{"status": "FAILED", "code": code, "message": "Error"}}
}

// startPurchase opens a payment, once for each referenceNo, and answers with its page. It
// refuses a request that lacks something or has a card.
func (d *Double) startPurchase(in request, raw []byte) double.Answer {
	return d.Bank.AnswerOnce(in.ReferenceNo, raw, refusalAnswer("DUPLICATE_REFERENCE"), func() double.Answer {
		if in.Email == "" || in.Amount <= 0 || in.ReferenceNo == "" || in.ReturnURL == "" || !in.Is3D || in.Number != "" {
			return refusalAnswer("INVALID_REQUEST")
		}
		p := d.Bank.OpenPayment(double.Payment{
			Ref: "oz-" + strconv.Itoa(d.Bank.NextNumber()), ID: in.ReferenceNo, Amount: money.Amount(in.Amount), Currency: in.Currency, Method: "card",
		})
		o := paymentObject(p)
		o["redirectUrl"] = "https://pay.ozan.example/" + p.Ref
		return double.OK(o)
	})
}

// paymentObject returns a payment in the form of the API.
func paymentObject(p double.Payment) map[string]any {
	status := map[double.State]string{double.Open: "WAITING", double.Paid: "APPROVED", double.Failed: "DECLINED"}[p.State]
	switch {
	case p.State == double.Failed && p.Code == "cancelled":
		status = "CANCELLED"
	case p.State == double.Paid && p.Refunded() == p.Amount:
		status = "REFUNDED"
	}
	return map[string]any{
		"transactionId": p.Ref, "referenceNo": p.ID, "status": status, "code": p.Code, "message": "",
		"amount": int64(p.Amount), "currency": p.Currency,
	}
}

// findPayment returns the payment that a request names by transactionId or referenceNo, and
// false when there is none.
func (d *Double) findPayment(in request) (double.Payment, bool) {
	if in.TransactionID != "" {
		return d.Bank.FindPayment(in.TransactionID)
	}
	if payments := d.Bank.PaymentsOf(in.ReferenceNo); in.ReferenceNo != "" && len(payments) > 0 {
		return payments[0], true
	}
	return double.Payment{}, false
}

// notFound returns the answer of status 404 for an unknown payment.
func notFound() double.Answer {
	return double.Answer{Status: http.StatusNotFound, Value: map[string]string{"status": "FAILED", "code": "NOT_FOUND"}}
}

// getStatus answers with the payment that a request names, as it is now.
func (d *Double) getStatus(in request, _ []byte) double.Answer {
	p, ok := d.findPayment(in)
	if !ok {
		return notFound()
	}
	return double.OK(paymentObject(p))
}

// cancelPayment cancels a payment that is open and answers with it; any other is refused.
func (d *Double) cancelPayment(in request, _ []byte) double.Answer {
	p, ok := d.findPayment(in)
	if !ok {
		return notFound()
	}
	if !d.Bank.SettlePayment(p.Ref, "cancelled") {
		return refusalAnswer("INVALID_STATE")
	}
	p, _ = d.Bank.FindPayment(p.Ref)
	return double.OK(paymentObject(p))
}

// refundPayment refunds a sum of a payment, once for each referenceNo, and refuses more than is
// left.
func (d *Double) refundPayment(in request, _ []byte) double.Answer {
	made, err := d.Bank.RefundPayment(in.TransactionID, in.ReferenceNo, money.Amount(in.Amount))
	if err != nil {
		return refusalAnswer("CANNOT_REFUND")
	}
	return double.OK(map[string]any{"transactionId": made.Ref, "referenceNo": in.ReferenceNo, "status": "APPROVED"})
}

// NewCallback returns the signed callback about a payment as it is now.
func NewCallback(p double.Payment) acquiring.Callback {
	o := paymentObject(p)
	v := url.Values{"message": {"Onaylandı & teşekkürler"}, "code": {p.Code}, "amount": {strconv.FormatInt(int64(p.Amount), 10)}}
	for _, name := range []string{"referenceNo", "transactionId", "currency", "status"} {
		text, _ := o[name].(string)
		v.Set(name, text)
	}
	return SignCallback(v, SecretKey)
}

// SignCallback returns a callback with the fields and their checksum by the secret. It adds the
// checksum to v.
func SignCallback(v url.Values, secret string) acquiring.Callback {
	v.Set("checksum", hex.EncodeToString(ozan.CallbackChecksum(v, secret)))
	return acquiring.Callback{
		Method: http.MethodPost, Body: []byte(v.Encode()), Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}},
	}
}
