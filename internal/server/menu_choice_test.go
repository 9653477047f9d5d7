package server_test

import (
	"fmt"
	"net/http"
	"reflect"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestMenuChoice_hasTheMenuOfTheChosenPlace(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	chosen := b.ok("POST", "/api/shops/set", object{"shop_id": carttest.Pokrovka})
	menu := b.ok("GET", fmt.Sprintf("/api/products?city_id=%d&order_type=takeaway&shop_id=%d", carttest.Moscow, carttest.Pokrovka), nil)
	for _, field := range []string{"product_groups", "popular_products"} {
		if value := dig(chosen, field); value == nil || !reflect.DeepEqual(value, dig(menu, field)) {
			t.Errorf("%s is %v, in the menu %v", field, value, dig(menu, field))
		}
	}
	if id := dig(chosen, "shop", "id"); fmt.Sprint(id) != fmt.Sprint(carttest.Pokrovka) {
		t.Errorf("shop %v", id)
	}
	if orderType := dig(chosen, "cart", "order_type"); orderType != "takeaway" {
		t.Errorf("cart for %v", orderType)
	}
}

func TestMenu_isTheSameForAQueryThatWasAnsweredBefore(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	path := fmt.Sprintf("/api/products?city_id=%d&order_type=takeaway&shop_id=%d", carttest.Moscow, carttest.Pokrovka)
	first := b.call("GET", path, nil)
	again := b.call("GET", path, nil)
	if first.status != http.StatusOK || again.status != first.status || again.text != first.text || again.header.Get("ETag") != first.header.Get("ETag") {
		t.Errorf("%d %s, then %d %s", first.status, first.header.Get("ETag"), again.status, again.header.Get("ETag"))
	}
	if same := b.call("GET", path, nil, "If-None-Match", first.header.Get("ETag")); same.status != http.StatusNotModified {
		t.Errorf("with the ETag %d", same.status)
	}
	for range 2 {
		if unknown := b.call("GET", path+"1", nil); unknown.status < http.StatusBadRequest {
			t.Errorf("a shop that does not exist: %d", unknown.status)
		}
	}
}
