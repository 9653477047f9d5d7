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

// atPokrovka returns the body of a call about takeaway from Pokrovka, with more fields. An interval of this
// shop has five minutes of work, which is one roll with rice.
func atPokrovka(more object) object {
	return with(object{"city_id": carttest.Moscow, "order_type": "takeaway", "shop_id": carttest.Pokrovka}, more)
}

// orderAtPokrovka places an order at Pokrovka that takes the first interval.
func (b *browser) orderAtPokrovka() {
	b.t.Helper()
	b.ok("PUT", "/api/cart/add", atPokrovka(object{"product_key": fmt.Sprintf("1-%d", carttest.Rice)}))
	got := b.ok("PUT", "/api/cart/set-interval", object{"city_id": carttest.Moscow, "interval": "asap"})
	key := b.ok("POST", "/api/order/create-order-cache", atPokrovka(nil))["order_cache_key"]
	b.ok("POST", "/api/order/create", atPokrovka(object{
		"order_cache_key": key, "phone": "79161234567", "username": "Anna", "payment_type": "cash", "interval_id": "asap",
		"cart": object{"prices": object{"total": dig(got, "cart", "prices", "total")}},
	}))
}

func TestListIntervals_firstDay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		empty, full := e.browser(t), e.browser(t)
		full.ok("PUT", "/api/cart/add", atPokrovka(object{"product_key": fmt.Sprintf("1-%d", carttest.Rice)}))
		expect := func(when string, b *browser, today bool, message any) {
			t.Helper()
			list := b.ok("POST", "/api/schedule/intervals", atPokrovka(nil), "Accept-Language", "en")
			first := dig(list, "intervals").([]any)[0]
			if dig(first, "is_today") != today || dig(first, "is_tomorrow") == today || dig(first, "disabled") != false {
				t.Errorf("%s: the first interval is %v", when, first)
			}
			if dig(list, "date") != dig(first, "date_string") || list["message"] != message {
				t.Errorf("%s: of %v because of %v", when, list["date"], list["message"])
			}
			if list["now"] != float64(e.Clock.Now().Unix()) {
				t.Errorf("%s: it is %v", when, list["now"])
			}
		}
		expect("at noon", full, true, nil)
		e.Clock.Advance(8*time.Hour + 50*time.Minute) // a single interval is left
		expect("before the last interval is taken", full, true, nil)
		e.browser(t).orderAtPokrovka()
		expect("with all taken", full, false, "Every slot of today is taken")
		expect("with all taken and an empty cart", empty, false, "Every slot of today is taken")
		e.Clock.Advance(time.Hour)
		expect("before closing", full, false, "We cannot get it ready today. Please choose a later time")
		e.Clock.Advance(time.Hour)
		expect("after closing", empty, false, "This restaurant has already closed. Order for tomorrow")
	})
}

func TestSetInterval_saysTheDay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.ok("PUT", "/api/cart/add", atPokrovka(object{"product_key": fmt.Sprintf("1-%d", carttest.Rice)}))
		for date, want := range map[string]object{
			"2026-11-20": {"is_today": true, "is_tomorrow": false, "day_name": "Friday", "formatted_string": "November 20"},
			"2026-11-21": {"is_today": false, "is_tomorrow": true, "day_name": "Saturday", "formatted_string": "November 21"},
			"2026-11-24": {"is_today": false, "is_tomorrow": false, "day_name": "Tuesday", "formatted_string": "November 24"},
		} {
			list := b.ok("POST", "/api/schedule/intervals", atPokrovka(object{"date": date}), "Accept-Language", "en")
			all := list["intervals"].([]any)
			id := dig(all[len(all)-1], "id")
			got := b.ok("PUT", "/api/cart/set-interval", object{"city_id": carttest.Moscow, "interval": id}, "Accept-Language", "en")
			for name, value := range want {
				if dig(got, "cart", "interval", name) != value {
					t.Errorf("%s: %s is %v", date, name, dig(got, "cart", "interval", name))
				}
			}
		}
	})
}

// On Friday at noon the night of Saturday's shift is that of Sunday the 22nd: as "tomorrow, 00:30" it would be had a
// night too early.
func TestIntervals_afterMidnightOfAnotherDayAreNamedByTheirDate(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, map[string]string{"sushi/shops.yaml": strings.Replace(carttest.Texts["sushi/shops.yaml"], `{1-7: ["10:00-22:00"]}`, `{1-7: ["10:00-02:00"]}`, 1)})
	b := e.browser(t)
	b.ok("PUT", "/api/cart/add", atPokrovka(object{"product_key": fmt.Sprintf("1-%d", carttest.Rice)}))
	for date, want := range map[string]object{
		"2026-11-20": {"is_today": true, "is_tomorrow": false},
		"2026-11-21": {"is_today": false, "is_tomorrow": false, "day_name": "Sunday", "formatted_string": "November 22"},
	} {
		list := b.ok("POST", "/api/schedule/intervals", atPokrovka(object{"date": date}), "Accept-Language", "en")
		all := list["intervals"].([]any)
		last := all[len(all)-1]
		got := b.ok("PUT", "/api/cart/set-interval", object{"city_id": carttest.Moscow, "interval": dig(last, "id")}, "Accept-Language", "en")
		want["title"], want["date_string"] = "01:30–02:00", date
		for name, value := range want {
			if dig(last, name) != value || dig(got, "cart", "interval", name) != value {
				t.Errorf("%s: %s is %v in the list and %v in the cart, want %v", date, name, dig(last, name), dig(got, "cart", "interval", name), value)
			}
		}
		if before := all[len(all)-5]; dig(before, "title") != "23:30–00:00" || dig(before, "is_tomorrow") != (date == "2026-11-21") {
			t.Errorf("%s: the time before midnight is %v", date, before)
		}
	}
}

