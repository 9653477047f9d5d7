package paytest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
)

// containsMark reports whether a text contains a mark.
func containsMark(text, mark string) bool { return strings.Contains(text, mark) }

// strikes is how often each fault strikes an acquirer, over all ways to pay and all
// operations that may take money.
const strikes = 50

// countRuns returns how often each fault is tried with one operation of one case. Over all cases
// a fault strikes at least [strikes] times, and each operation at least 3 times. With -short it
// returns 2.
func (w *World) countRuns() int {
	if testing.Short() {
		return 2
	}
	slots := 0
	for _, c := range w.Cases {
		slots += len(c.listOperations())
	}
	return max(3, (strikes+slots-1)/slots)
}

// countFaultRuns returns how often a rule that tries every fault by itself tries each: a quarter of
// countRuns.
func (w *World) countFaultRuns() int { return (w.countRuns() + 3) / 4 }

// betweenRuns is longer than any payment stays open.
const betweenRuns = 2 * time.Hour

// RunSuite tests every rule, and every fault of each operation that may take money, for each way
// to pay. build makes a new world for each test.
func RunSuite(t *testing.T, build func(t *testing.T) *World) {
	t.Helper()
	rules := map[string]func(*player, Case){
		"it ends paid":                                           testPaid,
		"each reason is mapped":                                  testReasons,
		"start repeated charges once":                            testRepeated,
		"start in parallel charges once":                         testParallel,
		"start after the deadline takes nothing":                 testLate,
		"money after the deadline is seen and given back":        testPaidAfterDeadline,
		"a wrong sum is noticed":                                 testWrongSum,
		"a wrong currency is noticed":                            testWrongCurrency,
		"a callback before the answer agrees with it":            testCallbackBeforeAnswer,
		"a callback twice is one event":                          testCallbackTwice,
		"callbacks out of order stay true":                       testCallbacksOutOfOrder,
		"forgeries are not believed":                             testForgeries,
		"a payment of another id is refused":                     testForeign,
		"3-D Secure answered twice charges once":                 testChallenges,
		"3-D Secure that is not finished takes nothing":          testAbandoned,
		"an answer of 3-D Secure not sent stays good":            testUnsent,
		"another body under a used id is no refusal":             testChangedBody,
		"a refused request takes nothing":                        testRefused,
		"refunds are made once":                                  testRefunds,
		"a refund that fails once is made once":                  testRefundFaults,
		"a closing receipt is registered once":                   testClosings,
		"a closing receipt survives each fault":                  testClosingFaults,
		"a closing receipt that is wrong is refused":             testClosingRefusals,
		"cancel says what is true":                               testCancel,
		"an unknown payment is absent":                           testAbsent,
		"nothing is taken by an acquirer that cannot be reached": testGone,
		"a wrong account takes nothing":                          testWrongAccount,
	}
	for i := range build(t).Cases {
		name := build(t).Cases[i].Name
		for rule, test := range rules {
			t.Run(name+"/"+rule, func(t *testing.T) {
				t.Parallel()
				w := newReadyWorld(t, build)
				test(&player{TB: t, World: w, name: w.Acquirer.Name()}, w.Cases[i])
				checkLog(t, w)
			})
		}
		for fault, f := range faults {
			for _, op := range build(t).Cases[i].listOperations() {
				t.Run(name+"/"+op+" "+fault+" leads to the right state", func(t *testing.T) {
					t.Parallel()
					w := newReadyWorld(t, build)
					testFault(&player{TB: t, World: w, name: w.Acquirer.Name()}, w.Cases[i], op, f)
					checkLog(t, w)
				})
			}
		}
	}
}

// newReadyWorld returns a new world whose Books are set: the acquirer's own, else those of its
// bank.
func newReadyWorld(t *testing.T, build func(t *testing.T) *World) *World {
	t.Helper()
	w := build(t)
	if w.Books == nil {
		w.Books = w.Bank
	}
	return w
}

// checkLog checks that the double's log has no secret.
func checkLog(t *testing.T, w *World) {
	t.Helper()
	for _, e := range w.Books.ListRequests() {
		if containsMark(e.Body, SecretMark) || containsMark(e.Body, Card) {
			t.Errorf("%s is logged with a secret: %s", e.Op, e.Body)
		}
	}
}

var faults = map[string]double.Fault{
	"lost before":         double.LostBefore,
	"failing before":      double.BadBefore,
	"refused as too many": double.Busy,
	"lost after":          double.LostAfter,
	"failing after":       double.BadAfter,
	"cut off":             double.Cut,
	"unreadable":          double.Garbage,
	"slow":                double.Slow,
}

