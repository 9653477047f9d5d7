package paytest

import (
	"context"
	"fmt"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/money"
)

// receiptCloser returns the acquirer as a ReceiptCloser, and false when it closes no receipts.
// It fails the test when the acquirer's ReceiptSupport says otherwise.
func (p *player) receiptCloser() (acquiring.ReceiptCloser, bool) {
	p.Helper()
	closer, closes := p.Acquirer.(acquiring.ReceiptCloser)
	if closes != (p.Acquirer.ReceiptSupport() == acquiring.WithClosing) {
		p.Errorf("it says %d of receipts, and closes them: %t", p.Acquirer.ReceiptSupport(), closes)
	}
	return closer, closes
}

// newClosing returns the closing receipt of a payment that is paid in full.
func newClosing(in acquiring.Intent, ref string) acquiring.Closing {
	c := acquiring.Closing{ID: "close-" + in.ID, Of: in.Lookup(ref), Sum: in.Sum, Receipt: in.Receipt}
	c.Receipt.Mode = acquiring.FullPayment
	return c
}

// closeReceipt repeats the call for a closing receipt each minute until it is done or has
// failed, and returns the outcome. After ten calls without one it fails the test.
func (p *player) closeReceipt(closer acquiring.ReceiptCloser, c acquiring.Closing) acquiring.Closed {
	p.Helper()
	const steps = 10
	var got acquiring.Closed
	for range steps {
		var err error
		got, err = closer.CloseReceipt(p.Context(), c)
		if err != nil {
			p.Fatalf("%s: %v", c.ID, err)
		}
		p.checkSecrets(got)
		if got.State == acquiring.ClosingDone || got.State == acquiring.ClosingFailed {
			return got
		}
		c.Repeated = true
		if got.Ref != "" {
			c.Ref = got.Ref
		}
		p.Clock.Advance(time.Minute)
	}
	p.Fatalf("%s: not settled after %d steps", c.ID, steps)
	return got
}

// checkRegister checks that the register has one receipt of payment and one closing receipt
// with the same items.
func (p *player) checkRegister(in acquiring.Intent) {
	p.Helper()
	count := map[double.ReceiptKind]int{}
	for _, paid := range p.Books.PaymentsOf(string(in.ID)) {
		for _, r := range paid.Receipts {
			count[r.Kind]++
			want := acquiring.FullPrepayment
			if r.Kind == double.Closing {
				want = acquiring.FullPayment
			}
			if r.ItemTotal() != in.Sum.Amount || r.Mode != want.String() {
				p.Errorf("%s: the %s receipt is a %s of %s, want a %s of %s", in.ID, r.Kind, r.Mode, r.ItemTotal(), want, in.Sum.Amount)
			}
		}
	}
	if count[double.OfPayment] != 1 || count[double.Closing] != 1 {
		p.Errorf("%s: the register has %v", in.ID, count)
	}
}

// testClosings checks that a closing receipt is registered once, also when it is repeated.
func testClosings(p *player, c Case) {
	closer, ok := p.receiptCloser()
	if !ok {
		return
	}
	in := p.newIntent(c, "closing", success)
	asked := newClosing(in, p.settlePayment(c, in, success, noFault).Ref)
	if got := p.closeReceipt(closer, asked); got.State != acquiring.ClosingDone || got.Ref == "" {
		p.Errorf("close = %+v", got)
	}
	p.checkRegister(in)
	for _, isRepeated := range []bool{false, true} {
		asked.Repeated = isRepeated
		if got := p.closeReceipt(closer, asked); got.State != acquiring.ClosingDone {
			p.Errorf("close again = %+v", got)
		}
	}
	p.checkRegister(in)
}

