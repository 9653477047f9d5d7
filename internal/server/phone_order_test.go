package server_test

import (
	"net/http"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// phoneCart returns the cart of an order by phone of two rolls with rice.
func phoneCart() object {
	return object{
		"site": "sushi", "city_id": carttest.Moscow, "order_type": "delivery", "phone": "79161234567",
		"address": object{
			"address": "улица Арбат, 10", "room": "5", "comment": "the green door",
			"coordinates": object{"latitude": carttest.InFree.Latitude, "longitude": carttest.InFree.Longitude},
		},
		"lines": []object{{"product_key": "1-1002", "count": 2}},
	}
}

func TestOperatorPlaceOrder_isWorkedLikeAnyOther(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		desk, guest := e.browser(t), e.browser(t)
		quote := desk.ok("POST", "/api/operator/orders/quote", object{"cart": phoneCart()}, asOperator...)
		intervals := quote["intervals"].([]any)
		if len(intervals) == 0 || dig(intervals[0], "available") != true || dig(quote["lines"].([]any)[0], "count") != 2.0 {
			t.Fatalf("the quote: %v", quote)
		}
		call := object{
			"key": "call-1", "cart": phoneCart(), "username": "Анна", "payment_type": "cash", "cash": 5000, "interval_id": "asap",
			"comment": "no wasabi", "total": dig(quote, "prices", "total"), "actor": "Olga",
		}
		o := dig(desk.ok("POST", "/api/operator/orders", call, asOperator...), "order").(map[string]any)
		if again := dig(desk.ok("POST", "/api/operator/orders", call, asOperator...), "order", "order_id"); again != o["order_id"] {
			t.Errorf("the second call made %v after %v", again, o["order_id"])
		}
		if o["source"] != "phone" || dig(o, "payment", "to_collect") != dig(quote, "prices", "total") || dig(o, "address", "room") != "5" || dig(o, "history").([]any)[0].(map[string]any)["actor"] != "operator:Olga" {
			t.Errorf("the order: %v", o)
		}
		guest.ok("POST", "/api/order/status", object{"order_id": o["order_id"], "phone": "79161234567"})
		call["total"], call["key"] = 1, "call-2"
		desk.refused(http.StatusConflict, "", "POST", "/api/operator/orders", call, asOperator...)
	})
}

func TestOperatorPlaceOrder_namesFieldsByTheirPathInTheRequest(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	desk := e.browser(t)
	for path, spoil := range map[string]func(call, cart, address object){
		"cart.phone":   func(_, cart, _ object) { cart["phone"] = "12" },
		"cart.shop_id": func(_, cart, _ object) { cart["order_type"] = "takeaway" },
		"cart.lines": func(_, cart, _ object) {
			cart["lines"] = []object{{"product_key": "1-1002", "count": 1, "modifiers": []object{{"id": 999, "count": 1}}}}
		},
		"cart.gifts":        func(_, cart, _ object) { cart["gifts"] = []int64{1} },
		"cart.address":      func(_, _, address object) { address["coordinates"] = object{"latitude": 10, "longitude": 10} },
		"cart.address.room": func(_, _, address object) { delete(address, "room") },
		"username":          func(call, _, _ object) { call["username"] = " " },
		"payment_type":      func(call, _, _ object) { call["payment_type"] = "card_online" },
	} {
		cart := phoneCart()
		call := object{"key": "call-" + path, "cart": cart, "username": "Анна", "payment_type": "cash", "interval_id": "asap"}
		spoil(call, cart, cart["address"].(object))
		if a := desk.call("POST", "/api/operator/orders", call, asOperator...); a.status == http.StatusOK || dig(a.json, "errors", path) == nil {
			t.Errorf("%s: %d %s", path, a.status, a.text)
		}
	}
	cart := phoneCart()
	cart["phone"] = "12"
	desk.refused(http.StatusUnprocessableEntity, "cart.phone", "POST", "/api/operator/orders/quote", object{"cart": cart}, asOperator...)
}
