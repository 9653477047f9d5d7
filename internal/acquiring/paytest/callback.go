package paytest

import (
	"context"
	"fmt"
	"net/http"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/money"
)

// bankPayment returns the only payment of an id at the bank. It fails the test when there are
// more or none.
func (p *player) bankPayment(id acquiring.ID) double.Payment {
	p.Helper()
	all := p.Books.PaymentsOf(string(id))
	if len(all) != 1 {
		p.Fatalf("%s: %d payments", id, len(all))
	}
	return all[0]
}

// verifyCallback verifies a callback as callers do: it asks the acquirer about a payment that the callback
// only names. One that the acquirer does not know is an error of kind Forged.
func (p *player) verifyCallback(c acquiring.Callback) (acquiring.Notice, error) {
	asked := len(p.Books.ListRequests())
	n, err := p.Acquirer.VerifyCallback(p.Context(), c)
	if err != nil || !n.IsClaim() {
		return n, err
	}
	if len(p.Books.ListRequests()) != asked {
		p.Error("the acquirer was asked about a payment that is only named")
	}
	e, err := p.Acquirer.QueryStatus(p.Context(), n.Claim)
	if err == nil && e.State == acquiring.Absent {
		err = &acquiring.Error{Acquirer: p.name, Op: "callback", Kind: acquiring.Forged}
	}
	return acquiring.NewNotice(e, n.ReplyFor), err
}

// mustVerify verifies a genuine callback and returns its notice.
func (p *player) mustVerify(c acquiring.Callback) acquiring.Notice {
	p.Helper()
	n, err := p.verifyCallback(c)
	if err != nil {
		p.Fatalf("a genuine callback: %v", err)
	}
	if reply := n.ReplyFor(acquiring.Accepted); reply.Status != http.StatusOK {
		p.Errorf("the reply that stops retries = %+v", reply)
	}
	return n
}

// testCallbackBeforeAnswer checks that a callback which overtakes the answer has the same event
// as the answer.
func testCallbackBeforeAnswer(p *player, c Case) {
	for run := range p.countRuns() {
		p.Clock.Advance(betweenRuns)
		in := p.newIntent(c, fmt.Sprintf("first-%d", run), success)
		var early []acquiring.Event
		ops := c.listOperations()
		// The last operation is the one after which money can have been taken.
		p.Books.BeforeAnswer(ops[len(ops)-1], func() {
			for _, d := range p.Books.PaymentsOf(string(in.ID)) {
				p.Books.SettlePayment(d.Ref, success)
			}
			n, err := p.verifyCallback(p.Callback(p.bankPayment(in.ID)))
			if err != nil {
				p.Errorf("run %d: the early callback: %v", run, err)
				return
			}
			early = append(early, n.Event)
		})
		e := p.settlePayment(c, in, success, noFault)
		if len(early) != 1 || early[0].Key() != e.Key() {
			p.Errorf("run %d: early %+v, then %+v", run, early, e)
		}
		p.checkChargedOnce(in, e)
	}
}

// testCallbackTwice checks that a repeated callback has the same event.
func testCallbackTwice(p *player, c Case) {
	for run := range p.countRuns() {
		p.Clock.Advance(betweenRuns)
		in := p.newIntent(c, fmt.Sprintf("twice-%d", run), success)
		e := p.settlePayment(c, in, success, noFault)
		call := p.Callback(p.bankPayment(in.ID))
		first, second := p.mustVerify(call), p.mustVerify(call)
		if first.Event.Key() != e.Key() || second.Event.Key() != e.Key() {
			p.Errorf("run %d: %+v, %+v, want twice %+v", run, first.Event, second.Event, e)
		}
		if err := acquiring.CheckEvent(p.name, in.ID, in.Sum, first.Event); err != nil {
			p.Errorf("run %d: %v", run, err)
		}
	}
}

