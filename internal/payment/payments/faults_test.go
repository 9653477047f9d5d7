package payments_test

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
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/payment/payments"
)

// crowd is how many customers pay at the same time.
const crowd = 25

// faultyHouse is a kitchen with its services that is paid through the client of a real acquirer,
// which calls a double of that acquirer.
type faultyHouse struct {
	*ordertest.Restaurant

	t      testing.TB
	client clients.Client
	shop   shop
	bank   *double.Bank
	server *httptest.Server
	// copies is how often a webhook is delivered, 0 for once or never. With disorder old webhooks,
	// which stale keeps, are delivered after newer ones.
	copies   int
	disorder bool
	stale    []acquiring.Callback
	// day counts the days that were simulated, so that each has free time slots.
	day int
}

// newFaultyHouse returns a kitchen that is paid through the client c. Its double runs as an HTTP
// server until the end of the test.
func newFaultyHouse(t *testing.T, d *db.DB, c clients.Client) *faultyHouse {
	t.Helper()
	h := &faultyHouse{Restaurant: ordertest.New(t, d), t: t, client: c, shop: shops[c.Currency]}
	h.bank = c.Bank(h.Clock)
	h.server = httptest.NewServer(c.Serve(h.bank))
	t.Cleanup(h.server.Close)
	acquirer, err := c.Make(h.server.URL, h.Clock)
	if err != nil {
		t.Fatal(err)
	}
	h.StartProcess(t, orders.Options{}, payments.Options{
		Accounts: acquiring.Accounts{h.shop.brand: {carttest.Account: acquirer}}, Log: slog.New(slog.DiscardHandler),
	})
	return h
}

// trouble is what goes wrong while customers pay.
type trouble struct {
	name string
	// onPay are faults of the double in calls that take money, one for each customer in turn.
	onPay []double.Fault
	// early: the webhook comes before the answer of the call; copies: how often it comes; disorder:
	// old webhooks come after newer ones.
	early    bool
	copies   int
	disorder bool
	// late: customers pay after the deadline only.
	late bool
	// change is what the bank makes of a payment, such as another sum.
	change func(*double.Payment)
	// onRefund are faults in calls for a refund, onClosing in those for a closing receipt.
	onRefund, onClosing []double.Fault
}

// troubles returns all that goes wrong in [TestPayments_settleAllMoneyWhateverFails].
func troubles() []trouble {
	return []trouble{
		{name: "timeout before the charge", onPay: []double.Fault{double.LostBefore, double.Busy}},
		{name: "timeout after the charge", onPay: []double.Fault{double.LostAfter}},
		{name: "500 and nothing known", onPay: []double.Fault{double.BadAfter, double.BadBefore}},
		{name: "cut body", onPay: []double.Fault{double.Cut, double.Garbage}},
		{name: "slow answer", onPay: []double.Fault{double.Slow}},
		{name: "callback before the answer", early: true},
		{name: "callback twice", copies: 3},
		{name: "callbacks out of order", disorder: true, copies: 1},
		{name: "paid after the deadline", late: true},
		{name: "wrong amount", change: func(p *double.Payment) { p.Amount += money.Scale }},
		{name: "wrong currency", change: func(p *double.Payment) {
			p.Currency = "KZT"
			if p.Method == "checkout" || strings.HasPrefix(p.Ref, "pi_") {
				p.Currency = "USD"
			}
		}},
		{name: "closing receipt fails once", onClosing: []double.Fault{double.LostBefore, double.LostAfter, double.BadAfter, double.Cut, double.Garbage, double.Busy, double.BadBefore}},
		{name: "refund fails once", onRefund: []double.Fault{double.LostBefore, double.LostAfter, double.BadAfter, double.Cut, double.Busy, double.BadBefore}},
	}
}

// countCustomers returns how many customers of each acquirer's client meet each trouble: SERVERY_ROUNDS
// when that is set, else 50; 5 in a short run or on PostgreSQL, and none in a short run on PostgreSQL.
func countCustomers(t *testing.T, engine db.Engine) int {
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

// 50 customers of each client meet each trouble: none is charged twice or for nothing, all money
// is settled or refunded within 15 minutes, and the page never says that a payment failed while
// its outcome is unknown.
func TestPayments_settleAllMoneyWhateverFails(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		for _, c := range clients.ListClients() {
			t.Run(string(engine)+"/"+c.Name, func(t *testing.T) {
				t.Parallel()
				n := countCustomers(t, engine)
				if n == 0 {
					t.Skip("SKIPPED: not in a short run")
				}
				h := newFaultyHouse(t, dbtest.Open(t, engine), c)
				for _, trouble := range troubles() {
					t.Run(trouble.name, func(t *testing.T) {
						h.t = t
						h.runTrouble(t, trouble, n)
					})
				}
			})
		}
	}
}

