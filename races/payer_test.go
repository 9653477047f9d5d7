package races_test

import (
	"context"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"time"

	"servery/internal/money"
	"servery/internal/order/audittest"
)

// kind is what a payer does.
type kind struct {
	name, paymentType string
	// cards are those that the payer tries, one after the other; the last one for ever.
	cards []string
	form  bool // on our own card form
	// leaves never pays, cancels takes the paid order back, wavers goes back to the
	// checkout in the middle.
	leaves, cancels, wavers bool
}

var kinds = []kind{
	{name: "page", paymentType: "card_online", cards: []string{"4242424242424242"}},
	{name: "page, refused first", paymentType: "card_online", cards: []string{"4000000000001000", "4242424242424242"}},
	{name: "form", paymentType: "card_online", cards: []string{"4242424242424242"}, form: true},
	{name: "3-D Secure 1", paymentType: "card_online", cards: []string{"4000000000000101"}, form: true},
	{name: "3-D Secure 2", paymentType: "card_online", cards: []string{"4000000000000200"}, form: true},
	{name: "sbp", paymentType: "sbp"},
	{name: "push", paymentType: "sberpay"},
	{name: "wallet, canceled", paymentType: "apple_pay", cancels: true},
	{name: "leaves", paymentType: "sbp", leaves: true},
	{name: "wavers", paymentType: "sbp", wavers: true},
	{name: "cash", paymentType: "cash"},
	{name: "lost answer", paymentType: "card_online", cards: []string{"4000000000002107"}, form: true},
	{name: "without a callback", paymentType: "card_online", cards: []string{"4000000000002404"}},
}

// payer is a customer who sends everything until it is answered, whatever happens to the
// server meanwhile.
type payer struct {
	shopper

	kind    kind
	name    string
	base    string
	dice    *mathrand.Rand
	phone   string
	browser *http.Client
	cookie  string
	// isOperator has requests made in the operator's name.
	isOperator bool

	key       string // of the checkout
	order     int64
	tries     int
	state     string // what the payment page said last
	confirmed []audittest.Confirmed
}

// newPayer returns a payer whose kind and dice follow from the number.
func newPayer(i int, base string) *payer {
	p := &payer{
		kind: kinds[i%len(kinds)], base: base, dice: mathrand.New(mathrand.NewPCG(3, uint64(i))), shopper: shopper{place: endless},
		phone: fmt.Sprintf("7902000%04d", i),
		browser: &http.Client{
			Timeout: 30 * time.Second, Transport: browser.Transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	p.name = fmt.Sprintf("payer %d (%s)", i, p.kind.name)
	if p.kind.form {
		p.place = place{2, 21}
	}
	return p
}

// buy is the whole way of a payer.
func (p *payer) buy(ctx context.Context) {
	count := 1 + p.dice.IntN(3)
	dish := fmt.Sprintf("%d-101", p.place.city)
	status, a := p.call(ctx, http.MethodPut, "/cart/add", p.at(object{"product_key": dish, "count": count}))
	if p.fault != nil || status != http.StatusOK || a.Cart == nil {
		p.fail("a dish cannot be added: %d %s", status, a.Message)
		return
	}
	if p.dice.IntN(3) == 0 {
		if _, with := p.call(ctx, http.MethodPut, "/cart/gift/apply-promocode", p.at(object{"promocode": "TENTH"})); with.Cart != nil {
			a.Cart = with.Cart
		}
	}
	p.placeOrder(ctx, *a.Cart)
	if p.order == 0 || p.kind.paymentType == "cash" {
		return
	}
	p.finish(ctx)
	if p.kind.cancels && p.state == "paid" {
		p.call(ctx, http.MethodPost, "/order/cancel", object{"order_id": p.order})
	} else if p.state == "paid" && p.order%2 == 0 {
		p.fetch(ctx)
	}
}

// fetch has the order cooked and handed over, as the operator reports it.
func (p *payer) fetch(ctx context.Context) {
	p.isOperator = true
	defer func() { p.isOperator = false }()
	for _, status := range []string{"cooking", "done"} {
		p.call(ctx, http.MethodPost, fmt.Sprintf("/operator/orders/%d/status", p.order), object{"status": status})
	}
}

// placeOrder sends the order until it is taken, each time with the cart that came with the
// refusal.
func (p *payer) placeOrder(ctx context.Context, c cart) {
	p.order = 0
	for range 20 {
		status, begun := p.call(ctx, http.MethodPost, "/order/create-order-cache", p.at(nil))
		if p.fault != nil {
			return
		}
		if status != http.StatusOK {
			p.fail("the checkout cannot begin: %d %s %v", status, begun.Message, begun.Errors)
			return
		}
		status, a := p.call(ctx, http.MethodPost, "/order/create", p.at(object{
			"order_cache_key": begun.OrderCacheKey, "phone": p.phone, "username": "Payer", "payment_type": p.kind.paymentType,
			"interval_id": "asap", "cart": object{"fingerprint": c.Fingerprint, "prices": object{"total": c.Prices.Total}},
		}))
		switch {
		case p.fault != nil:
			return
		case status == http.StatusOK:
			p.key, p.order, p.state, p.tries = begun.OrderCacheKey, a.OrderID, "", 0
			p.acknowledged(c)
			return
		case status == http.StatusConflict && a.Cart != nil:
			c = *a.Cart
		default:
			p.fail("the order is refused: %d %s %v", status, a.Message, a.Errors)
			return
		}
	}
	p.fail("the order is never taken")
}

// acknowledged writes down what the payer got confirmed.
func (p *payer) acknowledged(c cart) {
	total, err := money.Parse(c.Prices.Total.String())
	if err != nil {
		p.fail("%v", err)
	}
	products := map[int64]int{}
	for _, line := range c.Products {
		products[101] += line.Count
	}
	p.confirmed = append(p.confirmed, audittest.Confirmed{
		Key: p.key, ID: p.order, Total: total, PaymentType: p.kind.paymentType, Phone: p.phone, Products: products,
	})
}
