package double

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/sber"
)

// key is made once: it takes a while.
var key = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

// PublicKey returns the key that encrypts cards, in PEM.
func PublicKey() string {
	der, err := x509.MarshalPKIXPublicKey(&key().PublicKey)
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

// Secure is the card that wants 3-D Secure. A card of 4000 and twelve digits fails with
// the action code that those are.
const Secure = "4111111111111111"

// CardToken returns a card encrypted for one order, as the bank's script does it.
func CardToken(card, order string) acquiring.Secret {
	text := "2026-11-21T12:00:00+03:00/0e3a/" + card + "/123/202912/" + order
	sealed, err := rsa.EncryptPKCS1v15(rand.Reader, &key().PublicKey, []byte(text)) //nolint:staticcheck // the acquirer's own
	if err != nil {
		panic(err)
	}
	return acquiring.Secret(base64.StdEncoding.EncodeToString(sealed))
}

// openToken returns card and order of a token; both are empty when it cannot be decrypted.
func openToken(token string) (card, order string) {
	sealed, err := base64.StdEncoding.DecodeString(token)
	if err != nil {
		return "", ""
	}
	text, err := rsa.DecryptPKCS1v15(nil, key(), sealed) //nolint:staticcheck // the acquirer's own
	parts := strings.Split(string(text), "/")            // date, id, card, code, expiry, order
	if err != nil || len(parts) != 6 {
		return "", ""
	}
	return parts[2], parts[5]
}

// payOrder handles the call that pays an order with a card: the order is paid, fails with the
// code that the card's number ends with, or begins 3-D Secure with the hidden step.
func (d *Double) payOrder(p params) double.Answer {
	card, forOrder := openToken(p.text("seToken"))
	o, ok := d.findPayment(p, "MDORDER")
	if !ok || forOrder != o.Ref || o.State != double.Open {
		return errorAnswer(errRefused)
	}
	// The bank's page was never shown, so another card cannot be tried there.
	d.Bank.ChangePayment(o.Ref, func(o *double.Payment) { o.MayTryAgain, o.Awaits3DS = false, card == Secure })
	if card == Secure {
		return d.goodAnswer(map[string]any{
			"threeDSMethodUrl": "https://acs.bank.example/method", "threeDSMethodData": "e30", "threeDSServerTransId": "t-" + o.Ref,
		})
	}
	failure := "" // none
	if n, found := strings.CutPrefix(card, "4000"); found {
		value, _ := strconv.Atoi(n)
		failure = strconv.Itoa(value) // without leading zeros
	}
	d.Bank.SettlePayment(o.Ref, failure)
	return d.goodAnswer(map[string]any{"redirect": p.text("termUrl")})
}

// endHiddenStep handles the call after the hidden page of the bank (3DS method), and answers
// with the page that the customer sees.
func (d *Double) endHiddenStep(p params) double.Answer {
	o, ok := d.findPayment(p, "mdOrder")
	if !ok || !o.Awaits3DS || p.text("threeDSServerTransId") != "t-"+o.Ref || p.text("threeDSCompInd") != "Y" {
		return errorAnswer(errRefused)
	}
	return d.goodAnswer(map[string]any{"acsUrl": "https://acs.bank.example/challenge", "cReq": "creq-" + o.Ref})
}

// CRes returns the result that the bank's page posts for an order. code is why the challenge
// failed, empty for a customer who agreed.
func CRes(ref, code string) string { return "cres-s3cr3t-mark-" + ref + code }

// finishChallenge handles the result of the bank's page, which can be used once: the order is
// paid, or fails for a customer who did not agree.
func (d *Double) finishChallenge(p params) double.Answer {
	isFinished := false
	d.Bank.ChangePayment(p.text("mdOrder"), func(o *double.Payment) {
		if !o.Awaits3DS || o.State != double.Open {
			return
		}
		isFinished, o.Awaits3DS = true, false
		const isAgreed, challengeFailed = "", "-2011"
		if o.State, o.Code = double.Paid, ""; p.text("cRes") != CRes(o.Ref, isAgreed) {
			o.State, o.Code = double.Failed, challengeFailed
		}
	})
	if !isFinished {
		return errorAnswer(errRefused)
	}
	return d.goodAnswer(map[string]any{"redirect": "https://shop.example/back"})
}

// NewCallback returns the notification about a payment as it is now, from the new gateway or,
// with legacy, signed from the older one.
func NewCallback(p double.Payment, legacy bool) acquiring.Callback {
	operation, state := "deposited", "1"
	switch {
	case p.Refunded() > 0:
		operation = "refunded"
	case p.State == double.Failed:
		state = "0"
	}
	if legacy {
		return SignCallback(url.Values{"mdOrder": {p.Ref}, "orderNumber": {p.ID}, "operation": {operation}, "status": {state}}, CallbackKey)
	}
	body, _ := json.Marshal(map[string]string{
		"mdOrder": p.Ref, "orderNumber": p.ID, "operation": operation, "status": state,
	})
	return acquiring.Callback{Method: http.MethodPost, Header: http.Header{"Content-Type": {"application/json"}}, Body: body}
}

// SignCallback returns a callback of the older gateway with its checksum by the key. It sets the
// checksum in values.
func SignCallback(values url.Values, key string) acquiring.Callback {
	values.Del("checksum")
	values.Set("checksum", strings.ToUpper(hex.EncodeToString(sber.CallbackChecksum(values, key))))
	return acquiring.Callback{Method: http.MethodGet, Query: values.Encode()}
}
