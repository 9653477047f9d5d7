package stripe_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/paytest"
	"servery/internal/acquiring/stripe"
	stdouble "servery/internal/acquiring/stripe/double"
	"servery/internal/clock"
)

// newAcquirer returns the acquirer of a configuration that must be valid.
func newAcquirer(t *testing.T, c stripe.Config) *stripe.Acquirer {
	t.Helper()
	a, err := stripe.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// cardCodes returns decline codes of cards, with the reason that each is read as.
func cardCodes() map[string]acquiring.Reason {
	return map[string]acquiring.Reason{
		"insufficient_funds": acquiring.InsufficientFunds, "expired_card": acquiring.CardExpiry, "incorrect_cvc": acquiring.CardCode,
		"incorrect_number": acquiring.CardNumber, "generic_decline": acquiring.BankDeclined, "lost_card": acquiring.Restricted, "fraudulent": acquiring.Fraud,
		"card_velocity_exceeded": acquiring.LimitExceeded, "processing_error": acquiring.BankAway,
	}
}

// newWorld returns this acquirer with its double, and all that the suite of [paytest] needs: the ways
// to pay, their codes, and callbacks that must be refused.
func newWorld(t *testing.T) *paytest.World {
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
	page := cardCodes()
	page["expired"], page["payment_intent_authentication_failure"] = acquiring.Expired, acquiring.ThreeDSFailed
	token := func(in *acquiring.Intent, code string) {
		if code == "" {
			code = "ok"
		}
		in.Token = acquiring.Secret("pm_" + code + "-" + paytest.SecretMark)
	}
	return &paytest.World{
		Acquirer: newAcquirer(t, config), Bank: bank, Clock: now, Currency: "EUR", Stops: true, NoReceipt: true,
		Wrong: newAcquirer(t, wrong), Gone: newAcquirer(t, gone),
		Callback: func(p double.Payment) acquiring.Callback { return stdouble.NewCallback(p, now) },
		Cases: []paytest.Case{
			{Name: "card on the page", Method: acquiring.CardOnline, Codes: page},
			{Name: "card on our form", Method: acquiring.CardForm, Codes: cardCodes(), Edit: token},
			{
				Name: "card on our form with 3-D Secure", Method: acquiring.CardForm,
				Codes: map[string]acquiring.Reason{"payment_intent_authentication_failure": acquiring.ThreeDSFailed},
				Edit:  func(in *acquiring.Intent, _ string) { in.Token = "pm_secure-" + paytest.SecretMark },
			},
			{Name: "apple pay on the page", Method: acquiring.ApplePay, Codes: page},
			{Name: "google pay on the page", Method: acquiring.GooglePay, Codes: page},
			{Name: "apple pay", Method: acquiring.ApplePay, Codes: cardCodes(), Edit: token},
			{Name: "google pay", Method: acquiring.GooglePay, Codes: cardCodes(), Edit: token},
		},
		Forgeries: func(genuine acquiring.Callback) map[string]acquiring.Callback {
			bare := acquiring.Callback{Method: genuine.Method, Body: genuine.Body}
			signed := func(change func(string) string) acquiring.Callback {
				return acquiring.Callback{Method: genuine.Method, Body: genuine.Body, Header: http.Header{
					"Stripe-Signature": {change(genuine.Header.Get("Stripe-Signature"))},
				}}
			}
			changed := genuine
			changed.Body = bytes.ReplaceAll(genuine.Body, []byte("succeeded"), []byte("canceled"))
			return map[string]acquiring.Callback{
				"unsigned": bare, "changed": changed,
				"empty":            signed(func(string) string { return "" }),
				"no signature":     signed(func(s string) string { return strings.Split(s, ",")[0] }),
				"half a signature": signed(func(s string) string { return s[:40] }),
				"only v0":          signed(func(s string) string { return strings.ReplaceAll(s, "v1=", "v0=") }),
				"another time":     signed(func(s string) string { return strings.Replace(s, "t=", "t=1", 1) }),
				"of another shop":  stdouble.SignCallback(genuine.Body, "whsec_other", now.Now()),
				"of yesterday":     stdouble.SignCallback(genuine.Body, stdouble.WebhookSecret, now.Now().Add(-24*time.Hour)),
				"of tomorrow":      stdouble.SignCallback(genuine.Body, stdouble.WebhookSecret, now.Now().Add(24*time.Hour)),
			}
		},
	}
}

// Every rule of the suite of [paytest] holds for this acquirer, in each of its ways to pay.
func TestStripe_keepsTheRulesOfAcquirers(t *testing.T) {
	t.Parallel()
	paytest.RunSuite(t, newWorld)
}

// An event with a second signature that is wrong is still accepted, as while the secret is being
// changed.
func TestVerifyCallback_acceptsEitherOfTwoSignatures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.Bank.OpenPayment(double.Payment{Ref: "pi_1", ID: "p1", Amount: 100, Currency: "EUR"})
	const isPaid = "" // no code of a failure
	w.Bank.SettlePayment(p.Ref, isPaid)
	p, _ = w.Bank.FindPayment(p.Ref)
	c := w.Callback(p)
	c.Header.Set("Stripe-Signature", c.Header.Get("Stripe-Signature")+",v1="+strings.Repeat("00", 32))
	if n, err := w.Acquirer.VerifyCallback(t.Context(), c); err != nil || n.Event.State != acquiring.Paid {
		t.Errorf("%+v, %v", n, err)
	}
}

