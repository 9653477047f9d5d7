package catalog_test

import (
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/lang"
	"servery/internal/site"
)

const gifts = `- id: 1
  alias: gift-soy
  product: soy
  max_count: 2
  stock: 5
  conditions:
    - {subtotal: {ru: 1000, de: 25}}
    - {products: [set]}
    - {groups: [rolls]}
    - {order_types: [takeaway]}
    - {days: [5]}
    - {first_order: true}
- {id: 2, alias: gift-rice, product: rice-roll, name: {ru: Рис, en: Rice}, only_cities: [moscow]}
- {id: 3, alias: gift-wasabi, product: wasabi, personal: true}
`

const promocodes = `- {id: 1, code: friday20, percent: 20, days: [5], only_cities: [berlin], groups: [rolls], products: [soy], minimum: 1000}
- {id: 2, code: MINUS300, sum: {ru: 300, de: 7}, limit: 10, limit_per_phone: 1}
- {id: 3, code: РОЛЛ, gift: gift-wasabi, from: "2026-01-01", until: "2026-12-31"}
- {id: 4, code: FREEWAY, free_delivery: true, order_types: [delivery], first_order: true}
`

// newOfferFixture returns a fixture whose brand also has gifts and promocodes.
func newOfferFixture(t *testing.T) *fixture {
	t.Helper()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	files := newFolder(nil)
	files["sushi/gifts.yaml"] = &fstest.MapFile{Data: []byte(gifts)}
	files["sushi/promocodes.yaml"] = &fstest.MapFile{Data: []byte(promocodes)}
	h.importFolder(t, files)
	if swapped, err := h.catalog.Refresh(t.Context()); err != nil || !swapped {
		t.Fatal(swapped, err)
	}
	return h
}

// berlinMenu returns the menu for takeaway in Berlin, without a shop.
func (h *fixture) berlinMenu() *catalog.Menu {
	s := h.catalog.Current()
	brand := s.Sites.ByHost("localhost")
	return s.Menu(brand, brand.Cities[1], site.Takeaway, 0, h.clock.Now())
}

// giftAliases returns the aliases of the gifts in their order.
func giftAliases(list []*catalog.Gift) []string {
	var found []string
	for _, g := range list {
		found = append(found, g.Alias)
	}
	return found
}

// One gift is for Moscow only and one is personal. Each city offers its own, and every gift can
// be looked up by id and alias; an unknown one cannot.
func TestMenu_offersTheGiftsOfTheCityAndNoPersonalOnes(t *testing.T) {
	t.Parallel()
	h := newOfferFixture(t)
	moscowMenu, berlinMenu := h.menuAt(site.Delivery, arbat), h.berlinMenu()
	if got := giftAliases(moscowMenu.Gifts); !slices.Equal(got, []string{"gift-soy", "gift-rice"}) {
		t.Errorf("in Moscow %v", got)
	}
	if got := giftAliases(berlinMenu.Gifts); !slices.Equal(got, []string{"gift-soy"}) {
		t.Errorf("in Berlin %v", got)
	}
	for _, id := range []int64{1, 2, 3} {
		if g, ok := berlinMenu.Gift(id); !ok || g.ID != id {
			t.Errorf("gift %d is not known in Berlin", id)
		}
	}
	if g, ok := berlinMenu.GiftByAlias("gift-wasabi"); !ok || !g.Personal {
		t.Errorf("got %+v", g)
	}
	if _, ok := berlinMenu.Gift(4); ok {
		t.Error("a gift that does not exist was found")
	}
	if _, ok := berlinMenu.GiftByAlias("wasabi"); ok {
		t.Error("a gift that does not exist was found by its alias")
	}
}

// A gift without a name has that of its product; one with a name keeps it. Without numbers in
// content, one of it may be taken and the stock has no limit.
func TestGift_hasTheNameOfItsProductUnlessItHasItsOwn(t *testing.T) {
	t.Parallel()
	m := newOfferFixture(t).menuAt(site.Delivery, arbat)
	soy, _ := m.GiftByAlias("gift-soy")
	if soy.Name.In(lang.RU, lang.RU) != "Соевый соус" || soy.Product.ID != 1004 || soy.MaxCount != 2 || *soy.Stock != 5 {
		t.Errorf("got %+v", soy)
	}
	rice, _ := m.GiftByAlias("gift-rice")
	if rice.Name.In(lang.EN, lang.RU) != "Rice" || rice.MaxCount != 1 || rice.Stock != nil || len(rice.Conditions) != 0 {
		t.Errorf("got %+v", rice)
	}
}

