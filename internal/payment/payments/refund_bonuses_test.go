package payments_test

import (
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/schedule"
)

// Of an order for which bonuses were spent the dishes are refunded one by one, and then the rest. With the
// money of a dish the bonuses that were spent on it return, and not before; at the end all have returned.
func TestRefund_ofALineReturnsTheBonusesSpentOnIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		v := c.SignInWithBonuses(t, c.Visitor(t, "sushi"), "79161234567", money.Major(100))
		r := c.Delivery(t, v, schedule.ASAP)
		r.Phone = "+79161230001"
		q, err := c.Carts.ApplyBonuses(t.Context(), v, carttest.Delivery(), money.Major(90))
		if err != nil {
			t.Fatal(err)
		}
		o, _ := c.MarkPaid(t, c.Place(t, v, ordertest.Agree(r, q)))
		c.Move(t, o, order.Cooking)
		want := money.Major(10)
		c.WantBalance(t, v, want)
		for i, line := range o.Lines {
			if line.Bonuses == 0 {
				t.Fatalf("no bonuses were spent on %+v", line)
			}
			c.RefundLines(t, o.ID, string(rune('a'+i)), payment.RefundLine{Key: line.Key, Count: line.Count})
			c.WantBalance(t, v, want) // it is not paid back yet
			c.SweepEachMinute(t, 2*time.Minute)
			want = want.Add(line.Bonuses)
			c.WantBalance(t, v, want)
		}
		c.RefundLines(t, o.ID, "rest")
		c.SweepEachMinute(t, 2*time.Minute)
		c.WantBalance(t, v, money.Major(100))
		c.WantBalanced(t)
	})
}
