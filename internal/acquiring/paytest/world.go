// Package paytest is the suite that every acquirer passes against its double: one charge
// at most for an intent whatever breaks, nothing believed that is not proved, and a state
// that is known in the end.
package paytest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/clock"
	"servery/internal/money"
)

// Now is when the clock of each world stands at first.
var Now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// Books are a bank's own, and the hands of its customers and of those who break lines.
// [double.Bank] says what each promises.
type Books interface {
	PaymentsOf(id string) []double.Payment
	FindPayment(ref string) (double.Payment, bool)
	SumCharged(id string) (times int, taken, returned money.Amount)
	SettlePayment(ref, code string) bool
	PayAll(id string)
	PayLate(id string)
	ChangeOpened(twist func(*double.Payment))
	ArmFault(op string, f double.Fault)
	ClearFaults()
	BeforeAnswer(op string, hook func())
	HeldRequests() <-chan struct{}
	ListRequests() []double.Entry
	CountRequests(op string) int
}

// World is an acquirer with its double.
type World struct {
	Acquirer acquiring.Acquirer
	// Bank is the one behind a double; Books take its place where the acquirer keeps its own.
	Bank  *double.Bank
	Books Books
	Clock *clock.Fake
	// Currency is the one that the acquirer sells in.
	Currency string
	Cases    []Case
	// Callback is what the acquirer sends about a payment as it is.
	Callback func(p double.Payment) acquiring.Callback
	// Forgeries are false callbacks by name, made from a true one.
	Forgeries func(genuine acquiring.Callback) map[string]acquiring.Callback
	// Challenge is the customer at the bank's page of 3-D Secure.
	Challenge func(next acquiring.Next, code string) acquiring.ThreeDSResult
	// Wrong is the same acquirer with another secret, Gone one that cannot be reached.
	Wrong, Gone acquiring.Acquirer
	// Stops says that CancelPayment certainly ends an unpaid payment.
	Stops bool
	// Blind says that the status does not contain how much was refunded.
	Blind bool
	// NoReceipt says that the acquirer takes no receipts.
	NoReceipt bool
}

// Case is a way to pay.
type Case struct {
	Name   string
	Method acquiring.Method
	// Ops are the double's operations that may take money, "start" when empty.
	Ops []string
	// Edit completes the intent so that it ends with the acquirer's code, "" for success.
	Edit func(in *acquiring.Intent, code string)
	// Codes are the acquirer's codes of failure and what they have to become.
	Codes map[string]acquiring.Reason
}

// listOperations returns the double's operations that may take money in this case.
func (c Case) listOperations() []string {
	if len(c.Ops) == 0 {
		return []string{"start"}
	}
	return c.Ops
}

// player is a caller of the acquirer and the customer in front of it.
type player struct {
	testing.TB
	*World

	name string
}

// newIntent returns an intent to pay in the way of the case. The customer's token, if there is
// one, makes it end with the code, success for a payment. The sum depends on the id.
func (p *player) newIntent(c Case, id string, code string) acquiring.Intent {
	currency, err := money.ParseCurrency(p.Currency)
	if err != nil {
		p.Fatal(err)
	}
	// Sums of all lengths, with and without whole units.
	amount := money.Amount(101)
	for i := range len(id) {
		amount += money.Amount(int64(id[i]) * int64(i+1) * 7)
	}
	now := p.Clock.Now()
	in := acquiring.Intent{
		ID: acquiring.ID(id), Sum: acquiring.Sum{Amount: amount, Currency: currency}, Method: c.Method,
		Description: "Order 1204: «Филадельфия» & more, #1 50%", Language: "ru",
		Customer: acquiring.Customer{
			Phone: "79991234567", Email: "buyer@example.com", Name: "Anna Braun", Address: "203.0.113.9", Mobile: true,
			UserAgent: "Mozilla/5.0",
		},
		ReturnURL: "https://shop.example/back?a=1&b=2", CallbackURL: "https://shop.example/api/callback/x",
		TermURL: "https://shop.example/term", Started: now, Deadline: now.Add(10 * time.Minute),
	}
	if !p.NoReceipt {
		in.Receipt = acquiring.Receipt{Email: "buyer@example.com", Phone: "79991234567", Tax: acquiring.TaxSimpleIncome, Lines: acquiring.FitLines([]acquiring.Line{
			{Name: "Roll", Unit: 34950, Count: 3, VAT: acquiring.VAT22}, {Name: "Delivery", Unit: 9900, Count: 1, VAT: acquiring.NoVAT, Service: true},
		}, amount)}
	}
	if c.Edit != nil {
		c.Edit(&in, code)
	}
	return in
}

