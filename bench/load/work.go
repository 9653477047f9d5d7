package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// bench measures the works of one engine.
type bench struct {
	options
	engine      engine
	environment *environment
	program     *program
	report      *report
	menu        menu
	// proxy has the connections that visitors of the overload share; a direct load does not use it.
	proxy *keptConnections
}

// measureMenu measures requests of the whole menu, by GET and POST, compressed with brotli and with gzip.
func (b bench) measureMenu(ctx context.Context) error {
	body, err := json.Marshal(place{"city_id": b.menu.city, "order_type": "delivery"})
	if err != nil {
		return err
	}
	const packed = "br, gzip"
	get := fmt.Sprintf("/api/products?city_id=%d&order_type=delivery", b.menu.city)
	return b.measureReads(ctx, "application/json",
		reading{"menu, GET", request("GET", get, nil, "Accept-Encoding", packed)},
		reading{"menu, POST", request("POST", "/api/products", body, "Accept-Encoding", packed)},
		reading{"menu, GET, gzip", request("GET", get, nil, "Accept-Encoding", "gzip")})
}

// measureHomePage measures requests of the home page.
func (b bench) measureHomePage(ctx context.Context) error {
	return b.measureReads(ctx, "text/html; charset=utf-8",
		reading{"home page", request("GET", "/"+cityAlias, nil, "Accept-Encoding", "br, gzip")})
}

type reading struct {
	name    string
	request []byte
}

// measureReads measures requests one after the other, each beside a bare handler that sends the same bytes.
func (b bench) measureReads(ctx context.Context, contentType string, readings ...reading) error {
	for _, r := range readings {
		if err := b.measureRead(ctx, r, contentType); err != nil {
			return err
		}
	}
	return nil
}

