package correct_test

import (
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/payment"
)

// The restaurant has refunded the delivery of an order paid online. A nearer address makes it cheaper, for which
// there is nothing to refund any more; the farther one again asks nothing of the customer, who paid for it once.
func TestCorrect_collectsNothingAgainForADeliveryThatWasRefunded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newKitchen(t, d)
		o, _ := k.MarkPaid(t, k.deliverTo(t, inSouth))
		gift := payment.RefundRequest{Key: "sorry", Lines: []payment.RefundLine{{Key: order.DeliveryKey, Count: 1}}}
		if _, err := k.Orders.Refund(t.Context(), o.ID, gift, k.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		k.SweepEachMinute(t, 2*time.Minute)

		got, effect := k.correct(t, o.ID, moveTo("nearer", inCenter))
		if effect.Refund != 0 || effect.ToCollect != 0 || got.Reduction != money.Major(50) {
			t.Errorf("nearer: %+v, reduction %s", effect, got.Reduction)
		}
		got, effect = k.correct(t, o.ID, moveTo("farther", inSouth))
		if effect.Refund != 0 || effect.ToCollect != 0 || got.Reduction != 0 {
			t.Errorf("farther again: %+v, reduction %s", effect, got.Reduction)
		}
		k.HandOver(t, o)
		k.SweepEachMinute(t, 3*time.Minute)
		k.Bank.WantRefunded(t, o.Prices.Delivery)
		k.CheckBooks(t)
	})
}
