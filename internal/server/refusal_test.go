package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// Each fault has a message of its own, and the cart stays as it was.
func TestFault_hasItsOwnMessageAndLosesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		total := b.fill()
		rice := fmt.Sprintf("1-%d", carttest.Rice)
		salmon := fmt.Sprintf("1-%d", carttest.Salmon)
		add := func(more object) object { return moscow(more) }
		said := map[string]string{}
		for _, c := range []struct {
			name, field, method, path string
			status                    int
			body                      any
		}{
			{"unknown city", "", "PUT", "/api/cart", 404, object{"city_id": 99, "order_type": "delivery"}},
			{"address outside the zones", "delivery_address", "POST", "/api/user/addresses/set-by-coordinates", 422, object{"city_id": 1, "latitude": 55.95, "longitude": 37.60}},
			{"count 101", "product", "PUT", "/api/cart/add", 422, add(object{"product_key": rice, "count": 101})},
			{"count -1", "product", "PUT", "/api/cart/add", 422, add(object{"product_key": rice, "count": -1})},
			{"count 1.5", "count", "PUT", "/api/cart/add", 422, add(object{"product_key": rice, "count": 1.5})},
			{"modifiers above their bound", "product", "PUT", "/api/cart/add", 422, add(object{"product_key": salmon, "modifiers": []object{{"id": carttest.SoySauce, "group_id": carttest.Sauce, "count": 3}}})},
			{"modifiers below their bound", "product", "PUT", "/api/cart/add", 422, add(object{"product_key": salmon, "modifiers": []object{}})},
			{"modifier of another product", "product", "PUT", "/api/cart/add", 422, add(object{"product_key": rice, "modifiers": []object{{"id": carttest.SoySauce, "group_id": carttest.Sauce, "count": 1}}})},
			{"product of another city", "product", "PUT", "/api/cart/add", 422, add(object{"product_key": "3-5001"})},
			{"half a pair", "product", "PUT", "/api/cart/add", 422, add(object{"product_key": fmt.Sprintf("1-%d", carttest.Pair)})},
			{"unknown interval", "", "PUT", "/api/cart/set-interval", 404, object{"city_id": 1, "interval": "tomorrow"}},
			{"no body", "", "PUT", "/api/cart/add", 422, "{"},
			{"body of 1 MB", "", "PUT", "/api/cart/add", 413, `{"product_key":"` + strings.Repeat("a", 1<<20) + `"}`},
			{"someone else's address", "", "POST", "/api/user/addresses/set-by-id", 404, object{"delivery_address_id": 4_000_000}},
			{"unknown call", "", "GET", "/api/nothing", 404, nil},
		} {
			text := b.refused(c.status, c.field, c.method, c.path, c.body)
			if text == "" || strings.Contains(text, ".") && !strings.Contains(text, " ") {
				t.Errorf("%s says %q", c.name, text)
			}
			if before, same := said[text]; same && !strings.HasPrefix(c.name, "count") && !strings.HasPrefix(c.name, "modifiers") {
				t.Errorf("%s says the same as %s: %q", c.name, before, text)
			}
			said[text] = c.name
		}
		if now := dig(b.ok("PUT", "/api/cart", moscow(nil)), "cart", "prices", "total"); now != total {
			t.Errorf("after all that the total is %v, it was %v", now, total)
		}
	})
}

func TestCreateOrder_withATamperedTotalAnswersTheFreshCart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		total := b.fill()
		a := b.call("POST", "/api/order/create", b.checkout(1))
		if a.status != http.StatusConflict || dig(a.json, "cart", "prices", "total") != total {
			t.Errorf("%d %s", a.status, a.text)
		}
	})
}

func TestCreateOrder_ofADishThatRanOutIsAConflict(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b, kitchen := e.browser(t), e.browser(t)
		request := b.checkout(b.fill())
		kitchen.ok("POST", "/api/operator/stops", object{"site": "sushi", "kind": "ingredient", "alias": "salmon"}, "Authorization", "Bearer "+operatorToken)
		a := b.call("POST", "/api/order/create", request)
		if a.status != http.StatusConflict || dig(a.json, "cart") == nil {
			t.Fatalf("%d %s", a.status, a.text)
		}
		kitchen.ok("POST", "/api/operator/stops", object{"site": "sushi", "kind": "ingredient", "alias": "salmon", "off": true}, "Authorization", "Bearer "+operatorToken)
		b.ok("POST", "/api/order/create", request)
	})
}

func TestCreateOrder_namesAllBadFieldsAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		request := b.checkout(b.fill())
		request["phone"], request["username"], request["cash"] = "12", " ", 1
		a := b.call("POST", "/api/order/create", request)
		for _, field := range []string{"phone", "username", "cash"} {
			if dig(a.json, "errors", field) == nil {
				t.Errorf("nothing about %s in %d %s", field, a.status, a.text)
			}
		}
	})
}
