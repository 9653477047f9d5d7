// Package double speaks the protocols of both gateways of Sberbank in front of a bank in
// memory.
package double

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"servery/internal/acquiring/double"
	"servery/internal/money"
)

// The only account.
const (
	UserName    = "double-api"
	Password    = "password-of-the-double"
	CallbackKey = "callback-key-of-the-double"
)

// Double is the handler of the API; mount it at the root.
type Double struct {
	Bank *double.Bank

	legacy bool
	mux    *http.ServeMux
}

// New returns a double of the new gateway or, with legacy, of the older one.
func New(bank *double.Bank, legacy bool) *Double {
	d := &Double{Bank: bank, legacy: legacy, mux: http.NewServeMux()}
	prefix := "POST /ecomm/gw/partner/api/v1/"
	if legacy {
		prefix = "POST /payment/rest/"
		d.mux.HandleFunc(prefix+"sbp/c2b/qr/dynamic/get.do", bank.HandleOperation("qr", d.requireAccount(d.getQR)))
	}
	d.mux.HandleFunc(prefix+"register.do", bank.HandleOperation("start", d.requireAccount(d.registerOrder)))
	d.mux.HandleFunc(prefix+"getOrderStatusExtended.do", bank.HandleOperation("status", d.requireAccount(d.getStatus)))
	d.mux.HandleFunc(prefix+"paymentSberPay.do", bank.HandleOperation("push", d.requireAccount(d.pushToPhone)))
	d.mux.HandleFunc(prefix+"paymentOrder.do", bank.HandleOperation("order", d.requireAccount(d.payOrder)))
	d.mux.HandleFunc(prefix+"finish3dsMethod.do", bank.HandleOperation("method", d.requireAccount(d.endHiddenStep)))
	d.mux.HandleFunc(prefix+"finish3dsPayment.do", bank.HandleOperation("finish", d.requireAccount(d.finishChallenge)))
	d.mux.HandleFunc(prefix+"decline.do", bank.HandleOperation("cancel", d.requireAccount(d.declineOrder)))
	d.mux.HandleFunc(prefix+"refund.do", bank.HandleOperation("refund", d.requireAccount(d.refundPayment)))
	return d
}

// ServeHTTP answers a call of the API.
func (d *Double) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.mux.ServeHTTP(w, r) }

// params are those of a request of either gateway, nested ones as JSON.
type params map[string]json.RawMessage

// text returns a parameter that is a text as it is, and any other value as its JSON.
func (p params) text(name string) string {
	var text string
	if json.Unmarshal(p[name], &text) == nil {
		return text
	}
	return string(p[name])
}

// number returns a parameter as a number, and 0 when it is none.
func (p params) number(name string) int64 {
	n, _ := strconv.ParseInt(p.text(name), 10, 64)
	return n
}

// readNested reads a nested value, which the older gateway receives as a text, into value. It
// returns false when it cannot be read; a missing one is left out.
func (p params) readNested(name string, value any) bool {
	if p[name] == nil {
		return true
	}
	return json.Unmarshal([]byte(p.text(name)), value) == nil
}

// requireAccount returns a handler that reads the parameters of either gateway and carries out
// do. It refuses a wrong user or password, and a body that cannot be read.
func (d *Double) requireAccount(do func(params) double.Answer) func(double.Request) double.Answer {
	return func(r double.Request) double.Answer {
		p := params{}
		if d.legacy {
			for name := range r.Values {
				p[name], _ = json.Marshal(r.Values.Get(name))
			}
		} else if json.Unmarshal(r.Raw, &p) != nil {
			return errorAnswer(errRefused)
		}
		if p.text("userName") != UserName || p.text("password") != Password {
			return errorAnswer(errLogin)
		}
		return do(p)
	}
}

// Error codes of the gateway.
const (
	errDuplicate  = 1 // the order's number is taken
	errLogin      = 2 // unknown user or wrong password
	errBadOrder   = 4 // a field of a new order is missing or wrong
	errRefused    = 5 // the request is malformed, or the order is not in a state for it
	errNoOrder    = 6
	errWrongState = 7
)

// errorAnswer returns an answer with an error code.
func errorAnswer(n int) double.Answer {
	return double.OK(map[string]any{"errorCode": strconv.Itoa(n), "errorMessage": "Error"})
}

// goodAnswer returns an answer without an error. The older gateway leaves errorCode out then.
func (d *Double) goodAnswer(fields map[string]any) double.Answer {
	if !d.legacy {
		fields["errorCode"] = "0"
	}
	return double.OK(fields)
}

type bundle struct {
	Total     int64
	CartItems struct {
		Items []struct {
			Price    int64 `json:"itemPrice"`
			Amount   int64 `json:"itemAmount"`
			Quantity struct {
				Value int64 `json:"value"`
			} `json:"quantity"`
		} `json:"items"`
	} `json:"cartItems"`
}

// addsUpTo reports whether the items add up to the amount, as the gateway requires.
func (b bundle) addsUpTo(amount int64) bool {
	if len(b.CartItems.Items) == 0 {
		return true
	}
	for _, i := range b.CartItems.Items {
		if i.Price*i.Quantity.Value != i.Amount {
			return false
		}
		amount -= i.Amount
	}
	return amount == 0
}

// Names of currencies by their numbers.
var currencies = map[string]string{"643": "RUB", "398": "KZT", "933": "BYN"}

