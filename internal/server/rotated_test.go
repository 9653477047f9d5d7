package server_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// Another process remembers a guest's session for a minute. After a sign-in it must show nothing of the
// customer to a caller with the guest's token.
func TestToken_fromBeforeASignInOpensNothingInAnotherProcess(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		here, elsewhere := newEdge(t, d), newEdge(t, d)
		b, thief := here.browser(t), elsewhere.browser(t)
		b.fill()
		order, _ := b.order()
		b.fill()
		old := []string{"Cookie", "session=" + sessionCookieOf(b)}
		asGuest := thief.ok("PUT", "/api/cart", moscow(nil), old...) // known there from now on
		if got := dig(asGuest, "cart", "count"); got != 2.0 {
			t.Fatalf("in the other process the guest's cart holds %v", got)
		}
		b.signIn(annasPhone)
		later, _ := b.order()
		b.fill()

		for _, id := range []int64{order, later} {
			for _, call := range []struct {
				method, path string
				body         any
			}{
				{"GET", fmt.Sprint("/api/order/", id), nil},
				{"GET", fmt.Sprintf("/api/order/%d/events", id), nil},
				{"POST", "/api/order/cancel", object{"order_id": id}},
			} {
				if a := thief.call(call.method, call.path, call.body, old...); a.status != http.StatusNotFound {
					t.Fatalf("%s %s: %d %s", call.method, call.path, a.status, a.text)
				}
			}
			b.ok("GET", fmt.Sprint("/api/order/", id), nil)
		}
		addresses := thief.ok("GET", "/api/user/addresses", nil, old...)["delivery_addresses"].([]any)
		cart := dig(thief.ok("PUT", "/api/cart", moscow(nil), old...), "cart", "count")
		if len(addresses) != 0 || cart != 0.0 {
			t.Errorf("the token from before shows addresses %v and a cart of %v", addresses, cart)
		}
		if a := thief.call("PUT", "/api/cart/add", moscow(object{"product_key": "1-1002", "delivery_zone_id": carttest.Free}), old...); a.status != http.StatusConflict {
			t.Errorf("the token from before fills a cart: %d %s", a.status, a.text)
		}
		if got := b.cartCount(); got != 2.0 {
			t.Errorf("the customer's cart holds %v", got)
		}
	})
}

// An order that is placed while its customer signs in belongs to the customer afterwards, or is refused
// and leaves the cart as it was.
func TestCreateOrder_concurrentWithASignInIsTheCustomersOrNone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		here, elsewhere := newEdge(t, d), newEdge(t, d)
		for round := range 10 {
			b, tab := here.browser(t), elsewhere.browser(t)
			old := []string{"Cookie", ""}
			checkout := b.checkout(b.fill())
			old[1] = "session=" + sessionCookieOf(b)
			link := b.signInToken("sushi", fmt.Sprintf("7916123456%d", round))
			var placed answer
			var all sync.WaitGroup
			all.Go(func() { placed = tab.call("POST", "/api/order/create", checkout, old...) })
			all.Go(func() { b.ok("POST", "/api/user/sign-in", object{"token": link}) })
			all.Wait()
			switch placed.status {
			case http.StatusOK:
				id := int64(placed.json["order_id"].(float64))
				b.ok("GET", fmt.Sprint("/api/order/", id), nil)
				if got := b.cartCount(); got != 0.0 {
					t.Errorf("the cart of an order holds %v", got)
				}
				b.ok("POST", "/api/order/cancel", object{"order_id": id})
			case http.StatusConflict, http.StatusUnprocessableEntity:
				if got := b.cartCount(); got != 2.0 {
					t.Errorf("after %s the cart holds %v", placed.text, got)
				}
			default:
				t.Errorf("%d %s", placed.status, placed.text)
			}
		}
	})
}
