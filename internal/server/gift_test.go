package server_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// The gifts that the edge's restaurant offers.
const (
	soyOnUs   = 1 // from 150
	cakeOnUs  = 2 // personal
	riceToday = 3 // two in all, for everybody
	ayranOnUs = 4 // in Ankara
)

// newOfferingEdge returns an edge whose restaurant has gifts, codes and a bonus programme.
func newOfferingEdge(t *testing.T, d *db.DB) *edge {
	t.Helper()
	e := newEdge(t, d)
	e.Import(t, map[string]string{
		"sushi/brand.yaml": carttest.Texts["sushi/brand.yaml"] + "bonus_programme: {percent: \"5\", accrual_until: \"2026-12-31\", spend_until: \"2027-01-31\"}\n",
		"sushi/gifts.yaml": `- {id: 1, alias: soy-on-us, product: soy, name: {ru: Соус в подарок, en: Soy on us}, max_count: 2, conditions: [{subtotal: {ru: 150, tr: 1}}]}
- {id: 2, alias: cake-on-us, product: rice-roll, name: {ru: Торт, en: Cake on us}, personal: true}
- {id: 3, alias: rice-today, product: rice-roll, name: {ru: Ролл дня, en: Roll of the day}, stock: 2}
- {id: 4, alias: ayran-on-us, product: wasabi, name: {ru: Айран, en: Ayran on us}, only_cities: [ankara]}
`,
		"sushi/promocodes.yaml": `- {id: 1, code: TEN, percent: 10}
- {id: 2, code: RICH, sum: {ru: 100, tr: 10}, minimum: {ru: 1000, tr: 100}}
- {id: 3, code: CAKE, gift: cake-on-us}
`,
	})
	return e
}

// withRice puts so many rolls at 100 into the cart.
func (b *browser) withRice(count int) {
	b.t.Helper()
	b.ok("PUT", "/api/cart/add", inFreeZone(object{"product_key": fmt.Sprintf("1-%d", carttest.Rice), "count": count}))
}

// inFreeZone returns the body of a call about delivery to the free zone of Moscow, with more fields.
func inFreeZone(more object) object {
	place := moscow(more)
	place["delivery_zone_id"] = carttest.Free
	return place
}

// findListed returns the entry with the id in a list of an answer's cart, nil when there is none.
func findListed(answer object, list string, id int) object {
	all, _ := dig(answer, "cart", list).([]any)
	for _, one := range all {
		if o, _ := one.(object); o["id"] == float64(id) {
			return o
		}
	}
	return nil
}

func TestCart_isAnsweredWholeByEachCallOfGiftsAndCodes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newOfferingEdge(t, d)
		b := e.browser(t)
		b.signIn("79160000001")
		named := object{"site": "sushi", "phone": "79160000001"}
		b.ok("POST", "/api/operator/customers/bonuses", with(named, object{"key": "a-start", "bonuses": 30}), asOperator...)
		given := b.ok("POST", "/api/operator/customers/presents", with(named, object{"key": "a-cake", "gift": "cake-on-us"}), asOperator...)
		present := int(given["id"].(float64))
		b.withRice(2)
		for _, c := range []struct {
			call  string
			body  object
			holds func(cart object) bool
		}{
			{"add", object{"gift_id": soyOnUs}, func(a object) bool { return findListed(a, "gifts", soyOnUs)["count"] == 1.0 }},
			{"add", object{"gift_id": soyOnUs}, func(a object) bool {
				g := findListed(a, "gifts", soyOnUs)
				return g["count"] == 2.0 && g["is_available"] == false && g["price"] == 0.0 && g["basic_price"] == 30.0
			}},
			{"remove", object{"gift_id": soyOnUs}, func(a object) bool { return findListed(a, "gifts", soyOnUs)["count"] == 1.0 }},
			{"forget", object{"gift_id": soyOnUs}, func(a object) bool { return findListed(a, "gifts", soyOnUs)["count"] == 0.0 }},
			{"add-present", object{"id": present}, func(a object) bool { return findListed(a, "presents", present)["count"] == 1.0 }},
			{"remove-present", object{"id": present}, func(a object) bool { return findListed(a, "presents", present)["count"] == 0.0 }},
			{"apply-promocode", object{"promocode": " ten "}, func(a object) bool {
				return dig(a, "cart", "promocode", "code") == "TEN" && dig(a, "cart", "prices", "discount") == 20.0
			}},
			{"apply-promocode", object{"promocode": "cake"}, func(a object) bool {
				g := findListed(a, "gifts", cakeOnUs)
				return g["type"] == "promocodeGift" && g["count"] == 1.0 && dig(a, "cart", "prices", "discount") == 0.0
			}},
			{"forget-promocode", object{}, func(a object) bool { return dig(a, "cart", "promocode") == nil }},
			{"apply-bonuses", object{"bonuses": 50.5}, func(a object) bool {
				return dig(a, "cart", "prices", "bonuses") == 30.0 && dig(a, "cart", "bonus", "wanted") == 50.5 &&
					dig(a, "cart", "bonus", "spend_until") == "2027-01-31"
			}},
			{"apply-bonuses", object{"bonuses": 0}, func(a object) bool { return dig(a, "cart", "prices", "bonuses") == 0.0 }},
		} {
			got := b.ok("PUT", "/api/cart/gift/"+c.call, inFreeZone(c.body))
			if dig(got, "cart", "count") != 2.0 || dig(got, "cart", "fingerprint") == "" || !c.holds(got) {
				t.Errorf("%s %v: %v", c.call, c.body, got)
			}
		}
	})
}

