package orders_test

import (
	"fmt"
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
	"servery/internal/order"
	"servery/internal/order/audittest"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment/payments"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// newVisitorWithRolls returns a new visitor whose cart has count rolls of five minutes of work
// for takeaway at Arbat, where an interval takes sixty minutes, and the priced cart.
func (h *house) newVisitorWithRolls(t testing.TB, count int) (visit.Context, cart.Quoted) {
	t.Helper()
	v := h.Visitor(t, "sushi")
	q, err := h.Carts.Add(t.Context(), v, carttest.Takeaway(carttest.Arbat), cart.Addition{ProductKey: ordertest.RiceKey, Count: count})
	if err != nil {
		t.Fatal(err)
	}
	return v, q
}

// beginCheckout chooses the time, begins a checkout at Arbat and returns the request to order.
func (h *house) beginCheckout(t testing.TB, v visit.Context, intervalID string) (order.Request, error) {
	t.Helper()
	q, err := h.Carts.SetInterval(t.Context(), v, carttest.Moscow, intervalID)
	if err != nil {
		return order.Request{}, err
	}
	begun, err := h.Orders.Begin(t.Context(), v, carttest.Takeaway(carttest.Arbat))
	return order.Request{
		CityID: carttest.Moscow, OrderType: site.Takeaway, ShopID: carttest.Arbat, CacheKey: begun.Key, Phone: "+7 916 123-45-67",
		Username: "Анна", PaymentType: site.Cash, IntervalID: intervalID, SeenTotal: q.Prices.Total, Fingerprint: q.Fingerprint,
	}, err
}

// listUsed returns the minutes of takeaway that are taken at Arbat today, as "13:00 60, 13:30
// 10".
func (h *house) listUsed(t testing.TB) string {
	t.Helper()
	used, err := schedule.Used(t.Context(), h.DB.Read(), carttest.Arbat, site.Takeaway, carttest.Noon, carttest.Noon.Add(12*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	moscow, err := time.LoadLocation("Europe/Moscow")
	if err != nil {
		t.Fatal(err)
	}
	var taken []string
	for at := carttest.Noon; at.Before(carttest.Noon.Add(12 * time.Hour)); at = at.Add(30 * time.Minute) {
		if minutes := used[schedule.IDOf(at)][schedule.AllGroups]; minutes > 0 {
			taken = append(taken, fmt.Sprintf("%s %d", at.In(moscow).Format("15:04"), minutes))
		}
	}
	return strings.Join(taken, ", ")
}

// expectUsed fails the test unless the minutes taken at Arbat today are want, as "13:00 60,
// 13:30 10". when describes the moment in the message.
func (h *house) expectUsed(t testing.TB, when, want string) {
	t.Helper()
	if got := h.listUsed(t); got != want {
		t.Errorf("%s: taken are %q, want %q", when, got, want)
	}
}

// 26 rolls are 130 minutes. They are refused where only two intervals are left, and otherwise
// take minutes of three, which are full for others. Canceling frees them.
func TestCreate_largeOrderTakesIntervalsBeforeItsOwn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v, _ := h.newVisitorWithRolls(t, 26)
		if _, err := h.beginCheckout(t, v, schedule.IDOf(carttest.Noon.Add(time.Hour))); fault.KeyOf(err) != "schedule.large_call" {
			t.Errorf("at one there are two intervals for 130 minutes: %v", err)
		}
		r, err := h.beginCheckout(t, v, ordertest.HalfPast(13))
		if err != nil {
			t.Fatal(err)
		}
		h.expectUsed(t, "the checkout", "12:30 10, 13:00 60, 13:30 60")
		o := h.Place(t, v, r)
		h.expectUsed(t, "the order", "12:30 10, 13:00 60, 13:30 60")
		if !o.PromisedFrom.Equal(carttest.Noon.Add(90*time.Minute)) || !o.PromisedTo.Equal(carttest.Noon.Add(2*time.Hour)) {
			t.Errorf("promised from %v to %v", o.PromisedFrom, o.PromisedTo)
		}
		small, _ := h.newVisitorWithRolls(t, 1)
		if _, err := h.beginCheckout(t, small, ordertest.HalfPast(13)); fault.KeyOf(err) != "schedule.unavailable" {
			t.Errorf("a full interval: %v", err)
		}
		if _, err := h.Orders.Cancel(t.Context(), v, o.ID); err != nil {
			t.Fatal(err)
		}
		h.expectUsed(t, "canceled", "")
		audittest.Check(t, d, audittest.Books{})
	})
}

