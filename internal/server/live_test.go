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

// operate makes a POST of the operator for the brand sushi that must succeed, and returns its answer.
func (b *browser) operate(path string, body object) object {
	b.t.Helper()
	return b.ok("POST", "/api/operator"+path, with(object{"site": "sushi"}, body), asOperator...)
}

// A pause of the shop Arbat is shown wherever a customer looks: in the list of shops, in the times, in the
// cart, and for an address that the shop delivers to. A pause of delivery alone leaves takeaway as it is.
func TestPause_isShownInShopsTimesCartAndAddresses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		guest, desk := e.browser(t), e.browser(t)
		place := object{"city_id": carttest.Moscow, "order_type": "takeaway", "shop_id": carttest.Arbat}
		guest.ok("PUT", "/api/cart/add", with(place, object{"product_key": fmt.Sprintf("1-%d", carttest.Rice)}))
		until := carttest.Noon.Add(time.Hour)
		english := []string{"Accept-Language", "en"}
		const short, long = "We are not taking orders until 13:00", "We are not taking orders until 13:00. Please choose a later time"
		shopOf := func() object {
			return guest.ok("GET", "/api/shops?city_id=1", nil, english...)["shops"].([]any)[0].(object)
		}

		desk.operate("/kitchen/pause", object{"shop_id": carttest.Arbat, "order_type": "delivery", "until": until, "reason": "couriers"})
		if shop := shopOf(); shop["delivery_pause"] != short || dig(shop, "open_state", "open") != true {
			t.Errorf("with a pause of delivery the shop is %v, %v", shop["delivery_pause"], shop["open_state"])
		}
		check := guest.ok("POST", "/api/geocoder/searchByCoordinates", object{"city_id": carttest.Moscow, "coordinates": object{"latitude": 55.75, "longitude": 37.60}}, english...)
		if alert := dig(check, "delivery_address", "alert"); alert != short {
			t.Errorf("the address says %v", alert)
		}
		if list := guest.ok("POST", "/api/schedule/intervals", place, english...); list["message"] != nil || dig(list["intervals"].([]any)[0], "asap") != true {
			t.Errorf("takeaway says %v", list["message"])
		}

		desk.operate("/kitchen/pause", object{"shop_id": carttest.Arbat, "until": until, "reason": "equipment", "note": "oven", "actor": "till 1"})
		if state := shopOf()["open_state"]; dig(state, "open") != false || dig(state, "text") != short {
			t.Errorf("the shop is %v", state)
		}
		list := guest.ok("POST", "/api/schedule/intervals", place, english...)
		first := list["intervals"].([]any)[0]
		if list["message"] != long || dig(first, "disabled") != true || dig(first, "disabled_reason") != "pause" || dig(first, "asap") != nil {
			t.Errorf("the times say %v, the first is %v", list["message"], first)
		}
		q := guest.ok("PUT", "/api/cart", place, english...)
		messages := dig(q, "cart", "messages").([]any)
		if len(messages) != 1 || dig(messages[0], "text") != long || dig(messages[0], "icon") != "pause" {
			t.Errorf("the cart says %v", messages)
		}
		refused := guest.call("PUT", "/api/cart/set-interval", object{"city_id": carttest.Moscow, "interval": "asap"}, english...)
		if refused.status != http.StatusConflict || !strings.Contains(refused.text, long) {
			t.Errorf("as soon as possible: %d %s", refused.status, refused.text)
		}
		e.Clock.Set(until)
		if state := shopOf()["open_state"]; dig(state, "open") != true {
			t.Errorf("at the end the shop is %v", state)
		}
	})
}

