package carts_test

import (
	"strings"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// kitchen is a brand with its carts, some of whose time slots other orders have filled.
type kitchen struct {
	*carttest.Restaurant
	carts *carts.Service
}

// newKitchen returns a brand with its carts on a database, without any order.
func newKitchen(t *testing.T, d *db.DB) kitchen {
	t.Helper()
	return kitchen{carttest.New(t, d), carts.New(d)}
}

// atTime returns the instant of a time of day in Moscow, on the day of the test.
func (k kitchen) atTime(hour, minute int) time.Time {
	return carttest.Noon.Add(time.Duration(hour-12)*time.Hour + time.Duration(minute)*time.Minute)
}

// reserveForOthers reserves minutes of a takeaway slot for another order, in addition to what is
// reserved already. The slot takes 60 minutes.
func (k kitchen) reserveForOthers(t *testing.T, shop int64, start time.Time, minutes int) {
	t.Helper()
	err := k.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := schedule.Reserve(t.Context(), tx, schedule.Request{
			Holder: "others " + k.Clock.Advance(time.Millisecond).String(), ShopID: shop, OrderType: site.Takeaway, Starts: []time.Time{start},
			Needs: schedule.Minutes{schedule.AllGroups: minutes}, Ceilings: schedule.Minutes{schedule.AllGroups: 60},
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// disabledTimes returns the times of today that the visitor cannot choose for their cart, each
// as the start of its slot.
func (k kitchen) disabledTimes(t *testing.T, v visit.Context, p cart.PlaceRequest) string {
	t.Helper()
	q, err := k.carts.Preview(t.Context(), v, p)
	if err != nil {
		t.Fatal(err)
	}
	list, err := k.carts.Intervals(t.Context(), v, q, clock.DayOf(v.Now, q.Spot.City.Location))
	if err != nil {
		t.Fatal(err)
	}
	var times []string
	for _, i := range list {
		if i.Disabled {
			times = append(times, i.Start.In(q.Spot.City.Location).Format("15:04"))
		}
	}
	return strings.Join(times, " ")
}

// Two slots have 3 and 0 minutes left. An empty cart can choose the first one only, a roll of
// five minutes none of them: SetInterval and Load return schedule.unavailable with the fresh
// cart.
func TestSetInterval_refusesAFullOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		arbat := carttest.Takeaway(carttest.Arbat)
		two, three := schedule.IDOf(k.atTime(14, 0)), schedule.IDOf(k.atTime(15, 0))
		k.reserveForOthers(t, carttest.Arbat, k.atTime(14, 0), 57)
		k.reserveForOthers(t, carttest.Arbat, k.atTime(15, 0), 60)
		v := k.Visitor(t, "sushi")
		for _, c := range []struct {
			name, disabled string
			count          int
			refused        []string
			chosen         []string
		}{
			{"without a dish", "15:00", 0, []string{three}, []string{two}},
			{"with a roll of five minutes", "14:00 15:00", 1, []string{two, three}, []string{schedule.ASAP}},
		} {
			if _, err := k.carts.Load(t.Context(), v, arbat, carttest.SameInterval); err != nil {
				t.Fatal(err)
			}
			if c.count > 0 {
				mustAdd(t, k.carts, v, arbat, addRice(c.count))
			}
			if got := k.disabledTimes(t, v, arbat); got != c.disabled {
				t.Errorf("%s: full are %s, want %s", c.name, got, c.disabled)
			}
			for _, id := range c.refused {
				_, err := k.carts.SetInterval(t.Context(), v, carttest.Moscow, id)
				f, _ := fault.Of(err)
				if f == nil || f.Code != fault.Conflict || f.Message.Key != "schedule.unavailable" {
					t.Fatalf("%s: %v", c.name, err)
				}
				if fresh, ok := cart.FreshCart(err); !ok || fresh.Count != c.count || fresh.Interval != nil {
					t.Errorf("%s: the cart beside it is %+v", c.name, fresh)
				}
				if _, err := k.carts.Load(t.Context(), v, arbat, &id); fault.KeyOf(err) != "schedule.unavailable" {
					t.Errorf("%s, as the cart is loaded: %v", c.name, err)
				}
			}
			for _, id := range c.chosen {
				if q, err := k.carts.SetInterval(t.Context(), v, carttest.Moscow, id); err != nil || q.Interval == nil {
					t.Errorf("%s: %+v, %v", c.name, q.Interval, err)
				}
			}
		}
	})
}

// Others leave five minutes of the chosen slot. One roll still fits; with a second one the time
// is removed from the cart, with a notice.
func TestLoad_saysThatTheChosenTimeIsFullByNow(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		arbat, v := carttest.Takeaway(carttest.Arbat), k.Visitor(t, "sushi")
		mustAdd(t, k.carts, v, arbat, addRice(1))
		if _, err := k.carts.SetInterval(t.Context(), v, carttest.Moscow, schedule.IDOf(k.atTime(14, 0))); err != nil {
			t.Fatal(err)
		}
		k.reserveForOthers(t, carttest.Arbat, k.atTime(14, 0), 55)
		q, err := k.carts.Load(t.Context(), v, arbat, carttest.SameInterval)
		if err != nil || q.Interval == nil || len(q.Notices) > 0 {
			t.Errorf("five minutes are free: %+v, %v, %v", q.Interval, q.Notices, err)
		}
		if q := mustAdd(t, k.carts, v, arbat, addRice(1)); q.Interval != nil || len(q.Notices) != 1 || q.Notices[0].Key != "cart.interval_gone" {
			t.Errorf("ten are needed: %+v, %v", q.Interval, q.Notices)
		}
	})
}

