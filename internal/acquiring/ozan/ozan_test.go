package ozan_test

import (
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/ozan"
	ozdouble "servery/internal/acquiring/ozan/double"
	"servery/internal/acquiring/paytest"
	"servery/internal/clock"
)

// newAcquirer returns the acquirer of a configuration that must be valid.
func newAcquirer(t *testing.T, c ozan.Config) *ozan.Acquirer {
	t.Helper()
	a, err := ozan.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// forgeCallbacks returns callbacks that must be refused, made from a genuine one, by what is wrong
// with them.
func forgeCallbacks(genuine acquiring.Callback) map[string]acquiring.Callback {
	edit := func(change func(url.Values)) acquiring.Callback {
		v, _ := url.ParseQuery(string(genuine.Body))
		change(v)
		return acquiring.Callback{Method: genuine.Method, Header: genuine.Header, Body: []byte(v.Encode())}
	}
	fields, _ := url.ParseQuery(string(genuine.Body))
	return map[string]acquiring.Callback{
		"unsigned":         edit(func(v url.Values) { v.Del("checksum") }),
		"empty signature":  edit(func(v url.Values) { v.Set("checksum", "") }),
		"half a signature": edit(func(v url.Values) { v.Set("checksum", v.Get("checksum")[:32]) }),
		"another state":    edit(func(v url.Values) { v.Set("status", "DECLINED") }),
		"another sum":      edit(func(v url.Values) { v.Set("amount", "1") }),
		"two of a field":   edit(func(v url.Values) { v.Add("transactionId", "oz-2") }),
		"of another shop":  ozdouble.SignCallback(fields, "another secret"),
	}
}

// newWorld returns this acquirer with its double, and all that the suite of [paytest] needs: the ways
// to pay, their codes, and callbacks that must be refused.
func newWorld(t *testing.T) *paytest.World {
	t.Helper()
	now := clock.NewFake(paytest.Now)
	bank := double.NewBank(now, "expired")
	server := httptest.NewServer(ozdouble.New(bank))
	t.Cleanup(server.Close)
	config := ozan.Config{BaseURL: server.URL, APIKey: ozdouble.APIKey, SecretKey: ozdouble.SecretKey, City: "Antalya", Clock: now}
	wrong, gone := config, config
	wrong.APIKey = paytest.SecretMark
	gone.BaseURL = "http://127.0.0.1:1"
	return &paytest.World{
		Acquirer: newAcquirer(t, config), Bank: bank, Clock: now, Currency: "TRY", Stops: true, Blind: true,
		Wrong: newAcquirer(t, wrong), Gone: newAcquirer(t, gone), Callback: ozdouble.NewCallback,
		Cases: []paytest.Case{{Name: "card on the page", Method: acquiring.CardOnline, Codes: map[string]acquiring.Reason{
			"51": acquiring.InsufficientFunds, "14": acquiring.CardNumber, "54": acquiring.CardExpiry, "82": acquiring.CardCode, "05": acquiring.BankDeclined,
			"61": acquiring.LimitExceeded, "43": acquiring.Restricted, "59": acquiring.Fraud, "91": acquiring.BankAway, "cancelled": acquiring.CustomerCancelled,
		}}},
		Forgeries: forgeCallbacks,
	}
}

// Every rule of the suite of [paytest] holds for this acquirer.
func TestOzan_keepsTheRulesOfAcquirers(t *testing.T) {
	t.Parallel()
	paytest.RunSuite(t, newWorld)
}

// A payment of a customer without an email is refused before anything is sent.
func TestStartPayment_requiresAnEmail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := acquiring.Intent{ID: "p1", Method: acquiring.CardOnline, ReturnURL: "https://shop.example/", Started: paytest.Now, Deadline: paytest.Now.Add(time.Minute)}
	in.Sum.Amount = 100
	_ = in.Sum.Currency.UnmarshalText([]byte("TRY"))
	if next, err := w.Acquirer.StartPayment(t.Context(), in); err == nil || acquiring.KindOf(err) != acquiring.Invalid {
		t.Errorf("%+v, %v", next, err)
	}
	if len(w.Bank.ListRequests()) != 0 {
		t.Error("something was sent")
	}
}

// Forged callbacks are refused by their checksum, without any request to the API.
func TestVerifyCallback_refusesUnsignedOnes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.Bank.OpenPayment(double.Payment{Ref: "oz-1", ID: "p1", Amount: 100, Currency: "TRY"})
	for name, c := range forgeCallbacks(ozdouble.NewCallback(p)) {
		if _, err := w.Acquirer.VerifyCallback(t.Context(), c); err == nil || acquiring.KindOf(err) != acquiring.Forged {
			t.Errorf("%s: %v", name, err)
		}
	}
	if w.Bank.CountRequests("status") != 0 {
		t.Error("the API was asked about a forgery")
	}
}

// The request for a payment is as in testdata. An answer that says nothing is an unknown
// outcome.
func TestRequests_stayAsRecorded(t *testing.T) {
	t.Parallel()
	r := paytest.NewRecorder(t, `{}`, "Content-Type")
	a := newAcquirer(t, ozan.Config{BaseURL: r.URL, APIKey: "1", SecretKey: "2", City: "Antalya", Clock: clock.NewFake(paytest.Now)})
	if next, err := a.StartPayment(t.Context(), paytest.NewIntent(t, acquiring.CardOnline, "TRY")); err != nil || next.Kind != acquiring.Unknown {
		t.Errorf("%+v, %v", next, err)
	}
	r.CompareGolden(t, "testdata/asked.txt")
}

// Each answer of the API about a payment is read as the right state and reason; one that says
// too little is an unknown outcome.
func TestQueryStatus_readsEachState(t *testing.T) {
	t.Parallel()
	const head = `{"transactionId":"t1","referenceNo":"p1","amount":1050,"currency":"TRY",`
	paytest.ReadStates(t, acquiring.Lookup{Ref: "t1", ID: "p1"}, func(base string) acquiring.Acquirer {
		return newAcquirer(t, ozan.Config{BaseURL: base, APIKey: "1", SecretKey: "2", Clock: clock.NewFake(paytest.Now)})
	}, map[string]paytest.State{
		"waiting":     {Answer: head + `"status":"WAITING"}`, Want: acquiring.Pending},
		"pending":     {Answer: head + `"status":"PENDING"}`, Want: acquiring.Pending},
		"paid":        {Answer: head + `"status":"APPROVED"}`, Want: acquiring.Paid},
		"returned":    {Answer: head + `"status":"REFUNDED"}`, Want: acquiring.Paid, Refunded: 1050},
		"declined":    {Answer: head + `"status":"DECLINED","code":"54"}`, Want: acquiring.Failed, Reason: acquiring.CardExpiry},
		"failed":      {Answer: head + `"status":"FAILED","code":"?"}`, Want: acquiring.Failed, Reason: acquiring.BankDeclined},
		"cancelled":   {Answer: head + `"status":"CANCELLED"}`, Want: acquiring.Failed, Reason: acquiring.CustomerCancelled},
		"unheard":     {Answer: `{"status":"FAILED"}`, Status: 404, Want: acquiring.Absent},
		"a new state": {Answer: head + `"status":"THINKING"}`, Lost: true},
		"without sum": {Answer: `{"transactionId":"t1","referenceNo":"p1","status":"APPROVED"}`, Lost: true},
	})
}
