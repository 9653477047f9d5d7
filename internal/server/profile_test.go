package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// ownCalls are those that only a customer may make.
var ownCalls = []string{
	"GET /api/user/get", "PUT /api/user/update", "DELETE /api/user/remove", "GET /api/user/orders", "GET /api/user/balance",
	"GET /api/user/sessions", "DELETE /api/user/sessions", "DELETE /api/user/sessions/1", "GET /api/user/export",
}

func TestProfile_ofAGuestAsksToSignIn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		nobody, guest := e.browser(t), e.browser(t)
		guest.fill()
		for _, call := range ownCalls {
			method, path, _ := strings.Cut(call, " ")
			var body any
			if method == http.MethodPut {
				body = object{"name": "Anna"}
			}
			for name, b := range map[string]*browser{"nobody": nobody, "a guest": guest} {
				if got := b.refused(http.StatusUnauthorized, "", method, path, body); got != "Please sign in first" {
					t.Errorf("%s by %s: %s", call, name, got)
				}
			}
		}
	})
}

func TestProfile_isShownAndChanged(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newOfferingEdge(t, d)
		b := e.browser(t)
		b.signIn(annasPhone)
		fresh := b.ok("GET", "/api/user/get", nil)["user"].(object)
		if fresh["name"] != "" || fresh["sex"] != nil || fresh["is_subscribed"] != false || fresh["is_print_fiscal_receipt"] != true || fresh["is_bonus_programme"] != true {
			t.Errorf("a new customer's profile: %v", fresh)
		}
		versions := object{}
		for _, c := range fresh["consents"].([]any) {
			versions[dig(c, "kind").(string)] = dig(c, "version")
			if dig(c, "is_given") != false || !strings.Contains(dig(c, "text").(string), "Умико") {
				t.Errorf("a consent: %v", c)
			}
		}
		got := b.ok("PUT", "/api/user/update", object{
			"city_id": carttest.Moscow, "name": "Anna", "phone": "8 (916) 123-45-67", "sex": "female", "birthday": "08.03.1991",
			"email": "anna@example.org", "is_subscribed": true, "is_print_fiscal_receipt": false, "consent_versions": versions,
		})["user"].(object)
		if got["name"] != "Anna" || got["sex"] != "female" || got["birthday"] != "08.03.1991" || got["email"] != "anna@example.org" ||
			got["is_subscribed"] != true || got["is_print_fiscal_receipt"] != false {
			t.Errorf("changed to %v", got)
		}
		b.ok("PUT", "/api/user/update", object{"sex": "none", "birthday": "", "is_subscribed": false})
		got = b.ok("GET", "/api/user/get", nil)["user"].(object)
		if got["sex"] != nil || got["birthday"] != nil || got["is_subscribed"] != false || got["is_print_fiscal_receipt"] != false || got["name"] != "Anna" {
			t.Errorf("emptied to %v", got)
		}
		for field, body := range map[string]object{
			"name": {"name": " "}, "phone": {"phone": "+7 916 000-00-00", "city_id": carttest.Moscow}, "birthday": {"birthday": "1.1.91"},
			"email": {"email": "anna"}, "is_subscribed": {"is_subscribed": true}, "sex": {"sex": "other"},
		} {
			b.refused(http.StatusUnprocessableEntity, field, "PUT", "/api/user/update", body)
		}
	})
}

func TestProfile_checksTheBirthdayByTheDayOfTheCity(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.signIn(annasPhone)
		e.Clock.Advance(time.Date(2026, 11, 20, 21, 30, 0, 0, time.UTC).Sub(e.Clock.Now())) // past midnight in Moscow
		b.ok("PUT", "/api/user/update", object{"city_id": carttest.Moscow, "birthday": "21.11.2026"})
		b.refused(http.StatusUnprocessableEntity, "birthday", "PUT", "/api/user/update", object{"city_id": carttest.Moscow, "birthday": "22.11.2026"})
	})
}

func TestListOrders_hasTheDateInTheCityOfEachOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		first, _ := b.order() // as a guest, with the phone of the sign-in
		b.signIn(annasPhone)
		e.Clock.Advance(time.Minute)
		second, _ := b.order()
		page := b.ok("GET", "/api/user/orders", nil)
		orders := page["orders"].([]any)
		if len(orders) != 2 || page["total"] != 2.0 || page["pages"] != 1.0 || page["page"] != 1.0 ||
			idOf(dig(orders[0], "order_id")) != second || idOf(dig(orders[1], "order_id")) != first {
			t.Fatalf("the list: %v", page)
		}
		o := orders[0]
		if dig(o, "date_string") != "2026-11-20" || dig(o, "count") != 2.0 || dig(o, "status", "alias") != "accepted" || dig(o, "city_name") != "Москва" ||
			dig(o, "address") != "Point on the map" || dig(o, "status", "can_cancel") != true || dig(o, "asap") != true {
			t.Errorf("an order of the list: %v", o)
		}
		if got := b.ok("GET", "/api/user/orders?page=2", nil)["orders"].([]any); len(got) != 0 {
			t.Errorf("the page after the last: %v", got)
		}
		other := e.browser(t)
		other.signIn("79167654321")
		if got := other.ok("GET", "/api/user/orders", nil); got["total"] != 0.0 {
			t.Errorf("another customer's orders: %v", got)
		}
		handset := e.browser(t)
		handset.signIn(annasPhone)
		handset.ok("GET", fmt.Sprint("/api/order/", first), nil)
		handset.ok("POST", "/api/order/cancel", object{"order_id": second})
	})
}

