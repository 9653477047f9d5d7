package payments_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/paytest/clients"
	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/payment"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// maxPayCalls is how often a customer tries to pay.
const maxPayCalls = 8

// noVerifyParam is the parameter of an acquirer that was not prepared.
const noVerifyParam = ""

// payer is a customer who pays online: on the page, at the bank of the acquirer's double, and in
// any page of the bank that was left open.
type payer struct {
	*faultyHouse

	name    string
	dice    *rand.Rand
	visitor visit.Context
	order   order.Order
	key     string
	way     clients.Way
	// refused: the bank refuses the first card; idle: the customer never pays; leaves: they go back
	// to the checkout once; twice: they click two times at once.
	refused, idle, leaves, twice bool

	payCalls int
	// last is what the page showed last.
	last payment.View
	// takenAt is since when the bank has money that the page does not show as paid; else zero.
	takenAt time.Time
}

// place puts a dish into the cart and orders it. It sets order and key of the payer.
func (p *payer) place(t testing.TB) {
	t.Helper()
	at := cart.PlaceRequest{CityID: p.shop.city, OrderType: site.Takeaway, ShopID: p.shop.id}
	q, err := p.Carts.Add(t.Context(), p.visitor, at, cart.Addition{ProductKey: p.shop.product, Count: 1 + p.dice.IntN(2)})
	if err != nil {
		t.Fatal(err)
	}
	checkout, err := p.Orders.Begin(t.Context(), p.visitor, at)
	if err != nil {
		t.Fatal(err)
	}
	p.key = checkout.Key
	p.order, err = p.Orders.Create(t.Context(), p.visitor, order.Request{
		CityID: at.CityID, OrderType: at.OrderType, ShopID: at.ShopID, CacheKey: p.key, Phone: p.shop.phone, Username: "Анна",
		Email: "buyer@example.com", PaymentType: typeOf(p.way), IntervalID: schedule.ASAP, SeenTotal: q.Prices.Total,
	})
	if err != nil {
		t.Fatal(err)
	}
}

// request returns a request to pay the order. It has a token where the way of paying has one;
// verify is the parameter that a prepared acquirer wants beside the token, empty before.
func (p *payer) request(verify string) payment.PayRequest {
	r := payment.PayRequest{
		OrderID: p.order.ID, CacheKey: p.key, PaymentType: typeOf(p.way), VerifyParam: verify, Email: "buyer@example.com",
		IsMobile: p.dice.IntN(2) == 0, Origin: "https://shop.example", Address: "203.0.113.9", UserAgent: "Mozilla/5.0",
	}
	if p.way.Token != nil && (verify != "" || !p.way.Verifies) {
		r.Token = p.way.Token(verify)
	}
	return r
}

// pay calls Pay, twice at a time for a payer who clicks twice, and then does what the answer
// asks the customer to do. verify is the parameter of a prepared acquirer, empty on the first
// call.
func (p *payer) pay(t testing.TB, verify string) {
	t.Helper()
	p.payCalls++
	r := p.request(verify)
	if p.twice {
		var both sync.WaitGroup
		both.Go(func() { _, err := p.Payments.Pay(t.Context(), p.now(), r); p.succeeded(t, "pay again", err) })
		defer both.Wait()
	}
	paying, err := p.Payments.Pay(t.Context(), p.now(), r)
	if !p.succeeded(t, "pay", err) {
		return
	}
	p.checkView(t, paying)
	p.act(t, paying)
}

// now returns the visitor of a request at this moment.
func (p *payer) now() visit.Context { return p.Again(p.t, p.visitor, p.shop.brand) }

// succeeded reports whether a call had no error. It fails the test for an error that is not a fault
// for the customer. what names the call.
func (p *payer) succeeded(t testing.TB, what string, err error) bool {
	t.Helper()
	if _, isFault := fault.Of(err); err != nil && !isFault {
		t.Errorf("%s: %s: %v", p.name, what, err)
	}
	return err == nil
}