// Each kind of condition is read. The subtotal is an amount of the city's price list, and Names
// reports whether a product or its group is listed.
func TestGift_hasConditionsInTheMoneyOfTheCity(t *testing.T) {
	t.Parallel()
	h := newOfferFixture(t)
	moscowMenu, berlinMenu := h.menuAt(site.Delivery, arbat), h.berlinMenu()
	g, _ := moscowMenu.Gift(1)
	var kinds []catalog.ConditionKind
	for _, c := range g.Conditions {
		kinds = append(kinds, c.Kind)
	}
	want := []catalog.ConditionKind{
		catalog.OfSubtotal, catalog.OfProducts, catalog.OfGroups, catalog.OfOrderType, catalog.OfTime, catalog.OfFirstOrder,
	}
	if !slices.Equal(kinds, want) {
		t.Fatalf("conditions %v", kinds)
	}
	there, _ := berlinMenu.Gift(1)
	if g.Conditions[0].Subtotal.String() != "1000" || there.Conditions[0].Subtotal.String() != "25" {
		t.Errorf("subtotal %s here, %s there", g.Conditions[0].Subtotal, there.Conditions[0].Subtotal)
	}
	set, _ := moscowMenu.ProductByAlias("set")
	soy, _ := moscowMenu.ProductByAlias("soy")
	roll, _ := moscowMenu.ProductByAlias("rice-roll")
	for _, c := range []struct {
		condition catalog.Condition
		product   *catalog.Product
		want      bool
	}{
		{g.Conditions[1], set, true},
		{g.Conditions[1], roll, false},
		{g.Conditions[2], roll, true},
		{g.Conditions[2], soy, false},
	} {
		if got := c.condition.Names(c.product); got != c.want {
			t.Errorf("%s names %s: %t", c.condition.Kind, c.product.Alias, got)
		}
	}
	if !g.Conditions[4].When.Holds(noon, moscow) {
		t.Error("noon is not on a Friday")
	}
}

// Letter case, Latin or Cyrillic, and spaces around a code do not matter; any other difference
// does.
func TestMenu_findsAPromocodeAsCustomersWriteIt(t *testing.T) {
	t.Parallel()
	m := newOfferFixture(t).menuAt(site.Delivery, arbat)
	for _, written := range []string{"FRIDAY20", "friday20", " Friday20\t", "fRIDAY20 "} {
		if p, ok := m.Promocode(written); !ok || p.ID != 1 {
			t.Errorf("%q is not found", written)
		}
	}
	if p, ok := m.Promocode("ролл"); !ok || p.ID != 3 {
		t.Error("a code in small Cyrillic letters is not found")
	}
	for _, written := range []string{"", "FRIDAY", "FRIDAY 20", "FRIDAY200"} {
		if _, ok := m.Promocode(written); ok {
			t.Errorf("%q was found", written)
		}
	}
}

// Four promocodes, one of each kind, have the city, amounts, products, dates and limits that
// content has for them.
func TestPromocode_hasTheBoundsOfContent(t *testing.T) {
	t.Parallel()
	h := newOfferFixture(t)
	moscowMenu, berlinMenu := h.menuAt(site.Delivery, arbat), h.berlinMenu()
	here, _ := moscowMenu.Promocode("FRIDAY20")
	there, _ := berlinMenu.Promocode("FRIDAY20")
	if here.Here || !there.Here {
		t.Errorf("good in Moscow %t, in Berlin %t", here.Here, there.Here)
	}
	if here.Kind != catalog.PercentOff || here.Percent != 20 || here.Minimum.String() != "1000" || there.Minimum.String() != "23.5" {
		t.Errorf("got %+v", here)
	}
	soy, _ := moscowMenu.ProductByAlias("soy")
	wasabi, _ := moscowMenu.ProductByAlias("wasabi")
	roll, _ := moscowMenu.ProductByAlias("salmon-roll")
	if !here.Covers(soy) || !here.Covers(roll) || here.Covers(wasabi) {
		t.Errorf("covers soy %t, roll %t, wasabi %t", here.Covers(soy), here.Covers(roll), here.Covers(wasabi))
	}

	minus, _ := berlinMenu.Promocode("MINUS300")
	if !minus.Here || minus.Kind != catalog.SumOff || minus.Sum.String() != "7" || *minus.Limit != 10 || *minus.LimitPerPhone != 1 || !minus.Covers(wasabi) {
		t.Errorf("got %+v", minus)
	}
	gift, _ := moscowMenu.Promocode("РОЛЛ")
	if gift.Kind != catalog.GiftGiven || gift.Gift == nil || gift.Gift.Alias != "gift-wasabi" || gift.From.String() != "2026-01-01" || gift.Until.String() != "2026-12-31" {
		t.Errorf("got %+v", gift)
	}
	free, _ := moscowMenu.Promocode("FREEWAY")
	if free.Kind != catalog.FreeDelivery || !slices.Equal(free.OrderTypes, []site.OrderType{site.Delivery}) || !free.FirstOrder || free.Limit != nil {
		t.Errorf("got %+v", free)
	}
}

