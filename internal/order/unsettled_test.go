package order_test

import (
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/site"
)

func TestListUnsettled_countsTriesAndRefundsByAccount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		list := func() []order.Unsettled {
			all, err := order.ListUnsettled(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		if all := list(); len(all) != 0 {
			t.Errorf("before anything was tried: %+v", all)
		}
		c.pays(t, c.request(site.CardOnline))
		total := c.o.Prices.Total
		if all := list(); len(all) != 1 || all[0].IsRefund || all[0].Count != 1 || all[0].Amount != total || all[0].Site != "sushi" || all[0].Account == "" || all[0].Currency != "RUB" {
			t.Errorf("a try under way: %+v", all)
		}
		c.hears(t, c.desk.pay(c.desk.last()))
		if all := list(); len(all) != 0 {
			t.Errorf("after it was paid: %+v", all)
		}
		if _, err := c.orders.Cancel(t.Context(), c.v, c.o.ID); err != nil {
			t.Fatal(err)
		}
		if all := list(); len(all) != 1 || !all[0].IsRefund || all[0].Count != 1 || all[0].Amount != total {
			t.Errorf("a refund to be sent: %+v", all)
		}
	})
}