// followPayment loads the payment of the order as its page does each minute, checks it against the
// bank, and then acts as the customer: pays, returns to the checkout, or does nothing.
func (p *payer) followPayment(t testing.TB) {
	t.Helper()
	paying, err := p.Payments.FindView(t.Context(), p.now(), p.key)
	if err != nil {
		t.Errorf("%s: look: %v", p.name, err)
		return
	}
	p.checkView(t, paying)
	switch {
	case p.idle:
	case p.leaves && p.dice.IntN(2) == 0:
		at := cart.PlaceRequest{CityID: p.shop.city, OrderType: site.Takeaway, ShopID: p.shop.id}
		_, err := p.Orders.Begin(t.Context(), p.now(), at)
		p.succeeded(t, "back to the checkout", err)
		p.leaves = false
	case paying.Status == payment.StatusWaiting && p.payCalls < maxPayCalls:
		p.pay(t, noVerifyParam)
	case paying.Status == payment.StatusPending:
		p.act(t, paying)
	case paying.Status == payment.StatusChecking && p.payCalls > 0:
		// A page of the bank may have opened although its address never came to us.
		if p.dice.IntN(2) == 0 {
			p.payAtBank(t)
		}
	}
}

// act does what the page asks the customer for: pays on the bank's page, enters a card, or
// completes 3-D Secure. The bank refuses the first payment of a payer who is to be refused. act does nothing
// unless the payment is pending, and for a payer who never pays.
func (p *payer) act(t testing.TB, paying payment.View) {
	t.Helper()
	attempt := paying.Last
	if attempt == nil || paying.Status != payment.StatusPending || p.idle {
		return
	}
	switch attempt.Next.Kind {
	case acquiring.Redirect, acquiring.MobileLink, acquiring.Push:
		if p.refused {
			p.refused = false
			p.settle(t, attempt.Ref, p.client.Refusal)
			if p.disorder { // and the next card on the same page has money
				p.stale = append(p.stale, p.callbacksOf(t)...)
				p.settle(t, attempt.Ref, isPaid)
			}
			return
		}
		p.settle(t, attempt.Ref, isPaid)
	case acquiring.Prepared:
		if p.payCalls < maxPayCalls {
			p.pay(t, attempt.Next.VerifyParam)
		}
	case acquiring.ThreeDS1, acquiring.ThreeDS2:
		p.complete3DS(t, *attempt)
	case acquiring.Unknown, acquiring.Done, acquiring.Declined:
	}
}

// complete3DS passes the bank's page of 3-D Secure: the bank posts its result to the server, and
// then the page asks for the outcome. It repeats that, at most three times, while the attempt asks
// for another step.
func (p *payer) complete3DS(t testing.TB, attempt payment.Attempt) {
	t.Helper()
	if p.way.Prove == nil {
		t.Errorf("%s: 3-D Secure where there is none", p.name)
		return
	}
	for range 3 {
		proof := p.way.Prove(attempt.Next)
		answer := payment.ThreeDSResult{
			OrderID: p.order.ID, CacheKey: p.key, PaymentID: attempt.ID, PaRes: proof.PaRes, CRes: proof.CRes, MethodDone: proof.MethodDone,
		}
		if answer.PaRes != "" || answer.CRes != "" {
			_, err := p.Payments.Handle3DSReturn(t.Context(), p.visitor.Site, answer)
			p.succeeded(t, "return from 3-D Secure", err)
			answer.PaRes, answer.CRes = "", ""
		}
		paying, err := p.Payments.Complete3DS(t.Context(), p.now(), answer)
		if !p.succeeded(t, "complete 3-D Secure", err) {
			return
		}
		p.checkView(t, paying)
		next := paying.Last
		if paying.Status != payment.StatusPending || next == nil || next.ID != attempt.ID || next.Next.Kind == attempt.Next.Kind && next.Next.ThreeDS == attempt.Next.ThreeDS {
			return
		}
		attempt = *next
	}
}

// payAtBank pays on every page of the bank that is still open for the order.
func (p *payer) payAtBank(t testing.TB) {
	t.Helper()
	for _, d := range p.charges(t) {
		p.settle(t, d.Ref, isPaid)
	}
}

