package server_test

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// moscow returns the body of a call about delivery in Moscow, with more fields.
func moscow(more object) object {
	place := object{"city_id": carttest.Moscow, "order_type": "delivery"}
	for k, v := range more {
		place[k] = v
	}
	return place
}

// fill puts salmon rolls for more than the minimum into the cart of a visitor whose
// address lies in the free zone, and returns the total.
func (b *browser) fill() any {
	b.t.Helper()
	in := carttest.InFree
	b.ok("POST", "/api/user/addresses/set-by-coordinates", object{
		"city_id": carttest.Moscow, "latitude": in.Latitude, "longitude": in.Longitude, "room": "7",
	})
	b.ok("PUT", "/api/cart/add", moscow(object{
		"product_key": fmt.Sprintf("1-%d", carttest.Salmon), "count": 2,
		"modifiers": []object{{"id": carttest.SoySauce, "group_id": carttest.Sauce, "count": 1}},
	}))
	got := b.ok("PUT", "/api/cart/set-interval", object{"city_id": carttest.Moscow, "interval": "asap"})
	return dig(got, "cart", "prices", "total")
}

// checkout begins the checkout and returns the body of the call that creates the order at the total.
func (b *browser) checkout(total any) object {
	b.t.Helper()
	key := b.ok("POST", "/api/order/create-order-cache", moscow(nil))["order_cache_key"]
	list := b.ok("GET", "/api/user/addresses", nil)["delivery_addresses"].([]any)
	return object{
		"city_id": carttest.Moscow, "order_type": "delivery", "order_cache_key": key, "phone": "79161234567", "username": "Anna",
		"payment_type": "cash", "interval_id": "asap", "delivery_address": object{"id": dig(list[0], "id"), "room": "7"},
		"cart": object{"prices": object{"total": total}},
	}
}

// order places an order of a filled cart, and returns its number and its link.
func (b *browser) order() (id int64, link string) {
	b.t.Helper()
	created := b.ok("POST", "/api/order/create", b.checkout(b.fill()))
	return int64(created["order_id"].(float64)), created["link"].(string)
}

func TestOrder_isPlacedFollowedAndMovedByTheOperatorToDone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		guest, kitchen := e.browser(t), e.browser(t)
		id, _ := guest.order()
		if count := dig(guest.ok("PUT", "/api/cart", moscow(nil)), "cart", "count"); count != 0.0 {
			t.Errorf("the cart of an accepted order holds %v", count)
		}
		key := []string{"Authorization", "Bearer " + operatorToken}
		for _, status := range []string{"cooking", "sent"} {
			kitchen.ok("POST", fmt.Sprintf("/api/operator/orders/%d/status", id), object{"status": status}, key...)
		}
		kitchen.ok("POST", fmt.Sprintf("/api/operator/orders/%d/courier-location", id),
			object{"coordinates": object{"latitude": 55.75, "longitude": 37.61}}, key...)
		where := guest.ok("GET", fmt.Sprintf("/api/order-tracking/get-courier-location?order_id=%d", id), nil)
		if dig(where, "coordinates", "longitude") != 37.61 {
			t.Errorf("the courier is at %v", where)
		}
		kitchen.ok("POST", fmt.Sprintf("/api/operator/orders/%d/status", id), object{"status": "done"}, key...)
		order := guest.ok("GET", fmt.Sprintf("/api/order/%d", id), nil)
		if got := dig(order, "order", "status", "alias"); got != "done" {
			t.Errorf("status %v", got)
		}
		repeated := guest.ok("POST", "/api/order/repeat", object{"order_id": id})
		if dig(repeated, "cart", "count") != 2.0 || len(repeated["changes"].([]any)) != 0 {
			t.Errorf("repeated: %v", dig(repeated, "cart", "count"))
		}
	})
}

func TestCreateOrder_sentTwentyTimesIsOneOrderAndOneAnswer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		request := b.checkout(b.fill())
		answers := make([]answer, 20)
		var wait sync.WaitGroup
		for i := range answers {
			wait.Go(func() { answers[i] = b.call("POST", "/api/order/create", request) })
		}
		wait.Wait()
		for _, a := range answers {
			if a.status != http.StatusOK || a.text != answers[0].text {
				t.Fatalf("a copy got %d %s, the first %s", a.status, a.text, answers[0].text)
			}
		}
		request["username"] = "Boris"
		b.refused(http.StatusUnprocessableEntity, "", "POST", "/api/order/create", request)
	})
}

