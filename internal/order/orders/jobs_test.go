package orders_test

import (
	"context"
	"errors"
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

// isHeld reports whether the holder has reserved an interval.
func isHeld(t *testing.T, d *db.DB, holder string) bool {
	t.Helper()
	_, isReserved, err := schedule.FindReservation(t.Context(), d.Read(), holder)
	if err != nil {
		t.Fatal(err)
	}
	return isReserved
}

// At the deadline of two checkouts the interval of the one without an order is released, not before. That
// of the order stays.
func TestReleaseExpired_releasesTheIntervalAtTheDeadline(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		lost, placed := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		r := h.Takeaway(t, lost, carttest.Pokrovka, ordertest.HalfPast(14))
		o := h.Place(t, placed, h.Takeaway(t, placed, carttest.Arbat, ordertest.HalfPast(14)))
		deadline := h.Clock.Now().Add(orders.HoldFor)
		for _, at := range []struct {
			now    time.Time
			isHeld bool
		}{{deadline.Add(-time.Millisecond), true}, {deadline, false}, {deadline, false}} {
			if err := h.Orders.ReleaseExpired(t.Context(), at.now); err != nil {
				t.Fatal(err)
			}
			if got := isHeld(t, d, "cache:"+r.CacheKey); got != at.isHeld {
				t.Errorf("at %s the interval is held: %t", at.now, got)
			}
		}
		if !isHeld(t, d, fmt.Sprintf("order:%d", o.ID)) {
			t.Error("the order lost its interval")
		}
	})
}

// The queue runs the jobs that the release before has stored for a checkout without an order and for one
// with an order. The interval of the first is released, that of the order stays.
func TestReleaseHold_ofTheReleaseBeforeReleasesTheInterval(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		q, err := queue.New(d, queue.Options{Poll: 10 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		h.StartProcessOn(q, orders.Options{}, payments.Options{})
		lost, placed := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		r := h.Takeaway(t, lost, carttest.Pokrovka, ordertest.HalfPast(14))
		o := h.Place(t, placed, h.Takeaway(t, placed, carttest.Arbat, ordertest.HalfPast(14)))
		if !isHeld(t, d, "cache:"+r.CacheKey) {
			t.Fatal("nothing is held")
		}
		err = d.InTx(t.Context(), func(tx *db.Tx) error {
			return errors.Join(orders.EnqueueRelease(t.Context(), tx, q, r.CacheKey), orders.EnqueueRelease(t.Context(), tx, q, o.CacheKey))
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := q.Stop(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		})
		deadline := time.After(30 * time.Second)
		for isHeld(t, d, "cache:"+r.CacheKey) {
			select {
			case <-deadline:
				t.Fatal("the hold was never given back")
			case <-time.After(10 * time.Millisecond):
			}
		}
		if !isHeld(t, d, fmt.Sprintf("order:%d", o.ID)) {
			t.Error("the order lost its interval")
		}
	})
}
