package payments_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
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
	"servery/internal/order"
	"servery/internal/order/audittest"
	"servery/internal/order/orders"
	"servery/internal/payment"
	"servery/internal/payment/payments"
)

// Environment variables: SERVERY_SEEDS is the last seed to simulate, SERVERY_SEED is a single seed to
// simulate again.
const (
	seedsVariable = "SERVERY_SEEDS"
	seedVariable  = "SERVERY_SEED"
)

// keptSeeds are simulated in each run: they have failed once, or show what other seeds do not.
var keptSeeds = []uint64{1, 2, 3, 4, 5, 6, 7, 8}

const (
	simulatedSteps     = 120
	simulatedCustomers = 12
)

// A seed decides what customers, kitchen, acquirer and database of a shop do, and when its process
// restarts, for an hour or two of a fake clock. At the end the books are right. Every tenth seed is
// run twice and must have the same trace.
func TestSimulation_ofASeedBalancesTheBooks(t *testing.T) {
	t.Parallel()
	for _, seed := range simulatedSeeds(t) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			first := simulateSeed(t, seed)
			t.Log(strings.Join(first, "\n"))
			if seed%10 != 1 || t.Failed() {
				return
			}
			if again := simulateSeed(t, seed); !slices.Equal(first, again) {
				t.Errorf("the same seed went two ways:\n%s\n\n%s", strings.Join(first, "\n"), strings.Join(again, "\n"))
			}
		})
	}
}