// The gift is a roll with rice. Stopping rice stops the gift; in a shop that does not make the
// roll it is Unavailable.
func TestGift_hasTheStopOfItsProduct(t *testing.T) {
	t.Parallel()
	h := newOfferFixture(t)
	h.setStop(t, catalog.StopEntry{Kind: catalog.StopIngredient, Alias: "rice", ShopID: arbat})
	g, _ := h.menuAt(site.Delivery, arbat).Gift(2)
	if g.Product.Type != catalog.Stopped {
		t.Errorf("at the shop it is %s", g.Product.Type)
	}
	g, _ = h.menuAt(site.Takeaway, pokrovka).Gift(2) // the rice roll is made at arbat only
	if g.Product.Type != catalog.Unavailable {
		t.Errorf("elsewhere it is %s", g.Product.Type)
	}
}

// OrderTypePrices has both prices of a product that costs less for takeaway. It is nil for one
// price and in a city without delivery.
func TestMenu_hasBothPricesWhereTheOrderTypesDiffer(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	for _, orderType := range site.OrderTypes() {
		m := h.menuAt(orderType, 0)
		p, _ := m.ProductByAlias("salmon-roll")
		if p.OrderTypePrices == nil || p.OrderTypePrices.Delivery.String() != "549" || p.OrderTypePrices.Takeaway.String() != "499" {
			t.Errorf("for %s: %+v", orderType, p.OrderTypePrices)
		}
		if p, _ := m.ProductByAlias("rice-roll"); p.OrderTypePrices != nil {
			t.Errorf("with one price for %s: %+v", orderType, p.OrderTypePrices)
		}
	}
	if p, _ := h.berlinMenu().ProductByAlias("salmon-roll"); p.OrderTypePrices != nil {
		t.Errorf("in a city without delivery: %+v", p.OrderTypePrices)
	}
}

// The brand has fish in a product and soy in a modifier. An unknown brand has no allergens.
func TestAllergens_areThoseOfProductsAndModifiers(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	s := h.catalog.Current()
	if got := s.Allergens(s.Sites.ByHost("localhost")); !slices.Equal(got, []catalog.Allergen{"fish", "soy"}) {
		t.Errorf("got %v", got)
	}
	if got := s.Allergens(&site.Site{Alias: "burgers"}); got != nil {
		t.Errorf("of a brand that is gone: %v", got)
	}
}

// Soy is stopped everywhere and salmon at one shop. At that shop the salmon roll, the set with
// it and the soy sauce are stopped; elsewhere only the sauce is. A stopped modifier is not
// chosen by default.
func TestMenu_stopsSetAndSauceOfAStoppedIngredient(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	// The sauce of soy is a default that is needed; the roll can be had with the other.
	h.setStop(t, catalog.StopEntry{Kind: catalog.StopIngredient, Alias: "soy"})
	h.setStop(t, catalog.StopEntry{Kind: catalog.StopIngredient, Alias: "salmon", ShopID: arbat})
	m := h.menuAt(site.Delivery, arbat)
	if got := stoppedAliases(m); !slices.Equal(got, []string{"salmon-roll", "set", "+soy-sauce"}) {
		t.Errorf("at the shop %v", got)
	}
	roll, _ := m.ProductByAlias("salmon-roll")
	if soy, _ := roll.Modifiers.Groups[0].Modifier(2); soy.Count != 0 {
		t.Errorf("a stopped modifier is chosen by default %d times", soy.Count)
	}
	if got := stoppedAliases(h.menuAt(site.Takeaway, pokrovka)); !slices.Equal(got, []string{"+soy-sauce"}) {
		t.Errorf("at another shop %v", got)
	}
}

// The two parts of a set are stopped until different times. The set is stopped until the later
// one.
func TestMenu_sellsASetAgainWhenAllItsPartsAre(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	soon, late := noon.Add(time.Minute), noon.Add(time.Hour)
	h.setStop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "salmon-roll", Until: soon})
	h.setStop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "rice-roll", Until: late})
	set, _ := h.menuAt(site.Delivery, arbat).ProductByAlias("set")
	if set.Type != catalog.Stopped || !set.Stop.Until.Equal(late) {
		t.Errorf("%s until %v", set.Type, set.Stop)
	}
	h.clock.Set(soon)
	set, _ = h.menuAt(site.Delivery, arbat).ProductByAlias("set")
	if set.Type != catalog.Stopped {
		t.Errorf("with one part left out it is %s", set.Type)
	}
	h.clock.Set(late)
	if set, _ = h.menuAt(site.Delivery, arbat).ProductByAlias("set"); set.Type != catalog.Default {
		t.Errorf("at the end it is %s", set.Type)
	}
}
