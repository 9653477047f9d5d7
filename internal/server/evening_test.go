//go:build !release

package server_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/notify/mailbox"
	"servery/internal/order/audittest"
	"servery/internal/server"
)

// evening is a restaurant whose staff work by calls alone, each of which they make twice.
type evening struct {
	*edge

	t    *testing.T
	desk *browser
	// guests are the customers' browsers by their orders, nil for one by phone, and phones their phones.
	guests map[int64]*browser
	phones map[int64]string
	// mailboxes have the messages that each process has sent.
	mailboxes []*mailbox.Mailbox
	reader    *feedReader
}

// newEvening returns a restaurant that sends a message on each occasion, and whose queue runs. Its clock
// stands two days ago at noon: the queue follows the machine's clock, so what is due runs at once.
func newEvening(t *testing.T, d *db.DB) *evening {
	t.Helper()
	v := &evening{edge: newShop(t, d, true), t: t, guests: map[int64]*browser{}, phones: map[int64]string{}, reader: newFeedReader(t)}
	v.Clock.Set(clock.System{}.Now().UTC().Truncate(24 * time.Hour).Add(-39 * time.Hour))
	files := carttest.Online(true)
	files["sushi/brand.yaml"] = strings.NewReplacer(
		"settings: {", "settings: {order_messages: [accepted, delayed, sent, canceled, refunded], ",
		"payment_types: {delivery: [", "payment_types: {delivery: [cash, ",
	).Replace(files["sushi/brand.yaml"])
	v.Import(t, files)
	v.desk = v.browser(t)
	v.startQueue()
	t.Cleanup(func() { v.stopQueue() })
	return v
}

// callTwice makes a call of staff twice, which must be answered alike, and returns the answer.
func (v *evening) callTwice(path string, body object) map[string]any {
	v.t.Helper()
	first := v.desk.ok("POST", "/api/operator"+path, body, asOperator...)
	second := v.desk.ok("POST", "/api/operator"+path, body, asOperator...)
	if !reflect.DeepEqual(first, second) {
		v.t.Errorf("%s is answered by %v, and the second time by %v", path, first, second)
	}
	return second
}

// callOnOrder makes a call about an order twice and returns the answer.
func (v *evening) callOnOrder(id int64, what string, body object) map[string]any {
	v.t.Helper()
	return v.callTwice(fmt.Sprintf("/orders/%d/%s", id, what), body)
}

// move moves an order to each of the statuses, and its customer gets the message about each.
func (v *evening) move(id int64, statuses ...string) {
	v.t.Helper()
	for _, status := range statuses {
		v.callOnOrder(id, "status", object{"status": status, "actor": "kitchen"})
		v.settle()
		v.Clock.Advance(time.Minute)
	}
}

// newPhone returns the phone of the next order.
func (v *evening) newPhone() string { return fmt.Sprintf("7916000%04d", len(v.guests)+1) }

// checkout begins the checkout of a guest whose cart is filled, and returns the body of the call that places
// the order, with a new phone.
func (v *evening) checkout(guest *browser, total any) object {
	v.t.Helper()
	request := guest.checkout(total)
	request["phone"] = v.newPhone()
	return request
}

// place places the order of a guest and returns its number.
func (v *evening) place(guest *browser, request object) int64 {
	v.t.Helper()
	id := idOf(guest.ok("POST", "/api/order/create", request)["order_id"])
	v.guests[id], v.phones[id] = guest, request["phone"].(string)
	v.Clock.Advance(time.Minute)
	return id
}

// order places an order of a new guest, who gets the message about it.
func (v *evening) order() int64 {
	v.t.Helper()
	guest := v.browser(v.t)
	id := v.place(guest, v.checkout(guest, guest.fill()))
	v.settle()
	return id
}