// testCallbacksOutOfOrder checks that no callback of a paid payment reads as a refusal, in
// whatever order callbacks arrive.
func testCallbacksOutOfOrder(p *player, c Case) {
	for run := range p.countRuns() {
		p.Clock.Advance(betweenRuns)
		in := p.newIntent(c, fmt.Sprintf("order-%d", run), success)
		refused := p.refuseFirstCard(c, in)
		e := p.settlePayment(c, in, success, noFault)
		old := p.Callback(p.bankPayment(in.ID))
		if refused != nil {
			if n := p.mustVerify(*refused); !n.Ignored && n.Event.State != acquiring.Paid {
				p.Errorf("run %d: the callback of the refused card = %+v", run, n.Event)
			}
		}
		p.refundAll(in, e)
		newest := p.mustVerify(p.Callback(p.bankPayment(in.ID)))
		if !newest.Ignored && !p.Blind && (newest.Event.State != acquiring.Paid || newest.Event.Refunded != in.Sum.Amount) {
			p.Errorf("run %d: the refund's callback = %+v", run, newest.Event)
		}
		// It may be older than what is known, but it is never a refusal.
		if n := p.mustVerify(old); n.Event.State != acquiring.Paid || n.Event.ID != in.ID {
			p.Errorf("run %d: the late callback = %+v", run, n.Event)
		}
	}
}

// refuseFirstCard starts a payment, fails the first card and pays with the second. It returns
// the callback about the failure, nil where a customer cannot try again.
func (p *player) refuseFirstCard(c Case, in acquiring.Intent) *acquiring.Callback {
	p.Helper()
	next, err := p.Acquirer.StartPayment(p.Context(), in)
	if err != nil {
		p.Fatal(err)
	}
	d := p.bankPayment(in.ID)
	if !d.MayTryAgain || next.Kind != acquiring.Redirect {
		return nil
	}
	for code, reason := range c.Codes {
		if reason == acquiring.InsufficientFunds && p.Books.SettlePayment(d.Ref, code) {
			call := p.Callback(p.bankPayment(in.ID))
			p.Books.SettlePayment(d.Ref, success)
			return &call
		}
	}
	return nil
}

// testForgeries checks that forged callbacks are refused or read from the acquirer, so that none
// makes an unpaid payment look paid or a paid one failed, or changes whose payment it is. A
// genuine callback that is sent again changes nothing.
func testForgeries(p *player, c Case) {
	in := p.newIntent(c, "true", success)
	p.settlePayment(c, in, success, noFault)
	genuine := p.Callback(p.bankPayment(in.ID))

	unpaid := p.newIntent(c, "unpaid", success)
	next, err := p.Acquirer.StartPayment(p.Context(), unpaid)
	if err != nil {
		p.Fatal(err)
	}
	forged := p.Forgeries(genuine)
	forged["empty"] = acquiring.Callback{Method: http.MethodPost}
	forged["half"] = acquiring.Callback{Method: genuine.Method, Header: genuine.Header, Body: genuine.Body[:len(genuine.Body)/2], Query: genuine.Query[:len(genuine.Query)/2]}
	for name, callback := range forged {
		n, err := p.verifyCallback(callback)
		if err == nil && !n.Ignored {
			p.checkAccepted(name, in, n.Event)
		}
		if err != nil {
			p.checkSecrets(err)
			if reply := acquiring.ReplyToError(err); reply.Status == http.StatusOK {
				p.Errorf("%s: answered %+v", name, reply)
			}
		}
	}
	// The genuine notice of a paid payment, sent about one that is not paid.
	for _, d := range p.Books.PaymentsOf(string(unpaid.ID)) {
		if next.Kind == acquiring.Done || d.State != double.Open {
			continue
		}
		claim := d
		claim.State = double.Paid
		for name, callback := range p.Forgeries(p.Callback(claim)) {
			if n, err := p.verifyCallback(callback); err == nil && n.Event.State == acquiring.Paid {
				p.Errorf("%s: an unpaid payment passes for paid: %+v", name, n.Event)
			}
		}
	}
	for range 10 * p.countRuns() {
		if n, err := p.verifyCallback(genuine); err != nil || n.Event.ID != in.ID {
			p.Fatalf("a replay = %+v, %v", n, err)
		}
	}
	if times, _, returned := p.Books.SumCharged(string(in.ID)); times != 1 || returned != 0 {
		p.Errorf("replays changed the books: %d, %d", times, returned)
	}
}

// checkAccepted checks that a changed callback which was not refused says the truth, because it
// was read from the acquirer.
func (p *player) checkAccepted(name string, in acquiring.Intent, e acquiring.Event) {
	p.Helper()
	d, ok := p.Books.FindPayment(e.Ref)
	if !ok || string(e.ID) != d.ID || e.Sum.Amount != d.Amount || (e.State == acquiring.Paid) != (d.State == double.Paid) {
		p.Errorf("%s of %s is believed: %+v", name, in.ID, e)
	}
}

