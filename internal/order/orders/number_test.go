package orders_test

import (
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
)

// Two orders draw the same number. The second gets the next one.
func TestCreate_triesAnotherNumberWhenOneIsTaken(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		h.Orders.UseNumbers(10_000_001, 10_000_001, 10_000_002)
		first, second := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		one := h.Place(t, first, h.Takeaway(t, first, carttest.Arbat, ordertest.HalfPast(14)))
		other := h.Place(t, second, h.Takeaway(t, second, carttest.Arbat, ordertest.HalfPast(14)))
		if one.ID != 10_000_001 || other.ID != 10_000_002 {
			t.Errorf("the orders are %d and %d", one.ID, other.ID)
		}
	})
}

// Databases have ranges of their own, so that no number is there twice.
func TestCreate_takesItsNumberFromTheRangeOfTheDatabase(t *testing.T) {
	t.Parallel()
	for range 1000 {
		if n := orders.NewNumber(100_000_000, 100_000_002); n < 100_000_000 || n > 100_000_002 {
			t.Fatalf("%d is outside of the range", n)
		}
	}
}
