package server_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/access"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/server"
)

// newMatrix returns a restaurant with an order at each place, and everyone who calls: no one, each role of a shop,
// of a brand and, where it may be, of all, a device with each role and without a person, a token for each right and
// for each set of rights that a rule needs, and the token of the settings.
func newMatrix(t *testing.T, d *db.DB) *matrix {
	t.Helper()
	x := &matrix{t: t, seen: map[string]bool{}}
	x.edge = newEdgeWith(t, d, nil, func(o *server.Options) { o.CallsPerSecond = 1_000_000 })
	x.Import(t, map[string]string{
		"pizza/cities.yaml": "- {place: berlin, price_list: de, order_types: [takeaway]}\n" + `- place: moscow
  price_list: ru
  zones: [{id: 301, name: Центр, shop: tverskaya, delivery: 149, minimum_order: 100, delivery_minutes: 25, area: [[55.7, 37.5], [55.8, 37.5], [55.8, 37.7], [55.7, 37.7]]}]
`,
		"pizza/shops.yaml": carttest.Texts["pizza/shops.yaml"] +
			`- {id: 32, alias: tverskaya, city: moscow, name: Тверская, street: Тверская, latitude: 55.76, longitude: 37.6, cooking_minutes: 15, hours: {default: {1-7: ["10:00-22:00"]}}}` + "\n",
	})
	x.places = []*place{
		x.addPlace("sushi", carttest.Arbat, "1-1002", "delivery", "Annabella", "79161112233"),
		x.addPlace("sushi", carttest.Pokrovka, "1-1002", "takeaway", "Belladonna", "79162223344"),
		x.addPlace("pizza", 32, "1-5001", "delivery", "Clarabella", "79163334455"),
	}
	x.makers = slices.Concat([]maker{{name: "nobody"}}, x.addPersons(), x.addTokens())
	x.Clock.Advance(time.Second) // whatever is stored from now on is of the calls
	session := x.employ(t, access.Owner, access.Scope{Site: "pizza"})
	for _, p := range x.places {
		p.filled["{session}"] = fmt.Sprint(session.session)
		p.filled["{before}"] = x.Clock.Now().Add(-time.Hour).Format(time.RFC3339)
		p.filled["{later}"] = x.Clock.Now().Add(3 * time.Hour).Format(time.RFC3339)
	}
	x.Clock.Advance(time.Second)
	for _, m := range x.makers {
		if m.kind != "" { // now it is stored that they were here
			x.makeCall(m, rule{call: "GET /operator/sign-in/self"}, x.places[0])
		}
	}
	return x
}

// addPlace places two orders of a new customer at a shop, cancels one of them, and returns the place.
func (x *matrix) addPlace(site string, shop int64, product, orderType, name, phone string) *place {
	x.t.Helper()
	desk := x.browser(x.t)
	p := &place{site: site, shop: shop, secrets: map[string]*regexp.Regexp{
		"phone": regexp.MustCompile(phone[1:4] + `\D{0,3}` + phone[4:7] + `\D?` + phone[7:9] + `\D?` + phone[9:]), "name": wholeWord(name), "e-mail": wholeWord(name + "@example.org"),
		"comment": wholeWord("hello-" + name), "note": wholeWord("note-on-" + name), "link": regexp.MustCompile("auth/link#"),
	}}
	cart := object{"site": site, "city_id": carttest.Moscow, "order_type": orderType, "phone": phone, "lines": []object{{"product_key": product, "count": 9}}}
	if orderType == "delivery" {
		cart["address"] = object{
			"address": "улица Арбат, 10", "room": "5", "intercom": "door-" + name,
			"coordinates": object{"latitude": carttest.InFree.Latitude, "longitude": carttest.InFree.Longitude},
		}
		p.secrets["door"] = wholeWord("door-" + name)
	} else {
		cart["shop_id"], cart["lines"] = shop, []object{{"product_key": product, "count": 1}}
	}
	order := func(key string) string {
		placed := desk.ok("POST", "/api/operator/orders", object{
			"key": key, "cart": cart, "username": name, "email": name + "@example.org", "comment": "hello-" + name, "payment_type": "cash", "interval_id": "asap",
		}, asOperator...)["order"]
		if dig(placed, "shop_id") != float64(shop) {
			x.t.Fatalf("the order is cooked at %v", dig(placed, "shop_id"))
		}
		return fmt.Sprint(idOf(dig(placed, "order_id")))
	}
	closed := order("closed " + name)
	desk.ok("POST", "/api/operator/orders/"+closed+"/cancel", object{"outcome": "canceled"}, asOperator...)
	open := order("open " + name)
	desk.ok("POST", "/api/operator/orders/"+open+"/delay", object{"promised_at": x.Clock.Now().Add(5 * time.Hour), "note": "note-on-" + name}, asOperator...)
	p.secrets["order"] = wholeWord(open)
	if shop != carttest.Pokrovka { // one form for each brand
		host := map[string]string{"sushi": "localhost", "pizza": otherBrand}[site]
		desk.ok("POST", "/api/feedback/call-me-back", object{"city_id": carttest.Moscow, "name": "form-of-" + name, "phone": "79164445566", "is_agreed": true}, "Host", host)
		p.secrets["form"] = wholeWord("form-of-" + name)
	}
	cart["phone"] = "79169998877" // what a call sends itself may be in its answer
	if to, ok := cart["address"].(object); ok {
		to["intercom"] = "another"
	}
	encoded, err := json.Marshal(cart)
	if err != nil {
		x.t.Fatal(err)
	}
	p.filled = map[string]string{
		"{site}": site, "{shop}": fmt.Sprint(shop), "{open}": open, "{closed}": closed, "{phone}": phone, "{cart}": string(encoded),
		"{day}": x.Clock.Now().Format(time.DateOnly), "{device}": x.addDevice(p),
	}
	return p
}

