//go:build !release

package server_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"servery/internal/acquiring"
	"servery/internal/acquiring/cardform"
	"servery/internal/acquiring/sandbox"
	"servery/internal/acquiring/stripe"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

const (
	goodCard  = "4242424242424242"
	poorCard  = "4000000000001000"
	checkCard = "4000000000000101"
)

// newShop returns an edge whose customers pay the sandbox: on our own card form, or on the bank's page.
func newShop(t *testing.T, d *db.DB, hasCardForm bool) *edge {
	t.Helper()
	e := newPayingEdge(t, d, sandboxAccounts(d))
	e.Import(t, carttest.Online(hasCardForm))
	return e
}

// sandboxAccounts returns a function that makes the account of sushi with the sandbox on the database.
func sandboxAccounts(d *db.DB) func(c *clock.Fake) acquiring.Accounts {
	return func(c *clock.Fake) acquiring.Accounts {
		bank := sandbox.New(sandbox.Options{DB: d, Clock: c, Log: slog.New(slog.DiscardHandler)})
		return acquiring.Accounts{"sushi": {carttest.Account: bank.Acquirer("sushi")}}
	}
}

// orderOnline places an order with the online payment type, and returns its number and the key of its
// checkout.
func (b *browser) orderOnline(paymentType string) (id int64, key string) {
	b.t.Helper()
	request := b.checkout(b.fill())
	request["payment_type"], request["email"] = paymentType, "anna@example.org"
	created := b.ok("POST", "/api/order/create", request)
	if created["status"] != "waiting_for_payment" || created["pay_until"] == nil {
		b.t.Fatalf("created %v", created)
	}
	return idOf(created["order_id"]), request["order_cache_key"].(string)
}

// settings returns the settings of a payment type in Moscow.
func (b *browser) settings(paymentType string) map[string]any {
	b.t.Helper()
	return b.ok("POST", "/api/order/payment-settings", object{"city_id": carttest.Moscow, "payment_type": paymentType, "is_delivery": true})
}

// cryptogram encrypts a card as the page does.
func (b *browser) cryptogram(number string) string {
	b.t.Helper()
	text, _ := b.settings("card_online")["public_key"].(string)
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		b.t.Fatalf("no key in %q", text)
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		b.t.Fatal(err)
	}
	card, err := json.Marshal(object{"number": number, "exp_month": 12, "exp_year": 2040, "cvc": "987"})
	if err != nil {
		b.t.Fatal(err)
	}
	sealed, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, key.(*rsa.PublicKey), card, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(sealed)
}

func TestPay_leadsToTheAcquirersPageForTheOrdersSumAlone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newShop(t, d, false).browser(t)
		id, key := b.orderOnline("card_online")
		if s := b.settings("card_online"); s["acquiring"] != carttest.Account || s["card_form"] != false || s["is_sandbox"] != true {
			t.Errorf("settings %v", s)
		}
		request := object{
			"order_id": id, "order_cache_key": key, "payment_type": "card_online", "acquiring": "another",
			"amount": 1, "total": 1, "currency": "KZT", "sum": object{"amount": 1}, "origin": "https://evil.example", "callback_url": "https://evil.example",
		}
		first := b.ok("POST", "/api/order/pay", request, "Idempotency-Key", "first-tap")
		if form, _ := first["form_url"].(string); first["reason"] != "approved-new" || !strings.HasPrefix(form, b.siteAddress()+"/dev/sandbox/pay/") || first["transaction_id"] == nil {
			t.Fatalf("answered %v", first)
		}
		for _, tap := range []string{"first-tap", "second-tap"} {
			if again := b.ok("POST", "/api/order/pay", request, "Idempotency-Key", tap); again["form_url"] != first["form_url"] {
				t.Errorf("%s leads to %v", tap, again)
			}
		}
		shown := b.ok("GET", "/api/order-payment/"+key, nil)["payment"]
		total := dig(b.ok("PUT", "/api/cart", moscow(nil)), "cart", "prices", "total")
		if dig(shown, "state") != "pending" || dig(shown, "next", "form_url") != first["form_url"] || dig(shown, "total") != total || dig(shown, "currency") != "RUB" {
			t.Errorf("got %v, want %v", shown, total)
		}
		if total == 0.0 {
			t.Error("the cart was emptied before it was paid")
		}
		b.refused(http.StatusUnprocessableEntity, "payment_type", "POST", "/api/order/pay", object{"order_id": id, "payment_type": "cash"})
		b.refused(http.StatusUnprocessableEntity, "payment_type", "POST", "/api/order/payment-settings", object{"city_id": carttest.Moscow, "payment_type": "cash"})
	})
}

