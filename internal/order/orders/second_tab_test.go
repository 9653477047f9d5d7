package orders_test

import (
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/order/ordertest"
)

// A second tab of the visitor has reserved the time. The order of the first tab still gets it,
// and after it is canceled nobody has the time reserved.
func TestCreate_releasesTheTimeOfASecondTab(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		first := h.Takeaway(t, v, carttest.Pokrovka, ordertest.HalfPast(14)) // fills the interval
		if _, err := h.Orders.Begin(t.Context(), v, carttest.Takeaway(carttest.Pokrovka)); err != nil {
			t.Fatal(err) // the second tab holds it now
		}
		placed := h.Place(t, v, first)
		if _, err := h.Orders.Cancel(t.Context(), v, placed.ID); err != nil {
			t.Fatal(err)
		}
		next := h.Visitor(t, "sushi")
		if _, err := h.Orders.Create(t.Context(), next, h.Takeaway(t, next, carttest.Pokrovka, ordertest.HalfPast(14))); err != nil {
			t.Errorf("the interval is still held by somebody: %v (%s)", err, fault.KeyOf(err))
		}
	})
}
