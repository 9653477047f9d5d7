package sber

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/call"
)

const (
	prefix       = "/ecomm/gw/partner/api/v1/"
	prefixLegacy = "/payment/rest/"
)

// Codes of errors that matter; "" and "0" are none.
const (
	codeDenied  = "2"
	codeUnknown = "6"
	codeSystem  = "7"
)

// word is a text that some gateways send as a number.
type word string

// UnmarshalJSON reads a text or a number.
func (w *word) UnmarshalJSON(data []byte) error {
	text := strings.Trim(string(data), `"`)
	if text == "null" {
		text = ""
	}
	*w = word(text)
	return nil
}

// result is what every answer has.
type result struct {
	ErrorCode word `json:"errorCode"`
}

// isOK reports whether the answer has no error.
func (r *result) isOK() bool { return r.ErrorCode == "" || r.ErrorCode == "0" }

// errorCode returns the code of the error, fit for logs.
func (r *result) errorCode() string { return acquiring.CleanCode(string(r.ErrorCode)) }

// answer is any answer.
type answer interface {
	isOK() bool
	errorCode() string
}

type registered struct {
	result

	OrderID  string `json:"orderId"`
	FormURL  string `json:"formUrl"`
	External struct {
		SBP string `json:"sbpPayload"`
	} `json:"externalParams"`
}

// callMethod calls a method of the gateway with the account and decodes the answer into target.
// op names the call in errors; method is the last part of its path. A refused account is an
// error of kind [acquiring.Denied]; any other refusal is in the answer.
func (a *Acquirer) callMethod(ctx context.Context, op, method string, params map[string]any, target answer) error {
	body := map[string]any{}
	for name, value := range params {
		body[name] = value
	}
	if a.config.Legacy && a.config.Token != "" {
		body["token"] = a.config.Token
	} else {
		body["userName"], body["password"] = a.config.UserName, a.config.Password
	}
	q := call.Request{Op: op, Path: prefix + method, JSON: body}
	if a.config.Legacy {
		q.Path, q.JSON, q.Form = prefixLegacy+method, nil, encodeForm(body)
	}
	answer, err := a.call.DoOnce(ctx, q)
	if err != nil {
		return err
	}
	if err := answer.ReadJSON(target); err != nil {
		return err
	}
	switch {
	case target.errorCode() == codeDenied:
		return a.callError(op, acquiring.Denied, codeDenied)
	case !answer.OK() && target.isOK():
		// an HTTP error with a body that reports none: nothing is certain
		return answer.LostError("status")
	}
	return nil
}

// encodeForm returns the parameters as a form, with nested values in JSON.
func encodeForm(body map[string]any) url.Values {
	v := url.Values{}
	for name, value := range body {
		switch value := value.(type) {
		case string:
			v.Set(name, value)
		case int64:
			v.Set(name, strconv.FormatInt(value, 10))
		default:
			text, _ := json.Marshal(value) // our own maps, texts and numbers
			v.Set(name, string(text))
		}
	}
	return v
}

// Numbers of ISO 4217, as texts.
var currencies = map[string]string{
	"RUB": "643", "KZT": "398", "BYN": "933", "UAH": "980", "EUR": "978", "USD": "840", "TRY": "949",
	"AMD": "051", "AZN": "944", "GEL": "981", "KGS": "417", "UZS": "860", "PLN": "985", "GBP": "826",
}

// orderParams returns the parameters of register.do, which registers an order. Sums are in
// kopecks. The session ends at the deadline, or earlier when the settings say so.
func (a *Acquirer) orderParams(in acquiring.Intent) map[string]any {
	body := map[string]any{
		"orderNumber": string(in.ID), "amount": int64(in.Sum.Amount), "currency": currencies[in.Sum.Currency.Code],
		"returnUrl": in.ReturnURL, "description": acquiring.CutText(in.Description, 99), "language": in.Language,
		// In seconds. The gateway's own default is longer than an order waits.
		"sessionTimeoutSecs": min(in.PaymentWindow(time.Second), int64(a.config.Session/time.Second)),
	}
	if in.FailURL != "" {
		body["failUrl"] = in.FailURL
	}
	if in.CallbackURL != "" && !a.config.Legacy {
		body["dynamicCallbackUrl"] = in.CallbackURL
	}
	if in.Customer.Email != "" {
		body["email"] = in.Customer.Email
	}
	if in.Customer.Phone != "" {
		body["phone"] = "+" + in.Customer.Phone
	}
	if in.Method == acquiring.SBP && !a.config.Legacy {
		body["jsonParams"] = map[string]any{"qrType": "DYNAMIC_QR_SBP", "sbp.scenario": "C2B"}
	}
	if len(in.Receipt.Lines) > 0 {
		body["orderBundle"] = a.orderBundle(in.Receipt, "sell", in.Started)
	}
	return body
}

// taxTypes are Sberbank's own numbers; YooKassa's are others.
var taxTypes = map[acquiring.VAT]int{
	acquiring.NoVAT: 0, acquiring.VAT0: 1, acquiring.VAT10: 2, acquiring.VATOf10: 4, acquiring.VAT20: 6, acquiring.VATOf20: 7, acquiring.VAT5: 8, acquiring.VATOf5: 9,
	acquiring.VAT7: 10, acquiring.VATOf7: 11, acquiring.VAT22: 12, acquiring.VATOf22: 13,
}

// orderBundle returns the fiscal receipt in the form of the gateway. kind is sell or
// sell_refund, at when the order was made.
func (a *Acquirer) orderBundle(r acquiring.Receipt, kind string, at time.Time) map[string]any {
	items := make([]map[string]any, 0, len(r.Lines))
	for i, l := range r.Lines {
		object := "commodity"
		if l.Service {
			object = "service"
		}
		items = append(items, map[string]any{
			"positionId": strconv.Itoa(i + 1), "itemCode": strconv.Itoa(i + 1), "name": acquiring.CutText(l.Name, 128),
			"quantity": map[string]any{"value": l.Count, "measure": "pcs"}, "measurementUnit": "pcs",
			"itemPrice": int64(l.Unit), "itemAmount": int64(l.Total()),
			"paymentMethod": r.Mode.String(), "paymentObject": object, "tax": map[string]any{"taxType": taxTypes[l.VAT]},
		})
	}
	customer := map[string]any{}
	if r.Email != "" {
		customer["email"] = r.Email
	}
	if r.Phone != "" {
		customer["phone"] = "+" + r.Phone
	}
	total := int64(r.Total())
	const electronic = 1 // how it is paid
	return map[string]any{
		"ffdVersion": "1.05", "receiptType": kind, "orderCreationDate": strconv.FormatInt(at.UnixMilli(), 10),
		"company":         map[string]any{"email": a.config.Company.Email, "inn": a.config.Company.INN, "paymentAddress": a.config.Company.Site},
		"customerDetails": customer, "payments": []map[string]any{{"type": electronic, "sum": total}}, "total": total,
		"cartItems": map[string]any{"items": items},
	}
}