// A card without money is refused at the field card_number, and the payment stays open; another card then pays
// with 3-D Secure. The log names neither cards nor cryptograms nor the e-mail, and a metric counts the payment.
func TestPay_byCardFormSucceedsOrNamesTheFieldAtFault(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newShop(t, d, true)
		b := e.browser(t)
		id, key := b.orderOnline("card_online")
		poor, good := b.cryptogram(poorCard), b.cryptogram(goodCard)
		request := func(token string) object {
			return object{"order_id": id, "payment_type": "card_online", "cryptogram": token, "email": "bills@example.org"}
		}
		if said := b.refused(http.StatusUnprocessableEntity, "card_number", "POST", "/api/order/pay", request(poor)); said == "" {
			t.Error("nothing is said")
		}
		if shown := b.ok("GET", "/api/order-payment/"+key, nil)["payment"]; dig(shown, "state") != "waiting" || dig(shown, "problem", "reason") != "insufficient_funds" {
			t.Errorf("got %v", shown)
		}
		paid := b.ok("POST", "/api/order/pay", request(good))
		if paid["reason"] != "approved" || paid["complete_link"] != "/moscow/order/payment/"+key {
			t.Fatalf("answered %v", paid)
		}
		proved := b.ok("POST", "/api/order/post3ds", object{"order_id": id, "TransactionId": paid["transaction_id"]})
		if proved["errors"] != nil || dig(proved, "payment", "state") != "paid" || dig(proved, "payment", "status") != "accepted" {
			t.Errorf("proved %v", proved)
		}
		secrets := map[string]*regexp.Regexp{"e-mail": wholeWord("bills@example.org")}
		for name, secret := range map[string]string{"poor card": poorCard, "good card": goodCard, "cryptogram": good[:40], "refused cryptogram": poor[:40]} {
			secrets[name] = regexp.MustCompile(regexp.QuoteMeta(secret))
		}
		for _, found := range e.secretsIn(secrets) {
			t.Errorf("in the log stands %s", found)
		}
		if metrics := b.call("GET", "/metrics", nil).text; !strings.Contains(metrics, `servery_payment_answers_total{account="bank",answer="paid"} 1`) {
			t.Error("the payment is not counted")
		}
	})
}

// The payment page is shown again after the restaurant has canceled, and must not promise what does not go back.
func TestOrderPayment_saysWhatOfACanceledOrderGoesBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newShop(t, d, true).browser(t)
		for name, refund := range map[string]object{"all is kept": {"none": true}, "a part is kept": {"amount": 100}} {
			id, key := b.orderOnline("card_online")
			b.ok("POST", "/api/order/pay", object{"order_id": id, "payment_type": "card_online", "cryptogram": b.cryptogram(goodCard)})
			if shown := b.ok("GET", "/api/order-payment/"+key, nil)["payment"]; dig(shown, "message") != nil {
				t.Errorf("%s: before the cancellation it says %v", name, dig(shown, "message"))
			}
			cancel := object{"outcome": "refused", "reason": "sold_out", "refund": refund}
			b.ok("POST", fmt.Sprintf("/api/operator/orders/%d/cancel", id), cancel, asOperator...)
			shown := b.ok("GET", "/api/order-payment/"+key, nil)["payment"]
			said := dig(b.ok("GET", fmt.Sprint("/api/order/", id), nil), "order", "payment", "message")
			if said == nil || dig(shown, "message") != said {
				t.Errorf("%s: the payment says %v, the order %v", name, dig(shown, "message"), said)
			}
		}
	})
}

