package payments_test

import (
	"errors"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/site"
)

// The bank takes more, less or another currency than requested. That sum is refunded, the order
// still waits, and a second attempt pays for it.
func TestOtherSum_isRefundedAsItWasTakenAndTheCustomerPaysAgain(t *testing.T) {
	t.Parallel()
	tenge, err := money.ParseCurrency("KZT")
	if err != nil {
		t.Fatal(err)
	}
	for name, twist := range map[string]func(*acquiring.Sum){
		"more":             func(sum *acquiring.Sum) { sum.Amount += money.Scale },
		"less":             func(sum *acquiring.Sum) { sum.Amount = 1 },
		"another currency": func(sum *acquiring.Sum) { sum.Currency = tenge },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
				c.BeginPayment(t, c.Request(site.CardOnline))
				first := c.Desk.Attempts[c.Desk.LastID()]
				twist(&first.Event.Sum)
				c.DeliverWebhook(t, c.Desk.Pay(c.Desk.LastID()))
				c.AdvanceAndSweep(t, time.Minute)
				c.WantState(t, order.WaitingForPayment, payment.StatusWaiting, payment.Disputed)
				taken := first.Event.Sum
				if back := c.Desk.Refunds; len(back) != 1 || back[0].Sum != taken || back[0].Paid != taken || len(back[0].Receipt.Lines) > 0 {
					t.Errorf("%+v given back, %s were taken", back, taken)
				}
				if o, err := c.Orders.Get(t.Context(), c.Guest, c.Placed.ID); err != nil || o.IsRefunded() {
					t.Errorf("an order that waits is paid back: %v", err)
				}
				first.Event.Sum = first.Intent.Sum // what it says later pays for nothing
				c.DeliverWebhook(t, first.Event)
				c.WantState(t, order.WaitingForPayment, payment.StatusWaiting, payment.Disputed)
				c.BeginPayment(t, c.Request(site.SBP))
				c.DeliverWebhook(t, c.Desk.Pay(c.Desk.LastID()))
				c.WantState(t, order.Accepted, payment.StatusPaid, payment.Disputed, payment.Paid)
			})
		})
	}
}

// An abandoned attempt takes too much after the order was canceled at its deadline: all that was
// taken is refunded.
func TestOtherSum_isRefundedForACanceledOrderToo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		c.Desk.NeverCancels = true
		c.AdvanceAndSweep(t, orders.HoldFor)
		c.Desk.Attempts[c.Desk.LastID()].Event.Sum.Amount += money.Scale
		c.DeliverWebhook(t, c.Desk.Pay(c.Desk.LastID()))
		c.WantState(t, order.Canceled, payment.StatusRefunding, payment.Disputed)
		c.AdvanceAndSweep(t, time.Minute)
		c.WantState(t, order.Canceled, payment.StatusRefunded, payment.Disputed)
		if c.Desk.Refunded != c.Placed.Prices.Total+money.Scale {
			t.Errorf("%v given back", c.Desk.Refunded)
		}
	})
}

// A card is charged one kopeck in the call that starts the payment. Pay returns the fault
// pay.other_sum, also to a second click with the same idempotency key.
func TestPay_refusesAtOnceWhenAnotherSumWasTaken(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.OwnCardForm)
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.Desk.RecordStart(in).Event.Sum.Amount = 1
			return acquiring.NextOfEvent(c.Desk.Pay(in.ID)), nil
		}
		r := c.Request(site.CardOnline)
		r.Token = "cryptogram"
		v := c.Again(t, c.Guest, "sushi")
		v.IdempotencyKey = "click"
		for range 2 { // the second click is answered as the first
			_, err := c.Payments.Pay(t.Context(), v, r)
			ordertest.WantFault(t, err, fault.Invalid, "pay.other_sum")
		}
		c.WantState(t, order.WaitingForPayment, payment.StatusWaiting, payment.Disputed)
	})
}

// The acquirer says that it was paid, but not how much. Nothing is refunded, and the customer
// cannot begin another payment until a person has looked.
func TestOtherSum_thatIsUnknownIsNeitherRefundedNorPaidAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		c.Desk.Attempts[c.Desk.LastID()].Event.Sum = acquiring.Sum{}
		c.Desk.Pay(c.Desk.LastID())
		c.AdvanceAndSweep(t, time.Minute)
		c.WantState(t, order.WaitingForPayment, payment.StatusChecking, payment.Disputed)
		if shown := c.BeginPayment(t, c.Request(site.SBP)); shown.Status != payment.StatusChecking {
			t.Errorf("shown %s", shown.Status)
		}
		c.AdvanceAndSweep(t, orders.HoldFor)
		c.WantState(t, order.Canceled, payment.StatusChecking, payment.Disputed)
		if c.Desk.Refunded != 0 {
			t.Errorf("%v given back", c.Desk.Refunded)
		}
	})
}