// A busy kitchen adds its minutes to the promise of an address, and the list of shops shows them.
func TestBusy_delaysThePromiseOfAnAddress(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	minutes := func() any {
		check := b.ok("POST", "/api/geocoder/searchByCoordinates", object{"city_id": carttest.Moscow, "coordinates": object{"latitude": 55.75, "longitude": 37.60}})
		return dig(check, "delivery_address", "delivery_time")
	}
	before := minutes().(float64)
	b.operate("/kitchen/busy", object{"shop_id": carttest.Arbat, "minutes": 20, "until": carttest.Noon.Add(time.Hour), "reason": "staff"})
	if got := minutes(); got != before+20 {
		t.Errorf("busy by twenty minutes: %v, before %v", got, before)
	}
	shop := b.ok("GET", "/api/shops?city_id=1", nil)["shops"].([]any)[0]
	if dig(shop, "busy_minutes", "delivery") != 20.0 || dig(shop, "busy_minutes", "takeaway") != 20.0 {
		t.Errorf("the shop is %v", dig(shop, "busy_minutes"))
	}
}

// An alert for a city is shown in the visitor's language, and in the city's documents, until the alert ends.
// An alert that stops orders in a shop makes a checkout there fail.
func TestAlert_isShownInCitiesShopsAndDocuments(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	shown := func() bool {
		b.call("GET", "/moscow/shops", nil) // the last one, while the next is made
		e.server.AwaitDocuments()
		return strings.Contains(b.call("GET", "/moscow/shops", nil).text, `"alert":"Snow"`)
	}
	if shown() {
		t.Fatal("the document has it before it is set")
	}
	until := carttest.Noon.Add(time.Hour)
	b.operate("/alerts", object{"city_id": carttest.Moscow, "texts": []object{{"language": "ru", "text": "Снегопад"}, {"language": "en", "text": "Snow"}}, "until": until, "reason": "weather"})
	if alert := dig(b.ok("GET", "/api/cities/moscow", nil, "Accept-Language", "en"), "city", "alert"); alert != "Snow" {
		t.Errorf("the city says %v", alert)
	}
	if !shown() {
		t.Error("the document does not have it")
	}
	e.Clock.Set(until)
	if _, err := e.Catalog.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if shown() {
		t.Error("the document has it at its end")
	}
	place := object{"city_id": carttest.Moscow, "order_type": "takeaway", "shop_id": carttest.Arbat}
	b.ok("PUT", "/api/cart/add", with(place, object{"product_key": fmt.Sprintf("1-%d", carttest.Rice)}))
	b.operate("/alerts", object{"shop_id": carttest.Arbat, "texts": []object{{"language": "ru", "text": "Потоп"}, {"language": "en", "text": "Flood"}}, "stops": true})
	if refused := b.call("POST", "/api/order/create-order-cache", place, "Accept-Language", "en"); refused.status != http.StatusUnprocessableEntity || !strings.Contains(refused.text, "Flood") {
		t.Errorf("the checkout of a stopped shop: %d %s", refused.status, refused.text)
	}
}