// Another order takes the time of a large cart. Begin returns schedule.large_call with the first
// time that takes the cart, which is also what ASAP means then.
func TestBegin_refusesALargeOrderWithTheFirstTimeThatTakesIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		late, q := h.newVisitorWithRolls(t, 20)
		if q, err := h.Carts.SetInterval(t.Context(), late, carttest.Moscow, ordertest.HalfPast(13)); err != nil || q.Interval == nil {
			t.Fatalf("an empty kitchen: %v", err)
		}
		v, _ := h.newVisitorWithRolls(t, 20)
		r, err := h.beginCheckout(t, v, ordertest.HalfPast(13))
		if err != nil {
			t.Fatal(err)
		}
		h.Place(t, v, r)
		_, err = h.Orders.Begin(t.Context(), late, carttest.Takeaway(carttest.Arbat))
		f, ok := fault.Of(err)
		if !ok || f.Code != fault.Conflict || f.Message.Key != "schedule.large_call" || f.Message.Args["time"] != "14:00–14:30" || f.Fields["interval_id"] == nil {
			t.Fatalf("a checkout begun: %v", err)
		}
		if fresh, ok := cart.FreshCart(err); !ok || fresh.Interval != nil || fresh.Prices.Total != q.Prices.Total {
			t.Errorf("the cart beside it: %+v", fresh)
		}
		if list := h.listToday(t, late); !strings.HasPrefix(list, "14:00 12:30- 13:00- 13:30- 14:00 ") {
			t.Errorf("the list shows %s", list)
		}
		if r, err = h.beginCheckout(t, late, schedule.ASAP); err != nil {
			t.Fatal(err)
		}
		if o := h.Place(t, late, r); !o.PromisedFrom.Equal(carttest.Noon.Add(2 * time.Hour)) {
			t.Errorf("as soon as possible is promised from %v", o.PromisedFrom)
		}
		h.expectUsed(t, "both", "12:30 20, 13:00 60, 13:30 60, 14:00 60")
		audittest.Check(t, d, audittest.Books{})
	})
}

// listToday returns the starts of the intervals that the visitor is shown for today at Arbat, as
// soon as possible first, those that are full with a dash.
func (h *house) listToday(t testing.TB, v visit.Context) string {
	t.Helper()
	q, err := h.Carts.Preview(t.Context(), v, carttest.Takeaway(carttest.Arbat))
	if err != nil {
		t.Fatal(err)
	}
	loc := q.Spot.City.Location
	list, err := h.Carts.Intervals(t.Context(), v, q, clock.DayOf(v.Now, loc))
	if err != nil {
		t.Fatal(err)
	}
	var starts []string
	for _, i := range list {
		text := i.Start.In(loc).Format("15:04")
		if i.Disabled {
			text += "-"
		}
		starts = append(starts, text)
	}
	return strings.Join(starts, " ")
}

// A large checkout does not hide its own time from its visitor. Choosing another time and the
// deadline release all its intervals.
func TestCheckout_largeOrderReleasesEveryIntervalThatItHeld(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v, _ := h.newVisitorWithRolls(t, 26)
		if _, err := h.beginCheckout(t, v, ordertest.HalfPast(13)); err != nil {
			t.Fatal(err)
		}
		if list := h.listToday(t, v); !strings.HasPrefix(list, "13:30 12:30- 13:00- 13:30 ") {
			t.Errorf("what the customer holds is in their own way: %s", list)
		}
		if _, err := h.beginCheckout(t, v, ordertest.HalfPast(15)); err != nil {
			t.Fatal(err)
		}
		h.expectUsed(t, "at another time", "14:30 10, 15:00 60, 15:30 60")
		h.Clock.Advance(orders.HoldFor)
		if err := h.Orders.Sweep(t.Context(), h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		h.expectUsed(t, "after the deadline", "")
	})
}

