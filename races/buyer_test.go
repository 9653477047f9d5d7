package races_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// browser is the HTTP client of all buyers.
var browser = &http.Client{
	Timeout:   time.Minute,
	Transport: &http.Transport{MaxIdleConns: 1000, MaxIdleConnsPerHost: 500},
}

// place is the shop where a buyer fetches the order.
type place struct{ city, shop int64 }

var (
	endless = place{1, 11} // its intervals take any number of orders
	narrow  = place{1, 12} // its intervals take narrowWork minutes
)

// shopper has the fields that a buyer and a payer share.
type shopper struct {
	place place
	fault error // the first one
}

// fail stores a fault, unless there was one before.
func (s *shopper) fail(format string, args ...any) {
	if s.fault == nil {
		s.fault = fmt.Errorf(format, args...)
	}
}

// at returns a body that names the shopper's place and has more fields.
func (s *shopper) at(more object) object {
	body := object{"city_id": s.place.city, "order_type": "takeaway", "shop_id": s.place.shop}
	for name, value := range more {
		body[name] = value
	}
	return body
}

// buyer is a visitor with a browser. Each call goes to a random server.
type buyer struct {
	shopper

	house   *house
	dice    *rand.Rand
	address string // of the buyer's machine
	phone   string
	// code, gift and interval are the limited things that the buyer wants; empty or 0 for none.
	code, interval string
	gift           int64
	// dishes is how many dishes the buyer orders; 0 is one.
	dishes int
	// bonuses makes the buyer pay with all the bonuses that may be spent.
	bonuses bool
	// twice makes the buyer send each call two times at once, under the same key.
	twice bool
	// leaves makes the buyer stop at the checkout without an order; cancels makes them cancel the order.
	leaves, cancels bool
	// lastCall is set when no buyer cancels any more. Each then orders what is still available.
	lastCall bool

	mu     sync.Mutex
	cookie string

	cart  cart
	order int64   // the last order that was placed and not canceled; 0 for none
	all   []int64 // the orders that were ever placed
}

// cart has the fields of a cart that buyers read.
type cart struct {
	Fingerprint string
	Products    map[string]struct{ Count int }
	Gifts       []struct {
		ID    int64
		Count int
		Type  string
	}
	Promocode *struct {
		IsActive bool `json:"is_active"`
	}
	Prices struct{ Total json.Number }
}

// hasCode reports whether an active promocode is applied.
func (c cart) hasCode() bool { return c.Promocode != nil && c.Promocode.IsActive }

type object map[string]any

// answer is the answer of a server to a buyer's call.
type answer struct {
	status int
	body   struct {
		Message       string
		Errors        map[string][]string
		Cart          *cart
		OrderCacheKey string `json:"order_cache_key"`
		OrderID       int64  `json:"order_id"`
	}
	text string
}

// String returns the status and the fields that describe a failure.
func (a answer) String() string {
	return fmt.Sprintf("%d %s %v order %d", a.status, a.body.Message, a.body.Errors, a.body.OrderID)
}

// ok reports whether the call succeeded.
func (a answer) ok() bool { return a.status == http.StatusOK }

// isRefusal reports whether the server refused the call by a rule, which is no fault.
func (a answer) isRefusal() bool {
	return a.status == http.StatusConflict || a.status == http.StatusUnprocessableEntity
}

// send makes a call to a server, and repeats it while the answer is 503. key is the idempotency key, empty for none.
func (b *buyer) send(ctx context.Context, server *process, method, path, key string, body any) (answer, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	for {
		r, err := http.NewRequestWithContext(ctx, method, server.url+"/api"+path, bytes.NewReader(text))
		if err != nil {
			return answer{}, err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-For", b.address)
		if key != "" {
			r.Header.Set("Idempotency-Key", key)
		}
		b.mu.Lock()
		if b.cookie != "" {
			r.Header.Set("Cookie", b.cookie)
		}
		b.mu.Unlock()
		a, err := b.receive(r)
		if err != nil || a.status != http.StatusServiceUnavailable {
			return a, err
		}
	}
}

// receive sends the request once, stores the session cookie that the answer sets, and returns the answer.
func (b *buyer) receive(r *http.Request) (a answer, err error) {
	response, err := browser.Do(r)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return a, err
	}
	for _, c := range response.Cookies() {
		if c.Name == "session" {
			b.mu.Lock()
			b.cookie = c.Name + "=" + c.Value
			b.mu.Unlock()
		}
	}
	a.status, a.text = response.StatusCode, string(text)
	return a, json.Unmarshal(text, &a.body)
}

// server returns a random server.
func (b *buyer) server() *process {
	return b.house.servers[b.dice.IntN(len(b.house.servers))]
}