// simulatedSeeds returns the seeds of this run: the one of SERVERY_SEED, or keptSeeds and those
// after them up to SERVERY_SEEDS.
func simulatedSeeds(t *testing.T) []uint64 {
	t.Helper()
	readNumber := func(name string) uint64 {
		text := os.Getenv(name)
		if text == "" {
			return 0
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if one := readNumber(seedVariable); one > 0 {
		return []uint64{one}
	}
	seeds := slices.Clone(keptSeeds)
	for seed := uint64(len(seeds) + 1); seed <= readNumber(seedsVariable); seed++ {
		seeds = append(seeds, seed)
	}
	return seeds
}

// simulation is what happens for one seed.
type simulation struct {
	*faultyHouse

	seed uint64
	dice *rand.Rand
	// hasCardForm is whether cards are entered on our own form.
	hasCardForm bool
	payers      []*payer
	trace       []string
}

// simulateSeed runs all steps of a seed, lets time pass until no payment is open, audits the
// books and returns the trace of what happened. The same seed returns the same trace.
func simulateSeed(t *testing.T, seed uint64) []string {
	t.Helper()
	known := clients.ListClients()
	engine := db.SQLite // whose every statement can be made to fail at a known place
	s := &simulation{
		faultyHouse: newFaultyHouse(t, dbtest.Open(t, engine), known[seed%uint64(len(known))]),
		seed:        seed, dice: rand.New(rand.NewPCG(11, seed)),
	}
	s.hasCardForm = s.dice.IntN(2) == 0
	s.Import(t, carttest.Online(s.hasCardForm))
	s.day = s.dice.IntN(365)
	s.Clock.Set(carttest.Noon.AddDate(0, 0, s.day))
	s.sweep(t)
	for step := range simulatedSteps {
		s.step(t, step)
		if t.Failed() {
			t.Fatalf("seed %d (%s=%d go test ./internal/payment -run Simulation):\n%s", seed, seedVariable, seed, strings.Join(s.trace, "\n"))
		}
	}
	s.bank.ClearFaults()
	s.passTime(t, s.payers, trouble{})
	var confirmed []audittest.Confirmed
	for i, p := range s.payers {
		s.note("customer %d ends %s %v", i, p.last.Status, p.order.Prices.Total)
		confirmed = append(confirmed, audittest.Confirmed{
			Key: p.key, ID: p.order.ID, Total: p.order.Prices.Total, PaymentType: typeOf(p.way), Phone: p.order.Phone,
			Paid: p.last.Status == payment.StatusPaid,
		})
	}
	audittest.Check(t, s.DB, audittest.Books{Now: s.Clock.Now(), Confirmed: confirmed, Settled: true, Bank: s.bankCharges(t)})
	return s.trace
}

// note adds a line to the trace, with the time of the fake clock.
func (s *simulation) note(format string, args ...any) {
	s.trace = append(s.trace, s.Clock.Now().Format(time.TimeOnly)+" "+fmt.Sprintf(format, args...))
}

// step does one thing that the dice choose: a customer loads the page or pays, with or without a fault
// of the acquirer or the database; an order is canceled or handed over; or the process restarts. Before,
// another customer may order; afterwards, half of the time, some seconds pass and a sweep runs.
func (s *simulation) step(t *testing.T, step int) {
	t.Helper()
	if len(s.payers) == 0 || len(s.payers) < simulatedCustomers && s.dice.IntN(6) == 0 {
		p := s.newPayer(t, trouble{}, s.dice.IntN(100), s.hasCardForm)
		p.dice, p.twice = rand.New(rand.NewPCG(s.seed, uint64(step))), false
		p.place(t)
		s.payers = append(s.payers, p)
		s.note("customer %d orders by %s", len(s.payers)-1, p.way.Method)
	}
	i := s.dice.IntN(len(s.payers))
	p := s.payers[i]
	switch s.dice.IntN(8) {
	case 0, 1, 2:
		p.followPayment(t)
		s.note("customer %d looks: %s", i, p.last.Status)
	case 3:
		s.armFault(p)
		p.followPayment(t)
		s.bank.ClearFaults()
		s.note("customer %d looks while the acquirer fails: %s", i, p.last.Status)
	case 4:
		s.armFault(p)
		s.sweep(t)
		s.bank.ClearFaults()
		s.note("a sweep while the acquirer fails")
	case 5:
		s.payWithoutDatabase(t, i)
	case 6:
		s.finishOrder(t, i)
	case 7:
		s.StartProcess(t, orders.Options{}, s.options(t))
		s.note("a new process")
	}
	if s.dice.IntN(2) == 0 {
		s.Clock.Advance(time.Duration(1+s.dice.IntN(60)) * time.Second)
		s.sweep(t)
	}
}

// options returns the options of a new process that is paid through the acquirer's client.
func (s *simulation) options(t *testing.T) payments.Options {
	t.Helper()
	acquirer, err := s.client.Make(s.server.URL, s.Clock)
	if err != nil {
		t.Fatal(err)
	}
	return payments.Options{
		Accounts: acquiring.Accounts{s.shop.brand: {carttest.Account: acquirer}}, Log: slog.New(slog.DiscardHandler),
	}
}

// armFault makes the acquirer's next call of a random operation fail in a random way.
func (s *simulation) armFault(p *payer) {
	faults := []double.Fault{
		double.LostBefore, double.LostAfter, double.BadBefore, double.BadAfter, double.Cut, double.Garbage, double.Busy,
	}
	ops := append([]string{"status", "cancel", "refund"}, p.way.Ops...)
	s.bank.ArmFault(ops[s.dice.IntN(len(ops))], faults[s.dice.IntN(len(faults))])
}

// setWritable lets the database take writes, or refuse all of them.
func (s *simulation) setWritable(t *testing.T, isWritable bool) {
	t.Helper()
	value := 1
	if isWritable {
		value = 0
	}
	if _, err := s.DB.Writer().ExecContext(t.Context(), fmt.Sprintf("PRAGMA query_only(%d)", value)); err != nil {
		t.Fatal(err)
	}
}

// payWithoutDatabase lets customer i pay while the database refuses writes: from the beginning,
// or from the moment at which the acquirer answers. Webhooks and a sweep follow in the same
// state; then the database takes writes again.
func (s *simulation) payWithoutDatabase(t *testing.T, i int) {
	t.Helper()
	p := s.payers[i]
	const writable, readOnly = true, false
	when := "at all"
	if s.dice.IntN(3) == 0 {
		s.setWritable(t, readOnly)
	} else {
		when = "from the answer on"
		s.bank.BeforeAnswer(p.way.Ops[s.dice.IntN(len(p.way.Ops))], func() { s.setWritable(t, readOnly) })
	}
	ctx := context.WithoutCancel(t.Context())
	_, err := s.Payments.Pay(ctx, p.now(), p.request(noVerifyParam))
	s.allowUnavailable(t, "pay", err)
	for _, c := range p.callbacksOf(t) {
		s.Payments.HandleWebhook(ctx, p.visitor.Site, carttest.Account, c) // its answer is the bank's affair
	}
	s.allowUnavailable(t, "sweep", s.Orders.Sweep(ctx, s.Clock.Now()))
	s.bank.ClearFaults()
	s.setWritable(t, writable)
	s.note("customer %d pays without a database %s: %t", i, when, err == nil)
}

// allowUnavailable fails the test for an error that is neither a fault for the customer nor says that
// the database refuses writes. what names the call.
func (s *simulation) allowUnavailable(t *testing.T, what string, err error) {
	t.Helper()
	if _, isFault := fault.Of(err); err != nil && !isFault && !db.IsUnavailable(err) {
		t.Errorf("%s: %v", what, err)
	}
}

// finishOrder ends the order of customer i if it is paid: the customer cancels it, or it is
// cooked and handed over.
func (s *simulation) finishOrder(t *testing.T, i int) {
	t.Helper()
	p := s.payers[i]
	if p.last.Status != payment.StatusPaid {
		return
	}
	if s.dice.IntN(2) == 0 {
		_, err := s.Orders.Cancel(t.Context(), p.now(), p.order.ID)
		p.succeeded(t, "cancel", err)
		p.idle = true
		p.followPayment(t)
		s.note("customer %d cancels: %s", i, p.last.Status)
		return
	}
	for _, state := range []order.State{order.Cooking, order.Done} {
		_, err := s.Orders.SetState(t.Context(), p.order.ID, state, "kitchen", s.Clock.Now())
		p.succeeded(t, "move", err)
	}
	s.note("the order of customer %d is handed over", i)
}
