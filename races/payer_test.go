package races_test

import (
	"context"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"slices"
	"time"

	"servery/internal/money"
	"servery/internal/order/audittest"
)

// kind is the way in which a payer pays.
type kind struct {
	name, paymentType string
	// cards has the card of each payment attempt; the last one also for all later attempts.
	cards []string
	form  bool // the card is entered on our own form
	// A payer who leaves never pays, one who cancels does so after paying, and one who wavers goes back to
	// the checkout during the payment.
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

// quickKinds are those whose payment is settled without a deadline, and which each payer settles alone.
var quickKinds = slices.DeleteFunc(slices.Clone(kinds), func(k kind) bool {
	return k.leaves || k.wavers || slices.Contains([]string{"push", "lost answer", "without a callback"}, k.name)
})

// payer is a customer who repeats each call until it is answered, also while the server is killed.
type payer struct {
	shopper

	kind  kind
	name  string
	base  string
	dice  *mathrand.Rand
	phone string
	// bonuses is how many bonuses the payer pays with; 0 for none.
	bonuses int
	browser *http.Client
	cookie  string
	// isOperator makes requests carry the operator's token.
	isOperator bool

	key       string // of the checkout
	order     int64
	tries     int
	state     string // of the payment, as the page showed it last
	confirmed []audittest.Confirmed
}

// newPayer returns payer i, of the kind. The number decides the random choices, so each run has the same payers.
func newPayer(i int, k kind, base string) *payer {
	p := &payer{
		kind: k, base: base, dice: mathrand.New(mathrand.NewPCG(3, uint64(i))), shopper: shopper{place: endless},
		phone: fmt.Sprintf("7902%07d", i),
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

// buy fills a cart, places the order and pays it as the payer's kind does. Then it cancels the order, or has every
// second one handed over.
func (p *payer) buy(ctx context.Context) {
	p.placeOrder(ctx, p.fillCart(ctx))
	if p.order == 0 || p.kind.paymentType == "cash" {
		return
	}
	p.finish(ctx)
	if p.kind.cancels && p.state == "paid" {
		p.call(ctx, http.MethodPost, "/order/cancel", object{"order_id": p.order})
	} else if p.state == "paid" && p.order%2 == 0 {
		p.handOver(ctx)
	}
}

// fillCart adds up to three dishes to the cart, applies a promocode in every third one and the payer's bonuses, and
// returns the cart.
func (p *payer) fillCart(ctx context.Context) cart {
	count := 1 + p.dice.IntN(3)
	dish := fmt.Sprintf("%d-101", p.place.city)
	status, a := p.call(ctx, http.MethodPut, "/cart/add", p.at(object{"product_key": dish, "count": count}))
	if p.fault != nil || status != http.StatusOK || a.Cart == nil {
		p.fail("a dish cannot be added: %d %s", status, a.Message)
		return cart{}
	}
	change := func(path string, body object) {
		if _, changed := p.call(ctx, http.MethodPut, path, p.at(body)); changed.Cart != nil {
			a.Cart = changed.Cart
		}
	}
	if p.dice.IntN(3) == 0 {
		change("/cart/gift/apply-promocode", object{"promocode": "TENTH"})
	}
	if p.bonuses > 0 {
		change("/cart/gift/apply-bonuses", object{"bonuses": p.bonuses})
	}
	return *a.Cart
}

// signIn signs the payer in as the customer with the phone, by a link of the operator.
func (p *payer) signIn(ctx context.Context) {
	p.isOperator = true
	_, link := p.call(ctx, http.MethodPost, "/operator/customers/sign-in-link", object{"site": "races", "phone": p.phone})
	p.isOperator = false
	if status, _ := p.call(ctx, http.MethodPost, "/user/sign-in", object{"token": tokenOf(link.URL)}); status != http.StatusOK {
		p.fail("the sign-in is answered %d", status)
	}
}

// addBonuses adds bonuses to the customer's account by the operator's call.
func (p *payer) addBonuses(ctx context.Context, count int) {
	p.isOperator = true
	defer func() { p.isOperator = false }()
	body := object{"site": "races", "phone": p.phone, "key": fmt.Sprintf("given-%016x", p.dice.Uint64()), "bonuses": count}
	if status, _ := p.call(ctx, http.MethodPost, "/operator/customers/bonuses", body); status != http.StatusOK {
		p.fail("bonuses are answered %d", status)
	}
}

// handOver moves the order to done by the operator's calls, as when its customer has fetched it.
func (p *payer) handOver(ctx context.Context) {
	p.isOperator = true
	defer func() { p.isOperator = false }()
	for _, status := range []string{"cooking", "done"} {
		p.call(ctx, http.MethodPost, fmt.Sprintf("/operator/orders/%d/status", p.order), object{"status": status})
	}
}

// placeOrder begins a checkout and sends the order with the cart c. After a conflict it repeats both with the cart of
// the refusal, 20 times at most.
func (p *payer) placeOrder(ctx context.Context, c cart) {
	p.order = 0
	if p.fault != nil {
		return
	}
	for range 20 {
		status, begun := p.call(ctx, http.MethodPost, "/order/create-order-cache", p.at(nil))
		if p.fault != nil {
			return
		}
		if status != http.StatusOK {
			p.fail("the checkout cannot begin: %d %s %v", status, begun.Message, begun.Errors)
			return
		}
		status, a := p.call(ctx, http.MethodPost, "/order/create", p.orderBody(begun.OrderCacheKey, c))
		switch {
		case p.fault != nil:
			return
		case status == http.StatusOK:
			p.key, p.order, p.state, p.tries = begun.OrderCacheKey, a.OrderID, "", 0
			p.recordConfirmed(c)
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

// orderBody returns the body of the call that orders the cart c with the key of the checkout.
func (p *payer) orderBody(key string, c cart) object {
	return p.at(object{
		"order_cache_key": key, "phone": p.phone, "username": "Payer", "payment_type": p.kind.paymentType,
		"interval_id": "asap", "cart": object{"fingerprint": c.Fingerprint, "prices": object{"total": c.Prices.Total}},
	})
}

// recordConfirmed records the placed order as the server confirmed it: products, total, payment type and phone.
func (p *payer) recordConfirmed(c cart) {
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