// 26 rolls need more work than one slot takes. A time that is too early is refused with a
// message that names the first time which takes the cart, and the phone to call. As soon as
// possible moves to that time.
func TestSetInterval_namesTheFirstTimeForALargeCartAndThePhone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		arbat, v := carttest.Takeaway(carttest.Arbat), k.Visitor(t, "sushi")
		mustAdd(t, k.carts, v, arbat, addRice(26)) // 130 minutes
		for _, c := range []struct {
			name    string
			take    int // of the interval at one
			full    string
			refused string
			words   string
		}{
			{"an empty kitchen", 0, "12:30 13:00", schedule.IDOf(k.atTime(13, 0)), "13:30–14:00"},
			{"a kitchen with work", 51, "12:30 13:00 13:30", schedule.ASAP, "14:00–14:30"},
		} {
			if c.take > 0 {
				k.reserveForOthers(t, carttest.Arbat, k.atTime(13, 0), c.take)
			}
			if got := k.disabledTimes(t, v, arbat); got != c.full {
				t.Errorf("%s: full are %s, want %s", c.name, got, c.full)
			}
			_, err := k.carts.SetInterval(t.Context(), v, carttest.Moscow, c.refused)
			if c.refused == schedule.ASAP { // it is the first that takes the cart
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
				_, err = k.carts.SetInterval(t.Context(), v, carttest.Moscow, schedule.IDOf(k.atTime(13, 30)))
			}
			f, _ := fault.Of(err)
			if f == nil || f.Code != fault.Conflict || f.Message.Key != "schedule.large_call" || f.Message.Args["time"] != c.words || f.Message.Args["phone"] != "+7 495 000-00-11" {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if q, err := k.carts.Load(t.Context(), v, arbat, carttest.SameInterval); err != nil || q.Interval == nil || !q.Interval.IsASAP() || !q.Interval.Start.Equal(k.atTime(14, 0)) {
			t.Errorf("as soon as possible is %+v, %v", q.Interval, err)
		}
	})
}

// A cart of 500 minutes in a shop that makes two minutes a slot fits nowhere: the message names
// only the phone.
func TestWhyTooLarge_ofACartThatNoTimeTakes(t *testing.T) {
	t.Parallel()
	h := carttest.New(t, dbtest.Open(t, db.SQLite))
	s, v := carts.New(h.DB), h.Visitor(t, "sushi")
	h.Import(t, map[string]string{"sushi/shops.yaml": strings.Replace(carttest.Texts["sushi/shops.yaml"], "ceiling: {takeaway: 5}", "ceiling: {takeaway: 5}, ceiling_groups: {rolls: 2}", 1)})
	v = h.Again(t, v, "sushi")
	q := mustAdd(t, s, v, carttest.Takeaway(carttest.Pokrovka), addRice(100)) // 500 minutes, 2 an interval
	if why, err := s.WhyTooLarge(t.Context(), v, q); err != nil || why.Key != "schedule.too_large_call" || why.Args["phone"] != "+7 495 000-00-11" {
		t.Errorf("got %v, %v", why, err)
	}
}