// orderPaid places an order of a new guest, who pays it by card.
func (v *evening) orderPaid() int64 {
	v.t.Helper()
	guest := v.browser(v.t)
	request := v.checkout(guest, guest.fill())
	request["payment_type"], request["email"] = "card_online", "anna@example.org"
	id := v.place(guest, request)
	guest.ok("POST", "/api/order/pay", object{"order_id": id, "payment_type": "card_online", "cryptogram": guest.cryptogram(goodCard), "email": "bills@example.org"})
	v.settle()
	return id
}

// orderByPhone places an order of somebody who calls.
func (v *evening) orderByPhone() int64 {
	v.t.Helper()
	cart := phoneCart()
	cart["phone"] = v.newPhone()
	cart["lines"] = []object{{"product_key": fmt.Sprintf("1-%d", carttest.Rice), "count": 8}}
	placed := v.callTwice("/orders", object{
		"key": "call of " + v.newPhone(), "cart": cart, "username": "Anna", "payment_type": "cash", "interval_id": "asap", "actor": "Olga", "language": "en",
	})
	id := idOf(dig(placed, "order", "order_id"))
	v.phones[id], v.guests[id] = v.newPhone(), nil
	v.settle()
	return id
}

// stopSalmon stops salmon. The restaurant then refuses the order with the number, a customer with salmon in
// the cart cannot place an order, and another cannot add salmon. Then it brings salmon back, and returns the
// order that the first customer can place.
func (v *evening) stopSalmon(refused int64) int64 {
	v.t.Helper()
	early, late := v.browser(v.t), v.browser(v.t)
	total := early.fill()
	request := v.checkout(early, total)
	late.ok("POST", "/api/user/addresses/set-by-coordinates", object{
		"city_id": carttest.Moscow, "latitude": carttest.InFree.Latitude, "longitude": carttest.InFree.Longitude, "room": "7",
	})
	stop := object{"site": "sushi", "kind": "ingredient", "alias": "salmon", "until_shift_end": true}
	v.callTwice("/stops", stop)
	if said := early.refused(http.StatusConflict, "", "POST", "/api/order/create", request); said != "Some dishes have run out. Please check your cart" {
		v.t.Errorf("who orders a stopped dish reads %q", said)
	}
	more := moscow(object{
		"product_key": fmt.Sprintf("1-%d", carttest.Salmon), "count": 1,
		"modifiers": []object{{"id": carttest.SoySauce, "group_id": carttest.Sauce, "count": 1}},
	})
	said := late.refused(http.StatusConflict, "product", "PUT", "/api/cart/add", more)
	if !strings.HasPrefix(said, "“Salmon roll” has run out for now. Back on ") {
		v.t.Errorf("who adds a stopped dish reads %q", said)
	}
	v.callOnOrder(refused, "cancel", object{"outcome": "refused", "reason": "sold_out", "note": "no salmon", "actor": "till"})
	v.settle()
	v.callTwice("/stops", object{"site": "sushi", "kind": "ingredient", "alias": "salmon", "off": true})
	late.ok("PUT", "/api/cart/add", more)
	id := v.place(early, v.checkout(early, total))
	v.settle()
	return id
}