// A payment in roubles is refused: it is not certain that Stripe counts them in hundredths too.
func TestStartPayment_refusesCurrenciesOfOtherUnits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := acquiring.Intent{ID: "p1", Method: acquiring.CardOnline, Started: paytest.Now, Deadline: paytest.Now.Add(time.Minute)}
	in.Sum.Amount = 100
	_ = in.Sum.Currency.UnmarshalText([]byte("RUB"))
	if next, err := w.Acquirer.StartPayment(t.Context(), in); acquiring.KindOf(err) != acquiring.Invalid || err == nil {
		t.Errorf("%+v, %v", next, err)
	}
}

// Events of another kind, of a payment of another program and of an unknown one are answered 200
// and ignored.
func TestVerifyCallback_ignoresEventsOfOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Bank.OpenPayment(double.Payment{Ref: "pi_9", ID: "", Amount: 100, Currency: "EUR"})
	for _, body := range []string{
		`{"type":"customer.created","data":{"object":{"id":"cus_1"}}}`,
		`{"type":"payment_intent.succeeded","data":{"object":{"id":"pi_9"}}}`,
		`{"type":"payment_intent.succeeded","data":{"object":{"id":"pi_unheard"}}}`,
	} {
		n, err := w.Acquirer.VerifyCallback(t.Context(), stdouble.SignCallback([]byte(body), stdouble.WebhookSecret, w.Clock.Now()))
		if err != nil || !n.Ignored || n.ReplyFor(acquiring.Accepted).Status != http.StatusOK {
			t.Errorf("%s = %+v, %v", body, n, err)
		}
	}
}

// The requests for payments are as in testdata, which was compared with Stripe's reference. An
// answer that says nothing is an unknown outcome.
func TestRequests_areThoseOfTheReference(t *testing.T) {
	t.Parallel()
	r := paytest.NewRecorder(t, `{}`, "Idempotency-Key", "Stripe-Version", "Content-Type")
	a := newAcquirer(t, stripe.Config{BaseURL: r.URL, SecretKey: "1", WebhookSecret: "2", CardForm: true, Clock: clock.NewFake(paytest.Now)})
	for _, m := range []acquiring.Method{acquiring.CardOnline, acquiring.CardForm} {
		if next, err := a.StartPayment(t.Context(), paytest.NewIntent(t, m, "EUR")); err != nil || next.Kind != acquiring.Unknown {
			t.Errorf("%+v, %v", next, err)
		}
	}
	r.CompareGolden(t, "testdata/asked.txt")
}

// Each answer of the API about an intent or a page is read as the right state and reason; one
// that says too little is an unknown outcome.
func TestQueryStatus_readsEachState(t *testing.T) {
	t.Parallel()
	build := func(base string) acquiring.Acquirer {
		return newAcquirer(t, stripe.Config{BaseURL: base, SecretKey: "1", WebhookSecret: "2", Clock: clock.NewFake(paytest.Now)})
	}
	const intent = `{"id":"pi_1","amount":1050,"currency":"eur","metadata":{"payment_id":"p1"},`
	paytest.ReadStates(t, acquiring.Lookup{Ref: "pi_1", ID: "p1"}, build, map[string]paytest.State{
		"waiting":    {Answer: intent + `"status":"requires_action"}`, Want: acquiring.Pending},
		"processing": {Answer: intent + `"status":"processing"}`, Want: acquiring.Pending},
		"declined":   {Answer: intent + `"status":"requires_payment_method","last_payment_error":{"code":"expired_card"}}`, Want: acquiring.Pending, Reason: acquiring.CardExpiry},
		"held":       {Answer: intent + `"status":"requires_capture"}`, Want: acquiring.Held},
		"paid":       {Answer: intent + `"status":"succeeded","latest_charge":"ch_1"}`, Want: acquiring.Paid},
		"returned":   {Answer: intent + `"status":"succeeded","latest_charge":{"amount_refunded":450}}`, Want: acquiring.Paid, Refunded: 450},
		"cancelled":  {Answer: intent + `"status":"canceled"}`, Want: acquiring.Failed, Reason: acquiring.Canceled},
		"unheard":    {Answer: `{"error":{"type":"invalid_request_error"}}`, Status: 404, Want: acquiring.Absent},
		"refused":    {Answer: `{"error":{"type":"invalid_request_error","code":"x"}}`, Status: 400, Lost: true},
		"new state":  {Answer: intent + `"status":"thinking"}`, Lost: true},
	})
	const page = `{"id":"cs_1","amount_total":1050,"currency":"eur","metadata":{"payment_id":"p1"},`
	paytest.ReadStates(t, acquiring.Lookup{Ref: "cs_1", ID: "p1"}, build, map[string]paytest.State{
		"open page":                {Answer: page + `"status":"open","payment_status":"unpaid","payment_intent":"pi_1"}`, Want: acquiring.Pending},
		"paid page":                {Answer: page + `"status":"complete","payment_status":"paid"}`, Want: acquiring.Paid},
		"page paid by a slow bank": {Answer: page + `"status":"complete","payment_status":"unpaid"}`, Want: acquiring.Pending},
		"expired page":             {Answer: page + `"status":"expired","payment_status":"unpaid"}`, Want: acquiring.Failed, Reason: acquiring.Expired},
		"page of a new state":      {Answer: page + `"status":"thinking"}`, Lost: true},
	})
}

// A refund whose outcome is unknown is sent again while its key is remembered. Later it is looked for in
// the list of the payment's refunds, and sent again only when it is certainly not there.
func TestRefundPayment_isMadeOnceAlthoughItsKeyIsForgotten(t *testing.T) {
	t.Parallel()
	paytest.RunRefundRepetitions(t, newWorld, "pi_1", paytest.RefundWords{Pending: "pending", Canceled: "failed"})
}
