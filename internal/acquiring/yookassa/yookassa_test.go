package yookassa_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/paytest"
	"servery/internal/acquiring/yookassa"
	ykdouble "servery/internal/acquiring/yookassa/double"
	"servery/internal/clock"
	"servery/internal/money"
)

// newAcquirer returns the acquirer of a configuration that must be valid.
func newAcquirer(t *testing.T, c yookassa.Config) *yookassa.Acquirer {
	t.Helper()
	a, err := yookassa.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// newWorld returns this acquirer with its double, and all that the suite of [paytest] needs: the ways
// to pay, their codes, and callbacks that must be refused.
func newWorld(t *testing.T) *paytest.World {
	t.Helper()
	now := clock.NewFake(paytest.Now)
	bank := double.NewBank(now, "expired_on_confirmation")
	server := httptest.NewServer(ykdouble.New(bank))
	t.Cleanup(server.Close)
	config := yookassa.Config{BaseURL: server.URL, ShopID: ykdouble.ShopID, SecretKey: ykdouble.SecretKey, Clock: now}
	wrong, gone := config, config
	wrong.SecretKey = paytest.SecretMark
	gone.BaseURL = "http://127.0.0.1:1"
	page := map[string]acquiring.Reason{
		"3d_secure_failed": acquiring.ThreeDSFailed, "call_issuer": acquiring.BankDeclined, "card_expired": acquiring.CardExpiry,
		"fraud_suspected": acquiring.Fraud, "general_decline": acquiring.BankDeclined, "insufficient_funds": acquiring.InsufficientFunds,
		"invalid_card_number": acquiring.CardNumber, "invalid_csc": acquiring.CardCode, "issuer_unavailable": acquiring.BankAway,
		"payment_method_limit_exceeded": acquiring.LimitExceeded, "payment_method_restricted": acquiring.Restricted,
		"country_forbidden": acquiring.Restricted, "expired_on_confirmation": acquiring.Expired, "permission_revoked": acquiring.CustomerCancelled,
		"a_reason_of_tomorrow": acquiring.BankDeclined,
	}
	return &paytest.World{
		Acquirer: newAcquirer(t, config), Bank: bank, Clock: now, Currency: "RUB",
		Wrong: newAcquirer(t, wrong), Gone: newAcquirer(t, gone),
		Callback: ykdouble.NewCallback,
		Cases: []paytest.Case{
			{Name: "card on the page", Method: acquiring.CardOnline, Codes: page},
			{Name: "sbp", Method: acquiring.SBP, Codes: map[string]acquiring.Reason{"expired_on_confirmation": acquiring.Expired}},
			{Name: "sberpay push", Method: acquiring.SberPay, Codes: map[string]acquiring.Reason{"insufficient_funds": acquiring.InsufficientFunds}},
			{
				Name: "sberpay page", Method: acquiring.SberPay, Codes: map[string]acquiring.Reason{"insufficient_funds": acquiring.InsufficientFunds},
				Edit: func(in *acquiring.Intent, _ string) { in.Customer.Phone = "" },
			},
		},
		Forgeries: func(genuine acquiring.Callback) map[string]acquiring.Callback {
			change := func(from, to string) acquiring.Callback {
				c := genuine
				c.Body = bytes.ReplaceAll(genuine.Body, []byte(from), []byte(to))
				return c
			}
			return map[string]acquiring.Callback{
				"as it is":      genuine, // believed only as far as the API confirms it
				"another state": change("succeeded", "canceled"),
				"another sum":   change(`"value":"`, `"value":"9`),
				"a path":        change(`"id":"`, `"id":"../refunds/`),
			}
		},
	}
}

// Every rule of the suite of [paytest] holds for this acquirer, in each of its ways to pay.
func TestYooKassa_keepsTheRulesOfAcquirers(t *testing.T) {
	t.Parallel()
	paytest.RunSuite(t, newWorld)
}

// A notification is accepted from YooKassa's networks alone; one from elsewhere, or without a
// known sender, is refused without a request to the API.
func TestVerifyCallback_refusesOtherSenders(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(paytest.Now)
	const expiredCode, isPaid = "expired_on_confirmation", ""
	bank := double.NewBank(now, expiredCode)
	server := httptest.NewServer(ykdouble.New(bank))
	defer server.Close()
	a := newAcquirer(t, yookassa.Config{
		BaseURL: server.URL, ShopID: ykdouble.ShopID, SecretKey: ykdouble.SecretKey, Clock: now, Senders: yookassa.SenderNetworks(),
	})
	p := bank.OpenPayment(double.Payment{Ref: bank.NewUUID(), ID: "p1", Amount: 100, Currency: "RUB"})
	c := ykdouble.NewCallback(p)
	for sender, want := range map[string]bool{
		"185.71.76.31": true, "::ffff:77.75.156.35": true, "2a02:5180::7": true,
		"185.71.76.32": false, "203.0.113.1": false, "": false,
	} {
		c.Sender, _ = netip.ParseAddr(sender)
		bank.SettlePayment(p.Ref, isPaid)
		before := bank.CountRequests("status")
		_, err := a.VerifyCallback(t.Context(), ykdouble.NewCallback(double.Payment{Ref: p.Ref, ID: p.ID, State: double.Paid, Currency: "RUB"}))
		if acquiring.KindOf(err) != acquiring.Forged || err == nil {
			t.Errorf("without a sender: %v", err)
		}
		c.Body = ykdouble.NewCallback(double.Payment{Ref: p.Ref, ID: p.ID, State: double.Paid, Currency: "RUB"}).Body
		n, err := a.VerifyCallback(t.Context(), c)
		if (err == nil) != want {
			t.Errorf("from %q: %+v, %v", sender, n, err)
		}
		if !want && bank.CountRequests("status") != before {
			t.Errorf("from %q: the API was asked", sender)
		}
	}
}

// The requests for payments, refunds and closing receipts are as in testdata, which was compared
// with YooKassa's reference. An answer that says nothing is an unknown outcome.
func TestRequests_areThoseOfTheReference(t *testing.T) {
	t.Parallel()
	r := paytest.NewRecorder(t, `{}`, "Idempotence-Key", "Content-Type")
	a := newAcquirer(t, yookassa.Config{BaseURL: r.URL, ShopID: "1", SecretKey: "2", Clock: clock.NewFake(paytest.Now)})
	for _, m := range []acquiring.Method{acquiring.CardOnline, acquiring.SBP, acquiring.SberPay} {
		if next, err := a.StartPayment(t.Context(), paytest.NewIntent(t, m, "RUB")); err != nil || next.Kind != acquiring.Unknown {
			t.Errorf("%+v, %v", next, err)
		}
	}
	in := paytest.NewIntent(t, acquiring.CardOnline, "RUB")
	if got, err := a.RefundPayment(t.Context(), acquiring.Refund{
		ID: "refund-1", Of: in.Lookup("ref-1"), Paid: in.Sum, Sum: in.Sum, Receipt: in.Receipt, Description: "Возврат",
	}); err != nil || got.State != acquiring.RefundUnknown {
		t.Errorf("%+v, %v", got, err)
	}
	closing := acquiring.Closing{ID: "closing-1", Of: in.Lookup("ref-1"), Sum: in.Sum, Receipt: in.Receipt}
	closing.Receipt.Mode = acquiring.FullPayment
	if got, err := a.CloseReceipt(t.Context(), closing); err != nil || got.State != acquiring.ClosingUnknown {
		t.Errorf("%+v, %v", got, err)
	}
	closing.Repeated = true
	if got, err := a.CloseReceipt(t.Context(), closing); err != nil || got.State != acquiring.ClosingUnknown {
		t.Errorf("%+v, %v", got, err)
	}
	closing.Ref = "rt-1"
	if got, err := a.CloseReceipt(t.Context(), closing); err != nil || got.State != acquiring.ClosingUnknown {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := a.RefundPayment(t.Context(), acquiring.Refund{
		ID: "refund-2", Of: in.Lookup("ref-1"), Paid: in.Sum, Sum: in.Sum, Since: paytest.Now.Add(-24 * time.Hour),
	}); acquiring.KindOf(err) != acquiring.Lost || err == nil {
		t.Errorf("%+v, %v", got, err)
	}
	r.CompareGolden(t, "testdata/asked.txt")
}

// Each answer of the API about a payment is read as the right state and reason; one that says
// too little is an unknown outcome.
func TestQueryStatus_readsEachState(t *testing.T) {
	t.Parallel()
	const head = `{"id":"r1","metadata":{"payment_id":"p1"},"amount":{"value":"10.00","currency":"RUB"},`
	paytest.ReadStates(t, acquiring.Lookup{Ref: "r1", ID: "p1"}, func(base string) acquiring.Acquirer {
		return newAcquirer(t, yookassa.Config{BaseURL: base, ShopID: "1", SecretKey: "2", Clock: clock.NewFake(paytest.Now)})
	}, map[string]paytest.State{
		"pending":        {Answer: head + `"status":"pending"}`, Want: acquiring.Pending},
		"held, not paid": {Answer: head + `"status":"waiting_for_capture","paid":true}`, Want: acquiring.Held},
		"paid":           {Answer: head + `"status":"succeeded"}`, Want: acquiring.Paid},
		"partly returned": {
			Answer: head + `"status":"succeeded","refunded_amount":{"value":"4.50","currency":"RUB"}}`, Want: acquiring.Paid, Refunded: 450,
		},
		"cancelled":       {Answer: head + `"status":"canceled","cancellation_details":{"reason":"card_expired"}}`, Want: acquiring.Failed, Reason: acquiring.CardExpiry},
		"unheard":         {Answer: `{"type":"error","code":"not_found"}`, Status: 404, Want: acquiring.Absent},
		"a new state":     {Answer: head + `"status":"thinking"}`, Lost: true},
		"a sum of three":  {Answer: `{"id":"r1","metadata":{"payment_id":"p1"},"amount":{"value":"10.005","currency":"RUB"},"status":"succeeded"}`, Lost: true},
		"another money":   {Answer: `{"id":"r1","metadata":{"payment_id":"p1"},"amount":{"value":"10.00","currency":"XYZ"},"status":"succeeded"}`, Lost: true},
		"nothing":         {Answer: `{}`, Status: 400, Lost: true},
		"an empty answer": {Answer: ``, Lost: true},
	})
}

// Each answer about a closing receipt, or list of receipts for a repeated request, is read as
// the right state.
func TestCloseReceipt_readsEachState(t *testing.T) {
	t.Parallel()
	const head = `{"id":"rt-1","type":"payment","payment_id":"ref-1",`
	const settled = `"settlements":[{"type":"prepayment","amount":{"value":"1000.00","currency":"RUB"}},{"type":"prepayment","amount":{"value":"200.01","currency":"RUB"}}]}`
	list := func(items ...string) string { return `{"type":"list","items":[` + strings.Join(items, ",") + `]}` }
	own := `{"id":"rt-0","type":"payment","payment_id":"ref-1","status":"succeeded","settlements":[{"type":"cashless","amount":{"value":"1200.01","currency":"RUB"}}]}`
	for name, c := range map[string]struct {
		answer   string
		status   int
		repeated bool
		want     acquiring.Closed
	}{
		"pending":          {answer: head + `"status":"pending",` + settled, want: acquiring.Closed{State: acquiring.ClosingPending, Ref: "rt-1"}},
		"registered":       {answer: head + `"status":"succeeded",` + settled, want: acquiring.Closed{State: acquiring.ClosingDone, Ref: "rt-1"}},
		"canceled":         {answer: head + `"status":"canceled",` + settled, want: acquiring.Closed{State: acquiring.ClosingFailed, Ref: "rt-1", Code: "canceled"}},
		"a new state":      {answer: head + `"status":"thinking",` + settled, want: acquiring.Closed{Ref: "rt-1"}},
		"of another":       {answer: strings.Replace(head, "ref-1", "ref-2", 1) + `"status":"succeeded",` + settled},
		"not a closing":    {answer: own},
		"another sum":      {answer: head + `"status":"succeeded",` + strings.Replace(settled, "200.01", "200.00", 1), want: acquiring.Closed{State: acquiring.ClosingFailed, Ref: "rt-1", Code: "other_sum"}},
		"another currency": {answer: head + `"status":"succeeded",` + strings.Replace(settled, "RUB", "USD", 1)},
		"nothing":          {answer: `{}`},
		"found":            {repeated: true, answer: list(own, head+`"status":"succeeded",`+settled), want: acquiring.Closed{State: acquiring.ClosingDone, Ref: "rt-1"}},
		"found canceled":   {repeated: true, answer: list(head + `"status":"canceled",` + settled), want: acquiring.Closed{State: acquiring.ClosingFailed, Ref: "rt-1", Code: "canceled"}},
		"found unreadable": {repeated: true, answer: list(head + `"status":"succeeded",` + strings.Replace(settled, "RUB", "USD", 1))},
		"no list":          {repeated: true, answer: `{}`},
		"no list, refused": {repeated: true, answer: `{"type":"error"}`, status: 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.status == 0 {
				c.status = http.StatusOK
			}
			in := paytest.NewIntent(t, acquiring.CardOnline, "RUB")
			closing := acquiring.Closing{ID: "closing-1", Of: in.Lookup("ref-1"), Sum: in.Sum, Receipt: in.Receipt, Repeated: c.repeated}
			closing.Receipt.Mode = acquiring.FullPayment
			a := newAcquirer(t, yookassa.Config{BaseURL: paytest.ServeCanned(t, c.status, c.answer), ShopID: "1", SecretKey: "2", Clock: clock.NewFake(paytest.Now)})
			if got, err := a.CloseReceipt(t.Context(), closing); err != nil || got != c.want {
				t.Errorf("%+v, %v; want %+v", got, err, c.want)
			}
		})
	}
}

// A refund whose outcome is unknown is sent again while its key is remembered. Later it is looked for in
// the list of the payment's refunds, and sent again only when it is certainly not there.
func TestRefundPayment_isMadeOnceAlthoughItsKeyIsForgotten(t *testing.T) {
	t.Parallel()
	paytest.RunRefundRepetitions(t, newWorld, "22e12f66-000f-5000-8000-18db351245c7", paytest.RefundWords{Pending: "pending", Canceled: "canceled"})
}

// A refund is pending and its answer was lost. A repetition with another body is refused, which is no
// refusal of the refund.
func TestRefundPayment_readsARefusedRepetitionAsThePendingRefund(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const ref, isPaid = "22e12f66-000f-5000-8000-18db351245c7", ""
	w.Bank.OpenPayment(double.Payment{Ref: ref, ID: "p1", Amount: 3000, Currency: "RUB"})
	w.Bank.SettlePayment(ref, isPaid)
	rub, _ := money.ParseCurrency("RUB")
	r := acquiring.Refund{
		ID: "part", Of: acquiring.Lookup{Ref: ref, ID: "p1"}, Paid: acquiring.Sum{Amount: 3000, Currency: rub},
		Sum: acquiring.Sum{Amount: 1000, Currency: rub}, Description: "Возврат",
	}
	w.Bank.ArmFault("refund", double.LostAfter)
	if got, err := w.Acquirer.RefundPayment(t.Context(), r); err != nil || got.State != acquiring.RefundUnknown {
		t.Errorf("the first call = %+v, %v", got, err)
	}
	w.Bank.ClearFaults()
	w.Bank.ChangePayment(ref, func(p *double.Payment) { p.Refunds[0].Status = "pending" })
	r.Description = "Refund"
	if got, err := w.Acquirer.RefundPayment(t.Context(), r); err != nil || got.State != acquiring.RefundPending {
		t.Errorf("the second call = %+v, %v", got, err)
	}
}