// moveToDearerZone corrects the address of an order whose delivery costs nothing to one that pays 199 for it,
// and checks the preview, the effect and what the customer sees.
func (v *evening) moveToDearerZone(id int64) {
	v.t.Helper()
	there := object{
		"street": "Южная улица", "house": "7",
		"coordinates": object{"latitude": carttest.InHard.Latitude, "longitude": carttest.InHard.Longitude},
	}
	foreseen := v.desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/correct", id), object{"dry_run": true, "address": there}, asOperator...)
	got := v.callOnOrder(id, "correct", object{"key": "the other house", "address": there, "actor": "desk"})
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

// pauseAndHurry pauses the shop, and after the end of the pause makes it busy for a while. It returns an order
// that is placed after the pause and one that is placed while the shop is busy.
func (v *evening) pauseAndHurry() []int64 {
	v.t.Helper()
	toGo := func(id int64) time.Duration {
		promised, _ := time.Parse(time.RFC3339, v.desk.readOrder(id)["promised_to"].(string))
		return promised.Sub(v.Clock.Now()).Round(10 * time.Minute)
	}
	end := v.Clock.Now().Add(30 * time.Minute)
	guest := v.browser(v.t)
	total := guest.fill()
	request := v.checkout(guest, total)
	v.callTwice("/kitchen/pause", object{"site": "sushi", "shop_id": carttest.Arbat, "until": end, "reason": "equipment", "actor": "kitchen"})
	if shop := guest.ok("GET", "/api/shops?city_id=1", nil)["shops"].([]any)[0]; dig(shop, "open_state", "open") != false {
		v.t.Errorf("a paused shop is shown as %v", dig(shop, "open_state"))
	}
	said := guest.refused(http.StatusConflict, "interval_id", "POST", "/api/order/create", request)
	if want := fmt.Sprintf("We are not taking orders until %s. Please choose a later time", end.Add(3*time.Hour).Format("15:04")); said != want {
		v.t.Errorf("who orders from a paused shop reads %q, not %q", said, want)
	}
	v.Clock.Set(end)
	usual := v.place(guest, v.checkout(guest, total))
	v.settle()
	usualTime := toGo(usual)

	end = v.Clock.Now().Add(30 * time.Minute)
	v.callTwice("/kitchen/busy", object{"site": "sushi", "shop_id": carttest.Arbat, "minutes": 20, "until": end, "reason": "too_many_orders", "actor": "kitchen"})
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

// readFeed lets the reader read the feed to its end.
func (v *evening) readFeed() {
	v.t.Helper()
	v.reader.read(v.desk)
}

// restart lets another process on the same database take over: the desk and the guests call it, and its queue
// runs. The caller must have stopped the queue of the process before and have no call under way; messages may
// wait. The package races kills a process that is at work.
func (v *evening) restart() {
	v.t.Helper()
	before := v.edge
	v.edge = newEdgeOver(v.t, before.Restaurant, sandboxAccounts(v.DB), func(*server.Options) {})
	v.desk = v.browser(v.t)
	for _, guest := range v.guests {
		if guest != nil {
			guest.base = v.http.URL
		}
	}
	v.startQueue()
}

// want is how an order stands at the end, and of which occasions its customer was sent a message.
type want struct {
	status, outcome string
	messages        []string
}

func TestEvening_isSeenAlikeByEveryParty(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		v := newEvening(t, d)
		orders := map[int64]want{}
		usual := want{status: "done", messages: []string{"accepted", "sent"}}

		misTapped, refused, late := v.order(), v.order(), v.order()
		stopped := v.stopSalmon(refused)
		orders[refused] = want{"canceled", "refused", []string{"accepted", "canceled"}}
		v.callOnOrder(stopped, "take", object{"actor": "till"})
		v.callOnOrder(stopped, "courier", object{"id": "c7", "name": "Ivan", "actor": "till"})
		v.move(stopped, "cooking", "sent", "done")
		orders[stopped] = usual

		v.move(misTapped, "cooking")
		v.callOnOrder(misTapped, "step-back", object{"actor": "kitchen"})
		v.move(misTapped, "cooking", "sent", "done")
		orders[misTapped] = usual
		v.readFeed()

		promised, _ := time.Parse(time.RFC3339, v.desk.readOrder(late)["promised_to"].(string))
		v.callOnOrder(late, "delay", object{"promised_at": promised.Add(time.Hour).Format(time.RFC3339), "note": "oven 2 is off"})
		v.settle()
		shown := dig(v.guests[late].ok("GET", fmt.Sprint("/api/order/", late), nil), "order")
		if dig(shown, "status", "can_cancel") != true {
			t.Errorf("a late order is shown as %v", shown)
		}
		v.guests[late].ok("POST", "/api/order/cancel", object{"order_id": late})
		orders[late] = want{"canceled", "canceled", []string{"accepted", "delayed"}}

		v.stopQueue() // what is to be sent now is sent by the next process
		guest := v.browser(t)
		inTheMiddle := v.place(guest, v.checkout(guest, guest.fill()))
		v.callOnOrder(inTheMiddle, "status", object{"status": "cooking", "actor": "kitchen"})
		v.restart()
		v.settle()
		v.move(inTheMiddle, "sent", "done")
		orders[inTheMiddle] = usual

		first, second, third := v.orderByPhone(), v.orderByPhone(), v.orderByPhone()
		v.move(first, "cooking", "sent", "done")
		v.move(second, "cooking", "sent")
		v.callOnOrder(second, "cancel", object{"outcome": "undelivered", "reason": "nobody_there", "food": "returned", "actor": "courier 7"})
		v.settle()
		v.move(third, "cooking", "sent", "done")
		orders[first], orders[third] = usual, usual
		orders[second] = want{"canceled", "undelivered", []string{"accepted", "sent", "canceled"}}

		paid := v.orderPaid()
		v.move(paid, "cooking")
		cancel := object{"outcome": "canceled", "reason": "overloaded", "refund": object{"amount": 100}}
		v.desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/cancel", paid), cancel, asOperator...)
		v.settle() // the refund is a change of its own, which may come before a second answer or after it
		v.callOnOrder(paid, "cancel", cancel)
		v.settle()
		orders[paid] = want{"canceled", "canceled", []string{"accepted", "canceled", "refunded"}}
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
		v.checkEnd(orders)
	})
}