// callUntilHeld runs call with a context that is canceled as soon as the double holds back an
// answer, so that no test waits for a timeout.
func (p *player) callUntilHeld(call func(ctx context.Context)) {
	ctx, cancel := context.WithCancel(p.Context())
	watcherEnded := make(chan struct{})
	go func() {
		defer close(watcherEnded)
		select {
		case <-p.Books.HeldRequests():
			cancel()
		case <-ctx.Done():
		}
	}()
	call(ctx)
	cancel()
	<-watcherEnded
}

// What a payment of the suite goes through: the code of a customer who pays, and the operation that
// fails when none does.
const success, noFault = "", ""

// settlePayment acts as caller and customer until the outcome of the payment is certain. It starts the
// payment, pays on the page, completes 3-D Secure and queries the status. While the status stays unknown,
// it starts the payment once more under the same id, and then pays all open payments of that id. When the
// customer has come back without paying, it cancels the payment; while that fails, it advances the clock
// by 15 minutes, so that the page expires. It returns the outcome and fails the test
// when the bank's books differ. code is success for a customer who pays, otherwise the code with
// which the bank refuses the customer. A fault that is set for the operation op is cleared once it has
// struck; op is noFault when none is set. After 20 steps it fails the test.
func (p *player) settlePayment(c Case, in acquiring.Intent, code string, op string) acquiring.Event {
	p.Helper()
	seen := p.Books.CountRequests(op)
	makeCall := func(call func(ctx context.Context)) {
		p.callUntilHeld(call)
		if op != noFault && p.Books.CountRequests(op) > seen {
			p.Books.ClearFaults()
		}
	}
	next, started, hasRestarted := acquiring.Next{}, false, false
	var challenge *acquiring.Next
	const steps = 20
	for range steps {
		if !started {
			var err error
			before := fmt.Sprint(p.Books.PaymentsOf(string(in.ID)))
			makeCall(func(ctx context.Context) { next, err = p.Acquirer.StartPayment(ctx, in) })
			if err != nil {
				p.checkSecrets(err)
				if before != fmt.Sprint(p.Books.PaymentsOf(string(in.ID))) {
					p.Errorf("%s: %v, and yet something was done", in.ID, err)
				}
				continue
			}
			started = true
			p.checkSecrets(next)
		}
		switch next.Kind {
		case acquiring.Redirect, acquiring.MobileLink, acquiring.Push:
			p.Books.SettlePayment(next.Ref, code)
			next.Kind = acquiring.Unknown
		case acquiring.Prepared:
			in.VerifyParam, started = next.VerifyParam, false
			c.Edit(&in, code)
		case acquiring.ThreeDS1, acquiring.ThreeDS2:
			shown := next
			challenge = &shown
			next = p.finishPayment(makeCall, in, shown, code)
		case acquiring.Done, acquiring.Declined:
			return p.compareOutcome(in, next.Event)
		case acquiring.Unknown:
			var e acquiring.Event
			var err error
			makeCall(func(ctx context.Context) { e, err = p.Acquirer.QueryStatus(ctx, in.Lookup(next.Ref)) })
			switch {
			case err != nil:
				p.checkSecrets(err)
			case e.State == acquiring.Paid, e.State == acquiring.Failed:
				return p.compareOutcome(in, e)
			case e.State == acquiring.Absent:
				started = false
			case e.State == acquiring.Pending && e.Reason != acquiring.NoReason:
				// The customer came back without having paid.
				makeCall(func(ctx context.Context) { e, err = p.Acquirer.CancelPayment(ctx, in.Lookup(e.Ref)) })
				if err == nil && e.State == acquiring.Failed {
					return p.compareOutcome(in, e)
				}
				p.Clock.Advance(15 * time.Minute) // they gave up, and the page runs out
			case challenge != nil:
				next = p.finishPayment(makeCall, in, *challenge, code)
			case !hasRestarted:
				// A repeated start returns the payment that was begun under the id.
				started, hasRestarted = false, true
			default:
				// The page may have opened although its address never came here.
				for _, open := range p.Books.PaymentsOf(string(in.ID)) {
					p.Books.SettlePayment(open.Ref, code)
				}
				next.Ref = e.Ref
			}
		}
	}
	p.Fatalf("%s: not settled after %d steps", in.ID, steps)
	return acquiring.Event{}
}

