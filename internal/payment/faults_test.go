package payment_test

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/paytest/clients"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/audittest"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
)

// crowd is how many customers pay at the same time.
const crowd = 25

// faultyHouse is a house that is paid through a real client, with its double behind.
type faultyHouse struct {
	*ordertest.House

	t      testing.TB
	client clients.Client
	shop   shop
	bank   *double.Bank
	server *httptest.Server
	// copies is how often callbacks come, 0 for once or never; disorder lets the old ones
	// come after the new ones, which stale keeps until then.
	copies   int
	disorder bool
	stale    []acquiring.Callback
	day      int
}

func newFaultyHouse(t *testing.T, d *db.DB, c clients.Client) *faultyHouse {
	t.Helper()
	h := &faultyHouse{House: ordertest.New(t, d), t: t, client: c, shop: shops[c.Currency]}
	h.bank = c.Bank(h.Clock)
	h.server = httptest.NewServer(c.Serve(h.bank))
	t.Cleanup(h.server.Close)
	acquirer, err := c.Make(h.server.URL, h.Clock)
	if err != nil {
		t.Fatal(err)
	}
	h.Process(t, order.Options{}, payment.Options{
		Accounts: acquiring.Accounts{h.shop.brand: {carttest.Account: acquirer}}, Log: slog.New(slog.DiscardHandler),
	})
	return h
}

// trouble is what goes wrong while customers pay.
type trouble struct {
	name string
	// strike are faults of the double, one for each customer in turn, at whatever takes
	// money.
	strike []double.Fault
	// early lets the callback overtake the answer; copies is how often it comes.
	early    bool
	copies   int
	disorder bool
	// late lets customers pay after the deadline only.
	late bool
	// twist is what the bank makes of a payment.
	twist func(*double.Payment)
	// back are faults of a refund, closing those of a closing receipt.
	back, closing []double.Fault
}

func troubles() []trouble {
	return []trouble{
		{name: "timeout before the charge", strike: []double.Fault{double.LostBefore, double.Busy}},
		{name: "timeout after the charge", strike: []double.Fault{double.LostAfter}},
		{name: "500 and nothing known", strike: []double.Fault{double.BadAfter, double.BadBefore}},
		{name: "cut body", strike: []double.Fault{double.Cut, double.Garbage}},
		{name: "slow answer", strike: []double.Fault{double.Slow}},
		{name: "callback before the answer", early: true},
		{name: "callback twice", copies: 3},
		{name: "callbacks out of order", disorder: true, copies: 1},
		{name: "paid after the deadline", late: true},
		{name: "wrong amount", twist: func(p *double.Payment) { p.Amount += money.Scale }},
		{name: "wrong currency", twist: func(p *double.Payment) {
			if p.Currency = "KZT"; p.Method == "checkout" || strings.HasPrefix(p.Ref, "pi_") {
				p.Currency = "USD"
			}
		}},
		{name: "closing receipt fails once", closing: []double.Fault{double.LostBefore, double.LostAfter, double.BadAfter, double.Cut, double.Garbage, double.Busy, double.BadBefore}},
		{name: "refund fails once", back: []double.Fault{double.LostBefore, double.LostAfter, double.BadAfter, double.Cut, double.Busy, double.BadBefore}},
	}
}

// runs is how often each fault strikes each client.
func runs(t *testing.T, engine db.Engine) int {
	t.Helper()
	if text := os.Getenv("SERVERY_ROUNDS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	switch {
	case engine == db.Postgres && testing.Short():
		return 0
	case engine == db.Postgres || testing.Short():
		return 5
	}
	return 50
}

// Each client, each fault, 50 customers: none is charged twice or for nothing, all
// money is settled or given back within 15 minutes, and the screen never says that it is
// lost while the outcome is unknown.
func TestMoneyIsSettledWhateverFails(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		for _, c := range clients.ListClients() {
			t.Run(string(engine)+"/"+c.Name, func(t *testing.T) {
				t.Parallel()
				n := runs(t, engine)
				if n == 0 {
					t.Skip("SKIPPED: not in a short run")
				}
				h := newFaultyHouse(t, dbtest.Open(t, engine), c)
				for _, trouble := range troubles() {
					t.Run(trouble.name, func(t *testing.T) {
						h.t = t
						h.suffer(t, trouble, n)
					})
				}
			})
		}
	}
}

