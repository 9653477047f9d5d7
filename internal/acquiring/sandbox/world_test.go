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

// shop is a brand with its bank: the acquirer as the suite sees it, the customers' hands,
// and the bank's own books.
type shop struct {
	acquiring.Acquirer

	t     *testing.T
	bank  *sandbox.Bank
	site  string
	clock *clock.Fake
	pages http.Handler
	log   *bytes.Buffer

	mu     sync.Mutex
	twist  func(*double.Payment)
	counts map[string]int
	hooks  map[string]func()
	armed  []string
}

var sites atomic.Int64

// open makes a brand of its own at the bank of a database.
func open(t *testing.T, d *db.DB) *shop {
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

// ctx lasts as long as the test: the suite asks the books in its clean-up, too.
func (s *shop) ctx() context.Context { return context.WithoutCancel(s.t.Context()) }

func (s *shop) count(op string, after bool) {
	s.mu.Lock()
	if !after {
		s.counts[op]++
		s.mu.Unlock()
		return
	}
	hook := s.hooks[op]
	delete(s.hooks, op)
	s.mu.Unlock()
	if hook != nil {
		hook()
	}
}

func (s *shop) StartPayment(ctx context.Context, in acquiring.Intent) (acquiring.Next, error) {
	s.count("start", false)
	s.mu.Lock()
	twist := s.twist
	s.mu.Unlock()
	if twist != nil {
		p := double.Payment{Amount: in.Sum.Amount, Currency: in.Sum.Currency.Code}
		twist(&p)
		currency, err := money.ParseCurrency(p.Currency)
		if err != nil {
			return acquiring.Next{}, err
		}
		in.Sum, in.Receipt = acquiring.Sum{Amount: p.Amount, Currency: currency}, acquiring.Receipt{}
	}
	next, err := s.Acquirer.StartPayment(ctx, in)
	if next.Kind != acquiring.Prepared {
		s.count("start", true)
	}
	return next, err
}

func (s *shop) Finish3DS(ctx context.Context, proof acquiring.ThreeDSResult) (acquiring.Next, error) {
	s.count("finish", false)
	next, err := s.Acquirer.Finish3DS(ctx, proof)
	if next.Kind != acquiring.ThreeDS2 { // the hidden frame takes no money yet
		s.count("finish", true)
	}
	return next, err
}

func (s *shop) QueryStatus(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	s.count("status", false)
	return s.Acquirer.QueryStatus(ctx, which)
}

func (s *shop) RefundPayment(ctx context.Context, r acquiring.Refund) (acquiring.Refunded, error) {
	s.count("refund", false)
	return s.Acquirer.RefundPayment(ctx, r)
}

func (s *shop) CloseReceipt(ctx context.Context, c acquiring.Closing) (acquiring.Closed, error) {
	s.count("close", false)
	return s.Acquirer.(acquiring.ReceiptCloser).CloseReceipt(ctx, c)
}

// The bank's books, as the suite reads them.

func (s *shop) post(path string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, sandbox.Root+path, strings.NewReader(form.Encode())).WithContext(s.ctx())
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.pages.ServeHTTP(w, r)
	return w
}

func (s *shop) get(path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.pages.ServeHTTP(w, httptest.NewRequest(http.MethodGet, sandbox.Root+path, nil).WithContext(s.ctx()))
	return w
}

// number returns the test card that ends so.
func number(key string) string {
	for _, c := range sandbox.Cards() {
		if c.Key == key {
			return c.Number
		}
	}
	return "4000000000000002" // of no list
}

// seal is the page that encrypts a card.
func (s *shop) seal(number, verify string) acquiring.Secret {
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
	sealed, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, key.(*rsa.PublicKey), plain, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return acquiring.Secret(base64.StdEncoding.EncodeToString(sealed))
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="(\w+)" value="([^"]*)">`)

func hidden(page string) map[string]string {
	found := map[string]string{}
	for _, m := range hiddenField.FindAllStringSubmatch(page, -1) {
		found[m[1]] = m[2]
	}
	return found
}

// prove is the customer at the page of 3-D Secure.
func (s *shop) prove(next acquiring.Next, yes bool) acquiring.ThreeDSResult {
	d := next.ThreeDS
	proof := acquiring.ThreeDSResult{TransID: d.TransID}
	path, form := "", url.Values{}
	switch {
	case d.MethodURL != "":
		path = strings.TrimPrefix(d.MethodURL, "https://shop.example"+sandbox.Root)
		s.post(path, url.Values{"threeDSMethodData": {d.MethodData}})
		proof.MethodDone = true
		return proof
	case d.CReq != "":
		form.Set("creq", d.CReq)
	case d.PaReq != "":
		form.Set("PaReq", d.PaReq)
		form.Set("MD", d.MD)
	default:
		proof.PaRes = "nothing of the bank"
		return proof
	}
	path = strings.TrimPrefix(d.ACSURL, "https://shop.example"+sandbox.Root)
	fields := hidden(s.post(path, form).Body.String())
	answer := url.Values{"answer": {"no"}}
	if yes {
		answer.Set("answer", "yes")
	}
	for name, value := range fields {
		answer.Set(name, value)
	}
	if fields["request"] != "" {
		fields = hidden(s.post("acs/answer", answer).Body.String())
	}
	proof.PaRes, proof.CRes = acquiring.Secret(fields["PaRes"]), acquiring.Secret(fields["cres"])
	return proof
}

