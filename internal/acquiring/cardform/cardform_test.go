package cardform_test

import (
	"bytes"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/cardform"
	cfdouble "servery/internal/acquiring/cardform/double"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/paytest"
	"servery/internal/clock"
	"servery/internal/money"
)

// newAcquirer returns the acquirer of a configuration that must be valid.
func newAcquirer(t *testing.T, c cardform.Config) *cardform.Acquirer {
	t.Helper()
	a, err := cardform.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// cardCodes returns the bank's codes for cards that fail, with the reason that each is read as.
func cardCodes() map[string]acquiring.Reason {
	return map[string]acquiring.Reason{
		"5051": acquiring.InsufficientFunds, "5014": acquiring.CardNumber, "5054": acquiring.CardExpiry, "5033": acquiring.CardExpiry, "5082": acquiring.CardCode,
		"5005": acquiring.BankDeclined, "5017": acquiring.CustomerCancelled, "5034": acquiring.Fraud, "5041": acquiring.Restricted, "5061": acquiring.LimitExceeded,
		"5065": acquiring.LimitExceeded, "5091": acquiring.BankAway, "5206": acquiring.ThreeDSFailed, "5300": acquiring.Fraud, "3008": acquiring.Canceled, "9999": acquiring.BankDeclined,
	}
}

// newWorld returns this acquirer with its double, and all that the suite of [paytest] needs: the ways
// to pay, their codes, and callbacks that must be refused.
func newWorld(t *testing.T) *paytest.World {
	t.Helper()
	now := clock.NewFake(paytest.Now)
	bank := double.NewBank(now, "5017")
	server := httptest.NewServer(cfdouble.New(bank))
	t.Cleanup(server.Close)
	config := cardform.Config{
		BaseURL: server.URL, Script: "https://checkout.example/checkout.js", PublicID: cfdouble.PublicID, APISecret: cfdouble.APISecret,
		SBP: true, SberPay: true, Clock: now,
	}
	wrong, gone := config, config
	wrong.APISecret = paytest.SecretMark
	gone.BaseURL = "http://127.0.0.1:1"
	return &paytest.World{
		Acquirer: newAcquirer(t, config), Bank: bank, Clock: now, Currency: "RUB", Blind: true,
		Wrong: newAcquirer(t, wrong), Gone: newAcquirer(t, gone),
		Callback: cfdouble.NewCallback,
		Challenge: func(next acquiring.Next, code string) acquiring.ThreeDSResult {
			if code != "5206" {
				code = "" // the bank says its code after a challenge that was passed
			}
			return acquiring.ThreeDSResult{PaRes: acquiring.Secret(cfdouble.PaRes(next.Ref, code))}
		},
		Cases: []paytest.Case{
			{
				Name: "card", Method: acquiring.CardForm, Codes: cardCodes(),
				Edit: func(in *acquiring.Intent, code string) {
					card := "4000000000003055"
					if code != "" {
						card = "400000000000" + code
					}
					in.Token = cfdouble.Cryptogram(card)
				},
			},
			{
				Name: "card with 3-D Secure", Method: acquiring.CardForm, Ops: []string{"start", "finish"},
				Codes: map[string]acquiring.Reason{"5206": acquiring.ThreeDSFailed, "5051": acquiring.InsufficientFunds},
				Edit: func(in *acquiring.Intent, code string) {
					card := paytest.Card
					if code == "5051" {
						card = "4012888888881881"
					}
					in.Token = cfdouble.Cryptogram(card)
				},
			},
			{Name: "sbp", Method: acquiring.SBP, Codes: map[string]acquiring.Reason{"5017": acquiring.CustomerCancelled}},
			{Name: "sberpay", Method: acquiring.SberPay, Codes: map[string]acquiring.Reason{"5051": acquiring.InsufficientFunds}},
		},
		Forgeries: func(genuine acquiring.Callback) map[string]acquiring.Callback {
			bare := genuine
			bare.Header = nil
			second := acquiring.Callback{Method: genuine.Method, Body: genuine.Body, Header: genuine.Header.Clone()}
			second.Header.Del("Content-Hmac")
			short := acquiring.Callback{Method: genuine.Method, Body: genuine.Body, Header: genuine.Header.Clone()}
			short.Header.Set("Content-Hmac", genuine.Header.Get("Content-Hmac")[:20])
			changed := genuine
			changed.Body = bytes.ReplaceAll(genuine.Body, []byte("Amount="), []byte("Amount=1"))
			return map[string]acquiring.Callback{
				"unsigned": bare, "signed as decoded only": second, "half a signature": short, "changed": changed,
				"of another shop": cfdouble.SignCallback(genuine.Body, "another secret"),
				// A notification of kind Check is signed and reads like Pay.
				"check for pay": genuine,
			}
		},
	}
}

// Every rule of the suite of [paytest] holds for this acquirer, in each of its ways to pay.
func TestCardForm_keepsTheRulesOfAcquirers(t *testing.T) {
	t.Parallel()
	paytest.RunSuite(t, newWorld)
}

// A notification of kind Check becomes an event of state Asked, and each verdict is answered
// with the acquirer's code.
func TestVerifyCallback_asksWhetherAPaymentMayGoOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.Bank.OpenPayment(double.Payment{Ref: "700100", ID: "p1", Amount: 123450, Currency: "RUB"})
	c := cfdouble.NewCallback(p)
	c.Query = cardform.CheckQuery
	n, err := w.Acquirer.VerifyCallback(t.Context(), c)
	if err != nil || n.Event.State != acquiring.Asked || n.Event.ID != "p1" || n.Event.Sum.String() != "1234.50 RUB" {
		t.Fatalf("check = %+v, %v", n, err)
	}
	for verdict, want := range map[acquiring.Verdict]string{
		acquiring.Accepted: `{"code":0}`, acquiring.NotKnown: `{"code":10}`, acquiring.WrongSum: `{"code":12}`, acquiring.NotNow: `{"code":13}`, acquiring.TooLate: `{"code":20}`,
	} {
		if r := n.ReplyFor(verdict); r.Status != 200 || r.Body != want {
			t.Errorf("verdict %d = %+v, want %s", verdict, r, want)
		}
	}
}