// At half past midnight Friday's shift still runs. The evening of the date is none of tomorrow.
func TestIntervals_afterMidnightTheDateIsNotCalledTomorrow(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, map[string]string{"sushi/shops.yaml": strings.Replace(carttest.Texts["sushi/shops.yaml"], `{1-7: ["10:00-22:00"]}`, `{1-7: ["10:00-02:00"]}`, 1)})
	e.Clock.Set(time.Date(2026, 11, 20, 21, 30, 0, 0, time.UTC))
	list := e.browser(t).ok("POST", "/api/schedule/intervals", atPokrovka(object{"date": "2026-11-21"}), "Accept-Language", "en")
	day, first := dig(list, "dates").([]any)[1], dig(list, "intervals").([]any)[0]
	for name, value := range (object{"date_string": "2026-11-21", "day_name": "Saturday", "formatted_string": "November 21", "is_today": false, "is_tomorrow": false}) {
		if dig(day, name) != value || dig(first, name) != value {
			t.Errorf("%s is %v of the day and %v of its first time, want %v", name, dig(day, name), dig(first, name), value)
		}
	}
}

// Around the clock, an order of 23:25 that is cooked in twenty minutes is promised by 23:55, and reserves
// work after midnight.
func TestIntervals_asSoonAsPossibleIsOfTheEveningBeforeMidnight(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	e.Import(t, map[string]string{"sushi/shops.yaml": strings.Replace(carttest.Texts["sushi/shops.yaml"], `{1-7: ["10:00-22:00"]}`, `{1-7: ["00:00-24:00"]}`, 1)})
	e.Clock.Set(time.Date(2026, 11, 20, 20, 25, 0, 0, time.UTC))
	b := e.browser(t)
	b.ok("PUT", "/api/cart/add", atPokrovka(object{"product_key": fmt.Sprintf("1-%d", carttest.Rice)}))
	first := dig(b.ok("POST", "/api/schedule/intervals", atPokrovka(object{})), "intervals").([]any)[0]
	got := b.ok("PUT", "/api/cart/set-interval", object{"city_id": carttest.Moscow, "interval": "asap"})
	until := float64(time.Date(2026, 11, 20, 20, 55, 0, 0, time.UTC).Unix())
	for name, value := range (object{"id": "asap", "date_string": "2026-11-20", "is_today": true, "is_tomorrow": false, "end_timestamp": until}) {
		if dig(first, name) != value || dig(got, "cart", "interval", name) != value {
			t.Errorf("%s is %v in the list and %v in the cart, want %v", name, dig(first, name), dig(got, "cart", "interval", name), value)
		}
	}
}

func TestCart_withoutACityIsTheOneThatChangedLast(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.refused(http.StatusUnprocessableEntity, "city_id", "DELETE", "/api/cart/clear", nil)
		b.refused(http.StatusUnprocessableEntity, "city_id", "PUT", "/api/cart/set-interval", object{"interval": ""})
		b.ok("PUT", "/api/cart/add", object{"city_id": carttest.Ankara, "order_type": "takeaway", "shop_id": carttest.Kizilay, "product_key": "2-1002"})
		e.Clock.Advance(time.Second)
		b.ok("PUT", "/api/cart/add", moscow(object{"product_key": "1-1002", "delivery_zone_id": carttest.Free}))
		if got := dig(b.ok("PUT", "/api/cart/set-interval", object{"interval": "asap"}), "cart", "city_id"); got != float64(carttest.Moscow) {
			t.Errorf("the time was chosen in city %v", got)
		}
		if got := dig(b.ok("DELETE", "/api/cart/clear", nil), "cart", "city_id"); got != float64(carttest.Moscow) {
			t.Errorf("the cart of city %v was emptied", got)
		}
		left := b.ok("PUT", "/api/cart", object{"city_id": carttest.Ankara, "order_type": "takeaway", "shop_id": carttest.Kizilay})
		if got := dig(left, "cart", "count"); got != 1.0 {
			t.Errorf("%v portions are left in Ankara", got)
		}
	})
}
