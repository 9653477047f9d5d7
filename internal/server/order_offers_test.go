package server_test

import (
	"fmt"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// importOffers imports content with a gift, a code and a bonus programme.
func (e *edge) importOffers(t *testing.T) {
	t.Helper()
	e.Import(t, map[string]string{
		"sushi/brand.yaml":      carttest.Texts["sushi/brand.yaml"] + "bonus_programme: {percent: \"5\"}\n",
		"sushi/gifts.yaml":      "- {id: 1, alias: soy-gift, product: soy, name: {ru: Соус в подарок, en: Soy on us}, stock: 1, conditions: [{subtotal: {ru: 50, tr: 1}}]}\n",
		"sushi/promocodes.yaml": "- {id: 1, code: TEN, percent: 10, limit: 5}\n",
	})
}

func TestGetOrder_showsGiftsDiscountsAndAllergens(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		e.importOffers(t)
		key := []string{"Authorization", "Bearer " + operatorToken}
		guest, kitchen := e.browser(t), e.browser(t)
		guest.fill()
		guest.ok("PUT", "/api/cart/gift/apply-promocode", moscow(object{"promocode": "ten"}))
		cart := dig(guest.ok("PUT", "/api/cart/gift/add", moscow(object{"gift_id": 1})), "cart")
		request := guest.checkout(dig(cart, "prices", "total"))
		request["cart"].(object)["fingerprint"] = dig(cart, "fingerprint")
		request["promised_to"] = e.Clock.Now().AddDate(0, 0, 1)
		request["allergens"], request["order_comment"] = []string{"nuts", "milk"}, "no bell"

		request["allergens"] = []string{"chalk"}
		if got := guest.call("POST", "/api/order/create", request); got.status != 422 || dig(got.json, "errors", "allergens") == nil {
			t.Errorf("an unknown allergen: %d %s", got.status, got.text)
		}
		request["allergens"] = []string{"nuts", "milk"}
		request["cart"].(object)["fingerprint"] = "of another cart"
		if got := guest.call("POST", "/api/order/create", request); got.status != 409 || dig(got.json, "cart", "fingerprint") != dig(cart, "fingerprint") {
			t.Errorf("another fingerprint: %d %s", got.status, got.text)
		}
		request["cart"].(object)["fingerprint"] = dig(cart, "fingerprint")
		id := int64(guest.ok("POST", "/api/order/create", request)["order_id"].(float64))

		order := dig(guest.ok("GET", fmt.Sprintf("/api/order/%d", id), nil), "order")
		gifts := dig(order, "cart", "gifts").([]any)
		if len(gifts) != 1 || dig(gifts[0], "name") != "Soy on us" || dig(gifts[0], "count") != 1.0 || dig(gifts[0], "basic_price") != 30.0 || dig(gifts[0], "price") != 0.0 {
			t.Errorf("gifts: %v", gifts)
		}
		if dig(order, "cart", "promocode") != "TEN" || dig(order, "cart", "prices", "discount") != 109.8 || dig(order, "comment") != "no bell" {
			t.Errorf("order: %v", order)
		}
		if eats := dig(order, "allergens").([]any); len(eats) != 2 || dig(eats[0], "name") != "milk" {
			t.Errorf("does not eat: %v", eats)
		}

		list := dig(kitchen.ok("GET", "/api/operator/orders", nil, key...), "orders").([]any)
		lines := dig(list[0], "lines").([]any)
		if len(lines) != 2 || dig(lines[0], "gift") != nil || dig(lines[1], "gift") != true || dig(lines[1], "name") != "Соевый соус" {
			t.Errorf("the kitchen's lines: %v", lines)
		}
		if dig(list[0], "ticket") != "Не ест: молоко, орехи\nАдрес: точка на карте, которую указал гость" || dig(list[0], "comment") != "no bell" {
			t.Errorf("the ticket: %v", list[0])
		}

		e.Clock.Advance(time.Second) // what a cart shows of gifts may be a second old
		other := e.browser(t)
		other.fill()
		if got := other.call("PUT", "/api/cart/gift/add", moscow(object{"gift_id": 1})); got.status != 409 && got.status != 422 {
			t.Errorf("the last gift again: %d %s", got.status, got.text)
		}
	})
}

func TestRefund_isRecordedOnceForADoneOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		e.importOffers(t)
		key := []string{"Authorization", "Bearer " + operatorToken}
		guest, kitchen := e.browser(t), e.browser(t)
		id, _ := guest.order()
		refund, whole := fmt.Sprintf("/api/operator/orders/%d/refund", id), object{"key": "k", "all": true}
		if got := kitchen.call("POST", refund, whole); got.status != 401 {
			t.Errorf("without the token: %d", got.status)
		}
		if got := kitchen.call("POST", refund, whole, key...); got.status != 409 {
			t.Errorf("an open order: %d %s", got.status, got.text)
		}
		if got := kitchen.call("POST", "/api/operator/orders/1/refund", whole, key...); got.status != 404 {
			t.Errorf("an order that does not exist: %d %s", got.status, got.text)
		}
		for _, status := range []string{"cooking", "sent", "done"} {
			kitchen.ok("POST", fmt.Sprintf("/api/operator/orders/%d/status", id), object{"status": status}, key...)
		}
		first := dig(kitchen.ok("POST", refund, whole, key...), "order", "refunded_at")
		e.Clock.Advance(time.Second)
		if again := dig(kitchen.ok("POST", refund, whole, key...), "order", "refunded_at"); first == nil || again != first {
			t.Errorf("refunded at %v and at %v", first, again)
		}
		if list := dig(kitchen.ok("GET", "/api/operator/orders", nil, key...), "orders").([]any); len(list) != 0 {
			t.Errorf("a done order is on the list: %v", list)
		}
	})
}