// payLate pays at the bank although the deadline is over. A payment that the acquirer has
// already reported as failed is not polled any more, so its webhook is delivered too.
func (p *payer) payLate(t testing.TB) {
	t.Helper()
	for _, d := range p.charges(t) {
		p.bank.PayLate(d.ID)
		if d.State == double.Failed {
			p.Payments.HandleWebhook(context.WithoutCancel(t.Context()), p.visitor.Site, carttest.Account, p.callbacksOf(t)[0])
		}
	}
}

// isPaid is the code of [payer.settle] for a payment that is paid.
const isPaid = ""

// settle ends an open payment at the bank, as paid for the code isPaid, else as failed with the code,
// and delivers webhooks about all ended payments of the order. It does nothing when no such payment is
// open.
func (p *payer) settle(t testing.TB, ref, code string) {
	t.Helper()
	if !p.bank.SettlePayment(ref, code) {
		return
	}
	for _, c := range p.callbacksOf(t) {
		p.deliver(t, c)
	}
}

// callbacksOf returns a webhook for each payment of the order that has ended at the bank.
func (p *payer) callbacksOf(t testing.TB) []acquiring.Callback {
	t.Helper()
	var callbacks []acquiring.Callback
	for _, d := range p.charges(t) {
		if d.State != double.Open {
			callbacks = append(callbacks, p.client.Callback(d, p.Clock))
		}
	}
	return callbacks
}

// deliver delivers a webhook p.copies times concurrently. When copies is 0, the webhook is delivered
// once, or lost with a chance of one half, so that only a poll finds the outcome.
func (p *payer) deliver(t testing.TB, c acquiring.Callback) {
	t.Helper()
	if p.copies == 0 && p.dice.IntN(2) == 0 {
		return // it is lost
	}
	var all sync.WaitGroup
	for range max(1, p.copies) {
		all.Go(func() {
			p.Payments.HandleWebhook(context.WithoutCancel(t.Context()), p.visitor.Site, carttest.Account, c)
		})
	}
	all.Wait()
}

// charges returns the bank's payments for the attempts of this order.
func (p *payer) charges(t testing.TB) []double.Payment {
	t.Helper()
	rows, err := p.DB.Writer().QueryContext(t.Context(), "SELECT id FROM payment WHERE order_id = $1 ORDER BY started_at", p.order.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var charges []double.Payment
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		charges = append(charges, p.bank.PaymentsOf(id)...)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return charges
}

// checkView stores what the page shows and compares it with the bank's books. It fails the test when
// the page shows an attempt as failed whose money the bank has; when the bank has had money for more
// than 15 minutes and the order is not paid; and when the bank has had money for more than 5 minutes
// and the page shows neither the money nor that it is checking.
func (p *payer) checkView(t testing.TB, paying payment.View) {
	t.Helper()
	p.last = paying
	hasMoney := false
	for _, d := range p.charges(t) {
		if d.State != double.Paid || d.Refunded() == d.Amount {
			continue
		}
		hasMoney = true
		if paying.Last != nil && paying.Last.ID == acquiring.ID(d.ID) && paying.Last.State == payment.Failed {
			t.Errorf("%s: the page says that attempt %s failed, the bank has its money", p.name, d.ID)
		}
	}
	accounted := paying.Status == payment.StatusPaid || paying.Status == payment.StatusRefunded || paying.Status == payment.StatusRefunding
	switch now := p.Clock.Now(); {
	case !hasMoney, paying.Status == payment.StatusPaid:
		p.takenAt = time.Time{}
	case p.takenAt.IsZero():
		p.takenAt = now
	case now.Sub(p.takenAt) > 15*time.Minute:
		t.Errorf("%s: %s after 15 minutes, and the bank keeps the money", p.name, paying.Status)
		p.takenAt = now
	// The sweep runs each minute, so five are more than it needs to find the money.
	case !accounted && paying.Status != payment.StatusPending && paying.Status != payment.StatusChecking && now.Sub(p.takenAt) > 5*time.Minute:
		t.Errorf("%s: the page says %s, the bank has the money since %s", p.name, paying.Status, now.Sub(p.takenAt))
	}
}

// isOver reports whether the order was paid, canceled or refunded when its page was loaded last.
func (p *payer) isOver() bool {
	return p.last.Status == payment.StatusPaid || p.last.Status == payment.StatusCanceled || p.last.Status == payment.StatusRefunded
}
