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

// New makes the double.
func New(bank *double.Bank) *Double {
	d := &Double{Bank: bank, mux: http.NewServeMux()}
	d.mux.HandleFunc("POST /purchase", bank.Handle("start", d.account(d.purchase)))
	d.mux.HandleFunc("POST /status", bank.Handle("status", d.account(d.status)))
	d.mux.HandleFunc("POST /cancel", bank.Handle("cancel", d.account(d.cancel)))
	d.mux.HandleFunc("POST /refund", bank.Handle("refund", d.account(d.refund)))
	return d
}

// ServeHTTP implements [http.Handler].
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

func (d *Double) account(do func(request, []byte) double.Answer) func(double.Request) double.Answer {
	return func(r double.Request) double.Answer {
		var in request
		if json.Unmarshal(r.Raw, &in) != nil {
			return refusal("INVALID_REQUEST")
		}
		if in.APIKey != APIKey {
			return double.Answer{Status: http.StatusUnauthorized, Value: map[string]string{"code": "UNAUTHORIZED"}}
		}
		return do(in, r.Raw)
	}
}

func refusal(code string) double.Answer {
	return double.Answer{Status: http.StatusBadRequest, Value: map[string]string{"status": "FAILED", "code": code, "message": "Error"}}
}

func (d *Double) purchase(in request, raw []byte) double.Answer {
	return d.Bank.Once(in.ReferenceNo, raw, refusal("DUPLICATE_REFERENCE"), func() double.Answer {
		if in.Email == "" || in.Amount <= 0 || in.ReferenceNo == "" || in.ReturnURL == "" || !in.Is3D || in.Number != "" {
			return refusal("INVALID_REQUEST")
		}
		p := d.Bank.Open(double.Payment{
			Ref: "oz-" + strconv.Itoa(d.Bank.Number()), ID: in.ReferenceNo, Amount: money.Amount(in.Amount), Currency: in.Currency, Method: "card",
		})
		o := object(p)
		o["redirectUrl"] = "https://pay.ozan.example/" + p.Ref
		return double.OK(o)
	})
}

func object(p double.Payment) map[string]any {
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

func (d *Double) find(in request) (double.Payment, bool) {
	if in.TransactionID != "" {
		return d.Bank.Find(in.TransactionID)
	}
	if all := d.Bank.Of(in.ReferenceNo); in.ReferenceNo != "" && len(all) > 0 {
		return all[0], true
	}
	return double.Payment{}, false
}

func missing() double.Answer {
	return double.Answer{Status: http.StatusNotFound, Value: map[string]string{"status": "FAILED", "code": "NOT_FOUND"}}
}

func (d *Double) status(in request, _ []byte) double.Answer {
	p, ok := d.find(in)
	if !ok {
		return missing()
	}
	return double.OK(object(p))
}

func (d *Double) cancel(in request, _ []byte) double.Answer {
	p, ok := d.find(in)
	if !ok {
		return missing()
	}
	if !d.Bank.Settle(p.Ref, "cancelled") {
		return refusal("INVALID_STATE")
	}
	p, _ = d.Bank.Find(p.Ref)
	return double.OK(object(p))
}

func (d *Double) refund(in request, _ []byte) double.Answer {
	made, err := d.Bank.Refund(in.TransactionID, in.ReferenceNo, money.Amount(in.Amount))
	if err != nil {
		return refusal("CANNOT_REFUND")
	}
	return double.OK(map[string]any{"transactionId": made.Ref, "referenceNo": in.ReferenceNo, "status": "APPROVED"})
}

// Callback is the form about a payment as it is now.
func Callback(p double.Payment) acquiring.Callback {
	o := object(p)
	v := url.Values{"message": {"Onaylandı & teşekkürler"}, "code": {p.Code}, "amount": {strconv.FormatInt(int64(p.Amount), 10)}}
	for _, name := range []string{"referenceNo", "transactionId", "currency", "status"} {
		text, _ := o[name].(string)
		v.Set(name, text)
	}
	return Sign(v, SecretKey)
}

// Sign makes a callback of its fields.
func Sign(v url.Values, secret string) acquiring.Callback {
	v.Set("checksum", hex.EncodeToString(ozan.Checksum(v, secret)))
	return acquiring.Callback{
		Method: http.MethodPost, Body: []byte(v.Encode()), Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}},
	}
}