// call makes a call to a random server and stores the cart of the answer. A buyer with twice sends it two times at
// once, under one key, and call returns an answer that succeeded, if there is one. It stores a fault for any answer
// that is neither a success nor a refusal, and for two orders that do not agree.
func (b *buyer) call(ctx context.Context, method, path string, body object) answer {
	key := fmt.Sprintf("key-%016x", b.dice.Uint64())
	answers, faults := make([]answer, 1, 2), make([]error, 1, 2)
	if b.twice && b.cookie != "" {
		answers, faults = answers[:2], faults[:2]
	}
	var calls sync.WaitGroup
	for i := range answers {
		server := b.server()
		calls.Go(func() { answers[i], faults[i] = b.send(ctx, server, method, path, key, body) })
	}
	calls.Wait()
	for i, a := range answers {
		switch {
		case faults[i] != nil:
			b.fail("%s: %v", path, faults[i])
		case !a.ok() && !a.isRefusal():
			b.fail("%s: %s", path, a)
		}
	}
	first, last := answers[0], answers[len(answers)-1]
	if path == "/order/create" && !b.agree(first, last) {
		b.fail("the same order, sent twice: %s, and %s", first, last)
	}
	if !first.ok() {
		first = last
	}
	if first.body.Cart != nil {
		b.cart = *first.body.Cart
	}
	return first
}

// agree reports whether two answers to the same order are consistent. Two successes must name the same order. A
// success beside a refusal is consistent while other buyers cancel, because stock that is gone for one call may be
// back for the other. At the last call both answers must be the same.
func (b *buyer) agree(first, last answer) bool {
	if first.ok() && last.ok() || b.lastCall {
		return first.ok() == last.ok() && first.body.OrderID == last.body.OrderID
	}
	return true
}

// buy fills the cart with what the buyer wants and orders it once. It ends without an order when the wanted code or
// interval is refused, or when the buyer leaves. At the last call a buyer orders without the code.
func (b *buyer) buy(ctx context.Context) {
	b.call(ctx, http.MethodPut, "/cart", b.at(nil))
	if len(b.cart.Products) == 0 {
		dish := fmt.Sprintf("%d-101", b.place.city)
		if a := b.call(ctx, http.MethodPut, "/cart/add", b.at(object{"product_key": dish, "count": max(b.dishes, 1)})); !a.ok() && !b.bonuses {
			b.fail("a dish cannot be added: %s", a)
			return
		}
	}
	if b.gift != 0 {
		b.call(ctx, http.MethodPut, "/cart/gift/add", b.at(object{"gift_id": b.gift})) // most buyers are refused
	}
	if b.code != "" {
		if a := b.call(ctx, http.MethodPut, "/cart/gift/apply-promocode", b.at(object{"promocode": b.code})); !a.ok() && !b.lastCall {
			return
		}
	}
	if b.bonuses {
		b.call(ctx, http.MethodPut, "/cart/gift/apply-bonuses", b.at(object{"bonuses": 1000}))
	}
	if b.interval != "" {
		if a := b.call(ctx, http.MethodPut, "/cart/set-interval", object{"city_id": b.place.city, "interval": b.interval}); !a.ok() {
			return
		}
	}
	begun := b.call(ctx, http.MethodPost, "/order/create-order-cache", b.at(nil))
	if !begun.ok() || b.leaves {
		return
	}
	b.agreeAndOrder(ctx, begun.body.OrderCacheKey)
}

// agreeAndOrder sends the order until it is placed or the wanted code or interval is gone. Each time it confirms
// the cart of the refusal before. It cancels the placed order when the buyer cancels.
func (b *buyer) agreeAndOrder(ctx context.Context, key string) {
	for range 20 {
		if b.code != "" && !b.cart.hasCode() && !b.lastCall {
			return
		}
		interval := b.interval
		if interval == "" {
			interval = "asap"
		}
		a := b.call(ctx, http.MethodPost, "/order/create", b.at(object{
			"order_cache_key": key, "phone": b.phone, "username": "Buyer", "payment_type": "cash", "interval_id": interval,
			"cart": object{"fingerprint": b.cart.Fingerprint, "prices": object{"total": b.cart.Prices.Total}},
		}))
		if a.ok() {
			b.order = a.body.OrderID
			b.all = append(b.all, b.order)
			break
		}
		if a.status != http.StatusConflict || b.interval != "" {
			return
		}
	}
	if b.order != 0 && b.cancels && !b.lastCall {
		if a := b.call(ctx, http.MethodPost, "/order/cancel", object{"order_id": b.order}); !a.ok() {
			b.fail("an accepted order cannot be canceled: %s", a)
		}
		b.order = 0
	}
}
