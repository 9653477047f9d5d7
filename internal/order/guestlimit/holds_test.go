package guestlimit_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/limit"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/site"
	"servery/internal/visit"
)

// beginFor fills a guest's cart, chooses the interval and begins the checkout.
func (h *house) beginFor(ctx context.Context, t *testing.T, v visit.Context, intervalID string) (orders.Checkout, error) {
	t.Helper()
	p := carttest.Takeaway(carttest.Arbat)
	if _, err := h.Carts.Add(ctx, v, p, cart.Addition{ProductKey: "1-1002", Count: 1}); err != nil {
		return orders.Checkout{}, err
	}
	if _, err := h.Carts.SetInterval(ctx, v, carttest.Moscow, intervalID); err != nil {
		return orders.Checkout{}, err
	}
	return h.Orders.Begin(ctx, v, p)
}

// listTimes returns the ids of all intervals of the week that a guest may choose now.
func (h *house) listTimes(t *testing.T) []string {
	t.Helper()
	v := h.newGuest(t, "100.64.0.1")
	q, err := h.Carts.Add(t.Context(), v, carttest.Takeaway(carttest.Arbat), cart.Addition{ProductKey: "1-1002", Count: 1})
	if err != nil {
		t.Fatal(err)
	}
	var times []string
	for _, date := range q.Spot.Plan().Dates(v.Now) {
		list, err := h.Carts.Intervals(t.Context(), v, q, date.Day)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range list {
			if !i.IsASAP() && !i.Disabled {
				times = append(times, i.ID)
			}
		}
	}
	return times
}

// 300 checkouts, from one address or from a hundred, try to take all times of the week. At most
// ten an address are reserved, nine tenths of the times are left, and a guest can order.
func TestHolds_leaveTheWeekToThoseWhoOrder(t *testing.T) {
	t.Parallel()
	for name, addresses := range map[string]int{"from one address": 1, "from a hundred addresses": 100} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				h := newLimited(t, d, limit.Default())
				before := h.listTimes(t)
				held := 0
				for n := range 300 {
					v := h.newGuest(t, fmt.Sprintf("203.%d.113.5", n%addresses))
					checkout, err := h.beginFor(t.Context(), t, v, before[n/4%len(before)])
					if err != nil && fault.CodeOf(err) != fault.Conflict {
						t.Fatal(err)
					}
					if checkout.IsHeld {
						held++
					}
				}
				if most := 10 * addresses; held > most {
					t.Errorf("%d times are held, want at most %d", held, most)
				}
				after := h.listTimes(t)
				if len(after)*10 < len(before)*9 {
					t.Fatalf("%d of %d times of the week are left", len(after), len(before))
				}
				honest := h.newGuest(t, "100.64.0.2")
				r := h.Takeaway(t, honest, carttest.Arbat, after[0])
				h.Place(t, honest, r)
			})
		})
	}
}

// A session that begins a checkout forty times keeps the twenty before the newest and the one that says since when it has held
// a time, so that what is stored does not grow, and forty others do not lengthen a hold.
func TestBegin_keepsFewCheckoutsOfASession(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newLimited(t, d, limit.Default())
		v := h.newGuest(t, "203.0.113.5")
		times := h.listTimes(t)
		last := times[len(times)-1]
		begin := func(intervalID string) orders.Checkout {
			v.Now = h.Clock.Now()
			if _, err := h.Carts.SetInterval(t.Context(), v, carttest.Moscow, intervalID); err != nil {
				t.Fatal(err)
			}
			c, err := h.Orders.Begin(t.Context(), v, carttest.Takeaway(carttest.Arbat))
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		count := func() int {
			var n int
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				return tx.SQL.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM order_cache WHERE session_id = $1", v.SessionID).Scan(&n)
			})
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		if c, err := h.beginFor(t.Context(), t, v, last); err != nil || !c.IsHeld {
			t.Fatalf("the first checkout holds no time: %v", err)
		}
		for range 40 {
			h.Clock.Advance(time.Second)
			begin("")
		}
		if n := count(); n > 22 {
			t.Errorf("%d checkouts are kept", n)
		}
		h.Clock.Advance(orders.HoldFor*3 - 40*time.Second)
		if begin(last).IsHeld {
			t.Error("a time is held longer than the limit allows")
		}
		h.Clock.Advance(10 * time.Minute)
		if !begin(last).IsHeld {
			t.Error("after a pause nothing is held")
		}
	})
}

// The second checkout of an address reserves no time. It can still become an order.
func TestBegin_withoutAHoldMayStillOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		limits := limit.Default()
		limits.HoldsPerAddress = 1
		h := newLimited(t, d, limits)
		times := h.listTimes(t)
		if c, err := h.beginFor(t.Context(), t, h.newGuest(t, "203.0.113.5"), times[0]); err != nil || !c.IsHeld {
			t.Fatalf("the first checkout holds %v, %v", c.IsHeld, err)
		}
		v := h.newGuest(t, "203.0.113.5")
		c, err := h.beginFor(t.Context(), t, v, times[1])
		if err != nil || c.IsHeld {
			t.Fatalf("the second checkout holds %v, %v", c.IsHeld, err)
		}
		q, err := h.Carts.Preview(t.Context(), v, carttest.Takeaway(carttest.Arbat))
		if err != nil {
			t.Fatal(err)
		}
		h.Place(t, v, order.Request{
			CityID: carttest.Moscow, OrderType: site.Takeaway, ShopID: carttest.Arbat, CacheKey: c.Key, Phone: newPhone(1),
			Username: "Анна", PaymentType: site.Cash, IntervalID: times[1], SeenTotal: q.Prices.Total,
		})
	})
}

// A guest begins the checkout again every nine minutes. The time stays reserved for half an hour
// and is lost then; after a pause it can be reserved again.
func TestBegin_lengthensAHoldTwice(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newLimited(t, d, limit.Default())
		v := h.newGuest(t, "203.0.113.5")
		last := h.listTimes(t)[len(h.listTimes(t))-1]
		if _, err := h.beginFor(t.Context(), t, v, last); err != nil {
			t.Fatal(err)
		}
		begin := func() orders.Checkout {
			v.Now = h.Clock.Now()
			c, err := h.Orders.Begin(t.Context(), v, carttest.Takeaway(carttest.Arbat))
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		for n := range 4 { // at 0, 9, 18 and 27 minutes
			if !begin().IsHeld {
				t.Fatalf("after %d minutes nothing is held", 9*n)
			}
			h.Clock.Advance(9 * time.Minute)
		}
		if begin().IsHeld { // at 36 minutes
			t.Error("it is held for longer than thrice the deadline")
		}
		h.Clock.Advance(5 * time.Minute)
		if !begin().IsHeld {
			t.Error("after a pause nothing is held")
		}
	})
}

// Two guests want a time that takes one order. The second is refused with schedule.full_next,
// which names the next free time.
func TestCreate_namesTheNextFreeTimeWhenOneIsTaken(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := &house{ordertest.New(t, d)}
		p := carttest.Takeaway(carttest.Pokrovka) // which makes one order an interval
		first, second := h.NewVisitorWithCart(t), h.NewVisitorWithCart(t)
		if _, err := h.Orders.Begin(t.Context(), first, p); err != nil {
			t.Fatal(err)
		}
		_, err := h.Orders.Begin(t.Context(), second, p)
		f, ok := fault.Of(err)
		if !ok || f.Code != fault.Conflict || f.Message.Key != "schedule.full_next" || f.Message.Args["time"] == "" {
			t.Errorf("refused with %v", err)
		}
	})
}
