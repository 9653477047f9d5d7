package server_test

import (
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestCart_saysThatTheShopThatCooksIsStopped(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	delivery := moscow(object{"delivery_zone_id": carttest.Free})
	takeaway := object{"city_id": carttest.Moscow, "order_type": "takeaway", "shop_id": carttest.Pokrovka}
	stopOf := func(place object) any {
		t.Helper()
		return dig(b.ok("PUT", "/api/cart", place, "Accept-Language", "en"), "cart", "stop")
	}
	if stop := stopOf(delivery); stop != nil {
		t.Errorf("an open kitchen has the stop %v", stop)
	}
	e.Import(t, map[string]string{
		"sushi/shops.yaml": strings.Replace(carttest.Texts["sushi/shops.yaml"], "name: Арбат,", `name: Арбат, type: stop, alert: {ru: Нет газа, en: No gas today},`, 1),
	})
	if stop := stopOf(delivery); dig(stop, "alert") != "No gas today" {
		t.Errorf("a delivery from a stopped kitchen has the stop %v", stop)
	}
	if stop := stopOf(takeaway); stop != nil {
		t.Errorf("another shop has the stop %v", stop)
	}
	if stop := stopOf(with(takeaway, object{"shop_id": carttest.Arbat})); dig(stop, "alert") != "No gas today" {
		t.Errorf("takeaway from the stopped shop has the stop %v", stop)
	}
}