// A signed notification in JSON is read like one in a form.
func TestVerifyCallback_readsJSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.Bank.OpenPayment(double.Payment{Ref: "700100", ID: "p1", Amount: 123450, Currency: "RUB"})
	const isPaid = "" // no code of a failure
	w.Bank.SettlePayment(p.Ref, isPaid)
	c := cfdouble.SignCallback([]byte(`{"TransactionId":700100,"Amount":1234.5,"Currency":"RUB","InvoiceId":"p1","OperationType":"Payment"}`), cfdouble.APISecret)
	c.Header.Set("Content-Type", "application/json; charset=utf-8")
	if n, err := w.Acquirer.VerifyCallback(t.Context(), c); err != nil || n.Event.State != acquiring.Paid || n.Event.Sum.Amount != 123450 {
		t.Errorf("%+v, %v", n, err)
	}
}

// With a configured script the page gets its address and no request is made; without one it gets
// the public key of the API.
func TestLoadSettings_returnsTheScriptOrTheKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, err := w.Acquirer.LoadSettings(t.Context(), acquiring.CardForm)
	if err != nil || s.PublicID != cfdouble.PublicID || s.Script == "" || w.Bank.CountRequests("public key") != 0 {
		t.Errorf("with a script: %+v, %v", s, err)
	}
	server := httptest.NewServer(cfdouble.New(w.Bank))
	defer server.Close()
	a := newAcquirer(t, cardform.Config{BaseURL: server.URL, PublicID: cfdouble.PublicID, APISecret: cfdouble.APISecret, Clock: w.Clock})
	s, err = a.LoadSettings(t.Context(), acquiring.CardForm)
	if err != nil || s.KeyVersion != "7" || s.Script != "" || !strings.Contains(s.PublicKey, "BEGIN PUBLIC KEY") {
		t.Errorf("without: %+v, %v", s, err)
	}
}

