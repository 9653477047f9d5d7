// Package double speaks YooKassa's protocol in front of a bank in memory.
package double

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/money"
)

// ShopID and SecretKey are the only account.
const (
	ShopID    = "100500"
	SecretKey = "test_secretkeyofthedouble"
)

// Double is the handler of the API; mount it at the root.
type Double struct {
	Bank *double.Bank

	mux *http.ServeMux
}

// keyLife is how long the API remembers an Idempotence-Key.
const keyLife = 24 * time.Hour

// New returns the double in front of the bank, which forgets idempotency keys after keyLife.
func New(bank *double.Bank) *Double {
	bank.KeyLife = keyLife
	d := &Double{Bank: bank, mux: http.NewServeMux()}
	d.mux.HandleFunc("POST /payments", bank.HandleOperation("start", d.startPayment))
	d.mux.HandleFunc("GET /payments", bank.HandleOperation("search", d.listPayments))
	d.mux.HandleFunc("GET /payments/{ref}", bank.HandleOperation("status", d.getPayment))
	d.mux.HandleFunc("POST /payments/{ref}/cancel", bank.HandleOperation("cancel", d.refuseCancel))
	d.mux.HandleFunc("POST /refunds", bank.HandleOperation("refund", d.refundPayment))
	d.mux.HandleFunc("GET /refunds", bank.HandleOperation("find refund", d.listRefunds))
	d.mux.HandleFunc("GET /refunds/{ref}", bank.HandleOperation("refund status", d.getRefund))
	d.mux.HandleFunc("POST /receipts", bank.HandleOperation("close", d.closeReceipt))
	d.mux.HandleFunc("GET /receipts", bank.HandleOperation("receipts", d.listReceipts))
	d.mux.HandleFunc("GET /receipts/{ref}", bank.HandleOperation("receipt", d.getReceipt))
	return d
}

