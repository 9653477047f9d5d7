package races_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/money"
	"servery/internal/order/audittest"
	"servery/web"
)

// killsVariable is how often the server is killed on each engine.
const killsVariable = "SERVERY_KILLS"

const (
	payers = 200
	// payWithin is how long an order waits for its payment. It is so short that some payments are too late.
	payWithin = 20 * time.Second
)

// 200 customers order and pay while the server is killed again and again, at any moment. Afterwards no buyer has paid
// twice or for nothing, and nothing is stuck.
func TestKills_loseNoOrderAndNoMoney(t *testing.T) {
	if _, err := web.ReadManifest(); errors.Is(err, web.ErrNotBuilt) {
		if os.Getenv("CI") != "" {
			t.Fatal("the page is not built, so nothing is killed")
		}
		t.Skip("SKIPPED: the page is not built, and without it nothing starts")
	}
	kills := 25
	if testing.Short() {
		kills = 5
	}
	if text := os.Getenv(killsVariable); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) { // one after the other: each wants the whole machine
			k := newKilling(t, engine)
			k.run(t, kills)
			k.settle(t)
		})
	}
}

// killing is a server that is killed again and again, and the customers who pay through it.
type killing struct {
	with   settings
	server *process
	db     *db.DB
	payers []*payer
}

// newKilling returns a server with its database and payers. It does not start the server.
func newKilling(t *testing.T, engine db.Engine) *killing {
	t.Helper()
	where := dbtest.Config(t, engine)
	k := &killing{with: settings{
		Data: where.Dir, DatabaseURL: where.URL, Content: newPayingContent(t), Addr: freeAddress(t), PayWithin: payWithin,
	}}
	d, err := db.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	k.db = d
	for i := range payers {
		k.payers = append(k.payers, newPayer(i, kinds[i%len(kinds)], "http://"+k.with.Addr))
	}
	return k
}

// freeAddress returns an address that no program listens at. A server that is started again keeps its address,
// because pages and callbacks name it.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// newPayingContent returns a folder with a copy of the content in which online payments go to the test bank: on the
// bank's page in the north, on our own card form in the south.
func newPayingContent(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "content"))); err != nil {
		t.Fatal(err)
	}
	edit := func(name, from, to string) { t.Helper(); editFile(t, filepath.Join(dir, "races", name), from, to) }
	edit("brand.yaml", "payment_types: {delivery: [cash], takeaway: [cash]}",
		"payment_types: {delivery: [cash], takeaway: [cash, card_online, sbp, sberpay, apple_pay]}\n"+
			"acquiring: {card_online: sandbox, sbp: sandbox, sberpay: sandbox, apple_pay: sandbox}\n"+
			"fiscal: {tax: general, vat: 10}")
	edit("cities.yaml", "{place: south, ", "{place: south, card_form: true, ")
	for name, text := range map[string]string{
		"promocodes.yaml": "- {id: 1, code: TENTH, percent: 10, limit: 100}\n", "gifts.yaml": "[]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, "races", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// editFile replaces the text from, which must be in the file, by the text to.
func editFile(t *testing.T, path, from, to string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), from) {
		t.Fatalf("%s has no %s", path, from)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run kills and restarts the server the given number of times, at random moments, while payers begin in groups. It
// waits for all of them, ends the server and reports their faults.
func (k *killing) run(t *testing.T, kills int) {
	t.Helper()
	dice := rand.New(rand.NewPCG(5, uint64(kills)))
	k.server = launch(t, k.with)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute+time.Duration(kills)*10*time.Second)
	defer stop()
	var buying sync.WaitGroup
	begun := 0
	admit := func(until int) {
		for ; begun < until; begun++ {
			p := k.payers[begun]
			buying.Go(func() { p.buy(ctx) })
		}
	}
	for kill := 1; kill <= kills; kill++ {
		admit(payers * kill / kills)
		time.Sleep(time.Duration(100+dice.IntN(900)) * time.Millisecond)
		k.server.kill(t)
		k.server = launch(t, k.with)
	}
	buying.Wait()
	k.server.stop(t)
	ended := map[string]int{}
	for _, p := range k.payers {
		if p.fault != nil {
			t.Errorf("%s: %v", p.name, p.fault)
		}
		ended[p.kind.name+" "+p.state]++
	}
	t.Logf("%d kills: %v", kills, ended)
}

// settle runs a server that is not killed for sixteen minutes of its clock, so that it finishes what is left. Then it
// reads the payment pages, ends the server and audits the books.
func (k *killing) settle(t *testing.T) {
	t.Helper()
	with := k.with
	with.Now = clock.System{}.Now().Add(payWithin)
	k.server = launch(t, with)
	now := with.Now
	for range 16 {
		now = now.Add(time.Minute)
		k.server.setClock(t, now)
	}
	for _, p := range k.payers {
		p.loadNext(t.Context())
		if p.fault != nil {
			t.Errorf("%s: at the end: %v", p.name, p.fault)
		}
	}
	k.server.stop(t)
	books := audittest.Books{Now: now, PayWithin: payWithin, Settled: true, Bank: k.bank(t)}
	for _, p := range k.payers {
		books.Confirmed = append(books.Confirmed, p.confirmed...)
	}
	audittest.Check(t, k.db, books)
	closed := 0
	for _, c := range books.Bank {
		for _, r := range c.Receipts {
			if r.Kind == "closing" {
				closed++
			}
		}
	}
	if closed < payers/10 {
		t.Errorf("%d closing receipts: nothing was tried", closed)
	}
	t.Logf("%d orders were confirmed, the bank has %d payments and %d closing receipts", len(books.Confirmed), len(books.Bank), closed)
}

// bank returns all payments in the books of the test bank, with their receipts.
func (k *killing) bank(t *testing.T) []audittest.Charge {
	t.Helper()
	receipts := k.receipts(t)
	rows, err := k.db.Writer().QueryContext(t.Context(), "SELECT ref, id, state, amount, currency, refunded FROM sandbox_payment")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	charges := []audittest.Charge{}
	for rows.Next() {
		var c audittest.Charge
		var state, currency string
		if err := rows.Scan(&c.Ref, &c.ID, &state, &c.Sum.Amount, &currency, &c.Refunded); err != nil {
			t.Fatal(err)
		}
		if c.Sum.Currency, err = money.ParseCurrency(currency); err != nil {
			t.Fatal(err)
		}
		c.Taken, c.Receipts = state == "paid", receipts[c.Ref]
		charges = append(charges, c)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return charges
}

// receipts returns the receipts of the test bank by the reference of their payment.
func (k *killing) receipts(t *testing.T) map[string][]audittest.Receipt {
	t.Helper()
	rows, err := k.db.Writer().QueryContext(t.Context(), "SELECT ref, kind, mode, items FROM sandbox_receipt")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	receipts := map[string][]audittest.Receipt{}
	for rows.Next() {
		var r audittest.Receipt
		var ref string
		var items []byte
		if err := rows.Scan(&ref, &r.Kind, &r.Mode, &items); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(items, &r.Items); err != nil {
			t.Fatal(err)
		}
		receipts[ref] = append(receipts[ref], r)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return receipts
}
