package races_test

import (
	"context"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/order/audittest"
)

// Orders of one to twenty dishes race for a few intervals of sixty minutes. No interval is overbooked at any moment.
// At the end the used minutes of each interval are those of the orders that are not canceled.
func TestLargeOrders_neverOverbookAnInterval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		engine  db.Engine
		servers int
	}{{db.SQLite, 1}, {db.Postgres, 2}} {
		t.Run(string(c.engine), func(t *testing.T) {
			h := newHouse(t, c.engine, c.servers, 1)
			intervals := h.intervals(t)[4:10]
			var buyers []*buyer
			for n := range 40 {
				b := h.newBuyer(200, n)
				b.place, b.interval, b.dishes = narrow, intervals[b.dice.IntN(len(intervals))], 1+b.dice.IntN(3)
				if n%2 == 0 {
					b.dishes = 7 + b.dice.IntN(14)
				}
				b.leaves = b.dice.IntN(6) == 0
				buyers = append(buyers, b)
			}
			watched := h.watchSlots(t)
			race(t, buyers, func(b *buyer) { b.buy(t.Context()) })
			h.expireCheckouts(t)
			race(t, buyers, func(b *buyer) {
				if b.order == 0 {
					b.leaves, b.lastCall = false, true
					b.buy(t.Context())
				}
			})
			h.expireCheckouts(t)
			if looks := watched(); looks == 0 {
				t.Error("nothing was watched")
			}
			audittest.Check(t, h.db, audittest.Books{Now: h.now})
			taken := h.number(t, "SELECT COALESCE(SUM(used_minutes), 0) FROM slot WHERE product_group_id = 0")
			ordered := h.number(t, "SELECT COALESCE(SUM(l.count), 0) FROM order_line l JOIN orders o ON o.id = l.order_id WHERE o.state <> 'canceled'")
			large := h.number(t, "SELECT COUNT(*) FROM slot_hold WHERE earlier <> '{}'")
			if taken != ordered*dishWork || large == 0 {
				t.Errorf("%d minutes are taken, %d dishes of %d are ordered, %d orders take several intervals", taken, ordered, dishWork, large)
			}
			t.Logf("%d dishes, %d orders over several intervals", ordered, large)
		})
	}
}

// watchSlots checks again and again that no interval is overbooked. The returned function ends that and returns the
// number of checks.
func (h *house) watchSlots(t *testing.T) func() int {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	looks := make(chan int)
	go func() {
		n := 0
		for ctx.Err() == nil {
			var over int
			err := h.db.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM slot WHERE used_minutes > $1 OR used_minutes > ceiling_minutes", narrowWork).Scan(&over)
			if err == nil && over > 0 {
				t.Errorf("%d intervals are overbooked", over)
			}
			n++
			select {
			case <-ctx.Done():
			case <-time.After(5 * time.Millisecond):
			}
		}
		looks <- n
	}()
	return func() int {
		cancel()
		return <-looks
	}
}