// The requests for payments and refunds are as in testdata, which was compared with the
// acquirer's reference. An answer that says nothing is an unknown outcome.
func TestRequests_areThoseOfTheReference(t *testing.T) {
	t.Parallel()
	r := paytest.NewRecorder(t, `{}`, "X-Request-ID", "Content-Type")
	a := newAcquirer(t, cardform.Config{BaseURL: r.URL, PublicID: "pk_1", APISecret: "2", SBP: true, Clock: clock.NewFake(paytest.Now)})
	for _, m := range []acquiring.Method{acquiring.CardForm, acquiring.SBP} {
		if next, err := a.StartPayment(t.Context(), paytest.NewIntent(t, m, "RUB")); err != nil || next.Kind != acquiring.Unknown {
			t.Errorf("%+v, %v", next, err)
		}
	}
	handedOver := paytest.NewIntent(t, acquiring.CardForm, "RUB")
	handedOver.Receipt.Mode = acquiring.FullPayment
	if next, err := a.StartPayment(t.Context(), handedOver); err != nil || next.Kind != acquiring.Unknown {
		t.Errorf("%+v, %v", next, err)
	}
	in := paytest.NewIntent(t, acquiring.CardForm, "RUB")
	if got, err := a.RefundPayment(t.Context(), acquiring.Refund{ID: "refund-1", Of: in.Lookup("700100"), Paid: in.Sum, Sum: in.Sum}); err != nil || got.State != acquiring.RefundUnknown {
		t.Errorf("%+v, %v", got, err)
	}
	r.CompareGolden(t, "testdata/asked.txt")
}

// Each answer of the API about a payment is read as the right state and reason; one that says
// too little is an unknown outcome.
func TestQueryStatus_readsEachState(t *testing.T) {
	t.Parallel()
	const head = `"TransactionId":7,"Amount":10.5,"Currency":"RUB","InvoiceId":"p1"`
	paytest.ReadStates(t, acquiring.Lookup{Ref: "7", ID: "p1"}, func(base string) acquiring.Acquirer {
		return newAcquirer(t, cardform.Config{BaseURL: base, PublicID: "1", APISecret: "2", Clock: clock.NewFake(paytest.Now)})
	}, map[string]paytest.State{
		"waiting for 3-D Secure": {Answer: `{"Success":false,"Model":{` + head + `,"Status":"AwaitingAuthentication"}}`, Want: acquiring.Pending},
		"held":                   {Answer: `{"Success":true,"Model":{` + head + `,"Status":"Authorized"}}`, Want: acquiring.Held},
		"paid":                   {Answer: `{"Success":true,"Model":{` + head + `,"Status":"Completed"}}`, Want: acquiring.Paid},
		"declined":               {Answer: `{"Success":false,"Model":{` + head + `,"Status":"Declined","ReasonCode":5082}}`, Want: acquiring.Failed, Reason: acquiring.CardCode},
		"cancelled":              {Answer: `{"Success":true,"Model":{` + head + `,"Status":"Cancelled"}}`, Want: acquiring.Failed, Reason: acquiring.Canceled},
		"unheard":                {Answer: `{"Success":false,"Message":"Not found"}`, Want: acquiring.Absent},
		"refused otherwise":      {Answer: `{"Success":false,"Message":"Terminal is blocked"}`, Lost: true},
		"success and no more":    {Answer: `{"Success":true}`, Lost: true},
		"no state":               {Answer: `{"Success":true,"Model":{` + head + `}}`, Lost: true},
		"a sum with an exponent": {Answer: `{"Success":true,"Model":{"TransactionId":7,"Amount":1e3,"Currency":"RUB","InvoiceId":"p1","Status":"Completed"}}`, Lost: true},
	})
}

