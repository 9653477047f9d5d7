package server_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestCity_hasItsBonusProgrammeAsOfToday(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, map[string]string{
		"sushi/brand.yaml":  carttest.Texts["sushi/brand.yaml"] + `bonus_programme: {percent: "7.5", accrual_until: "2026-11-20"}` + "\n",
		"sushi/cities.yaml": strings.Replace(carttest.Texts["sushi/cities.yaml"], "type: stop,", "type: stop, bonus_programme: false,", 1),
	})
	b := e.browser(t)
	programme := func(city string) any { return dig(b.ok("GET", "/api/cities/"+city, nil), "city", "bonus_programme") }

	p := programme("moscow")
	if dig(p, "percent") != 7.5 || dig(p, "is_accruing") != true || dig(p, "is_spendable") != true || dig(p, "accrual_until") != "2026-11-20" || dig(p, "spend_until") != nil {
		t.Errorf("on the last day %v", p)
	}
	if page := b.call("GET", "/moscow", nil); !strings.Contains(page.text, `"is_accruing":true`) {
		t.Error("the document does not have it")
	}
	e.Clock.Advance(12 * time.Hour) // midnight in Moscow
	if p := programme("moscow"); dig(p, "is_accruing") != false || dig(p, "is_spendable") != true {
		t.Errorf("on the day after %v", p)
	}
	b.call("GET", "/moscow", nil) // the last one, while the next is made
	e.server.AwaitDocuments()
	if page := b.call("GET", "/moscow", nil); !strings.Contains(page.text, `"is_accruing":false`) {
		t.Error("the document is yesterday's")
	}
	if p := programme("ankara"); p != nil {
		t.Errorf("where it is switched off %v", p)
	}
}

// The document of the day is made hours before the change at night, and stays until midnight.
func TestCity_hasTheChangeOfItsClockBeforeItComes(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, map[string]string{
		"places/moscow.yaml": strings.Replace(carttest.Texts["places/moscow.yaml"], "Europe/Moscow", "Europe/Berlin", 1),
	})
	e.Clock.Set(time.Date(2027, 3, 27, 23, 30, 0, 0, time.UTC)) // half past midnight of the day of the change
	b := e.browser(t)
	city := b.ok("GET", "/api/cities/moscow", nil)["city"]
	changes, _ := dig(city, "clock_changes").([]any)
	if len(changes) == 0 || dig(city, "timezone") != 1.0 {
		t.Fatalf("hours %v, changes %v", dig(city, "timezone"), changes)
	}
	tonight := float64(time.Date(2027, 3, 28, 1, 0, 0, 0, time.UTC).Unix())
	if !slices.ContainsFunc(changes, func(c any) bool { return dig(c, "at") == tonight && dig(c, "timezone") == 2.0 }) {
		t.Errorf("the change of the night is not in %v", changes)
	}
	if page := b.call("GET", "/moscow", nil); !strings.Contains(page.text, `"clock_changes":[{"at":`) {
		t.Error("the document does not have it")
	}
	if changes := dig(b.ok("GET", "/api/cities/ankara", nil), "city", "clock_changes"); changes != nil {
		t.Errorf("Ankara, whose clock does not change, has %v", changes)
	}
}

func TestCity_hasTheAllergensOfItsMenuInTheVisitorsLanguage(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	for language, names := range map[string][]string{"en": {"fish", "soy"}, "ru": {"рыба", "соя"}} {
		list, _ := dig(b.ok("GET", "/api/cities/moscow", nil, "Accept-Language", language), "city", "allergens").([]any)
		if len(list) != 2 {
			t.Fatalf("%d allergens in %s", len(list), language)
		}
		for i, alias := range []string{"fish", "soy"} {
			name, _ := dig(list[i], "name").(string)
			if dig(list[i], "alias") != alias || !strings.EqualFold(name, names[i]) {
				t.Errorf("in %s: %v, want %s", language, list[i], names[i])
			}
		}
	}
}

func TestCity_hasItsURLHoursAndPopularProducts(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, map[string]string{
		"sushi/brand.yaml":  carttest.Texts["sushi/brand.yaml"] + "links: [{kind: franchise, url: \"https://umiko.example/franchise\", text: {ru: Франшиза}}]\n",
		"sushi/cities.yaml": strings.Replace(carttest.Texts["sushi/cities.yaml"], "+7 495 000-00-11", "8 (800) 555-00-11", 1),
	})
	b := e.browser(t)
	city := b.ok("GET", "/api/cities/moscow", nil)["city"]
	if url, _ := dig(city, "url").(string); !strings.HasSuffix(url, "/moscow") || !strings.HasPrefix(url, "http") {
		t.Errorf("the city is at %q", url)
	}
	if dig(city, "is_free_call") != true || dig(city, "franchise") != "https://umiko.example/franchise" {
		t.Errorf("free call %v, franchise %v", dig(city, "is_free_call"), dig(city, "franchise"))
	}
	today, _ := dig(city, "schedule", "working_time").([]any)
	if len(today) != 1 || dig(today[0], "from") != 600.0 || dig(today[0], "to") != 1380.0 {
		t.Errorf("works %v", today)
	}
	shops, _ := b.ok("GET", "/api/shops?city_id=1", nil)["shops"].([]any)
	for name, of := range map[string]any{"the city": city, "a shop": shops[0]} {
		if popular, ok := dig(of, "popular_products").([]any); !ok {
			t.Errorf("%s has %v often ordered", name, popular)
		}
	}
}