// Who has only the link of an order sees it, and is not led to its payment page, which is for the one who ordered.
func TestOrder_leadsOnlyWhoPlacedItToItsPayment(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newShop(t, d, false)
		b, friend := e.browser(t), e.browser(t)
		id, key := b.orderOnline("card_online")
		link := dig(b.ok("GET", fmt.Sprint("/api/order/", id), nil), "order", "link")
		friend.ok("POST", "/api/order/status", object{"order_id": id, "link": link})
		for who, want := range map[*browser]any{b: key, friend: nil} {
			payment := dig(who.ok("GET", fmt.Sprint("/api/order/", id), nil), "order", "payment")
			if dig(payment, "state") != "waiting" || dig(payment, "order_cache_key") != want {
				t.Errorf("shown %v, want the key %v", payment, want)
			}
		}
	})
}

func TestThreeDSReturn_runsOneScriptAndIsInNoForeignFrame(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newShop(t, d, true).browser(t)
		id, key := b.orderOnline("card_online")
		next := b.ok("POST", "/api/order/pay", object{"order_id": id, "payment_type": "card_online", "cryptogram": b.cryptogram(checkCard)})
		try, _ := next["transaction_id"].(string)
		if next["reason"] != "3ds" || next["TermUrl"] != b.siteAddress()+"/api/order/3ds/"+try || next["MD"] == nil || next["PaReq"] == nil || next["AcsUrl"] == nil {
			t.Fatalf("answered %v", next)
		}
		bank := []string{"Content-Type", "application/x-www-form-urlencoded", "Origin", "https://bank.example", "Sec-Fetch-Site", "cross-site"}
		a := b.call("POST", "/api/order/3ds/"+try, "MD=1&PaRes=made+up", bank...)
		script := regexp.MustCompile(`<script>(.*)</script>`).FindStringSubmatch(a.text)
		if a.status != http.StatusOK || script == nil || !strings.Contains(a.text, `data-to="/moscow/order/payment/`+key+`"`) || !strings.Contains(a.text, `data-id="`+try+`"`) {
			t.Fatalf("answered %d %s", a.status, a.text)
		}
		hash := sha256.Sum256([]byte(script[1]))
		want := "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
		if got := a.header.Get("Content-Security-Policy"); got != want {
			t.Errorf("policy %q, want %q", got, want)
		}
		if shown := b.ok("GET", "/api/order-payment/"+key, nil)["payment"]; dig(shown, "state") == "paid" {
			t.Error("a made-up answer has paid")
		}
		if a := b.call("POST", "/api/order/3ds/"+try, "PaRes="+strings.Repeat("x", 64<<10), bank[:2]...); a.status != http.StatusRequestEntityTooLarge {
			t.Errorf("a large answer is answered with %d", a.status)
		}
		if a := b.call("POST", "/api/order/3ds/unknown", "PaRes=x", bank...); a.status != http.StatusNotFound || strings.Contains(a.text, key) {
			t.Errorf("an unknown payment is answered with %d %s", a.status, a.text)
		}
	})
}