func TestAddGift_takesOneForAKey(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newOfferingEdge(t, d).browser(t)
		b.withRice(2)
		for range 3 {
			got := b.ok("PUT", "/api/cart/gift/add", inFreeZone(object{"gift_id": soyOnUs}), "Idempotency-Key", "the-same-gift")
			if count := findListed(got, "gifts", soyOnUs)["count"]; count != 1.0 {
				t.Errorf("%v of the gift", count)
			}
		}
		for range 2 {
			got := b.ok("PUT", "/api/cart/gift/apply-promocode", inFreeZone(object{"promocode": "TEN"}), "Idempotency-Key", "the-same-code")
			if dig(got, "cart", "prices", "discount") != 20.0 {
				t.Errorf("discount %v", dig(got, "cart", "prices", "discount"))
			}
		}
		b.refused(http.StatusUnprocessableEntity, "", "PUT", "/api/cart/gift/apply-promocode", inFreeZone(object{"promocode": "CAKE"}), "Idempotency-Key", "the-same-code")
	})
}

// No page sends these requests. Each is refused for its own reason, and leaves the cart as it was.
func TestCart_refusesEachTamperedRequestForItsOwnReason(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newOfferingEdge(t, d)
		b, other := e.browser(t), e.browser(t)
		other.signIn("79160000002")
		made := other.ok("POST", "/api/operator/customers/presents",
			object{"site": "sushi", "phone": "79160000002", "key": "a-cake", "gift": "cake-on-us"}, asOperator...)
		b.signIn("79160000001")
		b.withRice(1)
		const huge = 9_000_000_000_000_000
		rice, pair, salmon := fmt.Sprintf("1-%d", carttest.Rice), fmt.Sprintf("1-%d", carttest.Pair), fmt.Sprintf("1-%d", carttest.Salmon)
		sauce := []object{{"id": carttest.SoySauce, "group_id": carttest.Sauce, "count": 1}}
		said := map[string]string{}
		for _, c := range []struct {
			name, call, field string
			status            int
			body              object
		}{
			{"a gift without its condition", "gift/add", "gift", 422, object{"gift_id": soyOnUs}},
			{"a gift of another city", "gift/add", "gift", 422, object{"gift_id": ayranOnUs}},
			{"an unknown gift", "gift/add", "gift", 422, object{"gift_id": 99}},
			{"a present of another customer", "gift/add-present", "present", 422, object{"id": made["id"]}},
			{"a code that is too small for the cart", "gift/apply-promocode", "promocode", 422, object{"promocode": "RICH"}},
			{"an unknown code", "gift/apply-promocode", "promocode", 422, object{"promocode": "UNKNOWN"}},
			{"no code", "gift/apply-promocode", "promocode", 422, object{"promocode": " "}},
			{"bonuses below zero", "gift/apply-bonuses", "bonuses", 422, object{"bonuses": -1}},
			{"modifiers of another product", "add", "product", 422, object{"product_key": rice, "modifiers": sauce}},
			{"a product of another city", "add", "product", 422, object{"product_key": "2-1002"}},
			{"count 0", "add", "product", 422, object{"product_key": rice, "count": 0}},
			{"half a pair", "add", "product", 422, object{"product_key": pair, "count": 3}},
			{"more of a modifier than there may be", "add", "product", 422, object{"product_key": salmon, "modifiers": []object{{"id": carttest.SpicySauce, "group_id": carttest.Sauce, "count": 2}}}},
		} {
			text := b.refused(c.status, c.field, "PUT", "/api/cart/"+c.call, inFreeZone(c.body))
			if before, same := said[text]; same || !strings.Contains(text, " ") {
				t.Errorf("%s says %q, as %s does", c.name, text, before)
			}
			said[text] = c.name
		}
		for _, c := range []struct {
			name, call, field string
			body              object
		}{
			{"count -1", "add", "product", object{"product_key": rice, "count": -1}},
			{"count 101", "add", "product", object{"product_key": rice, "count": 101}},
			{"count 1.5", "add", "count", object{"product_key": rice, "count": 1.5}},
			{"a count as a text", "add", "count", object{"product_key": rice, "count": "1"}},
			{"a huge gift", "gift/add", "gift", object{"gift_id": huge}},
			{"half a gift", "gift/add", "gift_id", object{"gift_id": 1.5}},
			{"a gift as a text", "gift/add", "gift_id", object{"gift_id": "1"}},
			{"a gift beyond all numbers", "gift/add", "gift_id", object{"gift_id": 1e30}},
			{"no gift", "gift/add", "gift_id", object{}},
			{"a huge present", "gift/add-present", "present", object{"id": huge}},
			{"a present below zero", "gift/add-present", "present", object{"id": -1}},
			{"a code of a thousand letters", "gift/apply-promocode", "promocode", object{"promocode": strings.Repeat("A", 1000)}},
			{"a code that is a number", "gift/apply-promocode", "promocode", object{"promocode": 10}},
			{"a zero byte in a code", "gift/apply-promocode", "promocode", object{"promocode": "TEN\x00"}},
			{"bonuses as a text", "gift/apply-bonuses", "bonuses", object{"bonuses": "10"}},
			{"a tenth of a hundredth of a bonus", "gift/apply-bonuses", "", object{"bonuses": 1.001}},
			{"bonuses beyond all numbers", "gift/apply-bonuses", "", object{"bonuses": 1e30}},
		} {
			a := b.call("PUT", "/api/cart/"+c.call, inFreeZone(c.body))
			if a.status != http.StatusUnprocessableEntity || c.field != "" && dig(a.json, "errors", c.field) == nil {
				t.Errorf("%s: %d %s", c.name, a.status, a.text)
			}
		}
		got := b.ok("PUT", "/api/cart/gift/remove", inFreeZone(object{"gift_id": huge, "count": 7, "price": 0.01}))
		if dig(got, "cart", "prices", "subtotal") != 100.0 || dig(got, "cart", "promocode") != nil || dig(got, "cart", "count") != 1.0 {
			t.Errorf("the cart has changed: %v", got)
		}
	})
}

