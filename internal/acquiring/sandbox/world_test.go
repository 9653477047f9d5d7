//go:build !release

package sandbox_test

import (
	"bytes"
	"context"
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
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/paytest"
	"servery/internal/acquiring/sandbox"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/money"
)

// shop is a brand with its account at the test bank. It is the acquirer that the suite calls, and
// implements [paytest.Books] by the bank's own books and pages.
type shop struct {
	acquiring.Acquirer

	t     *testing.T
	bank  *sandbox.Bank
	site  string
	clock *clock.Fake
	pages http.Handler
	log   *bytes.Buffer

	mu           sync.Mutex
	changeOpened func(*double.Payment)
	counts       map[string]int
	hooks        map[string]func()
	armed        []string
}

// isPaid is the code of SettlePayment for a payment that is paid.
const isPaid = ""

var sites atomic.Int64

// newShop returns a brand of its own at the bank of a database.
func newShop(t *testing.T, d *db.DB) *shop {
	t.Helper()
	now := clock.NewFake(paytest.Now)
	s := &shop{
		t: t, site: fmt.Sprintf("shop-%d", sites.Add(1)), clock: now, log: &bytes.Buffer{},
		counts: map[string]int{}, hooks: map[string]func(){},
	}
	s.bank = sandbox.New(sandbox.Options{DB: d, Clock: now, Log: slog.New(slog.NewTextHandler(s.log, nil))})
	s.pages, s.Acquirer = s.bank.PagesHandler(), s.bank.Acquirer(s.site)
	return s
}

// ctx returns a context that lasts longer than the test's own, because the suite reads the books
// in its clean-up too.
func (s *shop) ctx() context.Context { return context.WithoutCancel(s.t.Context()) }

// countCall counts a call of the operation op that begins.
func (s *shop) countCall(op string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[op]++
}

// runHook runs the hook that BeforeAnswer has set for the operation op, if there is one, once.
func (s *shop) runHook(op string) {
	s.mu.Lock()
	hook := s.hooks[op]
	delete(s.hooks, op)
	s.mu.Unlock()
	if hook != nil {
		hook()
	}
}

// StartPayment starts a payment at the bank, with the sum altered when ChangeOpened says so. It
// counts the call and runs its hook once money may have been taken.
func (s *shop) StartPayment(ctx context.Context, in acquiring.Intent) (acquiring.Next, error) {
	s.countCall("start")
	s.mu.Lock()
	change := s.changeOpened
	s.mu.Unlock()
	if change != nil {
		p := double.Payment{Amount: in.Sum.Amount, Currency: in.Sum.Currency.Code}
		change(&p)
		currency, err := money.ParseCurrency(p.Currency)
		if err != nil {
			return acquiring.Next{}, err
		}
		in.Sum, in.Receipt = acquiring.Sum{Amount: p.Amount, Currency: currency}, acquiring.Receipt{}
	}
	next, err := s.Acquirer.StartPayment(ctx, in)
	if next.Kind != acquiring.Prepared {
		s.runHook("start")
	}
	return next, err
}

// Finish3DS submits a result of 3-D Secure to the bank. It counts the call and runs its hook
// once money may have been taken.
func (s *shop) Finish3DS(ctx context.Context, result acquiring.ThreeDSResult) (acquiring.Next, error) {
	s.countCall("finish")
	next, err := s.Acquirer.Finish3DS(ctx, result)
	if next.Kind != acquiring.ThreeDS2 { // the hidden frame takes no money yet
		s.runHook("finish")
	}
	return next, err
}

// QueryStatus counts the call and asks the bank for a payment.
func (s *shop) QueryStatus(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	s.countCall("status")
	return s.Acquirer.QueryStatus(ctx, which)
}

// RefundPayment counts the call and refunds at the bank.
func (s *shop) RefundPayment(ctx context.Context, r acquiring.Refund) (acquiring.Refunded, error) {
	s.countCall("refund")
	return s.Acquirer.RefundPayment(ctx, r)
}

// CloseReceipt counts the call and registers a closing receipt at the bank.
func (s *shop) CloseReceipt(ctx context.Context, c acquiring.Closing) (acquiring.Closed, error) {
	s.countCall("close")
	return s.Acquirer.(acquiring.ReceiptCloser).CloseReceipt(ctx, c)
}

// postForm posts a form to a page of the bank, by its path below the root, and returns the response.
func (s *shop) postForm(path string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, sandbox.Root+path, strings.NewReader(form.Encode())).WithContext(s.ctx())
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.pages.ServeHTTP(w, r)
	return w
}

// getPage returns the response of the bank to a request for a page, by its path below the root.
func (s *shop) getPage(path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, sandbox.Root+path, nil).WithContext(s.ctx()))
	return w
}

