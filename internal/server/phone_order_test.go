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
