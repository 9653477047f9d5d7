package server_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/customer"
	"servery/internal/db"
)

// What the owner has entered: no other caller may ever read it.
const (
	ownersPhone   = "79161112233"
	ownersName    = "Annabella"
	ownersEmail   = "annabella@example.org"
	ownersDoor    = "door-K4711"
	ownersComment = "mind-the-parrot"
	othersPhone   = "79162223344"
	erasedPhone   = "79163334455"
	callersPhone  = "79164445566"
)

// belongings are the ids and keys of the owner's that all callers know.
type belongings struct {
	done, open       int64 // orders
	link             string
	address, session int64
	present          int64
	cacheKey         string
	usedLink         string
	// payment is what paid the order that is done, paidKey that of its checkout.
	payment, paidKey string
	total            any
	bonuses          string
}

// world is an edge with an owner who has everything, and those who want it.
type world struct {
	*belongings

	t       *testing.T
	edge    *edge
	owner   *browser
	callers map[caller]*browser
	secrets map[string]*regexp.Regexp
}

// newWorld returns a server with an owner who has everything that a customer can have, and with a browser
// for each kind of caller.
func newWorld(t *testing.T, d *db.DB) *world {
	t.Helper()
	e := newEdge(t, d)
	auth := "settings: {is_auth_enabled: true, guest_orders: true, notification_channels: [sms], "
	brand := strings.Replace(carttest.Texts["sushi/brand.yaml"], "settings: {", auth, 1)
	e.Import(t, map[string]string{
		"sushi/brand.yaml": brand + "bonus_programme: {percent: \"5\", accrual_until: \"2026-12-31\", spend_until: \"2027-01-31\"}\n",
		"sushi/gifts.yaml": "- {id: 1, alias: soy-on-us, product: soy, name: {ru: Соус, en: Soy on us}, max_count: 9}\n- {id: 2, alias: cake-on-us, product: rice-roll, name: {ru: Торт, en: Cake on us}, personal: true, max_count: 3}\n",
		"pizza/brand.yaml": strings.Replace(carttest.Texts["pizza/brand.yaml"], "alias: pizza\n", "alias: pizza\n"+auth+"days_ahead: 7}\n", 1),
		"pizza/cities.yaml": "- {place: berlin, price_list: de, order_types: [takeaway]}\n" + `- place: moscow
  price_list: ru
  zones: [{id: 301, name: Центр, shop: tverskaya, delivery: 149, minimum_order: 700, delivery_minutes: 25, area: [[55.7, 37.5], [55.8, 37.5], [55.8, 37.7], [55.7, 37.7]]}]
`,
		"pizza/shops.yaml": carttest.Texts["pizza/shops.yaml"] +
			`- {id: 32, alias: tverskaya, city: moscow, name: Тверская, street: Тверская, latitude: 55.76, longitude: 37.6, cooking_minutes: 15, hours: {default: {1-7: ["10:00-22:00"]}}}` + "\n",
	})
	w := &world{t: t, edge: e, belongings: &belongings{}, callers: map[caller]*browser{}}
	w.callers[rotated] = w.equipOwner()
	w.callers[ended] = w.endedBrowser(ownersPhone, "/api/user/logout")
	w.callers[erased] = w.endedBrowser(erasedPhone, "/api/user/remove")
	e.Clock.Advance(customer.RotatedFor) // until then a late call is asked to be repeated
	if _, err := e.Catalog.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.callers[nobody] = e.browser(t)
	w.callers[nobody].client.Jar = nil
	w.callers[guest] = e.browser(t)
	w.callers[guest].fill()
	for c, host := range map[caller]string{other: "", elsewhere: otherBrand} {
		w.callers[c] = w.signInAs(c, host)
	}
	w.callers[other].fill()
	w.beginCheckout()
	w.secrets = map[string]*regexp.Regexp{
		"phone": regexp.MustCompile(`916\D{0,3}111\D?22\D?33`), "name": wholeWord(ownersName), "e-mail": wholeWord(ownersEmail), "door": wholeWord(ownersDoor),
		"comment": wholeWord(ownersComment), "order": wholeWord(fmt.Sprint(w.done)), "other order": wholeWord(fmt.Sprint(w.open)),
		"link": wholeWord(w.link), "checkout": wholeWord(w.cacheKey), "present": regexp.MustCompile("Cake on us|Торт"), "bonuses": wholeWord(w.bonuses),
	}
	return w
}