// numberOf returns the number of the test card with a key, and a number of no test card for an
// unknown key.
func numberOf(key string) string {
	for _, c := range sandbox.Cards() {
		if c.Key == key {
			return c.Number
		}
	}
	return "4000000000000002" // of no list
}

// noVerifyParam is the verify_param of an account that requires none.
const noVerifyParam = ""

// encryptCard returns a card encrypted as the shop's page does it, with the bank's public key and the
// verify_param of the account.
func (s *shop) encryptCard(number, verify string) acquiring.Secret {
	s.t.Helper()
	settings, err := s.LoadSettings(s.ctx(), acquiring.CardForm)
	if err != nil {
		s.t.Fatal(err)
	}
	block, _ := pem.Decode([]byte(settings.PublicKey))
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		s.t.Fatal(err)
	}
	plain, err := json.Marshal(map[string]any{"number": number, "exp_month": 12, "exp_year": 2030, "cvc": "123", "verify_param": verify})
	if err != nil {
		s.t.Fatal(err)
	}
	var noLabel []byte
	sealed, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, key.(*rsa.PublicKey), plain, noLabel)
	if err != nil {
		s.t.Fatal(err)
	}
	return acquiring.Secret(base64.StdEncoding.EncodeToString(sealed))
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="(\w+)" value="([^"]*)">`)

// hiddenFields returns the hidden fields of a page's forms, by their names.
func hiddenFields(page string) map[string]string {
	found := map[string]string{}
	for _, m := range hiddenField.FindAllStringSubmatch(page, -1) {
		found[m[1]] = m[2]
	}
	return found
}

// What a customer does at the challenge of 3-D Secure.
const agrees, refuses = true, false

// passChallenge does the step of 3-D Secure that next asks for, as the customer's browser does it on
// the bank's pages, and returns the result. At the challenge the customer agrees or refuses.
func (s *shop) passChallenge(next acquiring.Next, isAgreed bool) acquiring.ThreeDSResult {
	d := next.ThreeDS
	result := acquiring.ThreeDSResult{TransID: d.TransID}
	path, form := "", url.Values{}
	switch {
	case d.MethodURL != "":
		path = strings.TrimPrefix(d.MethodURL, "https://shop.example"+sandbox.Root)
		s.postForm(path, url.Values{"threeDSMethodData": {d.MethodData}})
		result.MethodDone = true
		return result
	case d.CReq != "":
		form.Set("creq", d.CReq)
	case d.PaReq != "":
		form.Set("PaReq", d.PaReq)
		form.Set("MD", d.MD)
	default:
		result.PaRes = "nothing of the bank"
		return result
	}
	path = strings.TrimPrefix(d.ACSURL, "https://shop.example"+sandbox.Root)
	fields := hiddenFields(s.postForm(path, form).Body.String())
	answer := url.Values{"answer": {"no"}}
	if isAgreed {
		answer.Set("answer", "yes")
	}
	for name, value := range fields {
		answer.Set(name, value)
	}
	if fields["request"] != "" {
		fields = hiddenFields(s.postForm("acs/answer", answer).Body.String())
	}
	result.PaRes, result.CRes = acquiring.Secret(fields["PaRes"]), acquiring.Secret(fields["cres"])
	return result
}

// declinedCards returns the test cards that are declined without 3-D Secure, by their key, but
// for the named ones.
func declinedCards(except ...string) map[string]acquiring.Reason {
	declined := map[string]acquiring.Reason{}
	for _, c := range sandbox.Cards() {
		if c.Reason != acquiring.NoReason && c.Check == sandbox.NoCheck {
			declined[c.Key] = c.Reason
		}
	}
	for _, key := range except {
		delete(declined, key)
	}
	return declined
}