// checkEnd compares what each party sees of the orders at the end of the evening, and checks the books.
func (v *evening) checkEnd(orders map[int64]want) {
	v.t.Helper()
	v.settle()
	v.readFeed()
	v.reader.compare(v.desk)
	if len(v.reader.orders) != len(orders) {
		v.t.Errorf("the reader of the feed has %d orders, not %d", len(v.reader.orders), len(orders))
	}
	for id, w := range orders {
		got := v.desk.ok("GET", fmt.Sprint("/api/operator/orders/", id), nil, asOperator...)
		o := got["order"].(map[string]any)
		if o["status"] != w.status || w.outcome != "" && o["outcome"] != w.outcome {
			v.t.Errorf("order %d is %v, %v; want %+v", id, o["status"], o["outcome"], w)
		}
		v.checkMessages(id, w, got["messages"].([]any))
		v.checkCustomer(id, o)
	}
	if open := v.desk.ok("GET", "/api/operator/orders", nil, asOperator...)["orders"].([]any); len(open) != 0 {
		v.t.Errorf("at the end of the evening these are open: %v", open)
	}
	if err := v.orders.ReleaseExpired(v.t.Context(), v.Clock.Now()); err != nil { // as the program does every few seconds
		v.t.Fatal(err)
	}
	audittest.Check(v.t, v.DB, audittest.Books{Now: v.Clock.Now()})
}

// checkCustomer compares an order as staff see it with the order as its customer sees it. A customer who has
// ordered by phone first looks it up by its number and the phone.
func (v *evening) checkCustomer(id int64, o map[string]any) {
	v.t.Helper()
	guest := v.guests[id]
	if guest == nil {
		guest = v.browser(v.t)
		guest.ok("POST", "/api/order/status", object{"order_id": id, "phone": v.phones[id]})
	}
	seen := dig(guest.ok("GET", fmt.Sprint("/api/order/", id), nil), "order")
	for _, pair := range [][2]any{
		{dig(seen, "status", "alias"), o["status"]},
		{dig(seen, "cart", "prices", "total"), dig(o, "prices", "total")},
		{dig(seen, "promised_to"), o["promised_to"]},
	} {
		if pair[0] != pair[1] {
			v.t.Errorf("the customer of %d sees %v, staff see %v", id, pair[0], pair[1])
		}
	}
}