// runTrouble lets n customers order and pay while the trouble happens, 25 at a time, each time on
// another day. Then it audits the database against the bank's books. At least half of the
// customers must have been able to pay.
func (h *faultyHouse) runTrouble(t *testing.T, trouble trouble, n int) {
	t.Helper()
	h.copies, h.disorder, h.stale = trouble.copies, trouble.disorder, nil
	ended := map[payment.Status]int{}
	var confirmed []audittest.Confirmed
	for first := 0; first < n; first += crowd {
		hasCardForm := (first/crowd)%2 == 1
		h.Import(t, carttest.Online(hasCardForm))
		h.day++
		h.Clock.Set(carttest.Noon.AddDate(0, 0, h.day))
		h.sweep(t)
		var payers []*payer
		for i := first; i < min(n, first+crowd); i++ {
			p := h.newPayer(t, trouble, i, hasCardForm)
			p.place(t)
			payers = append(payers, p)
			h.begin(t, p, trouble, i)
		}
		h.passTime(t, payers, trouble)
		for _, p := range payers {
			ended[p.last.Status]++
			confirmed = append(confirmed, audittest.Confirmed{
				Key: p.key, ID: p.order.ID, Total: p.order.Prices.Total, PaymentType: typeOf(p.way), Phone: p.order.Phone,
				Paid: p.last.Status == payment.StatusPaid,
			})
		}
		if t.Failed() {
			break
		}
	}
	audittest.Check(t, h.DB, audittest.Books{Now: h.Clock.Now(), Confirmed: confirmed, Settled: true, Bank: h.bankCharges(t)})
	if good := ended[payment.StatusPaid] + ended[payment.StatusRefunded]; good < n/2 && !trouble.late {
		t.Errorf("of %d customers only %d could pay", n, good)
	}
	t.Logf("%s, %s: %v", h.client.Name, trouble.name, ended)
}

// newPayer returns the customer number i of a trouble. Their way of paying and what they do, such as
// clicking twice, follow from i; hasCardForm is whether cards are entered on our own form.
func (h *faultyHouse) newPayer(t *testing.T, trouble trouble, i int, hasCardForm bool) *payer {
	t.Helper()
	ways := waysOf(h.client, hasCardForm)
	p := &payer{
		faultyHouse: h, name: fmt.Sprintf("customer %d", i), dice: rand.New(rand.NewPCG(uint64(h.day), uint64(i))),
		visitor: h.Visitor(t, h.shop.brand), way: ways[i%len(ways)],
	}
	p.idle = trouble.late
	p.refused = i%5 == 1 || trouble.disorder && i%2 == 0
	p.leaves, p.twice = i%10 == 9, i%10 == 8
	return p
}

// begin makes the first call to pay of customer number i while the trouble happens, and loads
// the page afterwards.
func (h *faultyHouse) begin(t *testing.T, p *payer, trouble trouble, i int) {
	t.Helper()
	op := p.way.Ops[(i/len(h.client.Ways))%len(p.way.Ops)]
	if trouble.change != nil {
		h.bank.ChangeOpened(trouble.change)
		defer h.bank.ChangeOpened(nil)
	}
	if trouble.early {
		h.bank.BeforeAnswer(op, func() { p.payAtBank(t) })
	}
	if len(trouble.onPay) > 0 {
		f := trouble.onPay[i%len(trouble.onPay)]
		h.bank.ArmFault(op, f)
		if i%crowd < crowd/2 { // half of them strike once, the others until the next customer comes
			defer h.bank.ClearFaults()
		}
		if f == double.Slow {
			stop := h.endHeldRequests(t, p)
			defer stop()
		}
	}
	p.pay(t, noVerifyParam)
	if len(trouble.onPay) > 0 {
		p.followPayment(t)
	}
}