// testFault checks that a payment ends in the right state, and takes money at most once, when
// the operation op fails once with the fault f. Two of three customers pay, the third cannot.
func testFault(p *player, c Case, op string, f double.Fault) {
	codes := []string{success}
	for code := range c.Codes {
		codes = append(codes, code)
	}
	for run := range p.countRuns() {
		p.Clock.Advance(betweenRuns)
		code := success
		if run%3 == 2 { // the third customer cannot pay
			code = codes[run%len(codes)]
		}
		in := p.newIntent(c, fmt.Sprintf("fault-%d", run), code)
		p.Books.ArmFault(op, f)
		e := p.settlePayment(c, in, code, op)
		p.Books.ClearFaults()
		if (e.State == acquiring.Paid) != (code == success) {
			p.Errorf("run %d: the customer did %q, the outcome is %s", run, code, e.State)
		}
		p.checkChargedOnce(in, e)
	}
}

// testPaid checks a payment that is paid, and its status by reference and by id.
func testPaid(p *player, c Case) {
	in := p.newIntent(c, "one", success)
	e := p.settlePayment(c, in, success, noFault)
	if e.State != acquiring.Paid {
		p.Fatalf("the outcome is %s %s", e.State, e.Code)
	}
	p.checkChargedOnce(in, e)
	read, err := p.Acquirer.QueryStatus(p.Context(), in.Lookup(e.Ref))
	if err != nil || read.Key() != e.Key() {
		p.Errorf("status = %+v, %v; want the same event as %+v", read, err, e)
	}
	read, err = p.Acquirer.QueryStatus(p.Context(), in.Lookup(acquiring.NoRef))
	if err != nil || read.Key() != e.Key() {
		p.Errorf("status by our id = %+v, %v; want the same event as %+v", read, err, e)
	}
}

// testReasons checks that each code of failure becomes its reason.
func testReasons(p *player, c Case) {
	for code, want := range c.Codes {
		id := "code-" + strings.ReplaceAll(acquiring.CutText(code, 30), "_", "-") // an id has no underscores
		in := p.newIntent(c, id, code)
		e := p.settlePayment(c, in, code, noFault)
		if e.State != acquiring.Failed || e.Reason != want {
			p.Errorf("%s = %s %s, want %s", code, e.State, e.Reason, want)
		}
		p.checkChargedOnce(in, e)
		p.Clock.Advance(betweenRuns)
	}
	if len(c.Codes) == 0 {
		p.Error("no codes of failure are listed")
	}
}

// testRepeated checks that a repeated start takes money once.
func testRepeated(p *player, c Case) {
	in := p.newIntent(c, "again", success)
	for range 4 {
		if _, err := p.Acquirer.StartPayment(p.Context(), in); err != nil {
			p.Fatal(err)
		}
		p.Clock.Advance(time.Minute)
	}
	p.checkChargedOnce(in, p.settlePayment(c, in, success, noFault))
	next, err := p.Acquirer.StartPayment(p.Context(), in)
	if err != nil || next.Kind == acquiring.Declined {
		p.Errorf("a further start = %s, %v", next.Kind, err)
	}
	p.checkChargedOnce(in, acquiring.Event{State: acquiring.Paid, ID: in.ID, Sum: in.Sum})
}

// testParallel checks that concurrent starts take money once.
func testParallel(p *player, c Case) {
	in := p.newIntent(c, "together", success)
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			next, err := p.Acquirer.StartPayment(p.Context(), in)
			if err != nil || next.Kind == acquiring.Declined {
				p.Errorf("start = %s, %v", next.Kind, err)
			}
		})
	}
	work.Wait()
	p.checkChargedOnce(in, p.settlePayment(c, in, success, noFault))
}

// testChangedBody checks that a refused second body under a used id is not read as a refusal:
// the first request may have been carried out.
func testChangedBody(p *player, c Case) {
	in := p.newIntent(c, "changed", success)
	p.Books.ArmFault("start", double.LostAfter)
	if next, err := p.Acquirer.StartPayment(p.Context(), in); err != nil || next.Kind != acquiring.Unknown {
		p.Errorf("start = %+v, %v", next, err)
	}
	p.Books.ClearFaults()
	other := in
	other.Description = "Another description"
	p.Books.ArmFault("status", double.BadAfter)
	p.Books.ArmFault("search", double.Cut)
	if next, err := p.Acquirer.StartPayment(p.Context(), other); err != nil || next.Kind == acquiring.Declined {
		p.Errorf("start while nothing can be asked = %+v, %v", next, err)
	}
	p.Books.ClearFaults()
	if next, err := p.Acquirer.StartPayment(p.Context(), other); err != nil || next.Kind == acquiring.Declined {
		p.Errorf("another start = %+v, %v", next, err)
	}
	p.checkChargedOnce(in, p.settlePayment(c, in, success, noFault))
}