// ServeHTTP answers a call of the API. Without the right user and password it answers 401.
func (d *Double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if user, password, _ := r.BasicAuth(); user != ShopID || password != SecretKey {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	d.mux.ServeHTTP(w, r)
}

type amount struct {
	Value    string `json:"value"`
	Currency string `json:"currency"`
}

type receiptItem struct {
	Description string `json:"description"`
	Quantity    int    `json:"quantity"`
	Amount      amount `json:"amount"`
	VAT         int    `json:"vat_code"`
	Mode        string `json:"payment_mode"`
}

type receipt struct {
	Customer map[string]string `json:"customer"`
	Items    []receiptItem     `json:"items"`
}

// isValidFor reports whether YooKassa accepts the receipt for a sum: its lines have known tax codes
// and modes and add up to the total, and it has an email or a phone. A missing receipt is valid.
func (r *receipt) isValidFor(total money.Amount) bool {
	if r == nil {
		return true
	}
	for _, i := range r.Items {
		unit, err := acquiring.ParseDecimal(i.Amount.Value)
		if err != nil || i.VAT < 1 || i.VAT > 12 || i.Mode != "full_prepayment" && i.Mode != "full_payment" {
			return false
		}
		total = total.Sub(unit.Times(i.Quantity))
	}
	return len(r.Items) > 0 && total == 0 && (r.Customer["email"] != "" || r.Customer["phone"] != "")
}

// registeredReceipts returns the receipt as the fiscal register has it ten seconds later, in a list
// of one; an empty list for nil.
func (d *Double) registeredReceipts(r *receipt, kind double.ReceiptKind) []double.Receipt {
	if r == nil {
		return nil
	}
	registered := double.Receipt{
		Ref: "rt_" + d.Bank.NewUUID(), Kind: kind, Mode: r.Items[0].Mode, Items: map[string]money.Amount{},
		Registered: d.Bank.Clock.Now().Add(registerTime),
	}
	for _, i := range r.Items {
		unit, _ := acquiring.ParseDecimal(i.Amount.Value) // it fits
		registered.Items[i.Description] = registered.Items[i.Description].Add(unit.Times(i.Quantity))
		if i.Mode != registered.Mode {
			registered.Mode = ""
		}
	}
	return []double.Receipt{registered}
}

// badRequest returns an answer of status 400 with a code.
func badRequest(code string) double.Answer {
	return double.Answer{Status: http.StatusBadRequest, Value: map[string]string{"type": "error", "code": code}}
}

// notFound returns the answer of status 404 for an unknown object.
func notFound() double.Answer {
	return double.Answer{Status: http.StatusNotFound, Value: map[string]string{"type": "error", "code": "not_found"}}
}

// startPayment opens a payment, once for each Idempotence-Key. Another body under a used key is
// refused.
func (d *Double) startPayment(r double.Request) double.Answer {
	key := r.Header.Get("Idempotence-Key")
	if key == "" || len(key) > 64 {
		return badRequest("invalid_request")
	}
	return d.Bank.AnswerOnce(key, r.Raw, badRequest("invalid_request"), func() double.Answer { return d.openPayment(r.Raw) })
}

// openPayment opens a payment and answers with it. It refuses what YooKassa refuses: a sum
// without two decimals, SBP without capture, a redirect without its return address, a receipt
// of another sum.
func (d *Double) openPayment(raw []byte) double.Answer {
	var in struct {
		Amount   amount            `json:"amount"`
		Capture  bool              `json:"capture"`
		Method   map[string]string `json:"payment_method_data"`
		Confirm  map[string]string `json:"confirmation"`
		Metadata map[string]string `json:"metadata"`
		Receipt  *receipt          `json:"receipt"`
	}
	if json.Unmarshal(raw, &in) != nil {
		return badRequest("invalid_request")
	}
	value, err := acquiring.ParseDecimal(in.Amount.Value)
	if err != nil || value <= 0 || !hasTwoDecimals(in.Amount.Value) ||
		in.Method["type"] == "sbp" && !in.Capture || in.Confirm["type"] == "redirect" && in.Confirm["return_url"] == "" ||
		!in.Receipt.isValidFor(value) {
		return badRequest("invalid_request")
	}
	p := d.Bank.OpenPayment(double.Payment{
		Ref: d.Bank.NewUUID(), ID: in.Metadata["payment_id"], Amount: value, Currency: in.Amount.Currency,
		Method: in.Method["type"], Until: d.Bank.Clock.Now().Add(time.Hour),
		Extra: map[string]string{"confirmation": in.Confirm["type"]}, Receipts: d.registeredReceipts(in.Receipt, double.OfPayment),
	})
	return double.OK(PaymentObject(p))
}

// hasTwoDecimals reports whether an amount has two digits after its point.
func hasTwoDecimals(value string) bool { return len(value)-strings.IndexByte(value, '.') == 3 }

// PaymentObject returns a payment in the form of the API.
func PaymentObject(p double.Payment) map[string]any {
	o := map[string]any{
		"id": p.Ref, "amount": amount{acquiring.Decimal(p.Amount), p.Currency}, "paid": p.State == double.Paid,
		"refunded_amount": amount{acquiring.Decimal(p.Refunded()), p.Currency}, "test": true,
		"created_at": p.Created.Format(time.RFC3339Nano), "metadata": map[string]string{"payment_id": p.ID},
		"payment_method": map[string]any{"type": p.Method, "id": p.Ref, "saved": false},
	}
	switch p.State {
	case double.Open:
		confirmation := map[string]string{"type": p.Extra["confirmation"]}
		if p.Extra["confirmation"] == "redirect" {
			confirmation["confirmation_url"] = "https://yoomoney.example/checkout/" + p.Ref
		}
		o["status"], o["confirmation"] = "pending", confirmation
	case double.Paid:
		o["status"] = "succeeded"
	case double.Failed:
		o["status"] = "canceled"
		o["cancellation_details"] = map[string]string{"party": "payment_network", "reason": p.Code}
	}
	return o
}

// getPayment answers with the payment of the path, as it is now.
func (d *Double) getPayment(r double.Request) double.Answer {
	p, ok := d.Bank.FindPayment(r.PathValue("ref"))
	if !ok {
		return notFound()
	}
	return double.OK(PaymentObject(p))
}

// listPayments answers with the payments since created_at.gte, newest first. It returns two on a
// page, so that clients have to read further pages.
func (d *Double) listPayments(r double.Request) double.Answer {
	since, err := time.Parse(time.RFC3339Nano, r.Values.Get("created_at.gte"))
	if err != nil {
		return badRequest("invalid_request")
	}
	payments := d.Bank.PaymentsOf(double.AnyID)
	items, cursor := []map[string]any{}, ""
	isAfterCursor := r.Values.Get("cursor") == ""
	for i := len(payments) - 1; i >= 0; i-- { // the newest first
		isAfterCursor = isAfterCursor || payments[i].Ref == r.Values.Get("cursor")
		if !isAfterCursor || payments[i].Created.Before(since) {
			continue
		}
		if len(items) == 2 {
			cursor = payments[i].Ref
			break
		}
		items = append(items, PaymentObject(payments[i]))
	}
	answer := map[string]any{"type": "list", "items": items}
	if cursor != "" {
		answer["next_cursor"] = cursor
	}
	return double.OK(answer)
}

// refuseCancel refuses to cancel, because no payment of this double waits for capture.
func (d *Double) refuseCancel(double.Request) double.Answer { return badRequest("invalid_request") }

// NewCallback returns the notification about a payment as it is now, or about its last refund.
func NewCallback(p double.Payment) acquiring.Callback {
	event := map[double.State]string{double.Paid: "payment.succeeded", double.Failed: "payment.canceled"}[p.State]
	object := PaymentObject(p)
	if p.Refunded() > 0 {
		event = "refund.succeeded"
		object = map[string]any{"id": p.Refunds[len(p.Refunds)-1].Ref, "payment_id": p.Ref, "status": "succeeded"}
	}
	body, _ := json.Marshal(map[string]any{"type": "notification", "event": event, "object": object})
	return acquiring.Callback{Method: http.MethodPost, Header: http.Header{"Content-Type": {"application/json"}}, Body: body}
}