func TestCity_hasItsOwnEmailOrElseThatOfTheBrand(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, map[string]string{
		"sushi/brand.yaml":  carttest.Texts["sushi/brand.yaml"] + "email: hello@umiko.example\n",
		"sushi/cities.yaml": strings.Replace(carttest.Texts["sushi/cities.yaml"], "type: stop,", "type: stop, email: ankara@umiko.example,", 1),
	})
	b := e.browser(t)
	for city, want := range map[string]string{"moscow": "hello@umiko.example", "ankara": "ankara@umiko.example"} {
		if got := dig(b.ok("GET", "/api/cities/"+city, nil), "city", "email"); got != want {
			t.Errorf("%s has %v", city, got)
		}
	}
}

func TestListCities_hasWhatTheBrandSaysAboveThem(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	if said := dig(b.ok("GET", "/api/cities", nil), "message"); said != nil {
		t.Errorf("without a message %v", said)
	}
	e.Import(t, map[string]string{
		"sushi/brand.yaml": carttest.Texts["sushi/brand.yaml"] + "cities_message: {ru: Скоро и в Казани, en: Soon in Kazan too}\n",
	})
	for language, want := range map[string]string{"en": "Soon in Kazan too", "ru": "Скоро и в Казани"} {
		if said := dig(b.ok("GET", "/api/cities", nil, "Accept-Language", language), "message"); said != want {
			t.Errorf("in %s %v, want %s", language, said, want)
		}
	}
	b.call("GET", "/", nil) // the last one, while the next is made
	e.server.AwaitDocuments()
	if page := b.call("GET", "/", nil); !strings.Contains(page.text, `"message":"Soon in Kazan too"`) {
		t.Error("the document does not have it")
	}
}

func TestCity_hasWhatItsPromotionsLeadTo(t *testing.T) {
	t.Parallel()
	engine, _ := newSearchEngine(t)
	_, text := engine.get("https://sushi.example/api/cities/moscow")
	var answer any
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatal(err)
	}
	list, _ := dig(answer, "city", "promotions").([]any)
	targets := map[any][2]any{}
	for _, p := range list {
		targets[dig(p, "alias")] = [2]any{dig(p, "product_key"), dig(p, "group")}
	}
	want := map[any][2]any{"tri-filadelfii": {"1-1041", nil}, "zapechennye-rolly": {nil, "hot-rolls"}, "besplatnaya-dostavka": {nil, nil}}
	for alias, target := range want {
		if targets[alias] != target {
			t.Errorf("%v leads to %v", alias, targets[alias])
		}
	}
}

func TestListShops_hasTheOrderTypesThatEachShopServes(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, map[string]string{
		"sushi/shops.yaml": carttest.Texts["sushi/shops.yaml"] + "- {id: 13, alias: dark-kitchen, city: moscow, name: Цех, street: Лесная, latitude: 55.77, longitude: 37.62, order_types: [delivery], hours: {default: {1-7: [\"10:00-22:00\"]}}}\n",
	})
	b := e.browser(t)
	shops, _ := b.ok("GET", "/api/shops?city_id=1", nil)["shops"].([]any)
	want := map[any][2]bool{11.0: {true, true}, 12.0: {false, true}, 13.0: {true, false}}
	if len(shops) != len(want) {
		t.Fatalf("%d shops", len(shops))
	}
	for _, shop := range shops {
		types := want[dig(shop, "id")]
		if dig(shop, "order_types", "delivery") != types[0] || dig(shop, "order_types", "takeaway") != types[1] {
			t.Errorf("%v serves %v", dig(shop, "name"), dig(shop, "order_types"))
		}
	}
	if page := b.call("GET", "/moscow/shops", nil); !strings.Contains(page.text, `"order_types":{"delivery":true,"takeaway":false},"schedule"`) {
		t.Error("the document does not have the order types of its shops")
	}
	chosen := b.call("POST", "/api/shops/set", object{"shop_id": 13})
	if chosen.status != http.StatusUnprocessableEntity || dig(chosen.json, "errors", "shop_id") == nil {
		t.Errorf("a shop without takeaway is chosen for it: %d %v", chosen.status, chosen.json)
	}
}

func TestMaps_openAtZoom12OnACityAnd15OnAShop(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	city := b.ok("GET", "/api/cities/moscow", nil)["city"]
	shops, _ := b.ok("GET", "/api/shops?city_id=1", nil)["shops"].([]any)
	if ofCity, ofShop := dig(city, "map", "zoom"), dig(shops[0], "map", "zoom"); ofCity != 12.0 || ofShop != 15.0 {
		t.Errorf("zooms %v and %v", ofCity, ofShop)
	}
}

