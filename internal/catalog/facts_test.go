package catalog_test

import (
	"strings"
	"testing"

	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// A bottle in Berlin, whose country asks for all facts, has them; in Moscow, whose country asks for none,
// it has none of them and costs no deposit.
func TestMenu_saysOfAProductWhatItsCountryAsksFor(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	h.importFolder(t, newFolder(map[string]string{
		"countries.yaml":           strings.Replace(texts["countries.yaml"], `########"}}`, `########"}, product_facts: [additives, deposit, lowest_price, unit_price]}`, 1),
		"sushi/modifiers.yaml":     strings.Replace(texts["sushi/modifiers.yaml"], "singles: [", `singles: [{id: 9, alias: bottle, name: Залог, price: {ru: 0, de: 0.25}, min: 1, max: 1, count: 1}, `, 1),
		"sushi/menu/01-rolls.yaml": strings.Replace(texts["sushi/menu/01-rolls.yaml"], "basic_price: 649", "basic_price: 649, lowest_price: 599", 1),
		"sushi/menu/02-sauces.yaml": texts["sushi/menu/02-sauces.yaml"] +
			"  - {id: 1006, alias: cola, name: Кола, price: {ru: 90, de: 2.5}, weight: {value: 330, unit: ml}, packed: true, deposit: bottle, additives: кофеин, picture: none}\n",
	}))
	if _, err := h.catalog.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := h.catalog.Current()
	brand := s.Sites.ByHost("localhost")
	const inMoscow, inBerlin = 0, 1 // the order of cities.yaml
	find := func(city int, alias string) *catalog.Product {
		menu := s.Menu(brand, brand.Cities[city], site.Takeaway, 0, h.clock.Now())
		p, ok := menu.ProductByAlias(alias)
		if !ok {
			t.Fatalf("no %s", alias)
		}
		return p
	}
	cola, roll := find(inBerlin, "cola"), find(inBerlin, "salmon-roll")
	if cola.Deposit != 25 || len(cola.Modifiers.Singles) != 1 || cola.Modifiers.Available() {
		t.Errorf("the deposit is %v of %d modifiers, to choose: %v", cola.Deposit, len(cola.Modifiers.Singles), cola.Modifiers.Available())
	}
	// 2.50 for 0.33 l are 7.5757… for a litre.
	if cola.UnitPrice == nil || *cola.UnitPrice != (catalog.UnitPrice{Amount: 758, Unit: "l"}) {
		t.Errorf("a litre costs %v", cola.UnitPrice)
	}
	if cola.Additives.In(lang.RU) != "кофеин" || cola.LowestPrice != 0 {
		t.Errorf("additives %v, lowest price %v", cola.Additives, cola.LowestPrice)
	}
	if want := money.Amount(1410); roll.LowestPrice != want || roll.UnitPrice != nil || roll.Deposit != 0 {
		t.Errorf("the roll: lowest price %v, want %v; unit price %v, deposit %v", roll.LowestPrice, want, roll.UnitPrice, roll.Deposit)
	}
	for _, alias := range []string{"cola", "salmon-roll"} {
		p := find(inMoscow, alias)
		if p.Deposit != 0 || p.UnitPrice != nil || p.LowestPrice != 0 || !p.Additives.IsZero() {
			t.Errorf("%s in Moscow says what nobody asks for: %+v", alias, p)
		}
	}
	if p := find(inMoscow, "cola"); len(p.Modifiers.Singles) != 0 {
		t.Errorf("a deposit is taken in Moscow: %v", p.Modifiers.Singles)
	}
}
