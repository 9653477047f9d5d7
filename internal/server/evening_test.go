//go:build !release

package server_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order/audittest"
	"servery/internal/server"
)

// evening is a restaurant whose staff work by calls alone, each of which they make twice.
type evening struct {
	*edge

	t    *testing.T
	desk *browser
	// guests are the customers' browsers by their orders, 0 for one by phone.
	guests map[int64]*browser
	// reader has the status of each order by the feed of changes, up to the one with the number last.
	reader map[int64]string
	last   any
}

// call makes a call of staff twice and returns the second answer.
func (v *evening) call(path string, body object) map[string]any {
	v.t.Helper()
	v.desk.ok("POST", "/api/operator"+path, body, asOperator...)
	return v.desk.ok("POST", "/api/operator"+path, body, asOperator...)
}

// on makes a call about an order twice.
func (v *evening) on(id int64, what string, body object) map[string]any {
	v.t.Helper()
	return v.call(fmt.Sprintf("/orders/%d/%s", id, what), body)
}

// move moves an order to each of the statuses.
func (v *evening) move(id int64, statuses ...string) {
	v.t.Helper()
	for _, status := range statuses {
		v.on(id, "status", object{"status": status, "actor": "kitchen"})
		v.Clock.Advance(time.Minute)
	}
}

// order places an order of a new guest.
func (v *evening) order() int64 {
	v.t.Helper()
	guest := v.browser(v.t)
	request := guest.checkout(guest.fill())
	request["phone"] = fmt.Sprintf("7916000%04d", len(v.guests)+1)
	id := idOf(guest.ok("POST", "/api/order/create", request)["order_id"])
	v.guests[id] = guest
	v.Clock.Advance(time.Minute)
	return id
}

// orderPaid places an order of a new guest, who pays it by card.
func (v *evening) orderPaid() int64 {
	v.t.Helper()
	guest := v.browser(v.t)
	id, _ := guest.orderOnline("card_online")
	guest.ok("POST", "/api/order/pay", object{"order_id": id, "payment_type": "card_online", "cryptogram": guest.cryptogram(goodCard), "email": "bills@example.org"})
	v.guests[id] = guest
	return id
}

// orderByPhone places an order of somebody who calls.
func (v *evening) orderByPhone() int64 {
	v.t.Helper()
	cart := phoneCart()
	cart["phone"] = fmt.Sprintf("7916000%04d", len(v.guests)+1)
	placed := v.call("/orders", object{
		"key": fmt.Sprint("call ", len(v.guests)), "cart": cart, "username": "Anna", "payment_type": "cash", "interval_id": "asap", "actor": "Olga",
	})
	id := idOf(dig(placed, "order", "order_id"))
	v.guests[id] = nil
	return id
}

// moveToDearerZone corrects the address of an order whose delivery costs nothing to one that pays 199 for it.
func (v *evening) moveToDearerZone(id int64) {
	v.t.Helper()
	there := object{
		"street": "Южная улица", "house": "7",
		"coordinates": object{"latitude": carttest.InHard.Latitude, "longitude": carttest.InHard.Longitude},
	}
	foreseen := v.desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/correct", id), object{"dry_run": true, "address": there}, asOperator...)
	got := v.on(id, "correct", object{"key": "the other house", "address": there, "actor": "desk"})
	for _, effect := range []map[string]any{foreseen, got} {
		if before, after := dig(effect, "effect", "total_before").(float64), dig(effect, "effect", "total_after"); after != before+199 {
			v.t.Errorf("in a dearer zone the order costs %v instead of %v", after, before)
		}
	}
	seen := dig(v.guests[id].ok("GET", fmt.Sprint("/api/order/", id), nil), "order")
	if dig(seen, "cart", "prices", "total") != dig(got, "effect", "total_after") || !strings.Contains(fmt.Sprint(dig(seen, "delivery_address")), "Южная улица, 7") {
		v.t.Errorf("the customer sees %v at %v", dig(seen, "cart", "prices"), dig(seen, "delivery_address"))
	}
}