// suffer lets n customers pay while that goes wrong, and looks into the books.
func (h *faultyHouse) suffer(t *testing.T, trouble trouble, n int) {
	t.Helper()
	h.copies, h.disorder, h.stale = trouble.copies, trouble.disorder, nil
	ended := map[payment.Status]int{}
	var shown []audittest.Confirmed
	for first := 0; first < n; first += crowd {
		form := (first/crowd)%2 == 1
		h.Import(t, carttest.Online(form))
		h.day++
		h.Clock.Set(carttest.Noon.AddDate(0, 0, h.day))
		h.sweep(t)
		var payers []*payer
		for i := first; i < min(n, first+crowd); i++ {
			p := h.newPayer(t, trouble, i, form)
			p.place(t)
			payers = append(payers, p)
			h.begin(t, p, trouble, i)
		}
		h.pass(t, payers, trouble)
		for _, p := range payers {
			ended[p.last.Status]++
			shown = append(shown, audittest.Confirmed{
				Key: p.key, ID: p.order.ID, Total: p.order.Prices.Total, PaymentType: typeOf(p.way), Phone: p.order.Phone,
				Paid: p.last.Status == payment.StatusPaid,
			})
		}
		if t.Failed() {
			break
		}
	}
	audittest.Check(t, h.DB, audittest.Books{Now: h.Clock.Now(), Confirmed: shown, Settled: true, Bank: h.booksOfTheBank(t)})
	if good := ended[payment.StatusPaid] + ended[payment.StatusRefunded]; good < n/2 && !trouble.late {
		t.Errorf("of %d customers only %d could pay", n, good)
	}
	t.Logf("%s, %s: %v", h.client.Name, trouble.name, ended)
}

func (h *faultyHouse) newPayer(t *testing.T, trouble trouble, i int, form bool) *payer {
	t.Helper()
	ways := waysOf(h.client, form)
	p := &payer{
		faultyHouse: h, name: fmt.Sprintf("customer %d", i), dice: rand.New(rand.NewPCG(uint64(h.day), uint64(i))),
		visitor: h.Visitor(t, h.shop.brand), way: ways[i%len(ways)],
	}
	p.idle = trouble.late
	p.refused = i%5 == 1 || trouble.disorder && i%2 == 0
	p.leaves, p.twice = i%10 == 9, i%10 == 8
	return p
}

// begin is the customer's first try, while the fault strikes.
func (h *faultyHouse) begin(t *testing.T, p *payer, trouble trouble, i int) {
	t.Helper()
	op := p.way.Ops[(i/len(h.client.Ways))%len(p.way.Ops)]
	if trouble.twist != nil {
		h.bank.ChangeOpened(trouble.twist)
		defer h.bank.ChangeOpened(nil)
	}
	if trouble.early {
		h.bank.BeforeAnswer(op, func() { p.payAtTheBank(t) })
	}
	if len(trouble.strike) > 0 {
		f := trouble.strike[i%len(trouble.strike)]
		h.bank.ArmFault(op, f)
		if i%crowd < crowd/2 { // half of them strike once, the others until the next customer comes
			defer h.bank.ClearFaults()
		}
		if f == double.Slow {
			defer h.hurry(t, p)()
		}
	}
	p.pay(t, "")
	if len(trouble.strike) > 0 {
		p.loadOrder(t)
	}
}

// hurry ends connections on which nothing comes, after the customer looked at the page
// for a while, until it is stopped.
func (h *faultyHouse) hurry(t *testing.T, p *payer) (stop func()) {
	t.Helper()
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for {
			select {
			case <-done:
				return
			case <-h.bank.HeldRequests():
			}
			h.bank.ClearFaults()
			if paying, err := h.Payments.FindView(t.Context(), p.now(), p.key); err == nil && paying.Status == payment.StatusWaiting {
				t.Errorf("%s: the page says %s while the outcome is unknown", p.name, paying.Status)
			}
			h.server.CloseClientConnections()
		}
	}()
	return func() {
		close(done)
		<-over
	}
}