// endHeldRequests closes the connections to the double each time it holds a request without an answer, until
// stop is called. Before it closes them, it ends the faults of the double and loads the customer's page; the
// test fails when the page says that nothing was begun.
func (h *faultyHouse) endHeldRequests(t *testing.T, p *payer) (stop func()) {
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

// passTime lets up to 40 minutes pass. In each, the sweep runs and every customer loads the page. Once
// all payments are over, orders are canceled or handed over if the trouble is about refunds or closing
// receipts. A payment that is not over in the end fails the test.
func (h *faultyHouse) passTime(t *testing.T, payers []*payer, trouble trouble) {
	t.Helper()
	h.bank.ClearFaults()
	canceled, handedOver := false, false
	begun := h.Clock.Now()
	for minute := 1; minute <= 40; minute++ {
		h.Clock.Advance(time.Minute)
		for i, p := range payers {
			// Half of them pay at the deadline, all of them two minutes after it: the acquirer's
			// clock may differ.
			late := h.Clock.Now().Sub(begun) - orders.HoldFor
			if trouble.late && (i%2 == 0 && late == 0 || late == 2*time.Minute) {
				p.payLate(t)
			}
		}
		h.sweep(t)
		over := true
		for _, p := range payers {
			p.followPayment(t)
			over = over && p.isOver()
		}
		if h.disorder {
			for _, c := range h.stale {
				payers[0].deliver(t, c)
			}
		}
		switch {
		case !over || trouble.late && minute < 28: // 28 minutes are more than the deadline and late polls take
		case len(trouble.onRefund) > 0 && !canceled:
			canceled = true
			h.cancelPaid(t, payers, trouble)
		case len(trouble.onClosing) > 0 && !handedOver:
			handedOver = true
			h.handOver(t, payers, trouble)
		default: // all is over
			return
		}
	}
	for _, p := range payers {
		if !p.isOver() {
			t.Errorf("%s by %s ends in %s", p.name, p.way.Method, p.last.Status)
		}
	}
}

// cancelPaid cancels every paid order in its customer's name, while calls for refunds fail.
func (h *faultyHouse) cancelPaid(t *testing.T, payers []*payer, trouble trouble) {
	t.Helper()
	for i, p := range payers {
		if p.last.Status != payment.StatusPaid {
			continue
		}
		h.bank.ArmFault("refund", trouble.onRefund[i%len(trouble.onRefund)])
		_, err := h.Orders.Cancel(t.Context(), p.now(), p.order.ID)
		if err != nil {
			t.Errorf("%s: cancel: %v", p.name, err)
		}
		h.sweep(t)
		h.bank.ClearFaults()
		p.idle = true
		p.followPayment(t)
	}
}

// handOver has every paid order cooked and handed over, while calls for closing receipts fail.
// Orders of two portions have one refunded before; every third order is refunded ten minutes
// afterwards.
func (h *faultyHouse) handOver(t *testing.T, payers []*payer, trouble trouble) {
	t.Helper()
	const noName = "" // the operator does not say who moved the order
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
		h.bank.ArmFault("close", trouble.onClosing[i%len(trouble.onClosing)])
		if line := p.order.Lines[0]; line.Count > 1 {
			refund(p, "missing", payment.RefundLine{Key: line.Key, Count: 1})
		}
		for _, state := range []order.State{order.Cooking, order.Done} {
			if _, err := h.Orders.SetState(t.Context(), p.order.ID, state, noName, h.Clock.Now()); err != nil {
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
		p.followPayment(t)
	}
}

// sweep runs the sweep of each minute. Errors of an acquirer that does not answer are expected; any
// other error fails the test.
func (h *faultyHouse) sweep(t *testing.T) {
	t.Helper()
	err := h.Orders.Sweep(t.Context(), h.Clock.Now())
	var unanswered *acquiring.Error
	if _, isFault := fault.Of(err); err != nil && !isFault && !errors.As(err, &unanswered) {
		t.Errorf("sweep: %v", err)
	}
}

// bankCharges returns all payments of the bank in the form of the audit.
func (h *faultyHouse) bankCharges(t *testing.T) []audittest.Charge {
	t.Helper()
	return audittest.ChargesOf(h.bank.PaymentsOf(double.AnyID), func(p double.Payment) audittest.Charge {
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

// receiptsOf returns the fiscal receipts of a payment in the form of the audit.
func receiptsOf(p double.Payment) []audittest.Receipt {
	var receipts []audittest.Receipt
	for _, r := range p.Receipts {
		receipts = append(receipts, audittest.Receipt{Kind: string(r.Kind), Mode: r.Mode, Items: r.Items})
	}
	return receipts
}
