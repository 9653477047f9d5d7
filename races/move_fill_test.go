package races_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"
)

// ordersOfPair is how many orders a guest and a customer place together: one and three.
const ordersOfPair = 4

// newPayer returns a payer with a phone that no other has, and records it.
func (m *moving) newPayer(k kind) *payer {
	p := newPayer(len(m.payers), k, m.servers[0].url)
	m.payers = append(m.payers, p)
	return p
}

// fill places at least count orders, of guests and of customers who pay with bonuses, in every way of quickKinds. The
// clock goes on meanwhile.
func (m *moving) fill(t *testing.T, count int) {
	t.Helper()
	known := len(m.payers)
	for n := 0; n*ordersOfPair < count; n++ {
		m.newPayer(quickKinds[n%len(quickKinds)])
		m.newPayer(quickKinds[n*3%len(quickKinds)]).bonuses = 50
	}
	waiting := make(chan *payer)
	var buying sync.WaitGroup
	for range 16 {
		buying.Go(func() {
			for p := range waiting {
				p.buyAll(t.Context())
			}
		})
	}
	filled := make(chan struct{})
	go func() {
		defer close(filled)
		for _, p := range m.payers[known:] {
			waiting <- p
		}
		close(waiting)
		buying.Wait()
	}()
	for isFilled := false; !isFilled; {
		select {
		case <-filled:
			isFilled = true
		case <-time.After(time.Second):
			m.advance(t, 1, 5*time.Second) // the bank's calls are bounded by the clock, and lost ones made up for by the sweep
		}
	}
	for _, p := range m.payers[known:] {
		if p.fault != nil {
			t.Fatalf("%s: %v", p.name, p.fault)
		}
	}
}

// buyAll places the order of a guest, or signs in and places three of a customer, and has those handed over that are
// not canceled.
func (p *payer) buyAll(ctx context.Context) {
	orders := 1
	if p.bonuses > 0 {
		orders = ordersOfPair - 1
		p.signIn(ctx)
		p.addBonuses(ctx, 300)
	}
	for range orders {
		p.buy(ctx)
		if p.fault == nil && !p.kind.cancels {
			p.handOver(ctx) // it is refused when the order was handed over already
		}
	}
}

// openOrder is an order whose payment is under way.
type openOrder struct {
	*payer

	next *next
}

// orderUnpaid places an order and begins its payment at the bank, without paying.
func (m *moving) orderUnpaid(t *testing.T) openOrder {
	t.Helper()
	o := openOrder{payer: m.newPayer(kind{name: "open", paymentType: "sbp"})}
	o.placeOrder(t.Context(), o.fillCart(t.Context()))
	for range 20 {
		if o.next = o.loadNext(t.Context()); o.next != nil && o.next.PaymentLink != "" {
			return o
		}
		if o.state == "waiting" {
			o.pay(t.Context())
		}
	}
	t.Fatalf("order %d has no payment under way: %s, %v", o.order, o.state, o.fault)
	return o
}

// finish pays at the bank by the link from before the move and has the order handed over, while its customer follows
// it. It checks that the customer sees it waiting and done.
func (o openOrder) finish(t *testing.T) {
	t.Helper()
	stream := o.follow(t)
	defer stream.Close()
	o.act(t.Context(), o.next)
	o.payer.finish(t.Context())
	o.handOver(t.Context())
	text, err := io.ReadAll(stream) // it ends after the final status
	var statuses []string
	for _, found := range statusOfEvent.FindAllSubmatch(text, -1) {
		statuses = append(statuses, string(found[1]))
	}
	if err != nil || o.fault != nil || o.state != "paid" || len(statuses) < 2 || statuses[len(statuses)-1] != "done" {
		t.Errorf("the open order %d is %s, followed as %v, %v, %v", o.order, o.state, statuses, err, o.fault)
	}
}

// follow returns the stream in which the statuses of the order are pushed. The caller must close it.
func (o openOrder) follow(t *testing.T) io.ReadCloser {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("%s/api/order/%d/events", o.base, o.order), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", o.cookie)
	client := *o.browser
	client.Timeout = patience
	response, err := client.Do(r)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("the order %d cannot be followed: %v, %v", o.order, response, err)
	}
	return response.Body
}
