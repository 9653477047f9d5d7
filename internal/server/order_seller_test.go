package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

const (
	rolls  = `company_name: "ООО «Роллы»", inn: "7701234567", ogrn: "1027700000000"`
	others = `company_name: "ООО «Другие»", inn: "7709999999", ogrn: "1027799999999"`
)

// withCompanies returns content in which the shops of Moscow belong to these companies.
func withCompanies(arbat, pokrovka string) map[string]string {
	shops := strings.Replace(carttest.Texts["sushi/shops.yaml"], "alias: arbat,", "alias: arbat, "+arbat+",", 1)
	return map[string]string{"sushi/shops.yaml": strings.Replace(shops, "alias: pokrovka,", "alias: pokrovka, "+pokrovka+",", 1)}
}

// pickUp places an order that is picked up at Pokrovka, and returns its number.
func (b *browser) pickUp() int64 {
	b.t.Helper()
	place := object{"city_id": carttest.Moscow, "order_type": "takeaway", "shop_id": carttest.Pokrovka}
	b.ok("POST", "/api/shops/set", object{"shop_id": carttest.Pokrovka})
	b.ok("PUT", "/api/cart/add", with(place, object{
		"product_key": fmt.Sprintf("1-%d", carttest.Salmon), "count": 1,
		"modifiers": []object{{"id": carttest.SoySauce, "group_id": carttest.Sauce, "count": 1}},
	}))
	total := dig(b.ok("PUT", "/api/cart/set-interval", with(place, object{"interval": "asap"})), "cart", "prices", "total")
	key := b.ok("POST", "/api/order/create-order-cache", place)["order_cache_key"]
	created := b.ok("POST", "/api/order/create", with(place, object{
		"order_cache_key": key, "phone": "79161234567", "username": "Anna", "payment_type": "cash", "interval_id": "asap",
		"cart": object{"prices": object{"total": total}},
	}))
	return int64(created["order_id"].(float64))
}

// orderOf returns an order that the browser has placed.
func (b *browser) orderOf(id int64) any {
	b.t.Helper()
	return b.ok("GET", fmt.Sprintf("/api/order/%d", id), nil)["order"]
}

func TestOrderSeller_isTheShopThatTookTheOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		e.Import(t, withCompanies(rolls, others))
		b := e.browser(t)
		delivered, _ := b.order()
		collected := b.pickUp()
		expect := func(id int64, want object) {
			t.Helper()
			o := b.orderOf(id)
			for field, value := range want {
				if got := dig(o, "sold_by", field); got != value {
					t.Errorf("order %d: %s is %v, want %v", id, field, got, value)
				}
			}
			if got := dig(o, "delivery_address", "company_name"); dig(o, "order_type") == "delivery" && got != want["company_name"] {
				t.Errorf("the address is of %v", got)
			}
		}
		soldByRolls := object{"name": "Арбат", "company_name": "ООО «Роллы»", "inn": "7701234567", "ogrn": "1027700000000"}
		soldByOthers := object{"name": "Покровка", "street": "Покровка", "company_name": "ООО «Другие»"}
		expect(delivered, soldByRolls)
		expect(collected, soldByOthers)

		moved := withCompanies(others, rolls)
		e.Import(t, moved)
		expect(delivered, soldByRolls)
		expect(collected, soldByOthers)

		// No zone has the point any more, and the shop of the takeaway is gone.
		lines := strings.SplitAfter(moved["sushi/shops.yaml"], "\n")
		gone := map[string]string{
			"sushi/shops.yaml": lines[0] + lines[2],
			"sushi/cities.yaml": strings.Replace(carttest.Texts["sushi/cities.yaml"],
				"[[55.7, 37.5], [55.8, 37.5], [55.8, 37.7], [55.7, 37.7]]", "[[55.9, 37.5], [55.95, 37.5], [55.95, 37.7], [55.9, 37.7]]", 1),
		}
		e.Import(t, gone)
		expect(delivered, soldByRolls)
		expect(collected, soldByOthers)
		if at := dig(b.orderOf(collected), "sold_by", "coordinates", "latitude"); at != 55.76 {
			t.Errorf("it is picked up at %v", at)
		}
	})
}

// Orders from before the company was stored show that of their shop, wherever the zones are by now.
func TestOrderSeller_ofAnOlderOrderIsTheCompanyOfItsShop(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		e.Import(t, withCompanies(rolls, others))
		b := e.browser(t)
		id, _ := b.order()
		forgetCompany(t, d, id)
		o := b.orderOf(id)
		if dig(o, "sold_by", "company_name") != "ООО «Роллы»" || dig(o, "sold_by", "inn") != "7701234567" {
			t.Errorf("sold by %v", dig(o, "sold_by"))
		}
	})
}

// forgetCompany makes the stored order as releases wrote it that stored no company.
func forgetCompany(t *testing.T, d *db.DB, id int64) {
	t.Helper()
	var stored []byte
	var details map[string]any
	if err := d.Reader().QueryRowContext(t.Context(), "SELECT details FROM orders WHERE id = $1", id).Scan(&stored); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(stored, &details); err != nil {
		t.Fatal(err)
	}
	delete(details["shop"].(map[string]any), "seller")
	stored, err := json.Marshal(details)
	if err != nil {
		t.Fatal(err)
	}
	execSQL(t, d, "UPDATE orders SET details = $1 WHERE id = $2", stored, id)
}
