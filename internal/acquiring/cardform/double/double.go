// Package double speaks the protocol of the card form in front of a bank in memory: it
// decrypts cryptograms with its own key and picks what happens by the card.
package double

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/money"
)

// PublicID and APISecret are the only account.
const (
	PublicID  = "pk_double"
	APISecret = "secret-of-the-double"
)

// KeyVersion is that of the double's key.
const KeyVersion = "07"

// key is made once: it takes a while.
var key = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

// Double is the handler of the API; mount it at the root.
type Double struct {
	Bank *double.Bank

	mux  *http.ServeMux
	used []string
}

// keyLife is how long the API remembers an X-Request-ID.
const keyLife = time.Hour

// New returns the double in front of the bank, which forgets idempotency keys after keyLife.
func New(bank *double.Bank) *Double {
	bank.KeyLife = keyLife
	d := &Double{Bank: bank, mux: http.NewServeMux()}
	d.mux.HandleFunc("GET /payments/publickey", bank.HandleOperation("public key", d.getPublicKey))
	d.mux.HandleFunc("POST /payments/cards/charge", bank.HandleOperation("start", d.answerOnce(d.chargeCard)))
	d.mux.HandleFunc("POST /payments/qr/sbp/link", bank.HandleOperation("start", d.answerOnce(d.openLink("sbp"))))
	d.mux.HandleFunc("POST /payments/qr/sberpay/link", bank.HandleOperation("start", d.answerOnce(d.openLink("sberpay"))))
	d.mux.HandleFunc("POST /payments/cards/post3ds", bank.HandleOperation("finish", d.finishChallenge))
	d.mux.HandleFunc("POST /payments/get", bank.HandleOperation("status", d.getPayment))
	d.mux.HandleFunc("POST /payments/find", bank.HandleOperation("status", d.findPayment))
	d.mux.HandleFunc("POST /v2/payments/find", bank.HandleOperation("find refund", d.findNewest))
	d.mux.HandleFunc("POST /payments/refund", bank.HandleOperation("refund", d.answerOnce(d.refundPayment)))
	return d
}

