package stripe_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/pay"
	"servery/internal/pay/double"
	"servery/internal/pay/paytest"
	"servery/internal/pay/stripe"
	stdouble "servery/internal/pay/stripe/double"
)

func acquirer(t *testing.T, c stripe.Config) *stripe.Acquirer {
	t.Helper()
	a, err := stripe.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func codes() map[string]pay.Reason {
	return map[string]pay.Reason{
		"insufficient_funds": pay.InsufficientFunds, "expired_card": pay.CardExpiry, "incorrect_cvc": pay.CardCode,
		"incorrect_number": pay.CardNumber, "generic_decline": pay.BankDeclined, "lost_card": pay.Restricted, "fraudulent": pay.Fraud,
		"card_velocity_exceeded": pay.LimitExceeded, "processing_error": pay.BankAway,
	}
}

func world(t *testing.T) *paytest.World {
	t.Helper()
	now := clock.NewFake(paytest.Now)
	bank := double.NewBank(now, "expired")
	server := httptest.NewServer(stdouble.New(bank))
	t.Cleanup(server.Close)
	config := stripe.Config{
		BaseURL: server.URL, PublishableKey: "pk_test_double", SecretKey: stdouble.SecretKey, WebhookSecret: stdouble.WebhookSecret,
		CardForm: true, ApplePay: true, GooglePay: true, Clock: now,
	}
	wrong, gone := config, config
	wrong.SecretKey = paytest.SecretMark
	gone.BaseURL = "http://127.0.0.1:1"
	page := codes()
	page["expired"], page["payment_intent_authentication_failure"] = pay.Expired, pay.ThreeDSFailed
	token := func(in *pay.Intent, code string) {
		if code == "" {
			code = "ok"
		}
		in.Token = pay.Secret("pm_" + code + "-" + paytest.SecretMark)
	}
	return &paytest.World{
		Acquirer: acquirer(t, config), Bank: bank, Clock: now, Currency: "EUR", Stops: true, NoReceipt: true,
		Wrong: acquirer(t, wrong), Gone: acquirer(t, gone),
		Callback: func(p double.Payment) pay.Callback { return stdouble.Callback(p, now) },
		Cases: []paytest.Case{
			{Name: "card on the page", Method: pay.CardOnline, Codes: page},
			{Name: "card on our form", Method: pay.CardForm, Codes: codes(), Edit: token},
			{
				Name: "card on our form with 3-D Secure", Method: pay.CardForm,
				Codes: map[string]pay.Reason{"payment_intent_authentication_failure": pay.ThreeDSFailed},
				Edit:  func(in *pay.Intent, _ string) { in.Token = "pm_secure-" + paytest.SecretMark },
			},
			{Name: "apple pay on the page", Method: pay.ApplePay, Codes: page},
			{Name: "google pay on the page", Method: pay.GooglePay, Codes: page},
			{Name: "apple pay", Method: pay.ApplePay, Codes: codes(), Edit: token},
			{Name: "google pay", Method: pay.GooglePay, Codes: codes(), Edit: token},
		},
		Forgeries: func(genuine pay.Callback) map[string]pay.Callback {
			bare := pay.Callback{Method: genuine.Method, Body: genuine.Body}
			signed := func(change func(string) string) pay.Callback {
				return pay.Callback{Method: genuine.Method, Body: genuine.Body, Header: http.Header{
					"Stripe-Signature": {change(genuine.Header.Get("Stripe-Signature"))},
				}}
			}
			changed := genuine
			changed.Body = bytes.ReplaceAll(genuine.Body, []byte("succeeded"), []byte("canceled"))
			return map[string]pay.Callback{
				"unsigned": bare, "changed": changed,
				"empty":            signed(func(string) string { return "" }),
				"no signature":     signed(func(s string) string { return strings.Split(s, ",")[0] }),
				"half a signature": signed(func(s string) string { return s[:40] }),
				"only v0":          signed(func(s string) string { return strings.ReplaceAll(s, "v1=", "v0=") }),
				"another time":     signed(func(s string) string { return strings.Replace(s, "t=", "t=1", 1) }),
				"of another shop":  stdouble.Sign(genuine.Body, "whsec_other", now.Now()),
				"of yesterday":     stdouble.Sign(genuine.Body, stdouble.WebhookSecret, now.Now().Add(-24*time.Hour)),
				"of tomorrow":      stdouble.Sign(genuine.Body, stdouble.WebhookSecret, now.Now().Add(24*time.Hour)),
			}
		},
	}
}

func TestStripeKeepsTheRules(t *testing.T) {
	t.Parallel()
	paytest.Run(t, world)
}

func TestOfTwoSecretsEitherSigns(t *testing.T) {
	t.Parallel()
	w := world(t)
	p := w.Bank.Open(double.Payment{Ref: "pi_1", ID: "p1", Amount: 100, Currency: "EUR"})
	w.Bank.Settle(p.Ref, "")
	p, _ = w.Bank.Find(p.Ref)
	c := w.Callback(p)
	c.Header.Set("Stripe-Signature", c.Header.Get("Stripe-Signature")+",v1="+strings.Repeat("00", 32))
	if n, err := w.Acquirer.Verify(t.Context(), c); err != nil || n.Event.State != pay.Paid {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestCurrenciesWithOtherUnitsAreRefused(t *testing.T) {
	t.Parallel()
	w := world(t)
	in := pay.Intent{ID: "p1", Method: pay.CardOnline, Started: paytest.Now, Deadline: paytest.Now.Add(time.Minute)}
	in.Sum.Amount = 100
	_ = in.Sum.Currency.UnmarshalText([]byte("RUB"))
	if next, err := w.Acquirer.Start(t.Context(), in); pay.KindOf(err) != pay.Invalid || err == nil {
		t.Errorf("%+v, %v", next, err)
	}
}

func TestEventsOfOthersAreAnsweredAndForgotten(t *testing.T) {
	t.Parallel()
	w := world(t)
	w.Bank.Open(double.Payment{Ref: "pi_9", ID: "", Amount: 100, Currency: "EUR"})
	for _, body := range []string{
		`{"type":"customer.created","data":{"object":{"id":"cus_1"}}}`,
		`{"type":"payment_intent.succeeded","data":{"object":{"id":"pi_9"}}}`,
		`{"type":"payment_intent.succeeded","data":{"object":{"id":"pi_unheard"}}}`,
	} {
		n, err := w.Acquirer.Verify(t.Context(), stdouble.Sign([]byte(body), stdouble.WebhookSecret, w.Clock.Now()))
		if err != nil || !n.Ignored || n.Answer(pay.Accepted).Status != http.StatusOK {
			t.Errorf("%s = %+v, %v", body, n, err)
		}
	}
}

func TestWhatIsAskedIsWhatTheReferenceSays(t *testing.T) {
	t.Parallel()
	r := paytest.Record(t, `{}`, "Idempotency-Key", "Stripe-Version", "Content-Type")
	a := acquirer(t, stripe.Config{BaseURL: r.URL, SecretKey: "1", WebhookSecret: "2", CardForm: true, Clock: clock.NewFake(paytest.Now)})
	for _, m := range []pay.Method{pay.CardOnline, pay.CardForm} {
		if next, err := a.Start(t.Context(), paytest.Order(t, m, "EUR")); err != nil || next.Kind != pay.Unknown {
			t.Errorf("%+v, %v", next, err)
		}
	}
	r.Compare(t, "testdata/asked.txt")
}

func TestEachStateOfAPaymentIsRead(t *testing.T) {
	t.Parallel()
	build := func(base string) pay.Acquirer {
		return acquirer(t, stripe.Config{BaseURL: base, SecretKey: "1", WebhookSecret: "2", Clock: clock.NewFake(paytest.Now)})
	}
	const intent = `{"id":"pi_1","amount":1050,"currency":"eur","metadata":{"payment_id":"p1"},`
	paytest.Read(t, pay.Lookup{Ref: "pi_1", ID: "p1"}, build, map[string]paytest.State{
		"waiting":    {Answer: intent + `"status":"requires_action"}`, Want: pay.Pending},
		"processing": {Answer: intent + `"status":"processing"}`, Want: pay.Pending},
		"declined":   {Answer: intent + `"status":"requires_payment_method","last_payment_error":{"code":"expired_card"}}`, Want: pay.Pending, Reason: pay.CardExpiry},
		"held":       {Answer: intent + `"status":"requires_capture"}`, Want: pay.Held},
		"paid":       {Answer: intent + `"status":"succeeded","latest_charge":"ch_1"}`, Want: pay.Paid},
		"returned":   {Answer: intent + `"status":"succeeded","latest_charge":{"amount_refunded":450}}`, Want: pay.Paid, Refunded: 450},
		"cancelled":  {Answer: intent + `"status":"canceled"}`, Want: pay.Failed, Reason: pay.Withdrawn},
		"unheard":    {Answer: `{"error":{"type":"invalid_request_error"}}`, Status: 404, Want: pay.Absent},
		"refused":    {Answer: `{"error":{"type":"invalid_request_error","code":"x"}}`, Status: 400, Lost: true},
		"new state":  {Answer: intent + `"status":"thinking"}`, Lost: true},
	})
	const page = `{"id":"cs_1","amount_total":1050,"currency":"eur","metadata":{"payment_id":"p1"},`
	paytest.Read(t, pay.Lookup{Ref: "cs_1", ID: "p1"}, build, map[string]paytest.State{
		"open page":                {Answer: page + `"status":"open","payment_status":"unpaid","payment_intent":"pi_1"}`, Want: pay.Pending},
		"paid page":                {Answer: page + `"status":"complete","payment_status":"paid"}`, Want: pay.Paid},
		"page paid by a slow bank": {Answer: page + `"status":"complete","payment_status":"unpaid"}`, Want: pay.Pending},
		"expired page":             {Answer: page + `"status":"expired","payment_status":"unpaid"}`, Want: pay.Failed, Reason: pay.Expired},
		"page of a new state":      {Answer: page + `"status":"thinking"}`, Lost: true},
	})
}
