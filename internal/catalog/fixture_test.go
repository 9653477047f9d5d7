package catalog_test

import (
	"log/slog"
	"testing"
	"testing/fstest"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/content"
	"servery/internal/db"
	"servery/internal/site"
)

// The shops of the test's brand.
const arbat, pokrovka = 11, 12

// nothingOrdered is the catalog's source of most ordered products where there is none.
var nothingOrdered catalog.MostOrdered

// fixture is a brand with the cities Moscow and Berlin, imported and opened.
type fixture struct {
	db      *db.DB
	clock   *clock.Fake
	catalog *catalog.Catalog
}

// newFixture imports the content of the test's brand into the database and opens the catalog,
// with a clock that stands at noon. ordered is the source of most ordered products; without it
// there is none.
func newFixture(t *testing.T, d *db.DB, ordered ...catalog.MostOrdered) *fixture {
	t.Helper()
	h := &fixture{db: d, clock: clock.NewFake(noon)}
	h.importFolder(t, newFolder(nil))
	popular := nothingOrdered
	if len(ordered) > 0 {
		popular = ordered[0]
	}
	h.catalog = must(catalog.Open(t.Context(), d, h.clock, slog.New(slog.DiscardHandler), popular))
	return h
}

// importFolder imports the files as a new revision. The catalog does not know it before its next
// Refresh.
func (h *fixture) importFolder(t *testing.T, files fstest.MapFS) {
	t.Helper()
	if _, err := content.Import(t.Context(), h.db, files, content.Options{Now: noon}); err != nil {
		t.Fatal(err)
	}
}

// setStop sets a stop of the test's brand; the catalog applies it at once.
func (h *fixture) setStop(t *testing.T, e catalog.StopEntry) {
	t.Helper()
	e.Site = "sushi"
	if _, err := h.catalog.SetStop(t.Context(), catalog.StopChange{StopEntry: e}); err != nil {
		t.Fatal(err)
	}
}

// menuAt returns the menu of a shop in Moscow by the fixture's clock. Shop 0 is no shop.
func (h *fixture) menuAt(orderType site.OrderType, shop int64) *catalog.Menu {
	s := h.catalog.Current()
	brand := s.Sites.ByHost("localhost")
	return s.Menu(brand, brand.Cities[0], orderType, shop, h.clock.Now())
}

// newFolder returns the content folder of the test's brand. The files named in replaced have the
// texts given there.
func newFolder(replaced map[string]string) fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range texts {
		if other, ok := replaced[name]; ok {
			text = other
		}
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// texts are the files of the test's brand by their path in the content folder.
var texts = map[string]string{
	"countries.yaml": `- {id: 1, code: RU, name: Россия, currency: RUB, phone: {code: "+7", mask: "+7 (###) ###-##-##"}, banknotes: [500]}
- {id: 2, code: DE, name: Германия, currency: EUR, phone: {code: "+49", mask: "+49 (###) ########"}}
`,
	"places/moscow.yaml": `{id: 1, alias: moscow, country: RU, name: Москва, phrase: в Москве, timezone: Europe/Moscow, map: {latitude: 55.75, longitude: 37.61}}
`,
	"places/berlin.yaml": `{id: 2, alias: berlin, country: DE, name: Берлин, phrase: в Берлине, timezone: Europe/Berlin, map: {latitude: 52.52, longitude: 13.4}}
`,
	"sushi/brand.yaml": `alias: sushi
hosts: [localhost]
default: true
name: Умико
languages: [ru, en]
default_language: ru
payment_types: {delivery: [cash, card], takeaway: [cash]}
price_lists:
  ru: {currency: RUB}
  de: {currency: EUR, from: ru, rate: "0.0235", round_to: "0.1"}
`,
	"sushi/ingredients.yaml": `rice: {name: рис}
salmon: {name: лосось, allergens: [fish]}
soy: {name: соевый соус, allergens: [soy]}
`,
	"sushi/modifiers.yaml": `singles: [{id: 1, alias: extra-rice, name: Рис, price: 50, ingredient: rice}]
groups:
  - id: 1
    alias: sauce
    name: Соус
    min: 1
    max: 1
    modifiers:
      - {id: 2, alias: soy-sauce, name: Соевый, price: 0, count: 1, ingredient: soy}
      - {id: 3, alias: spicy-sauce, name: Острый, price: 30}
`,
	"sushi/shops.yaml": `- {id: 11, alias: arbat, city: moscow, name: Арбат, street: улица Арбат, latitude: 55.75, longitude: 37.6, hours: {default: {1-4: ["10:00-23:00"], 5-7: ["10:00-26:00"]}}}
- {id: 12, alias: pokrovka, city: moscow, name: Покровка, street: Покровка, latitude: 55.76, longitude: 37.65, order_types: [takeaway], hours: {default: {1-7: ["10:00-22:00"]}, custom: {today: []}}}
`,
	"sushi/cities.yaml": `- place: moscow
  price_list: ru
  popular: [rice-roll]
  zones:
    - {id: 101, name: Центр, shop: arbat, delivery: 149, minimum_order: 700, area: [[55.7, 37.5], [55.8, 37.5], [55.8, 37.7]]}
- {place: berlin, price_list: de, order_types: [takeaway]}
`,
	"sushi/menu/01-rolls.yaml": `group: {id: 11, alias: rolls, name: Роллы, related_groups: [sauces]}
products:
  - {id: 1001, alias: salmon-roll, name: {ru: Ролл с лососем, en: Salmon roll}, price: 549, basic_price: 649, takeaway_price: 499, composition: [rice, salmon], make_minutes: 4, accent: hit, modifiers: [extra-rice, sauce], picture: none}
  - {id: 1002, alias: rice-roll, name: Ролл с рисом, price: 100, composition: [rice], only_shops: [arbat], picture: none}
  - {id: 1003, alias: set, name: Сет, price: 900, set_of: [{product: salmon-roll, count: 2}, {product: rice-roll}], picture: none}
`,
	"sushi/menu/02-sauces.yaml": `group: {id: 12, alias: sauces, name: Соусы}
products:
  - {id: 1004, alias: soy, name: Соевый соус, price: 30, picture: none}
  - {id: 1005, alias: wasabi, name: Васаби, price: 20, related: true, picture: none}
`,
}