// testRefused checks that a request which the acquirer cannot read is a certain refusal, once
// the acquirer says that it knows no such payment.
func testRefused(p *player, c Case) {
	in := p.newIntent(c, "refused", success)
	in.ReturnURL = ""
	if in.Token != "" {
		in.Token = "made-up"
	}
	next, err := p.Acquirer.StartPayment(p.Context(), in)
	p.checkSecrets(next)
	times, _, _ := p.Books.SumCharged(string(in.ID))
	known := len(p.Books.PaymentsOf(string(in.ID))) > 0
	if err != nil || times != 0 || !known && (next.Kind != acquiring.Declined || next.Event.Reason != acquiring.Refused) {
		p.Errorf("start = %+v, %v; charged %d times", next, err, times)
	}
}

// testLate checks that nothing is started after the deadline.
func testLate(p *player, c Case) {
	in := p.newIntent(c, "late", success)
	p.Clock.Set(in.Deadline)
	next, err := p.Acquirer.StartPayment(p.Context(), in)
	if acquiring.KindOf(err) != acquiring.Late {
		p.Errorf("start = %+v, %v", next, err)
	}
	p.checkChargedOnce(in, acquiring.Event{State: acquiring.Failed})
}

// testPaidAfterDeadline checks that money which was taken after the deadline is seen and can be
// refunded.
func testPaidAfterDeadline(p *player, c Case) {
	for run := range p.countRuns() {
		p.Clock.Advance(3 * time.Hour)
		in := p.newIntent(c, fmt.Sprintf("after-%d", run), success)
		next, err := p.Acquirer.StartPayment(p.Context(), in)
		if err != nil {
			p.Fatal(err)
		}
		if next.Kind == acquiring.Prepared || next.Kind == acquiring.ThreeDS1 || next.Kind == acquiring.ThreeDS2 {
			return // the money moves only by our own call, which knows the deadline
		}
		p.Clock.Set(in.Deadline.Add(time.Minute))
		p.Books.PayLate(string(in.ID))
		e, err := p.Acquirer.QueryStatus(p.Context(), in.Lookup(next.Ref))
		if err != nil || e.State != acquiring.Paid {
			p.Fatalf("run %d: status = %+v, %v", run, e, err)
		}
		p.refundAll(in, e)
	}
}

// refundAll refunds all that was taken by the payment of e, and fails the test unless the bank
// has taken money once and returned all of it.
func (p *player) refundAll(in acquiring.Intent, e acquiring.Event) {
	p.Helper()
	r, err := p.Acquirer.RefundPayment(p.Context(), acquiring.Refund{
		ID: "back-" + in.ID, Of: in.Lookup(e.Ref), Paid: e.Sum, Sum: e.Sum, Customer: in.Customer, Description: "Too late",
	})
	times, taken, returned := p.Books.SumCharged(string(in.ID))
	if err != nil || r.State != acquiring.RefundDone || times != 1 || taken != returned {
		p.Errorf("%s: refund = %+v, %v; charged %d times %d, returned %d", in.ID, r, err, times, taken, returned)
	}
	e, err = p.Acquirer.QueryStatus(p.Context(), in.Lookup(e.Ref))
	if err != nil || e.State != acquiring.Paid || !p.Blind && e.Refunded != e.Sum.Amount {
		p.Errorf("%s: after the refund status = %+v, %v", in.ID, e, err)
	}
}

// testWrongSum checks that another sum than requested is noticed.
func testWrongSum(p *player, c Case) {
	testMismatch(p, c, func(d *double.Payment) { d.Amount += 100 })
}

// testWrongCurrency checks that another currency than requested is noticed.
func testWrongCurrency(p *player, c Case) {
	testMismatch(p, c, func(d *double.Payment) {
		if d.Currency = "KZT"; p.Currency == "KZT" {
			d.Currency = "RUB"
		}
	})
}

