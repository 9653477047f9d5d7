package paytest

import (
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/money"
)

// RefundWords are an acquirer's words for states of a refund.
type RefundWords struct{ Pending, Canceled string }

// Of the payment whose refunds are repeated: its id, its sum and what each refund of it is of, in minor
// units.
const (
	repeatID   = "p1"
	repeatPaid = money.Amount(12345)
	repeatPart = money.Amount(1234)
)

// A repetition is a refund of a part that is called for, and called for again later.
type repetition struct {
	// earlier is how many parts were refunded before; their references are in the books unless hasNoRefs.
	earlier   int
	hasNoRefs bool
	// first is the fault of the first call, NoFault for none: the refund is then called for later only.
	first double.Fault
	// change is what happens to the payment after the first call, nil for nothing.
	change func(*double.Payment)
	// later is how much later the other calls are; second is the fault of their requests for a list.
	later  time.Duration
	second double.Fault

	// want is the outcome of the later calls, or kind that of their error.
	want acquiring.RefundState
	kind acquiring.ErrorKind
	// isError says that the outcome is an error.
	isError bool
	// parts is how many were returned in the end, sent how often the later calls sent the part.
	parts, sent int
}

// RunRefundRepetitions tests, for an acquirer that forgets idempotency keys after a day, that a refund is
// never made twice, and what is known of one that is called for again. build makes a new world for each
// test; ref is a reference of a payment.
func RunRefundRepetitions(t *testing.T, build func(t *testing.T) *World, ref string, words RefundWords) {
	t.Helper()
	const remembered, forgotten = 22 * time.Hour, 25 * time.Hour
	lastRefund := func(p *double.Payment) *double.Refund { return &p.Refunds[len(p.Refunds)-1] }
	cancel := func(p *double.Payment) {
		lastRefund(p).Status, lastRefund(p).IsCanceled = words.Canceled, true
	}
	byHand := func(amount money.Amount) func(*double.Payment) {
		return func(p *double.Payment) { p.Refunds = append(p.Refunds, double.Refund{Ref: "by-hand", Amount: amount}) }
	}
	for name, c := range map[string]repetition{
		"the answer was lost, the key is remembered": {
			first: double.LostAfter, later: remembered, want: acquiring.RefundDone, parts: 1, sent: 3,
		},
		"the answer was lost": {first: double.LostAfter, later: forgotten, want: acquiring.RefundDone, parts: 1},
		"it never arrived":    {first: double.BadBefore, later: forgotten, want: acquiring.RefundDone, parts: 1, sent: 1},
		"it was never sent":   {later: forgotten, want: acquiring.RefundDone, parts: 1, sent: 3},
		"it is pending": {
			first: double.LostAfter, later: forgotten, want: acquiring.RefundPending, parts: 1,
			change: func(p *double.Payment) { lastRefund(p).Status = words.Pending },
		},
		"it has a state of tomorrow": {
			first: double.LostAfter, later: forgotten, want: acquiring.RefundUnknown, parts: 1,
			change: func(p *double.Payment) { lastRefund(p).Status = "thinking" },
		},
		"it was canceled": {first: double.LostAfter, later: forgotten, want: acquiring.RefundFailed, change: cancel},
		"the answer was lost, after equal parts": {
			earlier: 4, first: double.LostAfter, later: forgotten, want: acquiring.RefundDone, parts: 5,
		},
		"it never arrived, after equal parts": {
			earlier: 4, first: double.BadBefore, later: forgotten, want: acquiring.RefundDone, parts: 5, sent: 1,
		},
		"the answer was lost, after a part without a reference": {
			earlier: 1, hasNoRefs: true, first: double.LostAfter, later: forgotten, want: acquiring.RefundDone, parts: 2,
		},
		"it never arrived, after a part without a reference": {
			earlier: 1, hasNoRefs: true, first: double.BadBefore, later: forgotten, want: acquiring.RefundDone, parts: 2, sent: 1,
		},
		"it never arrived, and a person made it": {
			first: double.BadBefore, later: forgotten, want: acquiring.RefundDone, parts: 1, change: byHand(repeatPart),
		},
		"it never arrived, and a person refunded more": {
			first: double.BadBefore, later: forgotten, isError: true, kind: acquiring.Late, parts: 2, change: byHand(2 * repeatPart),
		},
		"the list fails": {
			first: double.LostAfter, later: forgotten, second: double.BadBefore, isError: true, kind: acquiring.Lost, parts: 1,
		},
		"the list cannot be read": {
			first: double.LostAfter, later: forgotten, second: double.Garbage, isError: true, kind: acquiring.Lost, parts: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newReadyWorld(t, build)
			c.run(&player{TB: t, World: w, name: w.Acquirer.Name()}, ref)
			checkLog(t, w)
		})
	}
}

// run makes the calls of a repetition and checks their outcomes and what the bank has returned.
func (c repetition) run(p *player, ref string) {
	const isPaid = "" // no code of a failure
	p.Bank.OpenPayment(double.Payment{Ref: ref, ID: repeatID, Amount: repeatPaid, Currency: p.Currency})
	p.Bank.SettlePayment(ref, isPaid)
	currency, err := money.ParseCurrency(p.Currency)
	if err != nil {
		p.Fatal(err)
	}
	r := acquiring.Refund{
		Of:   acquiring.Lookup{Ref: ref, ID: repeatID},
		Paid: acquiring.Sum{Amount: repeatPaid, Currency: currency}, Sum: acquiring.Sum{Amount: repeatPart, Currency: currency},
	}
	for i := range c.earlier {
		r.ID = acquiring.ID("earlier-" + string(rune('1'+i)))
		done, err := p.Acquirer.RefundPayment(p.Context(), r)
		if err != nil || done.State != acquiring.RefundDone {
			p.Fatalf("an earlier part = %+v, %v", done, err)
		}
		r.Before = r.Before.Add(repeatPart)
		if !c.hasNoRefs {
			r.Earlier = append(r.Earlier, done.Ref)
		}
	}
	r.ID = "part"
	if c.first != double.NoFault {
		p.Bank.ArmFault("refund", c.first)
		since := p.Clock.Now()
		if got, err := p.Acquirer.RefundPayment(p.Context(), r); err != nil || got.State != acquiring.RefundUnknown {
			p.Errorf("the first call = %+v, %v", got, err)
		}
		p.Bank.ClearFaults()
		r.Since = since
	}
	if c.change != nil {
		p.Bank.ChangePayment(ref, c.change)
	}
	p.Bank.ArmFault("find refund", c.second)
	p.Clock.Advance(c.later)
	before := p.Bank.CountRequests("refund")
	for range 3 {
		got, err := p.Acquirer.RefundPayment(p.Context(), r)
		if c.isError && (err == nil || acquiring.KindOf(err) != c.kind) || !c.isError && (err != nil || got.State != c.want) {
			p.Errorf("a later call = %+v, %v", got, err)
		}
	}
	if _, _, returned := p.Bank.SumCharged(repeatID); returned != repeatPart*money.Amount(c.parts) {
		p.Errorf("%s returned, want %d parts of %s", returned, c.parts, repeatPart)
	}
	if sent := p.Bank.CountRequests("refund") - before; sent != c.sent {
		p.Errorf("it was sent %d times, want %d", sent, c.sent)
	}
}