// pass lets time pass: each minute the sweep comes and every customer looks at the page.
func (h *faultyHouse) pass(t *testing.T, payers []*payer, trouble trouble) {
	t.Helper()
	h.bank.ClearFaults()
	canceled, handedOver := false, false
	begun := h.Clock.Now()
	for minute := 1; minute <= 40; minute++ {
		h.Clock.Advance(time.Minute)
		for i, p := range payers {
			// Some at the last moment, others when everybody thinks that it is over: the
			// acquirer's clock is another.
			late := h.Clock.Now().Sub(begun) - order.HoldFor
			if trouble.late && (i%2 == 0 && late == 0 || late == 2*time.Minute) {
				p.payLate(t)
			}
		}
		h.sweep(t)
		over := true
		for _, p := range payers {
			p.loadOrder(t)
			over = over && p.isOver()
		}
		if h.disorder {
			for _, c := range h.stale {
				payers[0].deliver(t, c)
			}
		}
		switch {
		case !over || trouble.late && minute < 28:
		case len(trouble.back) > 0 && !canceled:
			canceled = true
			h.takeBack(t, payers, trouble)
		case len(trouble.closing) > 0 && !handedOver:
			handedOver = true
			h.handOver(t, payers, trouble)
		default:
			return
		}
	}
	for _, p := range payers {
		if !p.isOver() {
			t.Errorf("%s by %s ends in %s", p.name, p.way.Method, p.last.Status)
		}
	}
}

// takeBack has every paid order canceled, while refunds fail.
func (h *faultyHouse) takeBack(t *testing.T, payers []*payer, trouble trouble) {
	t.Helper()
	for i, p := range payers {
		if p.last.Status != payment.StatusPaid {
			continue
		}
		h.bank.ArmFault("refund", trouble.back[i%len(trouble.back)])
		_, err := h.Orders.Cancel(t.Context(), p.now(), p.order.ID)
		if err != nil {
			t.Errorf("%s: cancel: %v", p.name, err)
		}
		h.sweep(t)
		h.bank.ClearFaults()
		p.idle = true
		p.loadOrder(t)
	}
}

// handOver has every paid order cooked and handed over, while closing receipts fail. Some get a
// portion paid back before, some all that is left afterwards.
func (h *faultyHouse) handOver(t *testing.T, payers []*payer, trouble trouble) {
	t.Helper()
	refund := func(p *payer, key string, lines ...payment.RefundLine) {
		if _, err := h.Orders.Refund(t.Context(), p.order.ID, payment.RefundRequest{Key: key, All: len(lines) == 0, Lines: lines}, h.Clock.Now()); err != nil {
			t.Errorf("%s: refund: %v", p.name, err)
		}
	}
	for i, p := range payers {
		if p.last.Status != payment.StatusPaid {
			continue
		}
		p.idle = true
		h.bank.ArmFault("close", trouble.closing[i%len(trouble.closing)])
		if line := p.order.Lines[0]; line.Count > 1 {
			refund(p, "missing", payment.RefundLine{Key: line.Key, Count: 1})
		}
		for _, state := range []order.State{order.Cooking, order.Done} {
			if _, err := h.Orders.SetState(t.Context(), p.order.ID, state, "", h.Clock.Now()); err != nil {
				t.Errorf("%s: %s: %v", p.name, state, err)
			}
		}
		h.sweep(t)
		h.bank.ClearFaults()
	}
	for minute := range 15 {
		h.Clock.Advance(time.Minute)
		h.sweep(t)
		for i, p := range payers {
			if minute == 10 && i%3 == 0 && p.last.Status == payment.StatusPaid {
				refund(p, "complaint")
			}
		}
	}
	for _, p := range payers {
		p.loadOrder(t)
	}
}

// sweep is what comes each minute. An acquirer that is away is no fault of ours.
func (h *faultyHouse) sweep(t *testing.T) {
	t.Helper()
	err := h.Orders.Sweep(t.Context(), h.Clock.Now())
	var away *acquiring.Error
	if _, refusal := fault.Of(err); err != nil && !refusal && !errors.As(err, &away) {
		t.Errorf("sweep: %v", err)
	}
}

func (h *faultyHouse) booksOfTheBank(t *testing.T) []audittest.Charge {
	t.Helper()
	return audittest.ChargesOf(h.bank.PaymentsOf(""), func(p double.Payment) audittest.Charge {
		currency, err := money.ParseCurrency(p.Currency)
		if err != nil {
			t.Fatal(err)
		}
		return audittest.Charge{
			Ref: p.Ref, ID: acquiring.ID(p.ID), Sum: acquiring.Sum{Amount: p.Amount, Currency: currency},
			Taken: p.State == double.Paid, Refunded: p.Refunded(), Receipts: receiptsOf(p),
		}
	})
}

// receiptsOf are the receipts of a payment at the register.
func receiptsOf(p double.Payment) []audittest.Receipt {
	var receipts []audittest.Receipt
	for _, r := range p.Receipts {
		receipts = append(receipts, audittest.Receipt{Kind: string(r.Kind), Mode: r.Mode, Items: r.Items})
	}
	return receipts
}