// scopes are those of the callers: one shop, its brand, everything.
var scopes = []access.Scope{{Site: "sushi", Shops: []int64{carttest.Arbat}}, {Site: "sushi"}, {}}

// addPersons adds an account of each role in each scope that the role may have, and a device at which each
// role works, and returns them.
func (x *matrix) addPersons() []maker {
	x.t.Helper()
	var all []maker
	for _, role := range sortedKeys(rightsOfRoles) {
		for i, scope := range scopes {
			if scope.Site == "" && role != "owner" && role != "support" {
				continue // these need a brand
			}
			m := x.employ(x.t, access.Role(role), scope)
			all = append(all, maker{
				name: fmt.Sprint(role, " of scope ", i), header: m.header, kind: "staff", login: m.login, person: "Olga " + m.login, role: role,
				rights: strings.Fields(rightsOfRoles[role]), site: scope.Site, isOfShop: len(scope.Shops) > 0,
			})
			if i == 0 {
				x.browser(x.t).ok("POST", "/api/operator/sign-in/pin", object{"pin": "7391"}, m.header...)
			}
		}
	}
	for _, role := range sortedKeys(rightsOfDevices) {
		all = append(all, x.addWorkedDevice(role))
	}
	return all
}

// addWorkedDevice adds a device of the Arbat and begins the shift of a person of the role there. An empty
// role leaves the device without a person.
func (x *matrix) addWorkedDevice(role string) maker {
	x.t.Helper()
	desk := x.browser(x.t)
	_, header := x.enrol(x.t, asOperator)
	m := maker{
		name: "device with " + role, header: header, kind: "device", login: "wok tablet", role: role, rights: strings.Fields(rightsOfDevices[role]),
		site: "sushi", isOfShop: true,
	}
	if role == "" {
		return m
	}
	for _, person := range desk.ok("GET", "/api/operator/sign-in/device/people", nil, header...)["people"].([]any) {
		if dig(person, "role") == role {
			m.person = dig(person, "name").(string)
			desk.ok("POST", "/api/operator/sign-in/device/shift", object{"id": dig(person, "id"), "pin": "7391"}, header...)
			return m
		}
	}
	x.t.Fatalf("no %s works at the device", role)
	return m
}

// addTokens adds a token of each scope for each right and for each set of rights that a rule needs, and
// returns them with the token of the settings.
func (x *matrix) addTokens() []maker {
	x.t.Helper()
	sets := map[string]bool{}
	var everything []string
	for _, right := range access.AllRights() {
		sets[string(right)], everything = true, append(everything, string(right))
	}
	for _, r := range matrixRules() {
		if len(r.rights()) > 1 {
			sets[r.needs] = true
		}
	}
	all := []maker{{name: "token of the settings", header: asOperator, kind: "token", login: "SERVERY_OPERATOR_TOKEN", rights: everything}}
	for _, set := range sortedKeys(sets) {
		for i, scope := range scopes {
			m := maker{
				name: fmt.Sprint("token of scope ", i, " with ", set), kind: "token", login: strings.ReplaceAll(fmt.Sprint(i, "-", set), " ", "-"),
				rights: strings.Fields(set), site: scope.Site, isOfShop: len(scope.Shops) > 0,
			}
			var rights access.Rights
			for _, right := range m.rights {
				rights = append(rights, access.Right(right))
			}
			m.header = x.addToken(x.t, m.login, scope, rights...)
			all = append(all, m)
		}
	}
	return all
}
