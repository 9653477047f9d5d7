package order_test

import (
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestAnOrderWhoseNumberIsTakenGetsAnother(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		h.orders.UseNumbers(10_000_001, 10_000_001, 10_000_002)
		first, second := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		one := h.place(t, first, h.takeaway(t, first, carttest.Arbat, halfPast(14)))
		other := h.place(t, second, h.takeaway(t, second, carttest.Arbat, halfPast(14)))
		if one.ID != 10_000_001 || other.ID != 10_000_002 {
			t.Errorf("the orders are %d and %d", one.ID, other.ID)
		}
	})
}
