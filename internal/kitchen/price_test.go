package kitchen_test

import (
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/kitchen"
	"servery/internal/lang"
	"servery/internal/live"
)

// Only some shops sell a product: elsewhere no price of it can be set, and one that was set before is unused.
func TestService_SetPrice_inAShopThatDoesNotSellTheProduct(t *testing.T) {
	t.Parallel()
	f := newFixture(t, dbtest.Open(t, db.SQLite))
	elsewhere := live.PriceEntry{Site: "sushi", Product: "arbat-roll", ShopID: carttest.Pokrovka, Price: 25000}
	if _, err := f.service.SetPrice(t.Context(), kitchen.PriceChange{PriceEntry: elsewhere}); fault.KeyOf(err) != "price.not_sold" {
		t.Errorf("set with %v", err)
	}
	f.setPrice(t, live.PriceEntry{Product: "soy", ShopID: carttest.Arbat, Price: 2500})
	f.Import(t, map[string]string{"sushi/menu/02-sauces.yaml": "group: {id: 12, alias: sauces, name: Соусы}\nproducts:\n  - {id: 1004, alias: soy, name: Соевый соус, price: 30, composition: [soy], only_shops: [pokrovka], picture: none}\n"})
	if prices, err := f.service.Prices("sushi"); err != nil || len(prices) != 1 || !prices[0].IsUnused || prices[0].ContentPrice != nil {
		t.Errorf("no longer sold in the shop: %+v, %v", prices, err)
	}
}

// A price and an alert of a shop can be removed once content lacks the shop. A shop without either is still unknown.
func TestService_removesWhatIsSetInAShopThatContentDropped(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		price := kitchen.PriceChange{PriceEntry: live.PriceEntry{Site: "sushi", Product: "soy", ShopID: carttest.Pokrovka, Price: 2500}}
		alert := kitchen.AlertChange{AlertEntry: live.AlertEntry{Site: "sushi", ShopID: carttest.Pokrovka, Text: lang.Text{"ru": "Потоп"}, Stops: true}}
		setBoth := func(wantPrices, wantAlerts int, want string) {
			t.Helper()
			if prices, err := f.service.SetPrice(t.Context(), price); fault.KeyOf(err) != want || len(prices) != wantPrices {
				t.Errorf("price, removed %v: %+v, %v", price.Remove, prices, err)
			}
			if alerts, err := f.service.SetAlert(t.Context(), alert); fault.KeyOf(err) != want || len(alerts) != wantAlerts {
				t.Errorf("alert, removed %v: %+v, %v", alert.Remove, alerts, err)
			}
		}
		setBoth(1, 1, "")
		shops := strings.SplitAfter(carttest.Texts["sushi/shops.yaml"], "\n")
		f.Import(t, map[string]string{"sushi/shops.yaml": shops[0] + shops[2]})
		setBoth(0, 0, "catalog.unknown_shop")
		price.Remove, alert.Remove = true, true
		setBoth(0, 0, "")
		setBoth(0, 0, "catalog.unknown_shop")
	})
}

// An alert of a city can be removed once content lacks the city.
func TestService_removesAnAlertOfACityThatContentDropped(t *testing.T) {
	t.Parallel()
	f := newFixture(t, dbtest.Open(t, db.SQLite))
	alert := kitchen.AlertChange{AlertEntry: live.AlertEntry{Site: "sushi", CityID: carttest.Ankara, Text: lang.Text{"ru": "Снег"}}}
	if _, err := f.service.SetAlert(t.Context(), alert); err != nil {
		t.Fatal(err)
	}
	shops, cities := strings.SplitAfter(carttest.Texts["sushi/shops.yaml"], "\n"), carttest.Texts["sushi/cities.yaml"]
	cities, _, _ = strings.Cut(cities, "- {place: ankara")
	f.Import(t, map[string]string{"sushi/shops.yaml": shops[0] + shops[1], "sushi/cities.yaml": cities})
	alert.Remove = true
	if left, err := f.service.SetAlert(t.Context(), alert); err != nil || len(left) != 0 {
		t.Errorf("left are %+v, %v", left, err)
	}
	if _, err := f.service.SetAlert(t.Context(), alert); fault.KeyOf(err) != "alert.unknown_city" {
		t.Errorf("removed again: %v", err)
	}
}
