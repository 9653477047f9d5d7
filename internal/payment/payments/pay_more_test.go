package payments_test

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
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/payment/payments"
	"servery/internal/schedule"
	"servery/internal/site"
)

// An order with two gifts waits for its payment until the deadline. Then the limited gift and
// the time slot are free again, and the cart still has both gifts.
func TestUnpaidOrder_releasesItsReservationsAndKeepsItsCart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.SBP, carttest.BankPage)
		files := carttest.Online(carttest.BankPage)
		for name, text := range ordertest.Offers {
			files[name] = text
		}
		c.Import(t, files)
		c.Guest = c.Visitor(t, "sushi")
		c.Form = c.AddGift(t, c.Guest, c.AddGift(t, c.Guest, c.Takeaway(t, c.Guest, carttest.Arbat, ordertest.HalfPast(15)), ordertest.SoyGiftID), ordertest.FirstGiftID)
		c.Form.PaymentType, c.Form.Phone = site.SBP, "+7 916 765-43-21"
		c.Placed = c.Place(t, c.Guest, c.Form)
		c.WantUsed(t, ordertest.SoyGift, 1)
		gifts := func() []cart.Given {
			t.Helper()
			q, err := c.Carts.Load(t.Context(), c.Again(t, c.Guest, "sushi"), carttest.Takeaway(carttest.Arbat), carttest.SameInterval)
			if err != nil {
				t.Fatal(err)
			}
			return q.Cart.Gifts
		}
		if len(gifts()) != 2 {
			t.Errorf("the cart has %v while the order waits", gifts())
		}
		c.AdvanceAndSweep(t, orders.HoldFor)
		c.WantState(t, order.Canceled, payment.StatusCanceled)
		c.WantUsed(t, ordertest.SoyGift, 0)
		if len(gifts()) != 2 {
			t.Errorf("the cart has %v afterwards", gifts())
		}
		_, held, err := schedule.FindReservation(t.Context(), d.Read(), fmt.Sprintf("order:%d", c.Placed.ID))
		if err != nil || held {
			t.Errorf("the interval is still taken: %v", err)
		}
	})
}

// Four processes poll at the same moment: the acquirer is asked once.
func TestPollDue_pollsAnAttemptOnceInAllProcesses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.SBP, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.SBP))
		now := c.Clock.Advance(10 * time.Second)
		done := make(chan error, 4)
		for range cap(done) {
			c.Restart(t)
			go func(other *payments.Service) { done <- other.PollDue(t.Context(), now) }(c.Payments)
		}
		for range cap(done) {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if c.Desk.StatusCalls != 1 {
			t.Errorf("asked %d times", c.Desk.StatusCalls)
		}
	})
}

// A customer cannot cancel an order that waits for its payment; only a new checkout cancels it.
func TestCancel_refusesAnOrderThatWaitsForPayment(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.SBP, carttest.BankPage)
		if _, err := c.Orders.Cancel(t.Context(), c.Guest, c.Placed.ID); err == nil {
			t.Error("canceled")
		}
		c.WantState(t, order.WaitingForPayment, payment.StatusWaiting)
	})
}

// A push that did not come is sent again, to another phone when the customer has corrected it; the one before
// can pay nothing any more. A repeated call sends none.
func TestPay_sendsThePushAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.SberPay, carttest.BankPage)
		r := c.Request(site.SberPay)
		for press, number := range []string{"+7 916 765-43-21", "+7 916 765-43-22", "+7 916 765-43-22"} {
			r.Phone = number
			v := c.Again(t, c.Guest, "sushi")
			v.IdempotencyKey = fmt.Sprint("press-", press)
			for range 2 {
				if _, err := c.Payments.Pay(t.Context(), v, r); err != nil {
					t.Fatal(err)
				}
			}
			c.Clock.Advance(40 * time.Second)
			if len(c.Desk.IDs) != press+1 {
				t.Fatalf("press %d: %d pushes, want %d", press, len(c.Desk.IDs), press+1)
			}
		}
		if got := c.Desk.Attempts[c.Desk.LastID()].Intent.Customer.Phone; got != "79167654322" {
			t.Errorf("the last push goes to %s", got)
		}
		c.WantState(t, order.WaitingForPayment, payment.StatusPending, payment.Failed, payment.Failed, payment.Pending)
	})
}

// Twenty cards are declined by the bank; the next one is refused without asking it.
func TestPay_refusesTheTwentyFirstCard(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.OwnCardForm)
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.Desk.RecordStart(in)
			return acquiring.NextOfEvent(c.Desk.Fail(in.ID, acquiring.BankDeclined)), nil
		}
		r := c.Request(site.CardOnline)
		r.Token = "card"
		for attempt := 1; attempt <= 21; attempt++ {
			want := "pay.bank_declined"
			if attempt == 21 {
				want = "order.too_many_tries"
			}
			_, err := c.Payments.Pay(t.Context(), c.Guest, r)
			if fault.KeyOf(err) != want {
				t.Fatalf("attempt %d: %v, want %s", attempt, err, want)
			}
			f, _ := fault.Of(err)
			if left := c.Placed.PayUntil.Sub(c.Clock.Now()); attempt == 21 && (left <= 0 || f.RetryAfter != left) {
				t.Errorf("it can be ordered again in %v, want %v", f.RetryAfter, left)
			}
		}
	})
}

// The kitchen's list of open orders leaves out an order that waits for its payment, and has it
// once it is paid.
func TestOpen_listsAnOrderOnceItIsPaid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.OwnCardForm)
		expectOpen := func(want int) {
			t.Helper()
			if open, err := c.Orders.Open(t.Context(), orders.OpenQuery{Limit: 100}); err != nil || len(open) != want {
				t.Errorf("%d orders, %v, want %d", len(open), err, want)
			}
		}
		expectOpen(0)
		r := c.Request(site.CardOnline)
		r.Token = "rich"
		c.BeginPayment(t, r)
		expectOpen(1)
	})
}