func TestAddToCart_ignoresAPriceInTheRequest(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newOfferingEdge(t, d).browser(t)
		rice := fmt.Sprintf("1-%d", carttest.Rice)
		got := b.ok("PUT", "/api/cart/add", inFreeZone(object{"product_key": rice, "price": 0.01, "total": 0, "discount": 99, "prices": object{"total": 1}}))
		if dig(got, "cart", "prices", "subtotal") != 100.0 || dig(got, "cart", "prices", "discount") != 0.0 {
			t.Errorf("prices %v", dig(got, "cart", "prices"))
		}
		got = b.ok("PUT", "/api/cart/gift/add", inFreeZone(object{"gift_id": riceToday, "count": 50, "max_count": 100}))
		if g := findListed(got, "gifts", riceToday); g["count"] != 1.0 || g["max_count"] != 1.0 {
			t.Errorf("got %v", g)
		}
	})
}

func TestApplyPromocode_waitsAfterTooManyWrongCodes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newOfferingEdge(t, d).browser(t)
		b.withRice(1)
		for n := range 10 {
			b.refused(http.StatusUnprocessableEntity, "promocode", "PUT", "/api/cart/gift/apply-promocode", inFreeZone(object{"promocode": fmt.Sprint("GUESS", n)}))
		}
		a := b.call("PUT", "/api/cart/gift/apply-promocode", inFreeZone(object{"promocode": "TEN"}))
		if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") != "600" || dig(a.json, "errors", "promocode") == nil {
			t.Errorf("%d, retry after %s: %s", a.status, a.header.Get("Retry-After"), a.text)
		}
	})
}

