package payments_test

import (
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order/ordertest"
	"servery/internal/payment/payments"
	"servery/internal/site"
)

// At first nothing is unsettled. An attempt is unsettled until it is paid, and late after its
// deadline. After the order was canceled, its refund is unsettled, and late after an hour.
func TestListUnsettled_countsAttemptsAndRefundsByAccount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		later := time.Duration(0)
		list := func() []payments.Unsettled {
			unsettled, err := payments.ListUnsettled(t.Context(), d, c.Clock.Now().Add(later))
			if err != nil {
				t.Fatal(err)
			}
			return unsettled
		}
		if unsettled := list(); len(unsettled) != 0 {
			t.Errorf("before any attempt: %+v", unsettled)
		}
		c.BeginPayment(t, c.Request(site.CardOnline))
		total := c.Placed.Prices.Total
		if unsettled := list(); len(unsettled) != 1 || unsettled[0].IsRefund || unsettled[0].Count != 1 || unsettled[0].Amount != total || unsettled[0].Site != "sushi" || unsettled[0].Account == "" || unsettled[0].Currency != "RUB" {
			t.Errorf("an attempt under way: %+v", unsettled)
		}
		for after, late := range map[time.Duration]int64{0: 0, time.Hour: 1} {
			later = after
			if list()[0].Late != late {
				t.Errorf("%s after it began %d attempts are late, want %d", after, list()[0].Late, late)
			}
		}
		later = 0
		c.DeliverWebhook(t, c.Desk.Pay(c.Desk.LastID()))
		if unsettled := list(); len(unsettled) != 0 {
			t.Errorf("after it was paid: %+v", unsettled)
		}
		if _, err := c.Orders.Cancel(t.Context(), c.Guest, c.Placed.ID); err != nil {
			t.Fatal(err)
		}
		if unsettled := list(); len(unsettled) != 1 || !unsettled[0].IsRefund || unsettled[0].Count != 1 || unsettled[0].Amount != total {
			t.Errorf("a refund to be sent: %+v", unsettled)
		}
		for after, late := range map[time.Duration]int64{59 * time.Minute: 0, 61 * time.Minute: 1} {
			later = after
			if list()[0].Late != late {
				t.Errorf("%s after it was decided %d refunds are late, want %d", after, list()[0].Late, late)
			}
		}
	})
}
