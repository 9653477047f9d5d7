package server_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/schedule"
)

func TestText_thatNoDatabaseCanStoreIsTheCallersFault(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		total := b.fill()
		add := moscow(object{"product_key": fmt.Sprintf("1-%d", carttest.Rice)})
		for _, key := range []string{"short", strings.Repeat("k", 65), strings.Repeat("k", 9000), "not-\xff\xfe-text"} {
			b.refused(http.StatusUnprocessableEntity, "Idempotency-Key", "PUT", "/api/cart/add", add, "Idempotency-Key", key)
		}
		order := b.checkout(total)
		order["order_cache_key"] = "nil\x00nil"
		b.refused(http.StatusUnprocessableEntity, "order_cache_key", "POST", "/api/order/create", order)
		b.refused(http.StatusUnprocessableEntity, "room", "POST", "/api/user/addresses/set-by-coordinates",
			object{"city_id": 1, "latitude": 55.75, "longitude": 37.60, "room": "\x00"})
		for _, name := range []string{"%00", "%ff", "0123456789abcdef0123456789abcdef.jpg", strings.Repeat("a", 5000)} {
			b.refused(http.StatusNotFound, "", "GET", "/media/"+name, nil)
		}
	})
}

func TestListIntervals_leavesTheCartWhereItIs(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		b.fill()
		fetched := object{"city_id": 1, "order_type": "takeaway", "shop_id": carttest.Pokrovka}
		times := b.ok("POST", "/api/schedule/intervals", fetched)
		if list, _ := times["intervals"].([]any); len(list) == 0 {
			t.Errorf("no times of the shop that was asked about: %v", times)
		}
		b.ok("POST", "/api/schedule/time-settings", fetched)
		b.ok("POST", "/api/products/get-related-products", object{"city_id": 1, "order_type": "takeaway", "shop_id": carttest.Pokrovka, "product_groups_ids": []int{1}})
		interval := b.ok("PUT", "/api/cart/set-interval", object{"city_id": 1, "interval": schedule.ASAP})
		if place := dig(interval, "cart", "order_type"); place != "delivery" {
			t.Errorf("the cart is for %v now", place)
		}
	})
}

func TestCreateOrder_afterAStopOrAPassedTimeAnswersTheFreshCart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		total := b.fill()
		later := schedule.IDOf(carttest.Noon.Add(2 * time.Hour))
		e.Clock.Advance(3 * time.Hour)
		e.Stop(t, "ingredient", "salmon")
		for _, c := range []struct {
			path string
			body object
		}{
			{"/api/cart/add", moscow(object{
				"product_key": fmt.Sprintf("1-%d", carttest.Salmon), "modifiers": []object{{"id": carttest.SoySauce, "group_id": carttest.Sauce, "count": 1}},
			})},
			{"/api/cart/set-interval", object{"city_id": 1, "interval": later}},
		} {
			a := b.call("PUT", c.path, c.body)
			if a.status != http.StatusConflict || a.json["message"] == nil {
				t.Errorf("%s: %d %s", c.path, a.status, a.text)
			}
			if now := dig(a.json, "cart", "prices", "total"); now == nil || now == total {
				t.Errorf("%s: the cart beside the reason costs %v, it was %v before the stop", c.path, now, total)
			}
		}
	})
}

func TestDocument_isTheSameForAnInventedPort(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		tag := b.call("GET", "/moscow", nil, "Host", "localhost").header.Get("ETag")
		for port := range 3 {
			if a := b.call("GET", "/moscow", nil, "Host", fmt.Sprintf("localhost:%d", 7000+port)); a.header.Get("ETag") != tag {
				t.Errorf("port %d has a document of its own", 7000+port)
			}
		}
		own := strings.TrimPrefix(e.http.URL, "http://127.0.0.1")
		if a := b.call("GET", "/moscow", nil, "Host", "localhost"+own); !strings.Contains(a.text, "pizza.localhost"+own) {
			t.Error("the links to other brands lose the port")
		}
	})
}

func TestHTTPS_isKeptByBrowsersThatCameByIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		for target, want := range map[string]bool{"https://localhost/healthz": true, "http://localhost/healthz": false} {
			w := httptest.NewRecorder()
			e.server.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil))
			if got := w.Header().Get("Strict-Transport-Security") != ""; got != want {
				t.Errorf("%s: HSTS is %v", target, got)
			}
		}
	})
}

// The probe of servery doctor learns what the proxies have made of its request, and other callers do not.
func TestHealth_describesThePassageOfAProbe(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newEdge(t, d).browser(t)
		const sent = "192.0.2.1"
		for forwarded, want := range map[string]string{"": "missing", sent: "as_sent", sent + ", 203.0.113.9": "added", "203.0.113.9": "added"} {
			headers := []string{"Host", "sushi.internal", "Servery-Probe", sent}
			if forwarded != "" {
				headers = append(headers, "X-Forwarded-For", forwarded)
			}
			if a := b.call("GET", "/healthz", nil, headers...); a.status != http.StatusOK || strings.TrimSpace(a.text) != `{"host":"sushi.internal","forwarded_for":"`+want+`"}` {
				t.Errorf("%q: %d %s", forwarded, a.status, a.text)
			}
		}
		if a := b.call("GET", "/healthz", nil); strings.TrimSpace(a.text) != `{"status":"ok"}` {
			t.Errorf("others are answered %s", a.text)
		}
	})
}

func TestLimits_countTheAddressesOfOneLineAsOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		guess := func(address string) int {
			w := httptest.NewRecorder()
			body := strings.NewReader(`{"order_id": 12345678, "phone": "79161234567"}`)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/api/order/status", body)
			r.RemoteAddr = address
			e.server.ServeHTTP(w, r)
			return w.Code
		}
		for n := range 30 {
			if got := guess(fmt.Sprintf("[2001:db8::%x]:1", n+1)); got != http.StatusNotFound {
				t.Fatalf("guess %d: %d", n, got)
			}
		}
		if got := guess("[2001:db8::ffff]:1"); got != http.StatusTooManyRequests {
			t.Errorf("the thirty-first of a network: %d", got)
		}
		if got := guess("[2001:db8:0:1::1]:1"); got != http.StatusNotFound {
			t.Errorf("another network: %d", got)
		}
	})
}