func TestOperatorGetOrder_namesTheProductOfAGift(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newOfferingEdge(t, d)
		guest := e.browser(t)
		guest.fill()
		cart := dig(guest.ok("PUT", "/api/cart/gift/add", moscow(object{"gift_id": soyOnUs})), "cart")
		request := guest.checkout(dig(cart, "prices", "total"))
		request["cart"].(object)["fingerprint"] = dig(cart, "fingerprint")
		id := idOf(guest.ok("POST", "/api/order/create", request)["order_id"])
		lines := e.browser(t).readOrder(id)["lines"].([]any)
		gift := lines[len(lines)-1]
		for name, want := range map[string]any{"gift": true, "key": "", "product_id": 1004.0, "product_key": "1-1004", "alias": "soy", "price": 0.0, "count": 1.0} {
			if got := dig(gift, name); got != want {
				t.Errorf("%s of the gift is %v, not %v", name, got, want)
			}
		}
	})
}

func TestCreateOrder_ofAGiftThatRanOutAnswersTheFreshCart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newOfferingEdge(t, d)
		b := e.browser(t)
		b.withRice(2)
		e.Stop(t, catalog.StopProduct, "soy")
		a := b.call("PUT", "/api/cart/gift/add", inFreeZone(object{"gift_id": soyOnUs}))
		if a.status != http.StatusConflict || dig(a.json, "errors", "gift") == nil || dig(a.json, "cart", "count") != 2.0 {
			t.Errorf("%d %s", a.status, a.text)
		}
	})
}

func TestCart_hasTheAllergensOfModifiersToo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newOfferingEdge(t, d).browser(t)
		got := b.ok("PUT", "/api/cart/add", inFreeZone(object{
			"product_key": fmt.Sprintf("1-%d", carttest.Salmon), "modifiers": []object{{"id": carttest.SoySauce, "group_id": carttest.Sauce, "count": 1}},
		}))
		products, _ := dig(got, "cart", "products").(object)
		for _, product := range products {
			var names []string
			for _, a := range dig(product, "allergens").([]any) {
				names = append(names, fmt.Sprint(dig(a, "alias")))
			}
			if strings.Join(names, " ") != "fish soy" {
				t.Errorf("allergens %v", names)
			}
		}
	})
}

func TestAddToCart_takesTheUsualModifiersUnlessTheListIsEmpty(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newOfferingEdge(t, d).browser(t)
		salmon := object{"product_key": fmt.Sprintf("1-%d", carttest.Salmon)}
		spicy := []object{{"id": carttest.SpicySauce, "count": 1}} // its group is found
		for range 2 {
			b.ok("PUT", "/api/cart/add", inFreeZone(salmon))
		}
		got := b.ok("PUT", "/api/cart/add", inFreeZone(with(salmon, object{"modifiers": spicy})))
		counts := map[string]float64{}
		products, _ := dig(got, "cart", "products").(object)
		for _, product := range products {
			chosen := dig(product, "modifiers").([]any)
			counts[fmt.Sprint(dig(chosen[0], "id"), " in ", dig(chosen[0], "group_id"))] = dig(product, "count").(float64)
		}
		want := map[string]float64{"2 in 1": 2, "3 in 1": 1}
		if !maps.Equal(counts, want) {
			t.Errorf("the lines are %v, want %v", counts, want)
		}
		b.refused(http.StatusUnprocessableEntity, "product", "PUT", "/api/cart/add", inFreeZone(with(salmon, object{"modifiers": []object{}})))
	})
}

// with returns a new object with the fields of both; a field of more replaces one of o.
func with(o, more object) object {
	all := object{}
	for _, part := range []object{o, more} {
		for k, v := range part {
			all[k] = v
		}
	}
	return all
}