// ServeHTTP answers a call of the API. Without the right user and password it answers 401.
func (d *Double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if user, password, _ := r.BasicAuth(); user != PublicID || password != APISecret {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	d.mux.ServeHTTP(w, r)
}

// refusalAnswer returns an answer that refuses a request with a message and has no payment.
func refusalAnswer(message string) double.Answer {
	return double.OK(map[string]any{"Success": false, "Message": message})
}

// answerOnce returns a handler that carries out a request once for each X-Request-ID. A
// repetition gets the same answer; another request with the same id is refused.
func (d *Double) answerOnce(do func(double.Request) double.Answer) func(double.Request) double.Answer {
	return func(r double.Request) double.Answer {
		return d.Bank.AnswerOnce(r.Header.Get("X-Request-ID"), r.Raw, refusalAnswer("Another request had this id"), func() double.Answer { return do(r) })
	}
}

// getPublicKey answers with the key that encrypts cards.
func (d *Double) getPublicKey(double.Request) double.Answer {
	der, err := x509.MarshalPKIXPublicKey(&key().PublicKey)
	if err != nil {
		panic(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	return double.OK(map[string]any{"Pem": string(text), "Version": 7})
}

// Cryptogram returns the cryptogram that the page's script makes of the number of a card, with a
// fixed expiry and code.
func Cryptogram(card string) acquiring.Secret {
	text := card + "@2912@123@" + PublicID
	sealed, err := rsa.EncryptPKCS1v15(rand.Reader, &key().PublicKey, []byte(text)) //nolint:staticcheck // the acquirer's own
	if err != nil {
		panic(err)
	}
	return acquiring.Secret("01" + card[:6] + card[len(card)-4:] + "2912" + KeyVersion + base64.StdEncoding.EncodeToString(sealed))
}

// openPacket decrypts a cryptogram and returns the number of its card. It returns false when it
// cannot be decrypted or is of another shop.
func openPacket(packet string) (card string, ok bool) {
	// The version, the first six and the last four digits, the expiry, the version of the key.
	const head = 2 + 6 + 4 + 4 + 2
	if len(packet) < head {
		return "", false
	}
	sealed, err := base64.StdEncoding.DecodeString(packet[head:])
	if err != nil {
		return "", false
	}
	text, err := rsa.DecryptPKCS1v15(nil, key(), sealed) //nolint:staticcheck // the acquirer's own
	parts := strings.Split(string(text), "@")
	return parts[0], err == nil && len(parts) == 4 && parts[3] == PublicID
}

// Cards with 3-D Secure, and the code of those that are known to fail. Any other card
// that begins with 400000000000 fails with its last four digits.
var (
	Secure  = []string{"4242424242424242", "5555555555554444", "2200000000000004", "4012888888881881", "5105105105105100", "2202202220222200"}
	failing = map[string]string{
		"4012888888881881": "5051", "5105105105105100": "5051", "2202202220222200": "5051",
		"4000056655665556": "5051", "5404000000000043": "5051", "2203000000000043": "5051",
	}
)

// outcomeOf returns the code with which a card fails, empty for one that pays.
func outcomeOf(card string) string {
	if code, ok := failing[card]; ok {
		return code
	}
	const paying = "3055" // the end of the one card of this range that pays
	if code, ok := strings.CutPrefix(card, "400000000000"); ok && code != paying {
		return code
	}
	return ""
}

type order struct {
	Amount   json.Number
	Currency string
	Address  string `json:"IpAddress"`
	Packet   string `json:"CardCryptogramPacket"`
	Invoice  string `json:"InvoiceId"`
	Minutes  int64  `json:"TtlMinutes"`
	PublicID string `json:"PublicId"`
}

// readOrder returns the body of a charge or a link, with its sum. It returns false when the body
// cannot be read, the sum is not above zero or our id is missing.
func (d *Double) readOrder(r double.Request) (order, money.Amount, bool) {
	var o order
	if json.Unmarshal(r.Raw, &o) != nil {
		return o, 0, false
	}
	amount, err := acquiring.ParseDecimal(o.Amount.String())
	return o, amount, err == nil && amount > 0 && o.Invoice != ""
}

// newRef returns the number of a new transaction.
func (d *Double) newRef() string { return strconv.Itoa(700000 + d.Bank.NextNumber()) }

// chargeCard handles a charge: the card pays, fails, or requires 3-D Secure. A cryptogram that
// was used before is refused.
func (d *Double) chargeCard(r double.Request) double.Answer {
	o, amount, ok := d.readOrder(r)
	card, readable := openPacket(o.Packet)
	if !ok || o.Address == "" || !readable || slices.Contains(d.used, o.Packet) {
		return refusalAnswer("Bad request")
	}
	d.used = append(d.used, o.Packet)
	p := double.Payment{
		Ref: d.newRef(), ID: o.Invoice, Amount: amount, Currency: o.Currency, Method: "card",
		Awaits3DS: slices.Contains(Secure, card), Extra: map[string]string{"code": outcomeOf(card)},
	}
	p = d.Bank.OpenPayment(p)
	if p.Awaits3DS {
		return double.OK(map[string]any{"Success": false, "Model": map[string]any{
			"TransactionId": toNumber(p.Ref), "PaReq": "pareq-" + p.Ref, "AcsUrl": "https://demo.acs.example/acs", "IFrameIsAllowed": true,
		}})
	}
	d.Bank.SettlePayment(p.Ref, outcomeOf(card))
	p, _ = d.Bank.FindPayment(p.Ref)
	return double.OK(map[string]any{"Success": p.State == double.Paid, "Model": PaymentModel(p)})
}

// openLink returns the handler that opens a payment by link with a method.
func (d *Double) openLink(method string) func(double.Request) double.Answer {
	return func(r double.Request) double.Answer {
		o, amount, ok := d.readOrder(r)
		if !ok || o.PublicID != PublicID || o.Minutes < 1 {
			return refusalAnswer("Bad request")
		}
		p := d.Bank.OpenPayment(double.Payment{
			Ref: d.newRef(), ID: o.Invoice, Amount: amount, Currency: o.Currency, Method: method,
			Until: d.Bank.Clock.Now().Add(time.Duration(o.Minutes) * time.Minute),
		})
		return double.OK(map[string]any{"Success": true, "Model": map[string]any{
			"QrUrl": "https://qr.nspk.example/" + p.Ref, "TransactionId": toNumber(p.Ref), "MerchantOrderId": p.ID, "Message": "Created",
		}})
	}
}

// finishChallenge handles the result of the bank's page, which can be used once: the payment is
// paid, or fails with the code of its card or of a customer who did not agree.
func (d *Double) finishChallenge(r double.Request) double.Answer {
	var in struct {
		TransactionID int64 `json:"TransactionId"`
		PaRes         string
	}
	if json.Unmarshal(r.Raw, &in) != nil {
		return refusalAnswer("Bad request")
	}
	ref, isFinished := strconv.FormatInt(in.TransactionID, 10), false
	d.Bank.ChangePayment(ref, func(p *double.Payment) {
		if !p.Awaits3DS || p.State != double.Open {
			return
		}
		isFinished, p.Awaits3DS = true, false
		p.State, p.Code = double.Paid, ""
		switch {
		case in.PaRes != PaRes(ref, ""): // not that of a customer who agreed
			p.State, p.Code = double.Failed, "5206"
		case p.Extra["code"] != "":
			p.State, p.Code = double.Failed, p.Extra["code"]
		}
	})
	if !isFinished {
		return refusalAnswer("Not found")
	}
	p, _ := d.Bank.FindPayment(ref)
	return double.OK(map[string]any{"Success": p.State == double.Paid, "Model": PaymentModel(p)})
}

// PaRes returns the result that the bank's page posts for a payment. code is why the challenge
// failed, empty for a customer who agreed.
func PaRes(ref, code string) string { return fmt.Sprintf("pares-s3cr3t-mark-%s-%s", ref, code) }

// toNumber returns a reference as a number of JSON.
func toNumber(ref string) json.Number { return json.Number(ref) }

// PaymentModel returns a payment in the form of the API.
func PaymentModel(p double.Payment) map[string]any {
	m := map[string]any{
		"TransactionId": toNumber(p.Ref), "Amount": json.Number(acquiring.Decimal(p.Amount)), "Currency": p.Currency, "InvoiceId": p.ID,
		"TestMode": true, "Status": "Completed", "StatusCode": 3, "ReasonCode": 0,
	}
	switch p.State {
	case double.Open:
		m["Status"], m["StatusCode"] = "AwaitingAuthentication", 1
	case double.Failed:
		code, _ := strconv.Atoi(p.Code)
		m["Status"], m["StatusCode"], m["ReasonCode"] = "Declined", 5, code
	case double.Paid:
	}
	return m
}

// paymentAnswer returns the answer with a payment, or "Not found" when ok is false.
func paymentAnswer(p double.Payment, ok bool) double.Answer {
	if !ok {
		return refusalAnswer("Not found")
	}
	return double.OK(map[string]any{"Success": p.State == double.Paid, "Model": PaymentModel(p)})
}

// getPayment answers with the payment of a transaction.
func (d *Double) getPayment(r double.Request) double.Answer {
	var in struct {
		TransactionID int64 `json:"TransactionId"`
	}
	if json.Unmarshal(r.Raw, &in) != nil {
		return refusalAnswer("Bad request")
	}
	return paymentAnswer(d.Bank.FindPayment(strconv.FormatInt(in.TransactionID, 10)))
}

// findPayment answers with the newest payment of a merchant's id.
func (d *Double) findPayment(r double.Request) double.Answer {
	var in struct {
		InvoiceID string `json:"InvoiceId"`
	}
	if json.Unmarshal(r.Raw, &in) != nil || in.InvoiceID == "" {
		return refusalAnswer("Bad request")
	}
	if payments := d.Bank.PaymentsOf(in.InvoiceID); len(payments) > 0 {
		const isFound = true
		return paymentAnswer(payments[len(payments)-1], isFound)
	}
	return refusalAnswer("Not found")
}

// findNewest answers with the newest transaction of a merchant's id: its last refund, or the payment while
// nothing was refunded.
func (d *Double) findNewest(r double.Request) double.Answer {
	var in struct {
		InvoiceID string `json:"InvoiceId"`
	}
	if json.Unmarshal(r.Raw, &in) != nil || in.InvoiceID == "" {
		return refusalAnswer("Bad request")
	}
	payments := d.Bank.PaymentsOf(in.InvoiceID)
	if len(payments) == 0 {
		return refusalAnswer("Not found")
	}
	p := payments[len(payments)-1]
	if len(p.Refunds) == 0 {
		const isFound = true
		return paymentAnswer(p, isFound)
	}
	last := p.Refunds[len(p.Refunds)-1]
	return double.OK(map[string]any{"Success": true, "Model": map[string]any{
		"TransactionId": toNumber(last.Ref), "OriginalTransactionId": toNumber(p.Ref), "Type": 1, "Amount": json.Number(acquiring.Decimal(last.Amount)),
		"Currency": p.Currency, "InvoiceId": p.ID, "Status": "Completed", "StatusCode": 3, "ReasonCode": 0,
	}})
}

// refundPayment refunds a sum of a payment, and refuses more than is left.
func (d *Double) refundPayment(r double.Request) double.Answer {
	var in struct {
		TransactionID int64 `json:"TransactionId"`
		Amount        json.Number
	}
	if json.Unmarshal(r.Raw, &in) != nil {
		return refusalAnswer("Bad request")
	}
	amount, err := acquiring.ParseDecimal(in.Amount.String())
	if err != nil {
		return refusalAnswer("Bad request")
	}
	const noKey = "" // repetitions are found by X-Request-ID
	ref := strconv.FormatInt(in.TransactionID, 10)
	if _, err = d.Bank.RefundPayment(ref, noKey, amount); err != nil {
		return refusalAnswer("Cannot be refunded")
	}
	number := strconv.Itoa(900000 + d.Bank.NextNumber())
	d.Bank.ChangePayment(ref, func(p *double.Payment) { p.Refunds[len(p.Refunds)-1].Ref = number })
	return double.OK(map[string]any{"Success": true, "Model": map[string]any{"TransactionId": toNumber(number)}})
}
