package orders_test

import (
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/kitchen"
	"servery/internal/live"
	"servery/internal/order/ordertest"
	"servery/internal/schedule"
)

// setKitchen sets a state of the kitchen at Arbat, such as a pause, which then lasts for that long.
func (h *house) setKitchen(t *testing.T, kind live.KitchenKind, minutes int, lasts time.Duration) {
	t.Helper()
	_, err := kitchen.New(h.DB, h.Clock, h.Catalog).SetState(t.Context(), kitchen.StateChange{KitchenEntry: live.KitchenEntry{
		Site: "sushi", ShopID: carttest.Arbat, Kind: kind, Minutes: minutes, Until: h.Clock.Now().Add(lasts), Origin: live.Origin{Reason: live.Staff},
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// The kitchen is paused after a customer has begun to check out and holds a time. The order is refused with
// the end of the pause at the field of the time. The cart keeps its dishes and loses only the time; a time
// after the pause can be ordered.
func TestCreate_refusesATimeInAPauseAndLosesNothing(t *testing.T) {
	t.Parallel()
	for name, interval := range map[string]string{"as soon as possible": schedule.ASAP, "half past two": ordertest.HalfPast(14)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) { refuseInPause(t, newHouse(t, d), interval) })
		})
	}
}

// refuseInPause checks out for an interval, pauses the kitchen until 15:00 and orders.
func refuseInPause(t *testing.T, h *house, interval string) {
	t.Helper()
	v := h.Visitor(t, "sushi")
	r := h.Takeaway(t, v, carttest.Arbat, interval)
	h.setKitchen(t, live.Pause, 0, 3*time.Hour)
	v = h.Again(t, v, "sushi")
	_, err := h.Orders.Create(t.Context(), v, r)
	f := ordertest.WantFault(t, err, fault.Conflict, "schedule.pause_notice_until")
	if f.Message.Args["time"] != "15:00" || len(f.Fields["interval_id"]) != 1 {
		t.Errorf("it says %v at %v", f.Message, f.Fields)
	}
	fresh, ok := cart.FreshCart(err)
	if !ok || len(fresh.Lines) != 1 || fresh.Interval != nil || fresh.Prices.Total != r.SeenTotal {
		t.Errorf("the cart is %+v", fresh)
	}
	q, err := h.Carts.Load(t.Context(), v, carttest.Takeaway(carttest.Arbat), carttest.SameInterval)
	if err != nil || len(q.Lines) != 1 || q.Cart.IntervalID != "" || len(q.Notices) != 1 || q.Notices[0].Key != "schedule.pause_notice_until" {
		t.Errorf("then it is %+v, %v", q.Notices, err)
	}
	later := ordertest.HalfPast(15)
	if _, err := h.Carts.SetInterval(t.Context(), v, carttest.Moscow, later); err != nil {
		t.Fatal(err)
	}
	checkout, err := h.Orders.Begin(t.Context(), v, carttest.Takeaway(carttest.Arbat))
	if err != nil {
		t.Fatal(err)
	}
	r.CacheKey, r.IntervalID = checkout.Key, later
	if o := h.Place(t, v, r); !o.PromisedFrom.Equal(carttest.Noon.Add(3*time.Hour + 30*time.Minute)) {
		t.Errorf("promised from %v", o.PromisedFrom)
	}
}

// Orders that are placed keep their promise when the kitchen is paused or busy afterwards.
func TestCreate_promisesHoldWhenTheKitchenIsPausedOrBusyLater(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	v := h.Visitor(t, "sushi")
	o := h.Place(t, v, h.Takeaway(t, v, carttest.Arbat, ordertest.HalfPast(14)))
	h.setKitchen(t, live.Pause, 0, 4*time.Hour)
	h.setKitchen(t, live.Busy, 90, 4*time.Hour)
	found, err := h.Orders.Read(t.Context(), o.ID)
	if err != nil || len(found) != 1 || !found[0].PromisedFrom.Equal(o.PromisedFrom) || !found[0].PromisedTo.Equal(o.PromisedTo) || found[0].State != o.State {
		t.Errorf("then %+v, %v", found, err)
	}
}

// The kitchen becomes busy after a time for 'as soon as possible' was shown. The order is refused with the
// later time; once the customer has seen that one, it is promised.
func TestCreate_asksBeforeItPromisesLaterBecauseTheKitchenIsBusy(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	v := h.Visitor(t, "sushi")
	r := h.Takeaway(t, v, carttest.Arbat, schedule.ASAP)
	seen := carttest.Noon.Add(30 * time.Minute) // twenty minutes of cooking, and ten for delays
	r.SeenEnd = &seen
	h.setKitchen(t, live.Busy, 40, time.Hour)
	v = h.Again(t, v, "sushi")
	_, err := h.Orders.Create(t.Context(), v, r)
	if f := ordertest.WantFault(t, err, fault.Conflict, "order.time_changed"); f.Message.Args["was"] != "12:30" || f.Message.Args["now"] != "13:10" {
		t.Errorf("it says %v", f.Message.Args)
	}
	later := carttest.Noon.Add(70 * time.Minute)
	r.SeenEnd = &later
	if o := h.Place(t, v, r); !o.PromisedTo.Equal(later) {
		t.Errorf("promised until %v", o.PromisedTo)
	}
}

// A price is set while the customer checks out: the order is refused with the fresh cart. An order that is
// placed keeps its price when another one is set.
func TestCreate_acceptsOnlyThePriceThatWasShown(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		service := kitchen.New(h.DB, h.Clock, h.Catalog)
		set := func(price live.PriceEntry) {
			t.Helper()
			price.Site, price.Product, price.ShopID = "sushi", "rice-roll", carttest.Arbat
			if _, err := service.SetPrice(t.Context(), kitchen.PriceChange{PriceEntry: price}); err != nil {
				t.Fatal(err)
			}
		}
		v := h.Visitor(t, "sushi")
		r := h.Takeaway(t, v, carttest.Arbat, ordertest.HalfPast(14))
		set(live.PriceEntry{Price: 12000})
		v = h.Again(t, v, "sushi")
		_, err := h.Orders.Create(t.Context(), v, r)
		ordertest.WantFault(t, err, fault.Conflict, "order.total_changed")
		fresh, _ := cart.FreshCart(err)
		if fresh.Prices.Total != r.SeenTotal+2000 {
			t.Fatalf("the fresh cart costs %v, shown were %v", fresh.Prices.Total, r.SeenTotal)
		}
		r.SeenTotal = fresh.Prices.Total
		o := h.Place(t, v, r)
		set(live.PriceEntry{Price: 50000})
		found, err := h.Orders.Read(t.Context(), o.ID)
		if err != nil || found[0].Prices != o.Prices || found[0].Prices.Subtotal != 12000 {
			t.Errorf("then it costs %+v, %v", found[0].Prices, err)
		}
	})
}