// The order was canceled at its deadline, and its page is paid afterwards: all is refunded, and
// the cart keeps its line.
func TestPaidLate_isRefunded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		c.Desk.NeverCancels = true // its page cannot be closed
		c.AdvanceAndSweep(t, orders.HoldFor)
		c.WantState(t, order.Canceled, payment.StatusCanceled, payment.Abandoned)
		c.DeliverWebhook(t, c.Desk.Pay(c.Desk.LastID()))
		c.WantState(t, order.Canceled, payment.StatusRefunding, payment.Paid)
		c.AdvanceAndSweep(t, time.Minute)
		c.WantState(t, order.Canceled, payment.StatusRefunded, payment.Paid)
		if c.Desk.Refunded != c.Placed.Prices.Total {
			t.Errorf("%v given back", c.Desk.Refunded)
		}
		c.WantLines(t, map[string]int{ordertest.RiceKey: 1})
	})
}

// An abandoned attempt is polled each minute for a quarter of an hour, then 10 to 60 times in
// three days, then no more.
func TestPolls_ofAnAbandonedAttemptBecomeRareAndStop(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		c.Desk.NeverCancels = true
		c.AdvanceAndSweep(t, orders.HoldFor)
		before := c.Desk.StatusCalls
		for range 15 {
			c.AdvanceAndSweep(t, time.Minute)
		}
		if asked := c.Desk.StatusCalls - before; asked < 14 || asked > 16 {
			t.Errorf("asked %d times in the first quarter of an hour", asked)
		}
		before = c.Desk.StatusCalls
		for range 71 * 4 {
			c.AdvanceAndSweep(t, 15*time.Minute)
		}
		if asked := c.Desk.StatusCalls - before; asked < 10 || asked > 60 {
			t.Errorf("asked %d times in the days after", asked)
		}
		before = c.Desk.StatusCalls
		c.AdvanceAndSweep(t, 24*time.Hour)
		c.AdvanceAndSweep(t, 24*time.Hour)
		if asked := c.Desk.StatusCalls - before; asked > 1 {
			t.Errorf("asked %d times after that", asked)
		}
	})
}

// One second before its deadline the order can still be paid. At the deadline attempt and order
// are canceled, and Pay returns order.payment_over.
func TestDeadline_cancelsTheAttemptAndTheOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		c.AdvanceAndSweep(t, orders.HoldFor-time.Second)
		c.WantState(t, order.WaitingForPayment, payment.StatusPending, payment.Pending)
		c.AdvanceAndSweep(t, time.Second)
		c.WantState(t, order.Canceled, payment.StatusCanceled, payment.Failed)
		_, err := c.Payments.Pay(t.Context(), c.Guest, c.Request(site.CardOnline))
		ordertest.WantFault(t, err, fault.Conflict, "order.payment_over")
	})
}

// The customer has paid and no webhook came: the poll at the deadline finds the money, and the
// order is accepted.
func TestDeadline_acceptsAnOrderThatIsAlreadyPaidAtTheAcquirer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		c.Desk.Pay(c.Desk.LastID()) // and no webhook comes
		c.AdvanceAndSweep(t, orders.HoldFor)
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Paid)
	})
}

// A customer who begins another checkout while an order waits for its payment cancels that order
// in their own name. The cart keeps its line.
func TestBegin_cancelsTheUnpaidOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		c.WantLines(t, map[string]int{ordertest.RiceKey: 1})
		_, err := c.Orders.Begin(t.Context(), c.Guest, carttest.Takeaway(carttest.Pokrovka))
		if err != nil {
			t.Fatal(err)
		}
		c.WantState(t, order.Canceled, payment.StatusCanceled, payment.Failed)
		o, err := c.Orders.Get(t.Context(), c.Guest, c.Placed.ID)
		if err != nil || o.History[1].Actor != string(order.Customer) {
			t.Errorf("%v, %v", o.History, err)
		}
		c.WantLines(t, map[string]int{ordertest.RiceKey: 1})
	})
}

// The order was paid at the bank and no webhook came. A new checkout finds that, accepts the
// order, and returns order.already_paid with its number.
func TestBegin_refusesWhenTheOrderIsAlreadyPaid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		c.Desk.Pay(c.Desk.LastID())
		_, err := c.Orders.Begin(t.Context(), c.Guest, carttest.Takeaway(carttest.Pokrovka))
		ordertest.WantFault(t, err, fault.Conflict, "order.already_paid")
		var paid *orders.AlreadyPaid
		if !errors.As(err, &paid) || paid.OrderID != c.Placed.ID {
			t.Errorf("got %v", err)
		}
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Paid)
	})
}