// pauseAndHurry pauses the shop, which then is busy, each for a time that ends by itself, and returns the
// order that is placed after the pause and the one that is placed while the shop is busy.
func (v *evening) pauseAndHurry() []int64 {
	v.t.Helper()
	toGo := func(id int64) time.Duration {
		promised, _ := time.Parse(time.RFC3339, v.desk.readOrder(id)["promised_to"].(string))
		return promised.Sub(v.Clock.Now()).Round(10 * time.Minute)
	}
	end := v.Clock.Now().Add(30 * time.Minute)
	v.call("/kitchen/pause", object{"site": "sushi", "shop_id": carttest.Arbat, "until": end, "reason": "equipment", "actor": "kitchen"})
	guest := v.browser(v.t)
	if shop := guest.ok("GET", "/api/shops?city_id=1", nil)["shops"].([]any)[0]; dig(shop, "open_state", "open") != false {
		v.t.Errorf("a paused shop is shown as %v", dig(shop, "open_state"))
	}
	v.Clock.Set(end)
	usual := v.order()
	usualTime := toGo(usual)

	end = v.Clock.Now().Add(30 * time.Minute)
	v.call("/kitchen/busy", object{"site": "sushi", "shop_id": carttest.Arbat, "minutes": 20, "until": end, "reason": "too_many_orders", "actor": "kitchen"})
	hurried := v.order()
	if more := toGo(hurried) - usualTime; more != 20*time.Minute {
		v.t.Errorf("a busy shop promises an order %s later", more)
	}
	v.Clock.Set(end)
	left := v.desk.ok("GET", "/api/operator/kitchen?site=sushi", nil, asOperator...)["kitchens"].([]any)
	if len(left) != 0 {
		v.t.Errorf("after its end the shop is still %v", left)
	}
	return []int64{usual, hurried}
}

// read reads the feed to its end.
func (v *evening) read() {
	v.t.Helper()
	for {
		page := v.desk.ok("GET", fmt.Sprintf("/api/operator/changes?site=sushi&limit=5&after=%v", v.last), nil, asOperator...)
		for _, c := range page["changes"].([]any) {
			v.reader[idOf(dig(c, "order_id"))] = dig(c, "status").(string)
		}
		if page["last"] == v.last {
			return
		}
		v.last = page["last"]
	}
}

// restart replaces the process by another on its database. Nothing is under way then: races kills a process in the
// middle of an evening, with messages that are sent.
func (v *evening) restart() {
	v.t.Helper()
	killed := v.edge
	v.edge = newEdgeOver(v.t, killed.House, sandboxAccounts(v.DB), func(*server.Options) {})
	v.desk = v.browser(v.t)
	for _, guest := range v.guests {
		if guest != nil {
			guest.base = v.http.URL
		}
	}
}

// want is how an order stands at the end, and of which occasions its customer was sent a message.
type want struct {
	status, outcome string
	messages        []string
}