// testMismatch checks a payment that the bank alters by change when it is opened: it is paid,
// CheckEvent finds the mismatch, and the money can be refunded.
func testMismatch(p *player, c Case, change func(*double.Payment)) {
	for run := range p.countRuns() {
		p.Clock.Advance(betweenRuns)
		p.Books.ChangeOpened(change)
		in := p.newIntent(c, fmt.Sprintf("mismatch-%d", run), success)
		e := p.settlePayment(c, in, success, noFault)
		p.Books.ChangeOpened(nil)
		if e.State != acquiring.Paid || acquiring.KindOf(acquiring.CheckEvent(p.name, in.ID, in.Sum, e)) != acquiring.Mismatch {
			p.Fatalf("run %d: %+v passes for %s", run, e, in.Sum)
		}
		p.refundAll(in, e)
	}
}

// testAbsent checks that a payment which was never started is absent.
func testAbsent(p *player, c Case) {
	in := p.newIntent(c, "never", success)
	e, err := p.Acquirer.QueryStatus(p.Context(), in.Lookup(acquiring.NoRef))
	if err != nil || e.State != acquiring.Absent || e.ID != in.ID {
		p.Errorf("status = %+v, %v", e, err)
	}
}

// testGone checks that nothing is sent when the acquirer cannot be reached or the context has
// ended.
func testGone(p *player, c Case) {
	in := p.newIntent(c, "gone", success)
	if next, err := p.Gone.StartPayment(p.Context(), in); acquiring.KindOf(err) != acquiring.Unsent {
		p.Errorf("start = %+v, %v", next, err)
	}
	if e, err := p.Gone.QueryStatus(p.Context(), in.Lookup(acquiring.NoRef)); err == nil {
		p.Errorf("status = %+v", e)
	}
	ended, end := context.WithCancel(p.Context())
	end()
	if next, err := p.Acquirer.StartPayment(ended, in); acquiring.KindOf(err) != acquiring.Unsent {
		p.Errorf("start in an ended context = %+v, %v", next, err)
	}
}

// testWrongAccount checks that a wrong account is denied and takes nothing.
func testWrongAccount(p *player, c Case) {
	in := p.newIntent(c, "wrong", success)
	next, err := p.Wrong.StartPayment(p.Context(), in)
	if acquiring.KindOf(err) != acquiring.Denied {
		p.Errorf("start = %+v, %v", next, err)
	}
	p.checkSecrets(err)
	p.checkChargedOnce(in, acquiring.Event{State: acquiring.Failed})
	if e, err := p.Wrong.QueryStatus(p.Context(), in.Lookup(acquiring.NoRef)); acquiring.KindOf(err) != acquiring.Denied {
		p.Errorf("status = %+v, %v", e, err)
	}
}

// testCancel checks that cancel returns the true state, and that a canceled payment cannot be
// paid.
func testCancel(p *player, c Case) {
	in := p.newIntent(c, "cancel", success)
	next, err := p.Acquirer.StartPayment(p.Context(), in)
	if err != nil {
		p.Fatal(err)
	}
	e, err := p.Acquirer.CancelPayment(p.Context(), in.Lookup(next.Ref))
	if err != nil {
		p.Fatal(err)
	}
	times, _, _ := p.Books.SumCharged(string(in.ID))
	if times == 0 && p.Stops && e.State != acquiring.Failed || times == 1 && e.State != acquiring.Paid {
		p.Errorf("cancel = %+v, charged %d times", e, times)
	}
	if e.State == acquiring.Failed {
		p.checkChargedOnce(in, e)
	}

	in = p.newIntent(c, "cancel-paid", success)
	e = p.settlePayment(c, in, success, noFault)
	again, err := p.Acquirer.CancelPayment(p.Context(), in.Lookup(e.Ref))
	if err != nil || again.State != acquiring.Paid {
		p.Errorf("cancel of a paid one = %+v, %v", again, err)
	}
	p.checkChargedOnce(in, e)
}

// testForeign checks that the reference of another payment is refused.
func testForeign(p *player, c Case) {
	cheap := p.newIntent(c, "a", success) // a longer id has a larger sum
	e := p.settlePayment(c, cheap, success, noFault)
	dear := p.newIntent(c, "dear-and-long-name", success)
	if got, err := p.Acquirer.QueryStatus(p.Context(), dear.Lookup(e.Ref)); acquiring.KindOf(err) != acquiring.Foreign {
		p.Errorf("status = %+v, %v", got, err)
	}
	if p.Challenge == nil {
		return
	}
	next := acquiring.Next{Ref: e.Ref, Kind: acquiring.ThreeDS1}
	proof := p.Challenge(next, success)
	proof.Lookup = dear.Lookup(e.Ref)
	if got, err := p.Acquirer.Finish3DS(p.Context(), proof); err == nil && (got.Kind == acquiring.Done || got.Kind == acquiring.Declined) {
		p.Errorf("finish = %+v", got)
	}
}