// registerOrder registers an order and answers with its page and, for SBP, its link. It refuses
// a number that is taken, a wrong field, and a receipt of another sum.
func (d *Double) registerOrder(p params) double.Answer {
	id, amount, seconds := p.text("orderNumber"), p.number("amount"), p.number("sessionTimeoutSecs")
	var receipt bundle
	var extra map[string]string
	if id == "" || len(id) > 36 || amount <= 0 || seconds <= 0 || currencies[p.text("currency")] == "" || p.text("returnUrl") == "" ||
		!p.readNested("orderBundle", &receipt) || !receipt.addsUpTo(amount) || !p.readNested("jsonParams", &extra) {
		return errorAnswer(errBadOrder)
	}
	if len(d.Bank.PaymentsOf(id)) > 0 {
		return errorAnswer(errDuplicate)
	}
	o := d.Bank.OpenPayment(double.Payment{
		Ref: d.Bank.NewUUID(), ID: id, Amount: money.Amount(amount), Currency: currencies[p.text("currency")], Method: "order",
		Until: d.Bank.Clock.Now().Add(time.Duration(seconds) * time.Second), MayTryAgain: true,
	})
	fields := map[string]any{"orderId": o.Ref, "formUrl": "https://pay.bank.example/payment_ru.html?mdOrder=" + o.Ref}
	if extra["qrType"] == "DYNAMIC_QR_SBP" {
		fields["externalParams"] = map[string]string{"sbpPayload": "https://qr.nspk.example/" + o.Ref}
	}
	return d.goodAnswer(fields)
}

// findPayment returns the payment whose reference is in the parameter of that name, or whose id
// is in orderNumber. It returns false when there is none.
func (d *Double) findPayment(p params, name string) (double.Payment, bool) {
	if ref := p.text(name); ref != "" {
		return d.Bank.FindPayment(ref)
	}
	if payments := d.Bank.PaymentsOf(p.text("orderNumber")); p.text("orderNumber") != "" && len(payments) > 0 {
		return payments[0], true
	}
	return double.Payment{}, false
}

// getStatus answers with an order as it is now, in the form of the gateway.
func (d *Double) getStatus(p params) double.Answer {
	o, ok := d.findPayment(p, "orderId")
	if !ok {
		return errorAnswer(errNoOrder)
	}
	action, _ := strconv.Atoi(o.Code)
	const registered, paid, refunded, in3DS, declined, noActionYet = 0, 2, 4, 5, 6, -100
	state := registered
	switch o.State {
	case double.Open:
		action = noActionYet
		if o.Awaits3DS {
			state = in3DS
		}
	case double.Paid:
		if state = paid; o.Refunded() > 0 {
			state = refunded
		}
	case double.Failed:
		state = declined
	}
	number := ""
	for n, name := range currencies {
		if name == o.Currency {
			number = n
		}
	}
	operations := []map[string]any{}
	for _, r := range o.Refunds {
		operations = append(operations, map[string]any{"type": "REFUND", "amount": int64(r.Amount), "externalRefundId": r.Key})
	}
	fields := map[string]any{
		"orderNumber": o.ID, "orderStatus": state, "actionCode": action, "amount": int64(o.Amount), "currency": number,
		"date": json.Number(strconv.FormatInt(o.Created.UnixMilli(), 10) + ".0"), "operations": operations, "attributes": map[string]string{"mdOrder": o.Ref},
		"paymentAmountInfo": map[string]any{"refundedAmount": int64(o.Refunded())},
	}
	if d.legacy {
		fields["attributes"] = []map[string]string{{"name": "transactionState", "value": "x"}, {"name": "mdOrder", "value": o.Ref}}
	}
	return d.goodAnswer(fields)
}

// pushToPhone accepts a push to a phone of eleven digits for an open order, and refuses any
// other.
func (d *Double) pushToPhone(p params) double.Answer {
	o, ok := d.findPayment(p, "orderId")
	if !ok || len(p.text("phone")) != 11 || o.State != double.Open {
		return errorAnswer(errRefused)
	}
	return d.goodAnswer(map[string]any{})
}

// getQR answers with the code for SBP of an open order.
func (d *Double) getQR(p params) double.Answer {
	o, ok := d.findPayment(p, "mdOrder")
	if !ok || o.State != double.Open {
		return errorAnswer(errRefused)
	}
	return d.goodAnswer(map[string]any{"qrId": "QR" + o.Ref[:8], "payload": "https://qr.nspk.example/" + o.Ref, "qrStatus": "STARTED"})
}

// declineOrder fails an order that is open and not in 3-D Secure. For an order in another state it
// answers with errWrongState.
func (d *Double) declineOrder(p params) double.Answer {
	o, ok := d.findPayment(p, "orderId")
	if !ok {
		return errorAnswer(errNoOrder)
	}
	isDeclined := false
	d.Bank.ChangePayment(o.Ref, func(stored *double.Payment) {
		if stored.State != double.Open || stored.Awaits3DS {
			return
		}
		isDeclined, stored.MayTryAgain = true, false
		stored.State, stored.Code = double.Failed, "-2000"
	})
	if !isDeclined {
		return errorAnswer(errWrongState)
	}
	return d.goodAnswer(map[string]any{})
}

// refundPayment refunds a sum of an order, and refuses more than is left or a receipt of another
// sum. The new gateway makes a refund once for each id; the older one ignores the id.
func (d *Double) refundPayment(p params) double.Answer {
	var extra map[string]string
	var receipt bundle
	if !p.readNested("jsonParams", &extra) || !p.readNested("orderBundle", &receipt) || !receipt.addsUpTo(p.number("amount")) {
		return errorAnswer(errRefused)
	}
	key := extra["externalRefundId"]
	if d.legacy {
		key = "" // each request is another refund
	}
	if _, err := d.Bank.RefundPayment(p.text("orderId"), key, money.Amount(p.number("amount"))); err != nil {
		return errorAnswer(errRefused)
	}
	return d.goodAnswer(map[string]any{})
}