// An order of 26 rolls is repeated. The times that the first order leaves too little work for
// are shown as full, and the first one that takes 26 rolls can be ordered.
func TestRepeat_largeOrderIsOfferedTheTimesThatTakeIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v, _ := h.newVisitorWithRolls(t, 26)
		r, err := h.beginCheckout(t, v, ordertest.HalfPast(13))
		if err != nil {
			t.Fatal(err)
		}
		o := h.Place(t, v, r)
		h.Move(t, o, order.Cooking, order.Done)
		v = h.Again(t, v, "sushi")
		repeated, err := h.Repeats().Repeat(t.Context(), v, o.ID, carts.Replace)
		if err != nil || repeated.Cart.Count != 26 || repeated.Cart.Interval != nil {
			t.Fatalf("%+v, %v", repeated.Cart.Interval, err)
		}
		if list := h.listToday(t, v); !strings.HasPrefix(list, "14:30 12:30- 13:00- 13:30- 14:00- 14:30 ") {
			t.Errorf("the list shows %s", list)
		}
		if r, err = h.beginCheckout(t, v, ordertest.HalfPast(14)); err != nil {
			t.Fatal(err)
		}
		h.Place(t, v, r)
		h.expectUsed(t, "both", "12:30 20, 13:00 60, 13:30 60, 14:00 60, 14:30 60")
		audittest.Check(t, d, audittest.Books{})
	})
}

// Emptying the cart, at once or by removing its last dish, releases the time of its checkout.
// Removing one of many dishes does not, and the checkout of another visitor stays.
func TestClear_releasesWhatTheCheckoutHeld(t *testing.T) {
	t.Parallel()
	for name, empty := range map[string]func(h *house, t *testing.T, v visit.Context) error{
		"cleared": func(h *house, t *testing.T, v visit.Context) error {
			_, err := h.Carts.Clear(t.Context(), v, carttest.Moscow)
			return err
		},
		"the last dish taken out": func(h *house, t *testing.T, v visit.Context) error {
			_, err := h.Carts.Remove(t.Context(), v, carttest.Takeaway(carttest.Arbat), ordertest.RiceKey, 26)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				h := newHouse(t, d)
				other, _ := h.newVisitorWithRolls(t, 1)
				if _, err := h.beginCheckout(t, other, ordertest.HalfPast(15)); err != nil {
					t.Fatal(err)
				}
				v, _ := h.newVisitorWithRolls(t, 26)
				if _, err := h.beginCheckout(t, v, ordertest.HalfPast(13)); err != nil {
					t.Fatal(err)
				}
				if _, err := h.Carts.Remove(t.Context(), v, carttest.Takeaway(carttest.Arbat), ordertest.RiceKey, 1); err != nil {
					t.Fatal(err)
				}
				h.expectUsed(t, "one dish less", "12:30 10, 13:00 60, 13:30 60, 15:30 5")
				if _, err := h.Carts.Add(t.Context(), v, carttest.Takeaway(carttest.Arbat), cart.Addition{ProductKey: ordertest.RiceKey, Count: 1}); err != nil {
					t.Fatal(err)
				}
				v.IdempotencyKey = "empty it"
				if err := empty(h, t, v); err != nil {
					t.Fatal(err)
				}
				h.expectUsed(t, "emptied", "15:30 5")
			})
		})
	}
}

// With a short and a long deadline for payments, and with that of ten minutes where none is set,
// the time stays reserved until that deadline and not longer.
func TestBegin_holdsTheTimeUntilThePaymentWouldBeDue(t *testing.T) {
	t.Parallel()
	for set, within := range map[time.Duration]time.Duration{12 * time.Second: 12 * time.Second, 30 * time.Minute: 30 * time.Minute, 0: 10 * time.Minute} {
		t.Run(set.String(), func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				h := newHouse(t, d)
				h.StartProcess(t, orders.Options{PayWithin: set}, payments.Options{})
				v, _ := h.newVisitorWithRolls(t, 1)
				if _, err := h.Carts.SetInterval(t.Context(), v, carttest.Moscow, ordertest.HalfPast(13)); err != nil {
					t.Fatal(err)
				}
				begun, err := h.Orders.Begin(t.Context(), v, carttest.Takeaway(carttest.Arbat))
				if err != nil || !begun.ExpiresAt.Equal(v.Now.Add(within)) {
					t.Fatalf("held until %v, %v", begun.ExpiresAt, err)
				}
				for _, step := range []struct {
					later time.Duration
					want  string
				}{{within - time.Second, "13:30 5"}, {time.Second, ""}} {
					if err := h.Orders.Sweep(t.Context(), h.Clock.Advance(step.later)); err != nil {
						t.Fatal(err)
					}
					h.expectUsed(t, h.Clock.Now().String(), step.want)
				}
			})
		})
	}
}
