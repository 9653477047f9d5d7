package orders_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment/payments"
	"servery/internal/queue"
	"servery/internal/schedule"
)

// The queue runs the jobs of a checkout without an order and of one with an order. The interval
// of the first is released, that of the order stays.
func TestReleaseHold_releasesTheIntervalAtTheDeadline(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		q, err := queue.New(d, queue.Options{Poll: 10 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		h.StartProcessOn(q, orders.Options{}, payments.Options{})
		isHeld := func(key string) bool {
			_, isReserved, err := schedule.FindReservation(t.Context(), d.Read(), "cache:"+key)
			if err != nil {
				t.Fatal(err)
			}
			return isReserved
		}
		lost, placed := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		r := h.Takeaway(t, lost, carttest.Pokrovka, ordertest.HalfPast(14))
		o := h.Place(t, placed, h.Takeaway(t, placed, carttest.Arbat, ordertest.HalfPast(14)))
		if !isHeld(r.CacheKey) {
			t.Fatal("nothing is held")
		}
		// The house's clock stands in the machine's past, so both deadlines are over.
		if err := q.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := q.Stop(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
		deadline := time.After(30 * time.Second)
		for isHeld(r.CacheKey) {
			select {
			case <-deadline:
				t.Fatal("the hold was never given back")
			case <-time.After(10 * time.Millisecond):
			}
		}
		if _, isReserved, err := schedule.FindReservation(t.Context(), d.Read(), fmt.Sprintf("order:%d", o.ID)); err != nil || !isReserved {
			t.Errorf("the order lost its interval: %v", err)
		}
	})
}