// A third of a payment is refunded and the answer is lost. The API forgets the request after an hour, so
// the refund is repeated before and only looked for afterwards: what was made is never made twice, and what
// cannot be found is left to a person. A refund that no call can have sent is made at any time.
func TestRefundPayment_isSentAgainOnlyWhileItsIDIsRemembered(t *testing.T) {
	t.Parallel()
	const lost, unsent = true, false
	for name, c := range map[string]struct {
		isLost bool         // the first call was made and its answer lost, or no call was made
		before money.Amount // what an earlier refund returned
		hasRef bool         // the reference of the earlier refund is in the books
		fault  double.Fault // of the first call
		later  time.Duration
		want   acquiring.RefundState
		kind   acquiring.ErrorKind // of the error in place of want
		made   int                 // how often the part was returned in the end
	}{
		"made, repeated in time":            {isLost: lost, fault: double.LostAfter, later: 45 * time.Minute, want: acquiring.RefundDone, made: 1},
		"not made, repeated in time":        {isLost: lost, fault: double.BadBefore, later: 45 * time.Minute, want: acquiring.RefundDone, made: 1},
		"made, found after an hour":         {isLost: lost, fault: double.LostAfter, later: 61 * time.Minute, want: acquiring.RefundDone, made: 1},
		"not made, not found after an hour": {isLost: lost, fault: double.BadBefore, later: 61 * time.Minute, kind: acquiring.Late},
		"made, after an earlier refund": {
			isLost: lost, fault: double.LostAfter, before: 1000, hasRef: true, later: 61 * time.Minute, want: acquiring.RefundDone, made: 1,
		},
		"not made, after an earlier refund": {
			isLost: lost, fault: double.BadBefore, before: 1000, hasRef: true, later: 61 * time.Minute, kind: acquiring.Late,
		},
		"made, after a refund without a reference": {
			isLost: lost, fault: double.LostAfter, before: 1000, later: 61 * time.Minute, kind: acquiring.Late, made: 1,
		},
		"never sent, and an hour has passed": {isLost: unsent, later: 61 * time.Minute, want: acquiring.RefundDone, made: 1},
	} {
		w := newWorld(t)
		p := w.Bank.OpenPayment(double.Payment{Ref: "700100", ID: "p1", Amount: 3000, Currency: "RUB"})
		const isPaid = "" // no code of a failure
		w.Bank.SettlePayment(p.Ref, isPaid)
		rub, _ := money.ParseCurrency("RUB")
		r := acquiring.Refund{
			ID: "part", Of: acquiring.Lookup{Ref: p.Ref, ID: "p1"}, Paid: acquiring.Sum{Amount: 3000, Currency: rub},
			Sum: acquiring.Sum{Amount: 1000, Currency: rub}, Before: c.before,
		}
		if c.before > 0 {
			earlier, err := w.Acquirer.RefundPayment(t.Context(), acquiring.Refund{
				ID: "earlier", Of: r.Of, Paid: r.Paid, Sum: acquiring.Sum{Amount: c.before, Currency: rub},
			})
			if err != nil || earlier.State != acquiring.RefundDone {
				t.Fatalf("%s: an earlier refund = %+v, %v", name, earlier, err)
			}
			if c.hasRef {
				r.Earlier = []string{earlier.Ref}
			}
		}
		if c.isLost {
			since := w.Clock.Now()
			w.Bank.ArmFault("refund", c.fault)
			if got, err := w.Acquirer.RefundPayment(t.Context(), r); err != nil || got.State != acquiring.RefundUnknown {
				t.Errorf("%s: the first call = %+v, %v", name, got, err)
			}
			w.Bank.ClearFaults()
			r.Since = since
		}
		w.Clock.Advance(c.later)
		for range 3 {
			got, err := w.Acquirer.RefundPayment(t.Context(), r)
			if c.kind != 0 && (err == nil || acquiring.KindOf(err) != c.kind) || c.kind == 0 && (err != nil || got.State != c.want) {
				t.Errorf("%s: a later call = %+v, %v", name, got, err)
			}
		}
		if _, _, returned := w.Bank.SumCharged("p1"); returned != c.before+money.Amount(c.made)*1000 {
			t.Errorf("%s: %s returned", name, returned)
		}
	}
}