// finishPayment submits the result of 3-D Secure for the step shown and returns what comes next,
// Unknown after an error. makeCall calls the acquirer.
func (p *player) finishPayment(makeCall func(func(context.Context)), in acquiring.Intent, shown acquiring.Next, code string) acquiring.Next {
	result := p.Challenge(shown, code)
	result.Lookup = in.Lookup(shown.Ref)
	next := acquiring.Next{Kind: acquiring.Unknown, Ref: shown.Ref}
	makeCall(func(ctx context.Context) {
		n, err := p.Acquirer.Finish3DS(ctx, result)
		if err != nil {
			p.checkSecrets(err)
			return
		}
		p.checkSecrets(n)
		next = n
	})
	return next
}

// compareOutcome fails the test when an outcome is of another payment, or the bank has taken
// money for one that failed, or not once for one that is paid. It returns the outcome.
func (p *player) compareOutcome(in acquiring.Intent, e acquiring.Event) acquiring.Event {
	p.Helper()
	if e.ID != in.ID {
		p.Errorf("%s: the event is of %q", in.ID, e.ID)
	}
	times, _, _ := p.Books.SumCharged(string(in.ID))
	if e.State == acquiring.Paid && times != 1 || e.State == acquiring.Failed && times != 0 {
		p.Errorf("%s: the outcome is %s (%s %s), charged %d times", in.ID, e.State, e.Reason, e.Code, times)
	}
	return e
}

// checkChargedOnce pays wherever the customer still can, and then checks that the bank has taken
// money as the outcome e says: once and the right sum when paid, never when failed.
func (p *player) checkChargedOnce(in acquiring.Intent, e acquiring.Event) {
	p.Helper()
	p.Books.PayAll(string(in.ID))
	times, taken, _ := p.Books.SumCharged(string(in.ID))
	switch {
	case e.State == acquiring.Failed && times != 0:
		p.Errorf("%s: the outcome is failed (%s), and charged %d times", in.ID, e.Code, times)
	case e.State == acquiring.Paid && (times != 1 || taken != in.Sum.Amount || acquiring.CheckEvent(p.name, in.ID, in.Sum, e) != nil):
		p.Errorf("%s: the outcome is %+v, charged %d times %d, want once %s", in.ID, e, times, int64(taken), in.Sum)
	}
}

// Marks that no log and no error may hold.
const (
	SecretMark = "s3cr3t-mark"
	Card       = "4242424242424242"
)

// checkSecrets checks that a value which may be logged shows no secret.
func (p *player) checkSecrets(v any) {
	p.Helper()
	for _, format := range []string{"%v", "%+v"} {
		text := fmt.Sprintf(format, v)
		for _, mark := range []string{SecretMark, Card} {
			if containsMark(text, mark) {
				p.Errorf("a secret is shown: %s", double.MaskSecrets(text))
			}
		}
	}
}
