package order_test

import (
	"fmt"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/schedule"
	"servery/internal/site"
)

func TestAnUnpaidOrderGivesAllBackAndItsCartIsAsItWas(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.SBP, false)
		files := carttest.Online(false)
		for name, text := range offers {
			files[name] = text
		}
		c.Import(t, files)
		c.v = c.Visitor(t, "sushi")
		c.r = c.take(t, c.v, c.take(t, c.v, c.takeaway(t, c.v, carttest.Arbat, halfPast(15)), soyGiftID), firstGift)
		c.r.PaymentType, c.r.Phone = site.SBP, "+7 916 765-43-21"
		c.o = c.place(t, c.v, c.r)
		c.wantUsed(t, soyGift, 1)
		gifts := func() []cart.Given {
			t.Helper()
			q, err := c.carts.Load(t.Context(), c.Again(t, c.v, "sushi"), carttest.Takeaway(carttest.Arbat), nil)
			if err != nil {
				t.Fatal(err)
			}
			return q.Cart.Gifts
		}
		if len(gifts()) != 2 {
			t.Errorf("the cart has %v while the order waits", gifts())
		}
		c.later(t, order.HoldFor)
		c.want(t, order.Canceled, order.MoneyCanceled)
		c.wantUsed(t, soyGift, 0)
		if len(gifts()) != 2 {
			t.Errorf("the cart has %v afterwards", gifts())
		}
		_, held, err := schedule.FindReservation(t.Context(), d.Read(), fmt.Sprintf("order:%d", c.o.ID))
		if err != nil || held {
			t.Errorf("the interval is still taken: %v", err)
		}
	})
}

func TestTwoProcessesDoNotAskAboutTheSamePaymentTwice(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.SBP, false)
		c.pays(t, c.request(site.SBP))
		now := c.Clock.Advance(10 * time.Second)
		done := make(chan error, 4)
		for range cap(done) {
			other := c.process(t)
			go func() { done <- other.CheckPayments(t.Context(), now) }()
		}
		for range cap(done) {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if c.desk.statuses != 1 {
			t.Errorf("asked %d times", c.desk.statuses)
		}
	})
}

func TestNoButtonCancelsAnOrderThatWaits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.SBP, false)
		if _, err := c.orders.Cancel(t.Context(), c.v, c.o.ID); err == nil {
			t.Error("canceled")
		}
		c.want(t, order.WaitingForPayment, order.MoneyWaiting)
	})
}

func TestNobodyTriesManyCardsOnOneOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, true)
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.desk.reach(in)
			return acquiring.Outcome(c.desk.fail(in.ID, acquiring.BankDeclined)), nil
		}
		r := c.request(site.CardOnline)
		r.Token = "card"
		for try := 1; try <= 21; try++ {
			_, err := c.orders.Pay(t.Context(), c.v, r)
			if want := map[bool]string{true: "order.too_many_tries", false: "pay.bank_declined"}[try > 20]; fault.KeyOf(err) != want {
				t.Fatalf("try %d: %v, want %s", try, err, want)
			}
		}
	})
}

func TestTheKitchenSeesAnOrderOnceItIsPaid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, true)
		seen := func(want int) {
			t.Helper()
			if open, err := c.orders.Open(t.Context(), 0, 100); err != nil || len(open) != want {
				t.Errorf("%d orders, %v, want %d", len(open), err, want)
			}
		}
		seen(0)
		r := c.request(site.CardOnline)
		r.Token = "rich"
		c.pays(t, r)
		seen(1)
	})
}