func TestProduct_isFoundByKeyAndAliasAlsoWhereItIsAnAddition(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	const at = "?city_id=1&order_type=takeaway&shop_id=12"
	for _, name := range []string{"wasabi", "1-1005"} {
		product := b.ok("GET", "/api/products/"+name+at, nil)["product"]
		if dig(product, "key") != "1-1005" || dig(product, "type") != "related" {
			t.Errorf("%s is %v", name, product)
		}
	}
	for _, name := range []string{"nothing", "2-1005", "1-x"} {
		if a := b.call("GET", "/api/products/"+name+at, nil); a.status != http.StatusNotFound {
			t.Errorf("%s answers %d", name, a.status)
		}
	}
}

func TestMenu_hasPricesByOrderTypeAndFreeModifiers(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, map[string]string{
		"sushi/modifiers.yaml": strings.Replace(carttest.Texts["sushi/modifiers.yaml"], "    max: 2\n", "    max: 2\n    free: 1\n", 1),
	})
	menu := e.browser(t).ok("POST", "/api/products", moscow(object{"delivery_zone_id": carttest.Free}))
	rolls, _ := dig(menu["product_groups"].([]any)[0], "products").([]any)
	salmon, rice := rolls[0], rolls[1]
	if dig(salmon, "order_type_prices", "delivery") != 549.0 || dig(salmon, "order_type_prices", "takeaway") != 499.0 {
		t.Errorf("prices %v", dig(salmon, "order_type_prices"))
	}
	if both := dig(rice, "order_type_prices"); both != nil {
		t.Errorf("one price for both order types is %v", both)
	}
	groups, _ := dig(salmon, "modifiers", "groups").([]any)
	if len(groups) != 1 || dig(groups[0], "free") != 1.0 {
		t.Errorf("groups %v", groups)
	}
}

func TestCity_hasItsBannersWithTheAddressesOfItsPages(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, map[string]string{
		"sushi/banners.yaml": `- {id: 7, alias: hello, name: {ru: Привет, en: Hello}, link: /promotions?alias=two, button_text: {ru: Смотреть, en: See}, pages: [/, /shops], from: "2026-12-01 10:00", delay: 3, frequency: 12, frequency_unit: hours}
- {id: 8, alias: elsewhere, name: Где-то, link: "https://example.com/x", button_text: Туда, pages: [/]}
`,
		"sushi/cities.yaml": strings.Replace(carttest.Texts["sushi/cities.yaml"], "- place: moscow\n", "- place: moscow\n  banners: [elsewhere, hello]\n", 1),
	})
	list, _ := dig(e.browser(t).ok("GET", "/api/cities/moscow", nil, "Accept-Language", "en"), "city", "banners").([]any)
	if len(list) != 2 {
		t.Fatalf("%d banners", len(list))
	}
	got, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"button_text":"Туда","click_url":"https://example.com/x","id":8,"images":{},"lang":"ru","name":"Где-то","page_url":["/moscow"],"schedule":{"delay":5,"display_frequency":1,"display_frequency_type":"days","show_time":{}}},` +
		`{"button_text":"See","click_url":"/moscow/promotions?alias=two","id":7,"images":{},"name":"Hello","page_url":["/moscow","/moscow/shops"],"schedule":{"delay":3,"display_frequency":12,"display_frequency_type":"hours","show_time":{"from":{"date":"2026-12-01","time":"10:00"}}}}]`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDocument_allowsTheScriptsOfAnalyticsWhereABrandHasThem(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	policyOf := func(path string) string {
		return e.browser(t).call("GET", path, nil).header.Get("Content-Security-Policy")
	}
	if policy := policyOf("/moscow"); strings.Contains(policy, "yandex") || strings.Contains(policy, "google") || strings.Contains(policy, "script-src") {
		t.Errorf("without analytics: %s", policy)
	}
	e.Import(t, map[string]string{"sushi/brand.yaml": carttest.Texts["sushi/brand.yaml"] + "analytics: {metrika: 12345678, ga4: G-ABC123}\n"})
	policy := policyOf("/moscow")
	for _, want := range []string{
		"script-src 'self' https://mc.yandex.ru https://www.googletagmanager.com;",
		"connect-src 'self' https://mc.yandex.ru https://mc.yandex.com https://www.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com;",
	} {
		if !strings.Contains(policy, want) {
			t.Errorf("%q is not in %s", want, policy)
		}
	}
	if policy := policyOf("/moscow/order/payment/x"); strings.Contains(policy, "yandex") || strings.Contains(policy, "analytics") {
		t.Errorf("where an order is paid: %s", policy)
	}
	if page := e.browser(t).call("GET", "/moscow", nil); !strings.Contains(page.text, `"analytics":{"ga4_id":"G-ABC123","metrika_id":12345678}`) {
		t.Error("the document does not have the accounts")
	}
}
