package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// operatorToken opens the operator's calls of the measured program.
const operatorToken = "the token of the load, long enough"

// journeyPhone is the phone of the customer of the journeys, who has ordered in the past.
const journeyPhone = "79990000007"

// visitor makes whole journeys on one program.
type visitor struct {
	*connection

	menu           menu
	customerCookie string   // the cookie of the signed-in customer
	callNames      []string // the calls of a journey, in the order of the first one
	journeys       int
}

// newVisitor returns a signed-in visitor who has completed ten orders.
func newVisitor(ctx context.Context, addr string) (*visitor, error) {
	v := &visitor{}
	var err error
	if v.menu, err = readMenu(ctx, addr); err != nil {
		return nil, err
	}
	if v.connection, err = dial(ctx, addr); err != nil {
		return nil, err
	}
	if err := v.signIn(); err != nil {
		return nil, err
	}
	runUntimed := func(_ string, call func() error) error { return call() }
	const ordersOfPage = 10 // as many as a page of the customer's orders shows
	for range ordersOfPage {
		id, err := v.placeOrder(runUntimed, v.customerCookie, journeyPhone)
		if err != nil {
			return nil, err
		}
		if err := v.completeOrder(id, runUntimed); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// signIn signs the customer of the journeys in by a link of the operator, and stores the cookie.
func (v *visitor) signIn() error {
	var made struct{ URL string }
	named := place{"site": "sushi", "phone": journeyPhone}
	v.cookie = ""
	if err := v.callAPI("POST", "/api/operator/customers/sign-in-link", named, &made, "Authorization", "Bearer "+operatorToken); err != nil {
		return err
	}
	_, token, _ := strings.Cut(made.URL, "#")
	a, err := v.expect(request("POST", "/api/user/sign-in", fmt.Appendf(nil, `{"token":%q}`, token)))
	if err != nil {
		return err
	}
	if v.customerCookie = v.session; v.customerCookie == "" {
		return fmt.Errorf("no session after the sign-in: %.200s", a.body)
	}
	return nil
}

// measurer runs a call of the journey and stores how long the call took.
type measurer func(name string, call func() error) error

// runJourney makes the calls of a journey: a guest looks and orders, a customer orders, the operator completes
// both orders, the customer repeats one. It adds the time of each call to times, unless the journey is a
// warm-up. The first journey also stores the names of the calls.
func (v *visitor) runJourney(times map[string][]time.Duration, isWarmUp bool) error {
	isFirstJourney := v.callNames == nil
	measure := func(name string, call func() error) error {
		start := time.Now()
		err := call()
		if isFirstJourney && !slices.Contains(v.callNames, name) {
			v.callNames = append(v.callNames, name)
		}
		if !isWarmUp {
			times[name] = append(times[name], time.Since(start))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	v.journeys++
	v.cookie = ""
	if err := measure("home page", func() error { return v.getPath("/" + cityAlias) }); err != nil {
		return err
	}
	if err := measure("products", func() error {
		return v.getPath(fmt.Sprintf("/api/products?city_id=%d&order_type=delivery", v.menu.city))
	}); err != nil {
		return err
	}
	phone := fmt.Sprintf("7917%07d", v.journeys)
	id, err := v.placeOrder(func(name string, call func() error) error { return measure("guest: "+name, call) }, "", phone)
	if err != nil {
		return err
	}
	guestCookie := v.cookie
	if err := measure("order/{id}", func() error { return v.callAPI("GET", fmt.Sprintf("/api/order/%d", id), nil, nil) }); err != nil {
		return err
	}
	if err := measure("order/status, by phone", func() error {
		v.cookie = guestCookie
		return v.callAPI("POST", "/api/order/status", place{"order_id": id, "phone": phone}, nil)
	}); err != nil {
		return err
	}
	token := []string{"Authorization", "Bearer " + operatorToken}
	v.cookie = ""
	if err := measure("operator/orders", func() error { return v.callAPI("GET", "/api/operator/orders?limit=100", nil, nil, token...) }); err != nil {
		return err
	}
	customerOrder, err := v.placeOrder(func(name string, call func() error) error { return measure("customer: "+name, call) }, v.customerCookie, journeyPhone)
	if err != nil {
		return err
	}
	// After placeOrder v.cookie is the customer's, so these calls are the customer's.
	for _, call := range []struct{ name, path string }{{"user/get", "/api/user/get"}, {"user/orders", "/api/user/orders"}} {
		if err := measure(call.name, func() error { return v.callAPI("GET", call.path, nil, nil) }); err != nil {
			return err
		}
	}
	for _, done := range []int64{id, customerOrder} {
		if err := v.completeOrder(done, measure); err != nil {
			return err
		}
	}
	v.cookie = v.customerCookie
	return measure("order/repeat", func() error { return v.callAPI("POST", "/api/order/repeat", place{"order_id": customerOrder}, nil) })
}

// completeOrder sets the states "cooking" and "done" of an order by the operator's calls. It leaves v.cookie
// unchanged.
func (v *visitor) completeOrder(id int64, measure measurer) error {
	cookie := v.cookie
	defer func() { v.cookie = cookie }()
	v.cookie = "" // the operator has a token, not a cookie
	for _, state := range []string{"cooking", "done"} {
		err := measure("operator/orders/{id}/status", func() error {
			return v.callAPI("POST", fmt.Sprintf("/api/operator/orders/%d/status", id), place{"status": state}, nil, "Authorization", "Bearer "+operatorToken)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// getPath requests a path as a browser that accepts compressed answers.
func (v *visitor) getPath(path string) error {
	_, err := v.expect(request("GET", path, nil, "Accept-Encoding", "br, gzip"))
	return err
}

// placeOrder fills a cart with the given cookie, orders it and returns the number of the order. An empty cookie
// begins a new session. Afterwards v.cookie is the cookie of that session.
func (v *visitor) placeOrder(measure measurer, cookie, phone string) (id int64, err error) {
	v.cookie = cookie
	n := v.journeys
	shop := v.menu.shops[n%len(v.menu.shops)]
	interval := shop.intervals[n%len(shop.intervals)]
	at := func(more ...any) place { return v.menu.place(shop.id, more...) }
	if cookie != "" { // a repeated order has left lines in the cart
		if err := v.callAPI("DELETE", fmt.Sprintf("/api/cart/clear?city_id=%d", v.menu.city), nil, nil); err != nil {
			return 0, err
		}
	}
	for i, key := range v.menu.products[:orderLines] {
		run := measure
		if i == 0 { // a guest's first call begins the session
			run = func(_ string, call func() error) error { return measure("cart/add, the first", call) }
		}
		if err := run("cart/add", func() error {
			return v.callAPI("PUT", "/api/cart/add", at("product_key", key, "count", 2), nil, "Idempotency-Key", fmt.Sprintf("%032x", keys.Add(1)))
		}); err != nil {
			return 0, err
		}
	}
	var cart struct {
		Cart struct{ Prices struct{ Total json.Number } }
	}
	var checkout struct {
		Key string `json:"order_cache_key"`
	}
	var order struct {
		ID json.Number `json:"order_id"`
	}
	for _, step := range []struct {
		name string
		call func() error
	}{
		{"cart/set-interval", func() error {
			return v.callAPI("PUT", "/api/cart/set-interval", place{"city_id": v.menu.city, "interval": interval}, nil)
		}},
		{"schedule/intervals", func() error { return v.callAPI("POST", "/api/schedule/intervals", at(), nil) }},
		{"cart", func() error { return v.callAPI("PUT", "/api/cart", at(), &cart) }},
		{"order/create-order-cache", func() error { return v.callAPI("POST", "/api/order/create-order-cache", at(), &checkout) }},
		{"order/create", func() error {
			return v.callAPI("POST", "/api/order/create", at("order_cache_key", checkout.Key, "phone", phone, "username", "Load", "payment_type", "cash",
				"interval_id", interval, "cart", place{"prices": place{"total": cart.Cart.Prices.Total}}), &order)
		}},
	} {
		if err := measure(step.name, step.call); err != nil {
			return 0, err
		}
	}
	return order.ID.Int64()
}
