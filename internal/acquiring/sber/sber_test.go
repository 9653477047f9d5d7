package sber_test

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/paytest"
	"servery/internal/acquiring/sber"
	sbdouble "servery/internal/acquiring/sber/double"
	"servery/internal/clock"
)

// newAcquirer returns the acquirer of a configuration that must be valid.
func newAcquirer(t *testing.T, c sber.Config) *sber.Acquirer {
	t.Helper()
	a, err := sber.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// cardCodes returns action codes for cards that fail, with the reason that each is read as.
func cardCodes() map[string]acquiring.Reason {
	return map[string]acquiring.Reason{
		"116": acquiring.InsufficientFunds, "101": acquiring.CardExpiry, "111": acquiring.CardNumber, "121": acquiring.LimitExceeded,
		"208": acquiring.Restricted, "907": acquiring.BankAway, "341014": acquiring.BankAway, "999": acquiring.BankDeclined,
	}
}

// The gateways, for worldOf and the double.
const newGateway, olderGateway = false, true

// worldOf returns a function that makes the acquirer of a gateway with its double, and all that the
// suite of [paytest] needs: the ways to pay, their codes, and callbacks that must be refused.
func worldOf(legacy bool) func(t *testing.T) *paytest.World {
	return func(t *testing.T) *paytest.World {
		t.Helper()
		now := clock.NewFake(paytest.Now)
		bank := double.NewBank(now, "-2007")
		server := httptest.NewServer(sbdouble.New(bank, legacy))
		t.Cleanup(server.Close)
		config := sber.Config{
			BaseURL: server.URL, Legacy: legacy, UserName: sbdouble.UserName, Password: sbdouble.Password, CallbackKey: sbdouble.CallbackKey,
			SBP: true, SberPay: true, CardForm: true, PublicKey: sbdouble.PublicKey(), Clock: now,
			Company: sber.Company{Email: "shop@example.com", INN: "7700000000", Site: "https://shop.example"},
		}
		wrong, gone := config, config
		wrong.Password = paytest.SecretMark
		gone.BaseURL = "http://127.0.0.1:1"
		page := cardCodes()
		page["-2007"], page["-2011"] = acquiring.Expired, acquiring.ThreeDSFailed
		sbp := paytest.Case{Name: "sbp", Method: acquiring.SBP, Codes: map[string]acquiring.Reason{"-2007": acquiring.Expired}}
		if legacy {
			sbp.Ops = []string{"start", "qr"}
		}
		return &paytest.World{
			Acquirer: newAcquirer(t, config), Bank: bank, Clock: now, Currency: "RUB", Stops: true,
			Wrong: newAcquirer(t, wrong), Gone: newAcquirer(t, gone),
			Callback: func(p double.Payment) acquiring.Callback { return sbdouble.NewCallback(p, legacy) },
			Challenge: func(next acquiring.Next, code string) acquiring.ThreeDSResult {
				if next.ThreeDS.MethodURL != "" {
					return acquiring.ThreeDSResult{TransID: next.ThreeDS.TransID, MethodDone: true}
				}
				return acquiring.ThreeDSResult{CRes: acquiring.Secret(sbdouble.CRes(next.Ref, code))}
			},
			Cases: []paytest.Case{
				{Name: "card on the page", Method: acquiring.CardOnline, Codes: page},
				sbp,
				{Name: "sberpay push", Method: acquiring.SberPay, Ops: []string{"start", "push"}, Codes: map[string]acquiring.Reason{"116": acquiring.InsufficientFunds}},
				{
					Name: "card on our form", Method: acquiring.CardForm, Ops: []string{"start", "order"}, Codes: cardCodes(),
					Edit: func(in *acquiring.Intent, code string) {
						if in.VerifyParam != "" {
							card := "5555555555555599"
							if code != "" {
								card = fmt.Sprintf("4000%012s", code)
							}
							in.Token = sbdouble.CardToken(card, in.VerifyParam)
						}
					},
				},
				{
					Name: "card on our form with 3-D Secure", Method: acquiring.CardForm, Ops: []string{"start", "order", "method", "finish"},
					Codes: map[string]acquiring.Reason{"-2011": acquiring.ThreeDSFailed},
					Edit: func(in *acquiring.Intent, _ string) {
						if in.VerifyParam != "" {
							in.Token = sbdouble.CardToken(sbdouble.Secure, in.VerifyParam)
						}
					},
				},
			},
			Forgeries: func(genuine acquiring.Callback) map[string]acquiring.Callback {
				if legacy {
					return forgeSigned(genuine)
				}
				return map[string]acquiring.Callback{
					"as it is":      genuine, // believed only as far as the API confirms it
					"another state": {Body: bytes.ReplaceAll(genuine.Body, []byte(`"1"`), []byte(`"0"`))},
					"no operation":  {Body: bytes.ReplaceAll(genuine.Body, []byte("operation"), []byte("operetta"))},
					"a path":        {Body: bytes.ReplaceAll(genuine.Body, []byte(`"mdOrder":"`), []byte(`"mdOrder":"../`))},
				}
			},
		}
	}
}

// forgeSigned returns callbacks of the older gateway that must be refused, made from a genuine one, by
// what is wrong with them.
func forgeSigned(genuine acquiring.Callback) map[string]acquiring.Callback {
	edit := func(change func(url.Values)) acquiring.Callback {
		v, _ := url.ParseQuery(genuine.Query)
		change(v)
		return acquiring.Callback{Method: genuine.Method, Query: v.Encode()}
	}
	fields, _ := url.ParseQuery(genuine.Query)
	return map[string]acquiring.Callback{
		"unsigned":        edit(func(v url.Values) { v.Del("checksum") }),
		"empty signature": edit(func(v url.Values) { v.Set("checksum", "") }),
		"half":            edit(func(v url.Values) { v.Set("checksum", v.Get("checksum")[:32]) }),
		"another order":   edit(func(v url.Values) { v.Set("orderNumber", "other") }),
		"another state":   edit(func(v url.Values) { v.Set("operation", "refunded") }),
		"two orders":      edit(func(v url.Values) { v.Add("mdOrder", "other") }),
		"of another shop": sbdouble.SignCallback(fields, "another key"),
	}
}

// Every rule of the suite of [paytest] holds for the new gateway.
func TestNewGateway_keepsTheRulesOfAcquirers(t *testing.T) {
	t.Parallel()
	paytest.RunSuite(t, worldOf(newGateway))
}

// Every rule of the suite of [paytest] holds for the older gateway.
func TestOlderGateway_keepsTheRulesOfAcquirers(t *testing.T) {
	t.Parallel()
	paytest.RunSuite(t, worldOf(olderGateway))
}

// Forged callbacks of the older gateway are refused by their checksum, without any request to
// the gateway.
func TestVerifyCallback_refusesUnsignedOnesOfTheOlderGateway(t *testing.T) {
	t.Parallel()
	w := worldOf(olderGateway)(t)
	p := w.Bank.OpenPayment(double.Payment{Ref: w.Bank.NewUUID(), ID: "p1", Amount: 100, Currency: "RUB"})
	genuine := sbdouble.NewCallback(p, olderGateway)
	for name, c := range forgeSigned(genuine) {
		if _, err := w.Acquirer.VerifyCallback(t.Context(), c); err == nil || acquiring.KindOf(err) != acquiring.Forged {
			t.Errorf("%s: %v", name, err)
		}
	}
	if w.Bank.CountRequests("status") != 0 {
		t.Error("the gateway was asked about a forgery")
	}
	if _, err := w.Acquirer.VerifyCallback(t.Context(), genuine); err != nil {
		t.Errorf("a genuine one: %v", err)
	}
}

// After a refused card an order is pending with the reason, because another card can be tried on
// the bank's page. 13 minutes later its session is over, and it has failed.
func TestQueryStatus_keepsARefusedOrderPendingUntilItsSessionEnds(t *testing.T) {
	t.Parallel()
	w := worldOf(newGateway)(t)
	p := w.Bank.OpenPayment(double.Payment{Ref: w.Bank.NewUUID(), ID: "p1", Amount: 100, Currency: "RUB", MayTryAgain: true, Until: paytest.Now.Add(10 * time.Minute)})
	w.Bank.SettlePayment(p.Ref, "116")
	which := acquiring.Lookup{Ref: p.Ref, ID: "p1"}
	if e, err := w.Acquirer.QueryStatus(t.Context(), which); err != nil || e.State != acquiring.Pending || e.Reason != acquiring.InsufficientFunds {
		t.Errorf("after a refusal: %+v, %v", e, err)
	}
	w.Clock.Advance(13 * time.Minute)
	if e, err := w.Acquirer.QueryStatus(t.Context(), which); err != nil || e.State != acquiring.Failed || e.Reason != acquiring.InsufficientFunds {
		t.Errorf("after the session: %+v, %v", e, err)
	}
}

// The answer with the address of the bank's page was lost. A repeated start finds the order and
// makes the address from the setting FormPage.
func TestStartPayment_findsThePageWhoseAddressWasLost(t *testing.T) {
	t.Parallel()
	w := worldOf(newGateway)(t)
	now := clock.NewFake(paytest.Now)
	server := httptest.NewServer(sbdouble.New(w.Bank, newGateway))
	defer server.Close()
	a := newAcquirer(t, sber.Config{
		BaseURL: server.URL, UserName: sbdouble.UserName, Password: sbdouble.Password, Clock: now,
		FormPage: "https://pay.bank.example/payment_ru.html?mdOrder=",
	})
	in := acquiring.Intent{
		ID: "p1", Method: acquiring.CardOnline, ReturnURL: "https://shop.example/", Started: paytest.Now, Deadline: paytest.Now.Add(10 * time.Minute),
	}
	in.Sum.Amount = 100
	_ = in.Sum.Currency.UnmarshalText([]byte("RUB"))
	w.Bank.ArmFault("start", double.LostAfter)
	if next, err := a.StartPayment(t.Context(), in); err != nil || next.Kind != acquiring.Unknown {
		t.Errorf("lost: %+v, %v", next, err)
	}
	w.Bank.ClearFaults()
	next, err := a.StartPayment(t.Context(), in)
	if err != nil || next.Kind != acquiring.Redirect || next.URL != "https://pay.bank.example/payment_ru.html?mdOrder="+next.Ref {
		t.Errorf("again: %+v, %v", next, err)
	}
}

// The requests for payments of both gateways are as in testdata, which was compared with the
// bank's reference. An answer that says nothing is an unknown outcome.
func TestRequests_areThoseOfTheReference(t *testing.T) {
	t.Parallel()
	for _, legacy := range []bool{newGateway, olderGateway} {
		r := paytest.NewRecorder(t, `{}`, "Content-Type")
		a := newAcquirer(t, sber.Config{
			BaseURL: r.URL, Legacy: legacy, UserName: "u", Password: "p", SBP: true, SberPay: true, Clock: clock.NewFake(paytest.Now),
			Company: sber.Company{Email: "shop@example.com", INN: "7700000000", Site: "https://shop.example"},
		})
		for _, m := range []acquiring.Method{acquiring.CardOnline, acquiring.SBP} {
			if next, err := a.StartPayment(t.Context(), paytest.NewIntent(t, m, "RUB")); err != nil || next.Kind != acquiring.Unknown {
				t.Errorf("%+v, %v", next, err)
			}
		}
		handedOver := paytest.NewIntent(t, acquiring.CardOnline, "RUB")
		handedOver.Receipt.Mode = acquiring.FullPayment
		if next, err := a.StartPayment(t.Context(), handedOver); err != nil || next.Kind != acquiring.Unknown {
			t.Errorf("%+v, %v", next, err)
		}
		file := "testdata/asked.txt"
		if legacy {
			file = "testdata/asked-legacy.txt"
		}
		r.CompareGolden(t, file)
	}
}

// Each answer of the gateway about an order is read as the right state and reason; one that says
// too little is an unknown outcome.
func TestQueryStatus_readsEachStateOfAnOrder(t *testing.T) {
	t.Parallel()
	const head = `{"errorCode":"0","orderNumber":"p1","amount":1050,"currency":"643","attributes":{"mdOrder":"r1"},`
	paytest.ReadStates(t, acquiring.Lookup{Ref: "r1", ID: "p1", Started: paytest.Now}, func(base string) acquiring.Acquirer {
		return newAcquirer(t, sber.Config{BaseURL: base, UserName: "u", Password: "p", Clock: clock.NewFake(paytest.Now)})
	}, map[string]paytest.State{
		"registered":                     {Answer: head + `"orderStatus":0,"actionCode":-100}`, Want: acquiring.Pending},
		"held":                           {Answer: head + `"orderStatus":1}`, Want: acquiring.Held},
		"paid":                           {Answer: head + `"orderStatus":2}`, Want: acquiring.Paid},
		"reversed":                       {Answer: head + `"orderStatus":3}`, Want: acquiring.Failed, Reason: acquiring.Canceled},
		"partly returned":                {Answer: head + `"orderStatus":4,"paymentAmountInfo":{"refundedAmount":450}}`, Want: acquiring.Paid, Refunded: 450},
		"returned, how much is not said": {Answer: head + `"orderStatus":4}`, Lost: true},
		"at the bank's page":             {Answer: head + `"orderStatus":5}`, Want: acquiring.Pending},
		"refused, may be tried again":    {Answer: head + `"orderStatus":6,"actionCode":116}`, Want: acquiring.Pending, Reason: acquiring.InsufficientFunds},
		"ran out":                        {Answer: head + `"orderStatus":6,"actionCode":-2007}`, Want: acquiring.Failed, Reason: acquiring.Expired},
		"refused long ago, in seconds":   {Answer: head + `"orderStatus":6,"actionCode":116,"date":1763700000.0}`, Want: acquiring.Failed, Reason: acquiring.InsufficientFunds},
		"unheard":                        {Answer: `{"errorCode":"6","errorMessage":"x"}`, Want: acquiring.Absent},
		"broken":                         {Answer: `{"errorCode":"7","errorMessage":"x"}`, Lost: true},
		"no state":                       {Answer: `{"errorCode":"0","orderNumber":"p1"}`, Lost: true},
		"a new state":                    {Answer: head + `"orderStatus":9}`, Lost: true},
		"codes as numbers": {
			Answer: `{"errorCode":0,"orderNumber":"p1","amount":1050,"currency":643,"attributes":[{"name":"mdOrder","value":"r1"}],"orderStatus":2}`, Want: acquiring.Paid,
		},
	})
}