func TestBalance_hasItsHistoryInTheCustomersLanguage(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newOfferingEdge(t, d)
		b := e.browser(t)
		b.signIn(annasPhone)
		if got := b.ok("GET", "/api/user/balance", nil)["balances"].([]any); len(got) != 0 {
			t.Errorf("before the first bonus: %v", got)
		}
		b.ok("POST", "/api/operator/customers/bonuses", object{"site": "sushi", "phone": annasPhone, "key": "a", "bonuses": 100.5}, asOperator...)
		b.fill()
		cart := b.ok("PUT", "/api/cart/gift/apply-bonuses", moscow(object{"bonuses": 40}))
		order := b.ok("POST", "/api/order/create", b.checkout(dig(cart, "cart", "prices", "total")))["order_id"]
		for l, words := range map[string][2]string{
			"en": {"Used for order %.0f", "A gift from us"}, "ru": {"Списано в счёт заказа № %.0f", "Подарок от нас"},
		} {
			all := b.ok("GET", "/api/user/balance", nil, "Accept-Language", l, "Cookie", "lang="+l+"; session="+sessionCookieOf(b))["balances"].([]any)
			history := dig(all[0], "history").([]any)
			if len(all) != 1 || dig(all[0], "balance") != 60.5 || dig(all[0], "currency") != "RUB" || len(history) != 2 ||
				dig(history[0], "amount") != -40.0 || dig(history[0], "text") != fmt.Sprintf(words[0], order) || dig(history[0], "order_id") != order ||
				dig(history[1], "amount") != 100.5 || dig(history[1], "text") != words[1] {
				t.Errorf("in %s: %v", l, all)
			}
		}
		if got := b.ok("GET", "/api/user/balance", nil)["balance"]; got != 60.5 {
			t.Errorf("in the currency of Moscow: %v", got)
		}
		e.Clock.Advance(time.Second)
		b.ok("PUT", "/api/cart/add", object{"city_id": carttest.Ankara, "order_type": "takeaway", "shop_id": carttest.Kizilay, "product_key": "2-1002"})
		if got := b.ok("GET", "/api/user/balance", nil)["balance"]; got != 0.0 {
			t.Errorf("in the currency of Ankara, whose cart changed last: %v", got)
		}
	})
}

func TestSessions_areEndedByTheirCustomer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		var all [3]*browser
		for i := range all {
			all[i] = e.browser(t)
			all[i].header.Set("User-Agent", "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/142.0")
			all[i].signIn(annasPhone)
		}
		here := all[0]
		list := here.ok("GET", "/api/user/sessions", nil)["sessions"].([]any)
		if len(list) != 3 || dig(list[0], "is_current") != true || dig(list[1], "is_current") != false || dig(list[0], "device") != "Firefox, Windows" {
			t.Fatalf("sessions %v", list)
		}
		if got := here.ok("DELETE", fmt.Sprintf("/api/user/sessions/%d", idOf(dig(list[1], "id"))), nil)["sessions"].([]any); len(got) != 2 {
			t.Errorf("after one has ended: %v", got)
		}
		here.refused(http.StatusNotFound, "", "DELETE", fmt.Sprintf("/api/user/sessions/%d", idOf(dig(list[1], "id"))), nil)
		if got := here.ok("DELETE", "/api/user/sessions", nil)["sessions"].([]any); len(got) != 1 {
			t.Errorf("after the others have ended: %v", got)
		}
		for i, b := range all[1:] {
			b.refused(http.StatusUnauthorized, "", "GET", "/api/user/get", nil)
			if got := b.cartCount(); got != 0.0 {
				t.Errorf("device %d still has the cart of %v", i, got)
			}
		}
		here.ok("GET", "/api/user/get", nil)
	})
}

func TestLogout_leavesAGuestWithAnotherToken(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		order, _ := b.order()
		b.signIn(annasPhone)
		b.fill()
		before := sessionCookieOf(b)
		for range 2 {
			b.ok("DELETE", "/api/user/logout", nil)
		}
		if got := sessionCookieOf(b); got != "" {
			t.Error("the cookie is still there")
		}
		b.refused(http.StatusNotFound, "", "GET", fmt.Sprint("/api/order/", order), nil)
		if got := b.cartCount(); got != 0.0 {
			t.Errorf("a guest has the customer's cart of %v", got)
		}
		b.fill()
		if got := sessionCookieOf(b); got == "" || got == before {
			t.Error("the next token is none, or the old one")
		}
		late := e.browser(t)
		late.refused(http.StatusUnauthorized, "", "GET", "/api/user/get", nil, "Cookie", "session="+before)
	})
}

