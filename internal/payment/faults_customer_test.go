package payment_test

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

// mostTries is how often a customer tries to pay.
const mostTries = 8

// payer is a customer who pays online: on the page, at the double's bank, and wherever a
// window of the bank was left open.
type payer struct {
	*faultyHouse

	name    string
	dice    *rand.Rand
	visitor visit.Context
	order   order.Order
	key     string
	way     clients.Way
	// refused has the first try refused at the bank; idle never pays; leaves goes back to
	// the checkout in the middle; twice clicks two times at once.
	refused, idle, leaves, twice bool

	tries int
	last  payment.View
	// takenAt is when money was seen at the bank that the screen did not account for.
	takenAt time.Time
}

// place puts a dish into the cart and orders it.
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

// pay asks to pay, and does what the answer says.
func (p *payer) pay(t testing.TB, verify string) {
	t.Helper()
	p.tries++
	r := p.request(verify)
	if p.twice {
		var both sync.WaitGroup
		both.Go(func() { _, err := p.Payments.Pay(t.Context(), p.now(), r); p.allowed(t, "pay again", err) })
		defer both.Wait()
	}
	paying, err := p.Payments.Pay(t.Context(), p.now(), r)
	if !p.allowed(t, "pay", err) {
		return
	}
	p.seen(t, paying)
	p.act(t, paying)
}

// now is the visitor as they come at this moment.
func (p *payer) now() visit.Context { return p.Again(p.t, p.visitor, p.shop.brand) }

// allowed reports whether a call went well. A refusal is no bug; anything else is.
func (p *payer) allowed(t testing.TB, what string, err error) bool {
	t.Helper()
	if _, refusal := fault.Of(err); err != nil && !refusal {
		t.Errorf("%s: %s: %v", p.name, what, err)
	}
	return err == nil
}

// loadOrder is a minute on the page: what it says, and what the customer does about that.
func (p *payer) loadOrder(t testing.TB) {
	t.Helper()
	paying, err := p.Payments.FindView(t.Context(), p.now(), p.key)
	if err != nil {
		t.Errorf("%s: look: %v", p.name, err)
		return
	}
	p.seen(t, paying)
	switch {
	case p.idle:
	case p.leaves && p.dice.IntN(2) == 0:
		at := cart.PlaceRequest{CityID: p.shop.city, OrderType: site.Takeaway, ShopID: p.shop.id}
		_, err := p.Orders.Begin(t.Context(), p.now(), at)
		p.allowed(t, "back to the checkout", err)
		p.leaves = false
	case paying.Status == payment.StatusWaiting && p.tries < mostTries:
		p.pay(t, "")
	case paying.Status == payment.StatusPending:
		p.act(t, paying)
	case paying.Status == payment.StatusChecking && p.tries > 0:
		// A page of the bank may have opened although its address never came to us.
		if p.dice.IntN(2) == 0 {
			p.payAtTheBank(t)
		}
	}
}

// act does what the page asks for.
func (p *payer) act(t testing.TB, paying payment.View) {
	t.Helper()
	try := paying.Last
	if try == nil || paying.Status != payment.StatusPending || p.idle {
		return
	}
	switch try.Next.Kind {
	case acquiring.Redirect, acquiring.MobileLink, acquiring.Push:
		if p.refused {
			p.refused = false
			p.atTheBank(t, try.Ref, p.client.Refusal)
			if p.disorder { // and the next card on the same page has money
				p.stale = append(p.stale, p.callbacksOf(t)...)
				p.atTheBank(t, try.Ref, "")
			}
			return
		}
		p.atTheBank(t, try.Ref, "")
	case acquiring.Prepared:
		if p.tries < mostTries {
			p.pay(t, try.Next.VerifyParam)
		}
	case acquiring.ThreeDS1, acquiring.ThreeDS2:
		p.prove(t, *try)
	case acquiring.Unknown, acquiring.Done, acquiring.Declined:
	}
}

// prove is the customer at the bank's page of 3-D Secure, whose answer comes to the server
// by a form; then the page asks what became of it.
func (p *payer) prove(t testing.TB, try payment.Attempt) {
	t.Helper()
	if p.way.Prove == nil {
		t.Errorf("%s: 3-D Secure where there is none", p.name)
		return
	}
	for range 3 {
		proof := p.way.Prove(try.Next)
		answer := payment.ThreeDSResult{
			OrderID: p.order.ID, CacheKey: p.key, PaymentID: try.ID, PaRes: proof.PaRes, CRes: proof.CRes, MethodDone: proof.MethodDone,
		}
		if answer.PaRes != "" || answer.CRes != "" {
			_, err := p.Payments.Handle3DSReturn(t.Context(), p.visitor.Site, answer)
			p.allowed(t, "return from 3-D Secure", err)
			answer.PaRes, answer.CRes = "", ""
		}
		paying, err := p.Payments.Complete3DS(t.Context(), p.now(), answer)
		if !p.allowed(t, "prove", err) {
			return
		}
		p.seen(t, paying)
		next := paying.Last
		if paying.Status != payment.StatusPending || next == nil || next.ID != try.ID || next.Next.Kind == try.Next.Kind && next.Next.ThreeDS == try.Next.ThreeDS {
			return
		}
		try = *next
	}
}