// Two tabs with checkouts of the same cart create orders at the same time: one succeeds, the
// other gets order.no_cache.
func TestCreate_ordersACartOnceForTwoConcurrentCheckouts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		for round := range 5 { // they come in another order each time
			v := c.Visitor(t, "sushi")
			first := c.Takeaway(t, v, carttest.Pokrovka, ordertest.HalfPast(15+round))
			second := first
			begun, err := c.Orders.Begin(t.Context(), v, carttest.Takeaway(carttest.Pokrovka))
			if err != nil {
				t.Fatal(err)
			}
			second.CacheKey = begun.Key
			first.PaymentType, second.PaymentType = site.SBP, site.SBP
			errs := make(chan error, 2)
			for _, r := range []order.Request{first, second} {
				go func() {
					_, err := c.Orders.Create(t.Context(), v, r)
					errs <- err
				}()
			}
			one, other := <-errs, <-errs
			if one == nil {
				one = other
			} else if other != nil {
				t.Fatal(one, other)
			}
			ordertest.WantFault(t, one, fault.Conflict, "order.no_cache")
		}
	})
}

// 3-D Secure has two steps: the hidden one of version 2, then the bank's page, which posts its
// result twice. The acquirer receives each result once, and the order is accepted. An unknown
// attempt is not found.
func TestHandle3DSReturn_submitsAResultOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.OwnCardForm)
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			ref := c.Desk.RecordStart(in).Event.Ref
			return acquiring.Next{Kind: acquiring.ThreeDS2, Ref: ref, ThreeDS: acquiring.ThreeDS{MethodURL: "https://acs.example/m", TransID: "t"}}, nil
		}
		var results []acquiring.ThreeDSResult
		c.Desk.OnFinish = func(p acquiring.ThreeDSResult) (acquiring.Next, error) {
			results = append(results, p)
			if p.CRes == "" {
				return acquiring.Next{Kind: acquiring.ThreeDS2, Ref: p.Ref, ThreeDS: acquiring.ThreeDS{ACSURL: "https://acs.example", CReq: "creq", TransID: "t"}}, nil
			}
			return acquiring.NextOfEvent(c.Desk.Pay(p.ID)), nil
		}
		r := c.Request(site.CardOnline)
		r.Token = "cryptogram"
		shown := c.BeginPayment(t, r)
		shown, err := c.Payments.Complete3DS(t.Context(), c.Guest, payment.ThreeDSResult{OrderID: c.Placed.ID, PaymentID: shown.Last.ID, MethodDone: true})
		if err != nil || shown.Status != payment.StatusPending || shown.Last.Next.ThreeDS.CReq != "creq" {
			t.Fatalf("%+v, %v", shown, err)
		}
		for range 2 {
			o, err := c.Payments.Handle3DSReturn(t.Context(), c.Guest.Site, payment.ThreeDSResult{PaymentID: shown.Last.ID, CRes: "cres"})
			if err != nil || o.OrderID != c.Placed.ID {
				t.Error(o, err)
			}
		}
		if len(results) != 2 || results[1].CRes != "cres" || results[1].TransID != "t" {
			t.Errorf("submitted: %+v", results)
		}
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Paid)
		_, err = c.Payments.Handle3DSReturn(t.Context(), c.Guest.Site, payment.ThreeDSResult{PaymentID: "unknown", CRes: "cres"})
		ordertest.WantFault(t, err, fault.NotFound, "order.not_found")
	})
}

// A customer is back from the bank and the page asks for the outcome. Within one second the
// acquirer is asked once. A card that failed on its page stays pending until the last question,
// which cancels the attempt. After another payment the outcome is shown at once.
func TestComplete3DS_asksForTheOutcomeOnceASecond(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		const last, notLast = true, false
		complete := func(isLast bool) payment.View {
			t.Helper()
			shown, err := c.Payments.Complete3DS(t.Context(), c.Guest, payment.ThreeDSResult{OrderID: c.Placed.ID, IsLast: isLast})
			if err != nil {
				t.Fatal(err)
			}
			return shown
		}
		for range 3 {
			complete(notLast)
		}
		if c.Desk.StatusCalls != 1 {
			t.Errorf("asked %d times in one second", c.Desk.StatusCalls)
		}
		c.Clock.Advance(time.Second)
		c.Desk.Attempts[c.Desk.LastID()].Event.Reason = acquiring.InsufficientFunds // a card failed on the acquirer's page
		if shown := complete(notLast); shown.Status != payment.StatusPending || shown.Last.Reason != acquiring.InsufficientFunds {
			t.Errorf("shown %s %s", shown.Status, shown.Last.Reason)
		}
		if shown := complete(last); shown.Status != payment.StatusWaiting {
			t.Errorf("shown %s the last time", shown.Status)
		}
		c.BeginPayment(t, c.Request(site.SBP))
		c.Desk.Pay(c.Desk.LastID())
		c.Clock.Advance(time.Second)
		if shown := complete(notLast); shown.Status != payment.StatusPaid {
			t.Errorf("shown %s", shown.Status)
		}
	})
}