func TestOrder_ofAnotherIsFoundByNoCall(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		guest, stranger := e.browser(t), e.browser(t)
		id, link := guest.order()
		stranger.fill() // a session of their own changes nothing
		for _, c := range []struct {
			method, path string
			body         any
		}{
			{"GET", fmt.Sprintf("/api/order/%d", id), nil},
			{"GET", fmt.Sprintf("/api/order/%d/events", id), nil},
			{"GET", fmt.Sprintf("/api/order-tracking/get-courier-location?order_id=%d", id), nil},
			{"POST", "/api/order/cancel", object{"order_id": id}},
			{"POST", "/api/order/repeat", object{"order_id": id}},
			{"POST", "/api/order/status", object{"order_id": id}},
			{"POST", "/api/order/status", object{"order_id": id, "phone": "79160000000"}},
			{"POST", "/api/order/status", object{"order_id": id, "link": strings.Repeat("A", len(link))}},
			{"POST", "/api/order/status", object{"order_id": 10_000_000, "phone": "79161234567"}},
		} {
			known := stranger.refused(http.StatusNotFound, "", c.method, c.path, c.body)
			if want := "We could not find this order. Check the order number and the phone"; known != want {
				t.Errorf("%s %s says %q", c.method, c.path, known)
			}
		}
		stranger.ok("POST", "/api/order/status", object{"order_id": id, "link": link})
		stranger.ok("GET", fmt.Sprintf("/api/order/%d", id), nil)
	})
}

func TestGetOrder_openedByPhoneHoldsNothingOfThePerson(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		guest, stranger := e.browser(t), e.browser(t)
		id, link := guest.order()
		path := fmt.Sprintf("/api/order/%d", id)
		whole, _ := dig(guest.ok("GET", path, nil), "order").(object)
		looked := stranger.ok("POST", "/api/order/status", object{"order_id": id, "phone": "79161234567"})
		brief, _ := dig(stranger.ok("GET", path, nil), "order").(object)
		for _, field := range []string{"username", "phone", "link", "delivery_address", "shop", "shop_id", "payment", "cash", "comment"} {
			if brief[field] != nil {
				t.Errorf("%s is shown as %v", field, brief[field])
			}
		}
		for _, field := range []string{"promised_from", "promised_to", "order_type"} {
			if brief[field] != whole[field] {
				t.Errorf("%s is %v, not %v", field, brief[field], whole[field])
			}
		}
		if dig(brief, "cart", "prices", "total") != dig(whole, "cart", "prices", "total") || brief["is_brief"] != true || whole["is_brief"] != false {
			t.Errorf("in brief it is %v", brief)
		}
		for name, got := range map[string]any{"the look-up": dig(looked, "status"), "the order": brief["status"]} {
			if dig(got, "can_cancel") != false || dig(got, "can_repeat") != false {
				t.Errorf("%s offers what is refused: %v", name, got)
			}
		}
		stranger.refused(http.StatusNotFound, "", "POST", "/api/order/repeat", object{"order_id": id})
		stranger.refused(http.StatusNotFound, "", "POST", "/api/order/cancel", object{"order_id": id})

		stranger.ok("POST", "/api/order/status", object{"order_id": id, "link": link})
		if got := dig(stranger.ok("GET", path, nil), "order"); dig(got, "link") != link || dig(got, "status", "can_cancel") != true {
			t.Errorf("by its link it is %v", got)
		}
	})
}

func TestEvents_sendStatusAndCourier(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		go e.follow.Run(t.Context(), func(err error) {
			if t.Context().Err() == nil {
				t.Error(err)
			}
		})
		guest := e.browser(t)
		id, _ := guest.order()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("%s/api/order/%d/events", e.http.URL, id), nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := guest.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		lines := bufio.NewScanner(res.Body)
		next := func() (name, data string) {
			for lines.Scan() {
				if text, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
					name = text
				}
				if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
					return name, text
				}
			}
			return "end", ""
		}
		kitchen := e.browser(t)
		move := func(status string) {
			e.Clock.Advance(time.Second)
			kitchen.ok("POST", fmt.Sprintf("/api/operator/orders/%d/status", id), object{"status": status}, "Authorization", "Bearer "+operatorToken)
		}
		for _, status := range []string{"accepted", "cooking", "sent", "done"} {
			if status != "accepted" {
				move(status)
			}
			name, data := next()
			if name != "status" || !strings.Contains(data, `"alias":"`+status+`"`) {
				t.Fatalf("want %s, got %s %s", status, name, data)
			}
		}
		if name, _ := next(); name != "end" {
			t.Errorf("after the final status came %s", name)
		}
	})
}
