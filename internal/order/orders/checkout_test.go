package orders_test

import (
	"strings"
	"testing"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// The visitor's checkout fills an interval. A second one of the same visitor gets the interval
// and can be ordered; another visitor does not get it.
func TestBegin_againReservesTheSameTime(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v, other := h.Visitor(t, "sushi"), h.NewVisitorWithCart(t)
		first := h.Takeaway(t, v, carttest.Pokrovka, ordertest.HalfPast(14)) // fills the interval
		again, err := h.Orders.Begin(t.Context(), v, carttest.Takeaway(carttest.Pokrovka))
		if err != nil {
			t.Fatalf("the visitor's own hold is in their way: %v", err)
		}
		if _, err := h.Orders.Begin(t.Context(), other, carttest.Takeaway(carttest.Pokrovka)); fault.KeyOf(err) != "schedule.full_next" {
			t.Errorf("another visitor got the same minutes: %v", err)
		}
		second := first
		second.CacheKey = again.Key
		h.Place(t, v, second)
	})
}

// For a stopped city and a stopped shop Begin returns order.alert with the text of content.
func TestService_Begin_refusesWhereNoOrdersAreTaken(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		ankara := cart.PlaceRequest{CityID: carttest.Ankara, OrderType: site.Takeaway, ShopID: carttest.Kizilay}
		if _, err := h.Carts.Add(t.Context(), v, ankara, cart.Addition{ProductKey: "2-1002", Count: 1}); err != nil {
			t.Fatal(err)
		}
		_, err := h.Orders.Begin(t.Context(), v, ankara)
		if f := ordertest.WantFault(t, err, fault.Invalid, "order.alert"); f.Message.Args["alert"] != "Closed until March" {
			t.Errorf("a stopped city says %v", f.Message.Args)
		}
		if _, err := h.Carts.Add(t.Context(), v, carttest.Takeaway(carttest.Arbat), cart.Addition{ProductKey: ordertest.RiceKey, Count: 1}); err != nil {
			t.Fatal(err)
		}
		h.Import(t, map[string]string{"sushi/shops.yaml": strings.Replace(carttest.Texts["sushi/shops.yaml"], "alias: arbat,", "alias: arbat, type: stop, alert: {ru: Ремонт, en: Repairs},", 1)})
		_, err = h.Orders.Begin(t.Context(), h.Again(t, v, "sushi"), carttest.Takeaway(carttest.Arbat))
		if f := ordertest.WantFault(t, err, fault.Invalid, "order.alert"); f.Message.Args["alert"] != "Repairs" {
			t.Errorf("a stopped shop says %v", f.Message.Args)
		}
	})
}

// A checkout fills the first interval. Its visitor still sees it as the first free one; for
// another visitor it is disabled and ASAP is later.
func TestIntervals_ofACheckoutAreFullForOthersOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		mine, other := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		h.Takeaway(t, mine, carttest.Pokrovka, schedule.ASAP) // fills the first interval
		rice := cart.Addition{ProductKey: "1-1002", Count: 1}
		if _, err := h.Carts.Add(t.Context(), other, carttest.Takeaway(carttest.Pokrovka), rice); err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			v    visit.Context
			full bool
			soon string
		}{"their own": {mine, false, "12:30"}, "another's": {other, true, "13:00"}} {
			q, err := h.Carts.SetInterval(t.Context(), c.v, carttest.Moscow, schedule.ASAP)
			if err != nil {
				t.Fatal(err)
			}
			loc := q.Spot.City.Location
			if q.Interval == nil || q.Interval.Start.In(loc).Format("15:04") != c.soon {
				t.Errorf("%s cart shows %+v", name, q.Interval)
			}
			list, err := h.Carts.Intervals(t.Context(), c.v, q, clock.DayOf(c.v.Now, loc))
			if err != nil || len(list) < 2 || !list[0].IsASAP() || list[0].Start.In(loc).Format("15:04") != c.soon || list[1].Disabled != c.full {
				t.Errorf("%s list: %+v, %v", name, list[:2], err)
			}
		}
	})
}

// The checkout was begun for the evening and the request asks for ASAP. The order is promised
// soon.
func TestCreate_usesTheTimeOfTheRequest(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, ordertest.HalfPast(18))
		r.IntervalID = schedule.ASAP
		if o := h.Place(t, v, r); o.PromisedFrom.After(h.Clock.Now().Add(orders.HoldFor * 6)) {
			t.Errorf("as soon as possible became %v", o.PromisedFrom)
		}
	})
}

// The address of an order was removed. Repeating the order saves it again, so that the repeated
// cart can be ordered.
func TestRepeat_savesTheAddressForTheVisitor(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP)
		o := h.Place(t, v, r)
		h.Move(t, o, order.Cooking, order.Sent, order.Done)
		if err := h.Addresses.Remove(t.Context(), geo.Owner{SessionID: v.SessionID, Site: "sushi"}, r.Address.ID); err != nil {
			t.Fatal(err)
		}
		v = h.Again(t, v, "sushi")
		repeated, err := h.Repeats().Repeat(t.Context(), v, o.ID, carts.Replace)
		if err != nil {
			t.Fatal(err)
		}
		checkout, err := h.Orders.Begin(t.Context(), v, carttest.Delivery())
		if err != nil {
			t.Fatal(err)
		}
		r.CacheKey, r.SeenTotal = checkout.Key, repeated.Cart.Prices.Total
		r.Address.ID = repeated.Cart.Cart.Address.ID
		h.Place(t, v, r)
	})
}