// newWorld returns an account at the test bank of d with all that the suite of [paytest] needs. closed
// is a database that cannot be reached, for a bank that is away.
func newWorld(t *testing.T, d, closed *db.DB, account string) *paytest.World {
	t.Helper()
	s := newShop(t, d)
	if account == sandbox.NameVerifying {
		s.Acquirer = s.bank.VerifyingAcquirer(s.site)
	}
	gone := sandbox.New(sandbox.Options{DB: closed, Clock: s.clock, Log: slog.New(slog.DiscardHandler)})
	const noSite = "" // an account that the bank denies
	w := &paytest.World{
		Acquirer: s, Books: s, Clock: s.clock, Currency: "RUB", Stops: true,
		Wrong: s.bank.Acquirer(noSite), Gone: gone.Acquirer(s.site),
		Callback: func(p double.Payment) acquiring.Callback {
			e := acquiring.Event{Ref: p.Ref, ID: acquiring.ID(p.ID), Sum: acquiring.Sum{Amount: p.Amount, Currency: money.Currency{Code: p.Currency}}, Refunded: p.Refunded()}
			e.State = map[double.State]acquiring.State{double.Open: acquiring.Pending, double.Paid: acquiring.Paid, double.Failed: acquiring.Failed}[p.State]
			c, err := s.bank.NewCallback(s.ctx(), s.site, e)
			if err != nil {
				t.Error(err)
			}
			return c
		},
		Forgeries: func(genuine acquiring.Callback) map[string]acquiring.Callback {
			changed, unsigned, short, sentByGet := genuine, genuine, genuine, genuine
			changed.Body = bytes.ReplaceAll(genuine.Body, []byte(`"amount":"`), []byte(`"amount":"1`))
			unsigned.Header = nil
			short.Header = http.Header{sandbox.SignatureHeader: {genuine.Header.Get(sandbox.SignatureHeader)[:20]}}
			sentByGet.Method = http.MethodGet
			foreign, err := s.bank.NewCallback(s.ctx(), "another shop", acquiring.Event{})
			if err != nil {
				t.Error(err)
			}
			foreign.Body = genuine.Body
			return map[string]acquiring.Callback{"changed": changed, "unsigned": unsigned, "half a signature": short, "sent by GET": sentByGet, "of another shop": foreign, "genuine": genuine}
		},
		Challenge: func(next acquiring.Next, code string) acquiring.ThreeDSResult {
			return s.passChallenge(next, code != "three_ds_failed") // any other code comes after an agreement
		},
	}
	payWith := func(success string) func(in *acquiring.Intent, code string) {
		return func(in *acquiring.Intent, code string) {
			if code == "" || code == "three_ds_failed" {
				code = success
			}
			in.Token = s.encryptCard(numberOf(code), in.VerifyParam)
		}
	}
	challenged := map[string]acquiring.Reason{"three_ds_failed": acquiring.ThreeDSFailed}
	w.Cases = []paytest.Case{
		{Name: "card form", Method: acquiring.CardForm, Edit: payWith("paid"), Codes: declinedCards("three_ds_failed")},
		{Name: "3-D Secure 1", Method: acquiring.CardForm, Ops: []string{"start", "finish"}, Edit: payWith("three_ds_1"), Codes: challenged},
		{Name: "3-D Secure 2", Method: acquiring.CardForm, Ops: []string{"start", "finish"}, Edit: payWith("three_ds_2"), Codes: map[string]acquiring.Reason{
			"three_ds_failed": acquiring.ThreeDSFailed, "three_ds_2_declined": acquiring.InsufficientFunds,
		}},
	}
	if account == sandbox.NameVerifying {
		return w
	}
	w.Cases = append(w.Cases, []paytest.Case{
		{Name: "3-D Secure 2 at once", Method: acquiring.CardForm, Ops: []string{"finish"}, Edit: payWith("three_ds_2_plain"), Codes: challenged},
		{Name: "3-D Secure 2 without a question", Method: acquiring.CardForm, Ops: []string{"finish"}, Edit: payWith("three_ds_2_frictionless"), Codes: map[string]acquiring.Reason{"fraud": acquiring.Fraud}},
		{Name: "page", Method: acquiring.CardOnline, Codes: declinedCards("another_try")},
		{Name: "sbp", Method: acquiring.SBP, Codes: map[string]acquiring.Reason{"insufficient_funds": acquiring.InsufficientFunds, "customer_cancelled": acquiring.CustomerCancelled}},
		{Name: "sberpay", Method: acquiring.SberPay, Codes: map[string]acquiring.Reason{"insufficient_funds": acquiring.InsufficientFunds, "bank_declined": acquiring.BankDeclined}},
		{Name: "wallet", Method: acquiring.ApplePay, Codes: map[string]acquiring.Reason{"restricted": acquiring.Restricted}},
	}...)
	return w
}

// openClosedDB returns a database of the same engine as d whose connection is closed, so that
// every query fails.
func openClosedDB(t *testing.T, d *db.DB) *db.DB {
	t.Helper()
	closed, err := db.Open(t.Context(), dbtest.Config(t, d.Engine()))
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	return closed
}

// Every rule of the suite of [paytest] holds for the usual account at the test bank.
func TestSandbox_keepsTheRulesOfAcquirers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		closed := openClosedDB(t, d)
		paytest.RunSuite(t, func(t *testing.T) *paytest.World { return newWorld(t, d, closed, sandbox.Name) })
	})
}

// Every rule of the suite of [paytest] holds for the account that requires a verify_param in
// each cryptogram.
func TestVerifyingAcquirer_keepsTheRulesOfAcquirers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		closed := openClosedDB(t, d)
		paytest.RunSuite(t, func(t *testing.T) *paytest.World { return newWorld(t, d, closed, sandbox.NameVerifying) })
	})
}