// payAtTheBank pays in whatever window of the bank is still open.
func (p *payer) payAtTheBank(t testing.TB) {
	t.Helper()
	for _, d := range p.charges(t) {
		p.atTheBank(t, d.Ref, "")
	}
}

// payLate pays although the time is over. An acquirer that had said so already has to send a
// callback, because it is not polled any more.
func (p *payer) payLate(t testing.TB) {
	t.Helper()
	for _, d := range p.charges(t) {
		p.bank.PayLate(d.ID)
		if d.State == double.Failed {
			p.Payments.HandleWebhook(context.WithoutCancel(t.Context()), p.visitor.Site, carttest.Account, p.callbacksOf(t)[0])
		}
	}
}

// atTheBank pays or fails there; the acquirer calls back, or not, or more often.
func (p *payer) atTheBank(t testing.TB, ref, code string) {
	t.Helper()
	if !p.bank.SettlePayment(ref, code) {
		return
	}
	for _, c := range p.callbacksOf(t) {
		p.deliver(t, c)
	}
}

// callbacksOf are the callbacks that the acquirer has to send about the payments of the order.
func (p *payer) callbacksOf(t testing.TB) []acquiring.Callback {
	t.Helper()
	var all []acquiring.Callback
	for _, d := range p.charges(t) {
		if d.State != double.Open {
			all = append(all, p.client.Callback(d, p.Clock))
		}
	}
	return all
}

// deliver brings a callback, as often as it is to come.
func (p *payer) deliver(t testing.TB, c acquiring.Callback) {
	t.Helper()
	if p.copies == 0 && p.dice.IntN(2) == 0 {
		return // it is lost, and only asking helps
	}
	var all sync.WaitGroup
	for range max(1, p.copies) {
		all.Go(func() {
			p.Payments.HandleWebhook(context.WithoutCancel(t.Context()), p.visitor.Site, carttest.Account, c)
		})
	}
	all.Wait()
}

// charges are the bank's payments of this order.
func (p *payer) charges(t testing.TB) []double.Payment {
	t.Helper()
	rows, err := p.DB.Writer().QueryContext(t.Context(), "SELECT id FROM payment WHERE order_id = $1 ORDER BY started_at", p.order.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []double.Payment
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		all = append(all, p.bank.PaymentsOf(id)...)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// seen holds what the screen says against the bank's own books.
func (p *payer) seen(t testing.TB, paying payment.View) {
	t.Helper()
	p.last = paying
	kept := false
	for _, d := range p.charges(t) {
		if d.State != double.Paid || d.Refunded() == d.Amount {
			continue
		}
		kept = true
		if paying.Last != nil && paying.Last.ID == acquiring.ID(d.ID) && paying.Last.State == payment.Failed {
			t.Errorf("%s: the screen says that try %s failed, the bank has its money", p.name, d.ID)
		}
	}
	accounted := paying.Status == payment.StatusPaid || paying.Status == payment.StatusRefunded || paying.Status == payment.StatusRefunding
	switch now := p.Clock.Now(); {
	case !kept, paying.Status == payment.StatusPaid:
		p.takenAt = time.Time{}
	case p.takenAt.IsZero():
		p.takenAt = now
	case now.Sub(p.takenAt) > 15*time.Minute:
		t.Errorf("%s: %s after 15 minutes, and the bank keeps the money", p.name, paying.Status)
		p.takenAt = now
	// A minute is what the sweep needs to hear of it.
	case !accounted && paying.Status != payment.StatusPending && paying.Status != payment.StatusChecking && now.Sub(p.takenAt) > 5*time.Minute:
		t.Errorf("%s: the screen says %s, the bank has the money since %s", p.name, paying.Status, now.Sub(p.takenAt))
	}
}

// isOver reports whether nothing more will come for this order.
func (p *payer) isOver() bool {
	return p.last.Status == payment.StatusPaid || p.last.Status == payment.StatusCanceled || p.last.Status == payment.StatusRefunded
}