func TestEvening_isSeenAlikeByEveryParty(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		v := &evening{edge: newShop(t, d, true), t: t, guests: map[int64]*browser{}, reader: map[int64]string{}, last: 0.0}
		files := carttest.Online(true)
		files["sushi/brand.yaml"] = strings.Replace(files["sushi/brand.yaml"],
			"settings: {", "settings: {order_messages: [accepted, delayed, sent, canceled, refunded], ", 1)
		files["sushi/brand.yaml"] = strings.Replace(files["sushi/brand.yaml"], "payment_types: {delivery: [", "payment_types: {delivery: [cash, ", 1)
		v.Import(t, files)
		v.desk = v.browser(t)
		orders := map[int64]want{}
		usual := want{status: "done", messages: []string{"accepted", "sent"}}

		stopped, misTapped, refused, late := v.order(), v.order(), v.order(), v.order()
		v.call("/stops", object{"site": "sushi", "kind": "product", "alias": "soy", "until_shift_end": true})
		v.on(stopped, "take", object{"actor": "till"})
		v.on(refused, "cancel", object{"outcome": "refused", "reason": "sold_out", "note": "no salmon", "actor": "till"})
		orders[refused] = want{"canceled", "refused", []string{"accepted", "canceled"}}
		v.call("/stops", object{"site": "sushi", "kind": "product", "alias": "soy", "off": true})
		v.move(stopped, "cooking", "sent", "done")
		orders[stopped] = usual

		v.move(misTapped, "cooking")
		v.desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/step-back", misTapped), object{"actor": "kitchen"}, asOperator...)
		v.move(misTapped, "cooking", "sent", "done")
		orders[misTapped] = usual
		v.read()

		promised, _ := time.Parse(time.RFC3339, v.desk.readOrder(late)["promised_to"].(string))
		v.on(late, "delay", object{"promised_at": promised.Add(time.Hour).Format(time.RFC3339), "note": "oven 2 is off"})
		shown := dig(v.guests[late].ok("GET", fmt.Sprint("/api/order/", late), nil), "order")
		if dig(shown, "status", "can_cancel") != true {
			t.Errorf("a late order is shown as %v", shown)
		}
		v.guests[late].ok("POST", "/api/order/cancel", object{"order_id": late})
		orders[late] = want{"canceled", "canceled", []string{"accepted", "delayed"}}

		inTheMiddle := v.order()
		v.move(inTheMiddle, "cooking")
		v.restart()
		v.move(inTheMiddle, "sent", "done")
		orders[inTheMiddle] = usual

		first, second, third := v.orderByPhone(), v.orderByPhone(), v.orderByPhone()
		v.move(first, "cooking", "sent", "done")
		v.move(second, "cooking", "sent")
		v.on(second, "cancel", object{"outcome": "undelivered", "reason": "nobody_there", "food": "returned", "actor": "courier 7"})
		v.move(third, "cooking", "sent", "done")
		orders[first], orders[third] = usual, usual
		orders[second] = want{"canceled", "undelivered", []string{"accepted", "sent", "canceled"}}

		paid := v.orderPaid()
		v.move(paid, "cooking")
		v.on(paid, "cancel", object{"outcome": "canceled", "reason": "overloaded", "refund": object{"amount": 100}})
		orders[paid] = want{"canceled", "canceled", []string{"accepted", "canceled"}}
		corrected := v.order()
		v.moveToDearerZone(corrected)
		v.move(corrected, "cooking", "sent", "done")
		orders[corrected] = usual

		for _, id := range v.pauseAndHurry() {
			v.move(id, "cooking", "sent", "done")
			orders[id] = usual
		}
		if len(orders) != 12 {
			t.Fatalf("the evening has %d orders", len(orders))
		}
		v.check(orders)
	})
}

// check compares what each party sees of the orders at the end of the evening, and the books.
func (v *evening) check(orders map[int64]want) {
	v.t.Helper()
	v.read()
	if len(v.reader) != len(orders) {
		v.t.Errorf("the reader of the feed has %d orders, not %d", len(v.reader), len(orders))
	}
	for id, w := range orders {
		got := v.desk.ok("GET", fmt.Sprint("/api/operator/orders/", id), nil, asOperator...)
		var occasions []string
		for _, m := range got["messages"].([]any) {
			occasions = append(occasions, dig(m, "occasion").(string))
		}
		if !slices.Equal(occasions, w.messages) {
			v.t.Errorf("the customer of %d is sent %v, want %v", id, occasions, w.messages)
		}
		o := got["order"].(map[string]any)
		if o["status"] != w.status || w.outcome != "" && o["outcome"] != w.outcome || v.reader[id] != w.status {
			v.t.Errorf("order %d is %v, %v, by the feed %s; want %+v", id, o["status"], o["outcome"], v.reader[id], w)
		}
		if guest := v.guests[id]; guest != nil {
			if status := dig(guest.ok("GET", fmt.Sprint("/api/order/", id), nil), "order", "status", "alias"); status != w.status {
				v.t.Errorf("the customer of %d sees %v", id, status)
			}
		}
	}
	audittest.Check(v.t, v.DB, audittest.Books{Now: v.Clock.Now()})
}