// reasons are the cards that are declined.
func reasons(except ...string) map[string]acquiring.Reason {
	all := map[string]acquiring.Reason{}
	for _, c := range sandbox.Cards() {
		if c.Reason != acquiring.NoReason && c.Check == sandbox.NoCheck {
			all[c.Key] = c.Reason
		}
	}
	for _, key := range except {
		delete(all, key)
	}
	return all
}

func world(t *testing.T, d, closed *db.DB, account string) *paytest.World {
	t.Helper()
	s := open(t, d)
	if account == sandbox.NameVerifying {
		s.Acquirer = s.bank.VerifyingAcquirer(s.site)
	}
	gone := sandbox.New(sandbox.Options{DB: closed, Clock: s.clock, Log: slog.New(slog.DiscardHandler)})
	w := &paytest.World{
		Acquirer: s, Books: s, Clock: s.clock, Currency: "RUB", Stops: true,
		Wrong: s.bank.Acquirer(""), Gone: gone.Acquirer(s.site),
		Callback: func(p double.Payment) acquiring.Callback {
			e := acquiring.Event{Ref: p.Ref, ID: acquiring.ID(p.ID), Sum: acquiring.Sum{Amount: p.Amount, Currency: money.Currency{Code: p.Currency}}, Refunded: p.Refunded()}
			e.State = map[double.State]acquiring.State{double.Open: acquiring.Pending, double.Paid: acquiring.Paid, double.Failed: acquiring.Failed}[p.State]
			c, err := s.bank.Callback(s.ctx(), s.site, e)
			if err != nil {
				t.Error(err)
			}
			return c
		},
		Forgeries: func(genuine acquiring.Callback) map[string]acquiring.Callback {
			changed, unsigned, short, read := genuine, genuine, genuine, genuine
			changed.Body = bytes.ReplaceAll(genuine.Body, []byte(`"amount":"`), []byte(`"amount":"1`))
			unsigned.Header = nil
			short.Header = http.Header{sandbox.SignatureHeader: {genuine.Header.Get(sandbox.SignatureHeader)[:20]}}
			read.Method = http.MethodGet
			foreign, err := s.bank.Callback(s.ctx(), "another shop", acquiring.Event{})
			if err != nil {
				t.Error(err)
			}
			foreign.Body = genuine.Body
			return map[string]acquiring.Callback{"changed": changed, "unsigned": unsigned, "half a signature": short, "read": read, "of another shop": foreign, "genuine": genuine}
		},
		Challenge: func(next acquiring.Next, code string) acquiring.ThreeDSResult {
			return s.prove(next, code != "three_ds_failed")
		},
	}
	by := func(success string) func(in *acquiring.Intent, code string) {
		return func(in *acquiring.Intent, code string) {
			if code == "" || code == "three_ds_failed" {
				code = success
			}
			in.Token = s.seal(number(code), in.VerifyParam)
		}
	}
	challenged := map[string]acquiring.Reason{"three_ds_failed": acquiring.ThreeDSFailed}
	w.Cases = []paytest.Case{
		{Name: "card form", Method: acquiring.CardForm, Edit: by("paid"), Codes: reasons("three_ds_failed")},
		{Name: "3-D Secure 1", Method: acquiring.CardForm, Ops: []string{"start", "finish"}, Edit: by("three_ds_1"), Codes: challenged},
		{Name: "3-D Secure 2", Method: acquiring.CardForm, Ops: []string{"start", "finish"}, Edit: by("three_ds_2"), Codes: map[string]acquiring.Reason{
			"three_ds_failed": acquiring.ThreeDSFailed, "three_ds_2_declined": acquiring.InsufficientFunds,
		}},
	}
	if account == sandbox.NameVerifying {
		return w
	}
	w.Cases = append(w.Cases, []paytest.Case{
		{Name: "3-D Secure 2 at once", Method: acquiring.CardForm, Ops: []string{"finish"}, Edit: by("three_ds_2_plain"), Codes: challenged},
		{Name: "3-D Secure 2 without a question", Method: acquiring.CardForm, Ops: []string{"finish"}, Edit: by("three_ds_2_frictionless"), Codes: map[string]acquiring.Reason{"fraud": acquiring.Fraud}},
		{Name: "page", Method: acquiring.CardOnline, Codes: reasons("another_try")},
		{Name: "sbp", Method: acquiring.SBP, Codes: map[string]acquiring.Reason{"insufficient_funds": acquiring.InsufficientFunds, "customer_cancelled": acquiring.CustomerCancelled}},
		{Name: "sberpay", Method: acquiring.SberPay, Codes: map[string]acquiring.Reason{"insufficient_funds": acquiring.InsufficientFunds, "bank_declined": acquiring.BankDeclined}},
		{Name: "wallet", Method: acquiring.ApplePay, Codes: map[string]acquiring.Reason{"restricted": acquiring.Restricted}},
	}...)
	return w
}

// ended is a database that cannot be reached.
func ended(t *testing.T, d *db.DB) *db.DB {
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

func TestTheTestBankKeepsTheRulesOfAllAcquirers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		closed := ended(t, d)
		paytest.RunSuite(t, func(t *testing.T) *paytest.World { return world(t, d, closed, sandbox.Name) })
	})
}

func TestAnAccountThatWantsAVerifyParamKeepsTheRules(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		closed := ended(t, d)
		paytest.RunSuite(t, func(t *testing.T) *paytest.World { return world(t, d, closed, sandbox.NameVerifying) })
	})
}