// A cart shows later changes at its place: another price, the time of a busy kitchen, and that the shop or
// the city takes no orders. An order at the earlier price is refused.
func TestCart_showsWhatTheRestaurantChanged(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		guest, desk := e.browser(t), e.browser(t)
		english := []string{"Accept-Language", "en"}
		total := guest.fill()
		cartOf := func() any { return dig(guest.ok("PUT", "/api/cart", moscow(nil), english...), "cart") }
		messagesOf := func(cart any) (texts []string) {
			for _, m := range dig(cart, "messages").([]any) {
				texts = append(texts, dig(m, "text").(string))
			}
			return texts
		}
		request := guest.checkout(total)
		desk.operate("/prices", object{"product": "salmon-roll", "shop_id": carttest.Arbat, "price": 500, "reason": "other"})
		dearer := dig(cartOf(), "prices", "total")
		if dearer == total {
			t.Errorf("at another price the cart still costs %v", total)
		}
		if refused := guest.call("POST", "/api/order/create", request, english...); refused.status != http.StatusConflict || dig(refused.json, "cart", "prices", "total") != dearer {
			t.Errorf("an order at the price before: %d %s", refused.status, refused.text)
		}

		before := dig(cartOf(), "interval").(object)
		desk.operate("/kitchen/busy", object{"shop_id": carttest.Arbat, "minutes": 20, "until": carttest.Noon.Add(time.Hour), "reason": "staff"})
		if after := dig(cartOf(), "interval").(object); fmt.Sprint(after) == fmt.Sprint(before) {
			t.Errorf("with a busy kitchen the cart still has %v", after)
		}

		desk.operate("/alerts", object{"shop_id": carttest.Arbat, "texts": []object{{"language": "ru", "text": "Потоп"}, {"language": "en", "text": "Flood"}}, "stops": true})
		if texts := messagesOf(cartOf()); len(texts) != 1 || texts[0] != "Flood" {
			t.Errorf("the cart at a stopped shop says %q", texts)
		}
		desk.operate("/alerts", object{"city_id": carttest.Moscow, "texts": []object{{"language": "ru", "text": "Снегопад"}, {"language": "en", "text": "Snow"}}, "stops": true})
		if texts := messagesOf(cartOf()); len(texts) != 1 || texts[0] != "Snow" {
			t.Errorf("the cart in a stopped city says %q", texts)
		}
		desk.operate("/alerts", object{"city_id": carttest.Moscow, "off": true})
		desk.operate("/alerts", object{"shop_id": carttest.Arbat, "off": true})
		if texts := messagesOf(cartOf()); len(texts) != 0 {
			t.Errorf("once orders are taken again the cart says %q", texts)
		}
	})
}

// The calls about prices, alerts and kitchens list what is in force, with who set it and why.
func TestOperator_listsWhatIsSet(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	origin := object{"reason": "supply", "note": "new supplier", "actor": "office"}
	b.operate("/prices", with(origin, object{"product": "soy", "shop_id": carttest.Arbat, "price": 35.5}))
	b.operate("/alerts", with(origin, object{"shop_id": carttest.Arbat, "texts": []object{{"language": "ru", "text": "Потоп"}}}))
	b.operate("/kitchen/busy", with(origin, object{"shop_id": carttest.Arbat, "minutes": 5, "until_shift_end": true}))
	for path, list := range map[string]string{"prices": "prices", "alerts": "alerts", "kitchen": "kitchens"} {
		all := b.ok("GET", "/api/operator/"+path+"?site=sushi", nil, asOperator...)[list].([]any)
		if len(all) != 1 {
			t.Fatalf("%s: %v", path, all)
		}
		for name, want := range origin {
			if got := dig(all[0], name); got != want {
				t.Errorf("%s: %s is %v, want %v", path, name, got, want)
			}
		}
	}
	price := b.ok("GET", "/api/operator/prices?site=sushi", nil, asOperator...)["prices"].([]any)[0]
	if dig(price, "price") != 35.5 || dig(price, "content_price") != 30.0 || dig(price, "is_unused") != false {
		t.Errorf("the price is %v", price)
	}
	times := b.ok("GET", fmt.Sprintf("/api/operator/kitchen/times?site=sushi&shop_id=%d&order_type=takeaway", carttest.Arbat), nil, asOperator...)
	last := times["times"].([]any)[len(times["times"].([]any))-1]
	if times["day"] != "2026-11-20" || dig(last, "title") != "22:30–23:00" || dig(last, "capacity") != 60.0 || dig(last, "taken") != 0.0 || dig(last, "closed") != nil {
		t.Errorf("the last time is %v of %v", last, times["day"])
	}
	b.refused(http.StatusUnprocessableEntity, "price", "POST", "/api/operator/prices", object{"site": "sushi", "product": "soy", "shop_id": carttest.Arbat}, asOperator...)
	b.refused(http.StatusUnprocessableEntity, "day", "GET", fmt.Sprintf("/api/operator/kitchen/times?site=sushi&shop_id=%d&order_type=takeaway&day=tomorrow", carttest.Arbat), nil, asOperator...)
}