// measureRead measures one request beside a bare handler that sends the same bytes, and reports it.
func (b bench) measureRead(ctx context.Context, r reading, contentType string) (err error) {
	c, err := dial(ctx, b.program.addr)
	if err != nil {
		return err
	}
	a, err := c.expect(r.request)
	if err != nil {
		return err
	}
	answer := bareAnswer{Header: map[string]string{"Content-Type": contentType, "Content-Encoding": a.encoding}, Body: a.body}
	addr, stop, err := startBare(ctx, b.environment, bareContent{Answers: map[string]bareAnswer{"": answer}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	limit, err := repeatRequest(ctx, addr, b.connections, r.request)
	if err != nil {
		return err
	}
	work, err := repeatRequest(ctx, b.program.addr, b.connections, r.request)
	if err != nil {
		return err
	}
	samples, err := measureInTurns(ctx, b.seconds, work, limit)
	if err != nil {
		return err
	}
	b.report.addWork(b.engine, fmt.Sprintf("%s (%d KB %s)", r.name, len(a.body)>>10, a.encoding), samples[0], "bare handler", samples[1])
	return nil
}

// noKey is the placeholder of an idempotency key in a request; fillKey replaces it before each call.
const noKey = "00000000000000000000000000000000"

// keys counts the idempotency keys of this process.
var keys atomic.Int64

// phones counts the phones of guests.
var phones atomic.Int64

// nextPhone returns a phone that no guest has yet, because in a real shop few orders share a phone.
func nextPhone() string { return fmt.Sprintf("7916%07d", phones.Add(1)) }

// fillKey overwrites the idempotency key of a request that was made with noKey. It changes only the second half
// of the key, and finds the key by the first half. A request without noKey stays as it is.
func fillKey(request []byte) {
	const half = len(noKey) / 2
	if at := bytes.Index(request, []byte(noKey[:half])); at >= 0 {
		copy(request[at+half:at+len(noKey)], fmt.Sprintf("%016x", keys.Add(1)))
	}
}

// measureCarts measures adding to a cart as the page does it: with an idempotency key, in a session.
func (b bench) measureCarts(ctx context.Context) error {
	connections, err := openConnections(ctx, b.program.addr, b.connections)
	if err != nil {
		return err
	}
	work := make([]step, len(connections))
	for i, c := range connections {
		if work[i], err = b.addStep(c); err != nil {
			return err
		}
	}
	return b.measureBesideLimits(ctx, "add to cart", work)
}

// measureBesideLimits measures changes of carts beside limitsOfChange, and reports the work with each limit.
func (b bench) measureBesideLimits(ctx context.Context, name string, work []step) error {
	limits, err := b.limitsOfChange(ctx)
	if err != nil {
		return err
	}
	works := [][]step{work}
	for _, l := range limits {
		works = append(works, l.steps)
	}
	samples, err := measureInTurns(ctx, b.seconds, works...)
	if err != nil {
		return err
	}
	for i, l := range limits {
		b.report.addWork(b.engine, name, samples[0], l.name, samples[i+1])
	}
	return nil
}

// addsPerLine is how many portions of each product are added before the cart is emptied; a line holds 100.
const addsPerLine = 90

// addStep puts a product into the connection's cart, which begins a session, and returns a step. The step adds the
// next product of the menu, and empties the cart first when its lines are nearly full.
func (b bench) addStep(c *connection) (step, error) {
	delivery := place{"city_id": b.menu.city, "order_type": "delivery", "delivery_zone_id": b.menu.zone, "count": 1, "product_key": b.menu.products[0]}
	if err := c.callAPI("PUT", "/api/cart/add", delivery, nil); err != nil {
		return nil, err
	}
	adds := make([][]byte, len(b.menu.products))
	for i, key := range b.menu.products {
		delivery["product_key"] = key
		body, err := json.Marshal(delivery)
		if err != nil {
			return nil, err
		}
		adds[i] = request("PUT", "/api/cart/add", body, "Cookie", c.cookie, "Idempotency-Key", noKey)
	}
	clearing := request("DELETE", fmt.Sprintf("/api/cart/clear?city_id=%d", b.menu.city), nil, "Cookie", c.cookie)
	n := 0
	return func() error {
		if n++; n%(addsPerLine*len(adds)) == 0 {
			if _, err := c.expect(clearing); err != nil {
				return err
			}
		}
		add := adds[n%len(adds)]
		fillKey(add)
		_, err := c.expect(add)
		return err
	}, nil
}

// The rows that an order of three lines writes: first the checkout, the interval's
// hold and slot, and the job that releases them; then the claim of the checkout, the
// renamed hold, the order, its lines, its state twice, and the emptied cart.
const (
	checkoutRows = 4
	orderRows    = 6 + orderLines
	orderLines   = 3
)

// measureOrders measures checkout and order of carts that were filled before, on one connection and on all. The
// limit is two transactions that insert as many rows.
func (b bench) measureOrders(ctx context.Context) error {
	filled, err := b.fillCarts(ctx, b.seconds*3/2) // longer than the measurement, so that enough carts are filled
	if err != nil {
		return err
	}
	connections, err := openConnections(ctx, b.program.addr, b.connections)
	if err != nil {
		return err
	}
	work := make([]step, len(connections))
	for i, c := range connections {
		work[i] = func() error { return b.placeFilledOrder(c, filled) }
	}
	if err := prepareBare(ctx, b.environment.bareDB, b.connections); err != nil {
		return err
	}
	limit := insertRows(ctx, b.environment.bareDB, b.connections, checkoutRows, orderRows)
	name := fmt.Sprintf("transactions of %d and %d rows", checkoutRows, orderRows)
	alone, err := measureInTurns(ctx, b.seconds/3, work[:1], limit[:1])
	if err != nil {
		return err
	}
	b.report.addWork(b.engine, "whole order, one client", alone[0], name, alone[1])
	together, err := measureInTurns(ctx, b.seconds, work, limit)
	if err != nil {
		return err
	}
	b.report.addWork(b.engine, "whole order", together[0], name, together[1])
	return nil
}

// customer is a guest with a filled cart and a chosen interval.
type customer struct {
	cookie, interval string
	shop             int64
	total            json.Number
}

// fillCarts fills carts for the duration d, or until the channel is full. It returns the channel with the customers
// of these carts.
func (b bench) fillCarts(ctx context.Context, d time.Duration) (<-chan customer, error) {
	connections, err := openConnections(ctx, b.program.addr, b.connections)
	if err != nil {
		return nil, err
	}
	const maxCustomers = 1 << 17
	filled := make(chan customer, maxCustomers)
	steps := make([]step, len(connections))
	for i, c := range connections {
		n := i
		steps[i] = func() error {
			n++
			shop := b.menu.shops[n%len(b.menu.shops)]
			next := customer{shop: shop.id, interval: shop.intervals[n%len(shop.intervals)]}
			c.cookie = "" // the first call begins a new session
			var answer struct {
				Cart struct{ Prices struct{ Total json.Number } }
			}
			for _, key := range b.menu.products[:orderLines] {
				if err := c.callAPI("PUT", "/api/cart/add", b.menu.place(shop.id, "product_key", key, "count", 2), &answer); err != nil {
					return err
				}
			}
			chosen := place{"city_id": b.menu.city, "interval": next.interval}
			if err := c.callAPI("PUT", "/api/cart/set-interval", chosen, &answer); err != nil {
				return err
			}
			next.cookie, next.total = c.cookie, answer.Cart.Prices.Total
			select {
			case filled <- next:
				return nil
			default:
				return errDone
			}
		}
	}
	s := runSteps(ctx, steps, d)
	if s.firstErr != nil {
		return nil, fmt.Errorf("fill carts: %w", s.firstErr)
	}
	return filled, ctx.Err()
}

// placeFilledOrder begins the checkout of the next customer with a filled cart and places the order.
// It returns errDone when no customer is left.
func (b bench) placeFilledOrder(c *connection, filled <-chan customer) error {
	var next customer
	select {
	case next = <-filled:
	default:
		return errDone
	}
	c.cookie = next.cookie
	var checkout struct {
		Key string `json:"order_cache_key"`
	}
	if err := c.callAPI("POST", "/api/order/create-order-cache", b.menu.place(next.shop), &checkout); err != nil {
		return err
	}
	return c.callAPI("POST", "/api/order/create", b.menu.place(next.shop,
		"order_cache_key", checkout.Key, "phone", nextPhone(), "username", "Load", "payment_type", "cash",
		"interval_id", next.interval, "cart", place{"prices": place{"total": next.total}}), nil)
}