// testRefunds checks that a refund is made once however often it is repeated, that the rest can
// be refunded too, and that nothing above what was paid is.
func testRefunds(p *player, c Case) {
	in := p.newIntent(c, "refunds", success)
	e := p.settlePayment(c, in, success, noFault)
	part := in.Sum.Amount / 3
	lines := acquiring.Receipt{}
	if !p.NoReceipt {
		lines = in.Receipt
		lines.Lines = acquiring.FitLines(in.Receipt.Lines, part)
	}
	r := acquiring.Refund{
		ID: "part-1", Of: in.Lookup(e.Ref), Paid: in.Sum, Sum: acquiring.Sum{Amount: part, Currency: in.Sum.Currency},
		Receipt: lines, Customer: in.Customer, Description: "A dish was missing",
	}
	expectReturned := func(want money.Amount) {
		p.Helper()
		if _, _, returned := p.Books.SumCharged(string(in.ID)); returned != want {
			p.Errorf("returned %d, want %d", returned, want)
		}
	}
	for range 4 {
		got, err := p.Acquirer.RefundPayment(p.Context(), r)
		if err != nil || got.State != acquiring.RefundDone {
			p.Fatalf("refund = %+v, %v", got, err)
		}
		expectReturned(part)
	}
	r.ID, r.Before = "part-2", part
	r.Sum.Amount, r.Receipt = in.Sum.Amount-part, acquiring.Receipt{}
	if got, err := p.Acquirer.RefundPayment(p.Context(), r); err != nil || got.State != acquiring.RefundDone {
		p.Fatalf("the rest = %+v, %v", got, err)
	}
	expectReturned(in.Sum.Amount)
	// Nothing is left: our books say otherwise, the acquirer's count.
	r.ID, r.Before, r.Sum.Amount = "part-3", 0, in.Sum.Amount
	got, err := p.Acquirer.RefundPayment(p.Context(), r)
	p.checkSecrets(got)
	if err == nil && got.State == acquiring.RefundUnknown {
		p.Errorf("a refund of nothing = %+v", got)
	}
	expectReturned(in.Sum.Amount)
	r.ID, r.Sum.Amount = "part-4", in.Sum.Amount+1
	if got, err := p.Acquirer.RefundPayment(p.Context(), r); acquiring.KindOf(err) != acquiring.Invalid || err == nil {
		p.Errorf("more than was paid = %+v, %v", got, err)
	}
	expectReturned(in.Sum.Amount)
}

// testRefundFaults checks that a refund whose call failed is unknown, and is made once when
// repeated.
func testRefundFaults(p *player, c Case) {
	run := 0
	for name, f := range faults {
		for range p.countFaultRuns() {
			run++
			p.Clock.Advance(betweenRuns)
			in := p.newIntent(c, fmt.Sprintf("rf-%d", run), success)
			e := p.settlePayment(c, in, success, noFault)
			r := acquiring.Refund{
				ID: acquiring.ID(fmt.Sprintf("rfback-%d", run)), Of: in.Lookup(e.Ref), Paid: in.Sum, Sum: in.Sum, Customer: in.Customer,
			}
			if run%2 == 0 { // a part: the payment has room for it twice
				r.Sum.Amount /= 2
			}
			p.Books.ArmFault("refund", f)
			p.callUntilHeld(func(ctx context.Context) {
				got, err := p.Acquirer.RefundPayment(ctx, r)
				if err == nil && got.State != acquiring.RefundUnknown || err != nil && acquiring.KindOf(err) != acquiring.Busy {
					p.Errorf("%s: refund = %+v, %v", name, got, err)
				}
			})
			p.Books.ClearFaults()
			got, err := p.Acquirer.RefundPayment(p.Context(), r)
			_, _, returned := p.Books.SumCharged(string(in.ID))
			if err != nil || got.State != acquiring.RefundDone || returned != r.Sum.Amount {
				p.Errorf("%s: the second try = %+v, %v; returned %d of %s", name, got, err, returned, r.Sum)
			}
		}
	}
}
