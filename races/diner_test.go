package races_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"
)

// diner is a customer who orders one dish for cash through one process. Each call is repeated with the same body and
// key until it is answered.
type diner struct {
	shift  *shift
	server int
	number int64 // decides phone and address
	cookie string
	cart   cart
	key    string    // of the checkout
	begun  time.Time // when the last call was sent
}

// atPlace returns a body with the place of all diners and the fields of more.
func atPlace(more object) object {
	body := object{"city_id": endless.city, "order_type": "takeaway", "shop_id": endless.shop}
	maps.Copy(body, more)
	return body
}

// dine places one order and records it in the shift; what goes wrong is a fault of the shift.
func (d *diner) dine(ctx context.Context) {
	if a := d.call(ctx, http.MethodPut, "/cart/add", atPlace(object{"product_key": "1-101", "count": 1})); !a.ok() {
		d.shift.fail("a dish cannot be added: %s", a)
		return
	}
	if a := d.checkOut(ctx); !a.ok() {
		d.shift.fail("no checkout: %s", a)
		return
	}
	var a answer
	for range 5 {
		a = d.orderOnce(ctx)
		if a.ok() {
			d.shift.mu.Lock()
			d.shift.orders = append(d.shift.orders, placed{id: a.body.OrderID, server: d.server, begun: d.begun, at: now()})
			d.shift.mu.Unlock()
			return
		}
		if a.status != http.StatusConflict { // after a conflict d.cart is the new cart of the answer
			break
		}
		time.Sleep(d.shift.pause) // they read what has changed
	}
	d.shift.fail("no order: %s", a)
}

// checkOut begins the checkout and stores its key.
func (d *diner) checkOut(ctx context.Context) answer {
	a := d.call(ctx, http.MethodPost, "/order/create-order-cache", atPlace(nil))
	d.key = a.body.OrderCacheKey
	return a
}

// orderOnce sends the order with the total and the fingerprint of the last cart.
func (d *diner) orderOnce(ctx context.Context) answer {
	return d.call(ctx, http.MethodPost, "/order/create", atPlace(object{
		"order_cache_key": d.key, "phone": fmt.Sprintf("7903%07d", d.number), "username": "Diner",
		"payment_type": "cash", "interval_id": "asap",
		"cart": object{"fingerprint": d.cart.Fingerprint, "prices": object{"total": d.cart.Prices.Total}},
	}))
}

// addDessert adds the dessert, which tests stop, to the cart.
func (d *diner) addDessert(ctx context.Context) answer {
	return d.call(ctx, http.MethodPut, "/cart/add", atPlace(object{"product_key": "1-102", "count": 1}))
}

// chooseDessert adds a dessert and begins the checkout.
func (d *diner) chooseDessert(t *testing.T) {
	t.Helper()
	if a := d.addDessert(t.Context()); !a.ok() {
		t.Fatalf("a dessert cannot be added: %s", a)
	}
	if a := d.checkOut(t.Context()); !a.ok() {
		t.Fatalf("no checkout: %s", a)
	}
}

// call repeats a call until its answer is below 500, and stores the cart of the answer. It returns an empty answer when
// ctx ends before.
func (d *diner) call(ctx context.Context, method, path string, body object) answer {
	key := fmt.Sprintf("key-%016x", rand.Uint64())
	text, err := json.Marshal(body)
	if err != nil {
		d.shift.fail("%s: %v", path, err)
		return answer{}
	}
	for {
		a, err := d.send(ctx, method, path, key, text)
		if err == nil && a.status < http.StatusInternalServerError {
			if a.body.Cart != nil {
				d.cart = *a.body.Cart
			}
			return a
		}
		select {
		case <-ctx.Done():
			return answer{}
		case <-time.After(time.Duration(100+rand.IntN(200)) * time.Millisecond):
		}
	}
}

// send sends a call once and stores the time and the session cookie. A 503 without Retry-After is a fault.
func (d *diner) send(ctx context.Context, method, path, key string, text []byte) (a answer, err error) {
	r, err := http.NewRequestWithContext(ctx, method, d.shift.servers[d.server].url+"/api"+path, bytes.NewReader(text))
	if err != nil {
		return a, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", key)
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.9.%d.%d", d.number/250%250, d.number%250+1))
	if d.cookie != "" {
		r.Header.Set("Cookie", d.cookie)
	}
	d.begun = now()
	response, err := d.shift.client.Do(r)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	answered, err := io.ReadAll(response.Body)
	if err != nil {
		return a, err
	}
	for _, c := range response.Cookies() {
		if c.Name == "session" {
			d.cookie = c.Name + "=" + c.Value
		}
	}
	a.status, a.text = response.StatusCode, string(answered)
	if a.status == http.StatusServiceUnavailable && response.Header.Get("Retry-After") == "" {
		d.shift.fail("%s: 503 without Retry-After", path)
	}
	return a, json.Unmarshal(answered, &a.body)
}