func TestExport_hasEverythingThatIsStored(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLeaver(t, d)
		l.doEverything()
		a := l.desk.call("GET", "/api/user/export", nil)
		if a.status != http.StatusOK || a.header.Get("Content-Disposition") != `attachment; filename="personal-data.json"` || !strings.Contains(a.header.Get("Cache-Control"), "no-store") {
			t.Fatalf("%d, %v", a.status, a.header)
		}
		for what, pattern := range l.entered {
			if what != "not eaten" && !pattern.MatchString(a.text) {
				t.Errorf("%s is not in it", what)
			}
		}
		for part, count := range map[string]int{
			"orders": 4, "sessions": 2, "consents": 2, "presents": 1, "balances": 1, "vk_accounts": 1, "delivery_wishes": 1, "carts": 1, "payments": 1,
		} {
			if got := len(a.json[part].([]any)); got != count {
				t.Errorf("%d %s, want %d", got, part, count)
			}
		}
		if dig(a.json["presents"].([]any)[0], "name") != "Cake on us" || dig(a.json["consents"].([]any)[0], "address") != "127.0.0.1" {
			t.Errorf("presents %v, consents %v", a.json["presents"], a.json["consents"])
		}
		kept := a.json["carts"].([]any)[0]
		if names := []any{dig(dig(kept, "products").([]any)[0], "name"), dig(kept, "delivery_address", "room")}; names[0] != "Salmon roll" || names[1] != "R8841" {
			t.Errorf("the cart is %v", kept)
		}
	})
}

func TestExport_isMadeOnceAMinute(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		desk, handset := e.browser(t), e.browser(t)
		desk.signIn(annasPhone)
		handset.signIn(annasPhone)
		desk.ok("GET", "/api/user/export", nil)
		again := handset.call("GET", "/api/user/export", nil)
		if again.status != http.StatusTooManyRequests || again.header.Get("Retry-After") != "60" || dig(again.json, "message") == "" {
			t.Errorf("again: %d, %v", again.status, again.header)
		}
		e.Clock.Advance(time.Minute)
		handset.ok("GET", "/api/user/export", nil)
	})
}

func TestDeleteUser_endsEverySessionAndTheCookie(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		here, there := e.browser(t), e.browser(t)
		here.signIn(annasPhone)
		there.signIn(annasPhone)
		here.ok("GET", "/api/user/get", nil)
		there.ok("GET", "/api/user/get", nil)
		here.ok("DELETE", "/api/user/remove", nil)
		if got := sessionCookieOf(here); got != "" {
			t.Error("the cookie is still there")
		}
		for _, call := range ownCalls {
			method, path, _ := strings.Cut(call, " ")
			if method != http.MethodPut {
				there.refused(http.StatusUnauthorized, "", method, path, nil)
			}
		}
	})
}

func TestListOrders_hasThoseOfACityThatTheBrandHasLeft(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.signIn(annasPhone)
		b.ok("POST", "/api/user/addresses/set-by-coordinates", object{"city_id": 1, "latitude": 55.75, "longitude": 37.6, "room": "7"})
		order, _ := b.order()
		_, ankara, _ := strings.Cut(carttest.Texts["sushi/cities.yaml"], "- {place: ankara")
		arbat, _, _ := strings.Cut(carttest.Texts["sushi/shops.yaml"], "- {id: 21")
		e.Import(t, map[string]string{
			"sushi/cities.yaml": "- {place: ankara" + ankara, "sushi/shops.yaml": strings.TrimPrefix(carttest.Texts["sushi/shops.yaml"], arbat),
			"sushi/menu/01-rolls.yaml": strings.Replace(carttest.Texts["sushi/menu/01-rolls.yaml"], ", only_shops: [arbat]", "", 1),
		})
		list := b.ok("GET", "/api/user/orders", nil)
		if shown := list["orders"].([]any); list["total"] != 1.0 || len(shown) != 1 || idOf(dig(shown[0], "order_id")) != order ||
			dig(shown[0], "city_id") != 1.0 || dig(shown[0], "status", "can_repeat") != false {
			t.Errorf("the list is %v", list)
		}
		b.ok("GET", fmt.Sprint("/api/order/", order), nil)
		export := b.ok("GET", "/api/user/export", nil)
		if len(export["orders"].([]any)) != 1 || len(export["delivery_addresses"].([]any)) == 0 || len(export["carts"].([]any)) == 0 {
			t.Errorf("the export is %v", export)
		}
	})
}