// testClosingFaults checks that a closing receipt whose call failed is unknown, and is
// registered once when repeated, even after the acquirer has forgotten the key.
func testClosingFaults(p *player, c Case) {
	closer, ok := p.receiptCloser()
	if !ok {
		return
	}
	run := 0
	for name, f := range faults {
		for range p.countFaultRuns() {
			run++
			p.Clock.Advance(betweenRuns)
			in := p.newIntent(c, fmt.Sprintf("cf-%d", run), success)
			asked := newClosing(in, p.settlePayment(c, in, success, noFault).Ref)
			p.Books.ArmFault("close", f)
			p.callUntilHeld(func(ctx context.Context) {
				got, err := closer.CloseReceipt(ctx, asked)
				p.checkSecrets(err)
				if err == nil && got.State != acquiring.ClosingUnknown || err != nil && acquiring.KindOf(err) != acquiring.Busy {
					p.Errorf("%s: close = %+v, %v", name, got, err)
				}
			})
			p.Books.ClearFaults()
			if asked.Repeated = true; run%2 == 0 && p.Bank != nil {
				p.Clock.Advance(25 * time.Hour)
				p.Bank.ForgetKeys()
			}
			p.Books.ArmFault("receipts", double.BadBefore)
			if got, err := closer.CloseReceipt(p.Context(), asked); err != nil || got.State == acquiring.ClosingFailed {
				p.Errorf("%s: while the receipts cannot be listed: %+v, %v", name, got, err)
			}
			p.Books.ClearFaults()
			if got := p.closeReceipt(closer, asked); got.State != acquiring.ClosingDone {
				p.Errorf("%s: close again = %+v", name, got)
			}
			p.checkRegister(in)
		}
	}
}

// testClosingRefusals checks that wrong closing receipts are refused and register nothing.
func testClosingRefusals(p *player, c Case) {
	closer, ok := p.receiptCloser()
	if !ok {
		return
	}
	in := p.newIntent(c, "unpaid", success)
	next, err := p.Acquirer.StartPayment(p.Context(), in)
	if err != nil {
		p.Fatal(err)
	}
	if open := p.Books.PaymentsOf(string(in.ID)); len(open) == 1 && open[0].State == double.Open && next.Ref != "" {
		if got := p.closeReceipt(closer, newClosing(in, next.Ref)); got.State != acquiring.ClosingFailed || got.Code == "" {
			p.Errorf("of a payment that is not paid = %+v", got)
		}
	}
	in = p.newIntent(c, "refusals", success)
	good := newClosing(in, p.settlePayment(c, in, success, noFault).Ref)
	for name, edit := range map[string]func(*acquiring.Closing){
		"no id":                 func(c *acquiring.Closing) { c.ID = "" },
		"the payment's id":      func(c *acquiring.Closing) { c.ID = c.Of.ID },
		"no payment":            func(c *acquiring.Closing) { c.Of.Ref = "" },
		"a path":                func(c *acquiring.Closing) { c.Ref = "../payments" },
		"another sum":           func(c *acquiring.Closing) { c.Sum.Amount++ },
		"nothing":               func(c *acquiring.Closing) { c.Sum.Amount, c.Receipt.Lines = 0, nil },
		"no currency":           func(c *acquiring.Closing) { c.Sum.Currency = money.Currency{} },
		"of a prepayment":       func(c *acquiring.Closing) { c.Receipt.Mode = acquiring.FullPrepayment },
		"no address to send to": func(c *acquiring.Closing) { c.Receipt.Email, c.Receipt.Phone = "", "" },
	} {
		bad := good
		edit(&bad)
		if got, err := closer.CloseReceipt(p.Context(), bad); acquiring.KindOf(err) != acquiring.Invalid || err == nil {
			p.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if got := p.closeReceipt(closer, good); got.State != acquiring.ClosingDone {
		p.Errorf("the good one = %+v", got)
	}
	p.checkRegister(in)
	other := good
	other.Sum.Amount /= 2
	other.Receipt.Lines = acquiring.FitLines(other.Receipt.Lines, other.Sum.Amount)
	if got := p.closeReceipt(closer, other); got.State != acquiring.ClosingFailed {
		p.Errorf("another body under the same id = %+v", got)
	}
	p.checkRegister(in)
}