// equipOwner makes for the owner all that a customer can have, and returns a browser with the token
// from before the sign-in.
func (w *world) equipOwner() *browser {
	w.t.Helper()
	b := w.edge.browser(w.t)
	w.owner = b
	b.fill()
	before := w.frozenBrowser(b)
	w.usedLink = b.signInToken("sushi", ownersPhone)
	b.ok("POST", "/api/user/sign-in", object{"token": w.usedLink})
	b.ok("PUT", "/api/user/update", object{"name": ownersName, "email": ownersEmail})
	named := object{"site": "sushi", "phone": ownersPhone}
	b.ok("POST", "/api/operator/customers/bonuses", with(named, object{"key": "start", "bonuses": 4321.5}), asOperator...)
	given := b.ok("POST", "/api/operator/customers/presents", with(named, object{"key": "cake", "gift": "cake-on-us", "count": 3}), asOperator...)
	w.present = idOf(given["id"])
	w.done, w.link = w.order()
	for _, status := range []string{"cooking", "sent", "done"} {
		b.ok("POST", fmt.Sprintf("/api/operator/orders/%d/status", w.done), object{"status": status}, asOperator...)
	}
	w.payment = w.edge.markPaidOnline(w.t, w.done, "{}")
	w.paidKey, _ = dig(b.ok("GET", fmt.Sprint("/api/order/", w.done), nil), "order", "payment", "order_cache_key").(string)
	w.open, _ = w.order()
	b.fill()
	w.bonuses = fmt.Sprint(dig(b.ok("PUT", "/api/cart", moscow(nil)), "cart", "bonus", "balance"))
	phone := w.edge.browser(w.t)
	phone.signIn(ownersPhone)
	for _, s := range b.ok("GET", "/api/user/sessions", nil)["sessions"].([]any) {
		if dig(s, "is_current") == false {
			w.session = idOf(dig(s, "id"))
		}
	}
	return before
}

// order places an order of the owner's with every field filled.
func (w *world) order() (id int64, link string) {
	w.t.Helper()
	request := w.owner.checkout(w.owner.fill())
	request["username"], request["email"], request["order_comment"] = ownersName, ownersEmail, ownersComment
	request["delivery_address"] = with(request["delivery_address"].(object), object{"intercom": ownersDoor})
	created := w.owner.ok("POST", "/api/order/create", request)
	return idOf(created["order_id"]), created["link"].(string)
}

// beginCheckout begins the owner's checkout, whose key all callers know.
func (w *world) beginCheckout() {
	w.t.Helper()
	place := with(pointInFreeZone(), object{"room": "7", "intercom": ownersDoor})
	chosen := w.owner.ok("POST", "/api/user/addresses/set-by-coordinates", place)
	w.address, w.total = idOf(dig(chosen, "delivery_address", "id")), dig(chosen, "cart", "prices", "total")
	w.cacheKey = w.owner.checkout(w.total)["order_cache_key"].(string)
}

// finishOrders cancels every open order.
func (w *world) finishOrders() {
	w.t.Helper()
	for _, o := range w.owner.ok("GET", "/api/operator/orders", nil, asOperator...)["orders"].([]any) {
		path := fmt.Sprintf("/api/operator/orders/%d/status", idOf(dig(o, "order_id")))
		w.owner.ok("POST", path, object{"status": "canceled"}, asOperator...)
	}
}

// frozenBrowser returns a browser that always sends the session cookie which b has now.
func (w *world) frozenBrowser(b *browser) *browser {
	w.t.Helper()
	copied := w.edge.browser(w.t)
	copied.client.Jar = nil
	copied.header.Set("Cookie", "session="+sessionCookieOf(b))
	return copied
}

// endedBrowser returns a browser that has signed in with the phone and ended its session by a DELETE of
// path. It still sends the cookie of the session.
func (w *world) endedBrowser(phone, path string) *browser {
	w.t.Helper()
	b := w.edge.browser(w.t)
	b.fill()
	b.signIn(phone)
	late := w.frozenBrowser(b)
	b.ok("DELETE", path, nil)
	return late
}

// signInAs returns a new browser in which the caller has signed in at the host; an empty host is the default
// brand.
func (w *world) signInAs(c caller, host string) *browser {
	w.t.Helper()
	b := w.edge.browser(w.t)
	site, phone := "sushi", othersPhone
	switch {
	case c == theOwner:
		phone = ownersPhone
	case host != "":
		site, phone = "pizza", ownersPhone
	}
	header := []string{}
	if host != "" {
		header = []string{"Host", host}
	}
	b.ok("POST", "/api/user/sign-in", object{"token": b.signInToken(site, phone)}, header...)
	return b
}

// browserOf returns the caller's browser. For a call that ends the session it returns a new one where the
// caller has a session to lose.
func (w *world) browserOf(c caller, ends bool) *browser {
	w.t.Helper()
	switch {
	case ends && c == elsewhere:
		return w.signInAs(c, otherBrand)
	case ends && (c == other || c == theOwner):
		return w.signInAs(c, "")
	case c == theOwner:
		return w.owner
	}
	return w.callers[c]
}

// readState returns all that the owner can read, by path, without times that pass by themselves.
func (w *world) readState() map[string]string {
	w.t.Helper()
	cart := w.owner.call(http.MethodPut, "/api/cart", moscow(nil)).text
	all := map[string]string{"cart": moment.ReplaceAllString(cart, "")} // its soonest time moves on
	for _, path := range []string{
		"user/get", "user/addresses", "user/orders", "user/balance", "user/sessions", fmt.Sprint("order/", w.done), fmt.Sprint("order/", w.open),
	} {
		all[path] = seen.ReplaceAllString(w.owner.call(http.MethodGet, "/api/"+path, nil).text, "") // it is read now
	}
	return all
}

var (
	moment = regexp.MustCompile(`"(start|end)_timestamp":\d+`)
	seen   = regexp.MustCompile(`"seen_at":"[^"]*"`)
)

// idOf returns a number of decoded JSON as an id, 0 for anything else.
func idOf(v any) int64 {
	n, _ := v.(float64)
	return int64(n)
}
