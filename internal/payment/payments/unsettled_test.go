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

// Nothing is unsettled at first; then an attempt under way is, until it is paid; after the order
// was canceled its refund is.
func TestListUnsettled_countsAttemptsAndRefundsByAccount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		later := time.Duration(0)
		list := func() []payments.Unsettled {
			all, err := payments.ListUnsettled(t.Context(), d, c.Clock.Now().Add(later))
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		if all := list(); len(all) != 0 {
			t.Errorf("before any attempt: %+v", all)
		}
		c.BeginPayment(t, c.Request(site.CardOnline))
		total := c.Placed.Prices.Total
		if all := list(); len(all) != 1 || all[0].IsRefund || all[0].Count != 1 || all[0].Amount != total || all[0].Site != "sushi" || all[0].Account == "" || all[0].Currency != "RUB" {
			t.Errorf("an attempt under way: %+v", all)
		}
		for after, late := range map[time.Duration]int64{0: 0, time.Hour: 1} {
			if later = after; list()[0].Late != late {
				t.Errorf("%s after it began %d attempts are late, want %d", after, list()[0].Late, late)
			}
		}
		later = 0
		c.DeliverWebhook(t, c.Desk.Pay(c.Desk.LastID()))
		if all := list(); len(all) != 0 {
			t.Errorf("after it was paid: %+v", all)
		}
		if _, err := c.Orders.Cancel(t.Context(), c.Guest, c.Placed.ID); err != nil {
			t.Fatal(err)
		}
		if all := list(); len(all) != 1 || !all[0].IsRefund || all[0].Count != 1 || all[0].Amount != total {
			t.Errorf("a refund to be sent: %+v", all)
		}
		for after, late := range map[time.Duration]int64{59 * time.Minute: 0, 61 * time.Minute: 1} {
			if later = after; list()[0].Late != late {
				t.Errorf("%s after it was decided %d refunds are late, want %d", after, list()[0].Late, late)
			}
		}
	})
}