func TestSecurityPolicy_allowsBanksOnThePaymentPageAlone(t *testing.T) {
	t.Parallel()
	e := newPayingEdge(t, dbtest.Open(t, db.SQLite), func(c *clock.Fake) acquiring.Accounts {
		form, err := cardform.New(cardform.Config{BaseURL: cardform.BaseURL, Script: cardform.Script, PublicID: "p", APISecret: "s", Clock: c})
		if err != nil {
			t.Fatal(err)
		}
		wallets, err := stripe.New(stripe.Config{BaseURL: stripe.BaseURL, PublishableKey: "p", SecretKey: "s", WebhookSecret: "w", GooglePay: true, Clock: c})
		if err != nil {
			t.Fatal(err)
		}
		return acquiring.Accounts{"sushi": {"bank": form}, "pizza": {"bank": wallets}}
	})
	e.Import(t, carttest.Online(carttest.OwnCardForm))
	b := e.browser(t)
	const strict = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	const ours = "default-src 'self'; img-src 'self' data:; script-src 'self' https://checkout.cloudpayments.ru; frame-src 'self' https:; " +
		"connect-src 'self' https://api.cloudpayments.ru; object-src 'none'; base-uri 'none'; form-action 'self' https:; frame-ancestors 'none'"
	const wallet = "default-src 'self'; img-src 'self' data: https://www.gstatic.com; script-src 'self' https://pay.google.com; frame-src 'self' https:; " +
		"connect-src 'self' https://pay.google.com https://google.com; object-src 'none'; base-uri 'none'; form-action 'self' https:; frame-ancestors 'none'"
	for _, c := range []struct{ path, host, policy, referrer, opener string }{
		{"/moscow/order/payment/key", "localhost", ours, "no-referrer", "same-origin"},
		{"/berlin/order/payment/key", "pizza.localhost", wallet, "no-referrer", "same-origin-allow-popups"},
		{"/moscow/back-to-home?state=payment-failure", "localhost", strict, "no-referrer", "same-origin"},
		{"/moscow/order", "localhost", strict, "", "same-origin"},
		{"/moscow/order/payment", "localhost", strict, "", "same-origin"},
		{"/moscow/order/payment/key/more", "localhost", strict, "", "same-origin"},
		{"/moscow/order/12345678/tracking", "localhost", strict, "", "same-origin"},
		{"/moscow/cart", "localhost", strict, "", "same-origin"},
		{"/moscow", "localhost", strict, "", "same-origin"},
		{"/", "localhost", strict, "", "same-origin"},
		{"/paris/payment/key", "localhost", strict, "", "same-origin"},
		{"/api/cities", "localhost", strict, "", "same-origin"},
	} {
		a := b.call("GET", c.path, nil, "Host", c.host)
		if got := a.header.Get("Content-Security-Policy"); got != c.policy {
			t.Errorf("%s of %s has %q, want %q", c.path, c.host, got, c.policy)
		}
		if got := a.header.Get("Referrer-Policy"); c.referrer != "" && got != c.referrer {
			t.Errorf("%s has the referrer policy %q", c.path, got)
		}
		if got := a.header.Get("Cross-Origin-Opener-Policy"); got != c.opener {
			t.Errorf("%s has the opener policy %q", c.path, got)
		}
		if strings.Contains(c.path, "payment") && strings.HasPrefix(c.path, "/moscow") && !strings.Contains(a.text, `<meta name="robots" content="noindex">`) {
			t.Errorf("%s is indexed", c.path)
		}
	}
	if robots := b.call("GET", "/robots.txt", nil).text; !strings.Contains(robots, "Disallow: /*/order/\n") || !strings.Contains(robots, "Disallow: /*/back-to-home\n") {
		t.Errorf("the policy for robots is %q", robots)
	}
}

func TestCallback_allowsOnlyGetAndPost(t *testing.T) {
	t.Parallel()
	b := newShop(t, dbtest.Open(t, db.SQLite), false).browser(t)
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/api/callback/bank", "{}", http.StatusForbidden},
		{"GET", "/api/callback/bank?kind=check", "", http.StatusForbidden},
		{"POST", "/api/callback/unknown", "{}", http.StatusForbidden},
		{"HEAD", "/api/callback/bank", "", http.StatusMethodNotAllowed},
		{"PUT", "/api/callback/bank", "{}", http.StatusNotFound},
		{"GET", "/api/order/3ds/x", "", http.StatusNotFound},
	} {
		a := b.call(c.method, c.path, c.body, "Origin", "https://bank.example", "Content-Type", "text/plain")
		if want := c.status; a.status != want && (c.method != "PUT" || a.status != http.StatusForbidden) {
			t.Errorf("%s %s is answered with %d, want %d", c.method, c.path, a.status, want)
		}
	}
}

func TestThreeDSReturn_withAFormThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	b := newShop(t, dbtest.Open(t, db.SQLite), false).browser(t)
	a := b.call("POST", "/api/order/3ds/x", "PaRes=%zz", "Origin", "https://bank.example", "Content-Type", "application/x-www-form-urlencoded")
	if a.status != http.StatusBadRequest {
		t.Errorf("it is answered with %d %s", a.status, a.text)
	}
}

// siteAddress returns the address of the default brand at the port of the server. Whatever the Host header
// says, an acquirer gets no other address.
func (b *browser) siteAddress() string {
	return strings.Replace(b.base, "127.0.0.1", "localhost", 1)
}
