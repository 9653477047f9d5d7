package kitchen_test

import (
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/kitchen"
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
