package payments_test

import (
	"errors"
	"net/http"
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
	"servery/internal/site"
)

// An order waits for its payment. The customer is sent to the bank's page, adds a dish to the
// cart meanwhile and pays: the order is accepted, and only what was added afterwards stays in
// the cart.
func TestPay_acceptsTheOrderWhenTheWebhookComes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		if c.Placed.State != order.WaitingForPayment || !c.Placed.PayUntil.Equal(c.Clock.Now().Add(orders.HoldFor)) {
			t.Errorf("%s until %s", c.Placed.State, c.Placed.PayUntil)
		}
		c.WantLines(t, map[string]int{ordertest.RiceKey: 1})
		c.WantState(t, order.WaitingForPayment, payment.StatusWaiting)

		shown := c.BeginPayment(t, c.Request(site.CardOnline))
		if shown.Status != payment.StatusPending || shown.Last.Next.Kind != acquiring.Redirect || shown.Last.Sum.Amount != c.Placed.Prices.Total {
			t.Errorf("shown %+v", shown)
		}
		if _, err := c.Carts.Add(t.Context(), c.Guest, carttest.Takeaway(carttest.Pokrovka), cart.Addition{ProductKey: ordertest.RiceKey, Count: 2}); err != nil {
			t.Fatal(err)
		}
		if reply := c.DeliverWebhook(t, c.Desk.Pay(c.Desk.LastID())); reply.Status != http.StatusOK {
			t.Errorf("the callback is answered %d", reply.Status)
		}
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Paid)
		c.WantLines(t, map[string]int{ordertest.RiceKey: 2}) // what came since stays
		o, err := c.Orders.Get(t.Context(), c.Guest, c.Placed.ID)
		if err != nil || o.PaidBy != c.Desk.LastID() || o.History[1].Actor != string(order.Acquirer) {
			t.Errorf("%v, %v", o, err)
		}
	})
}

// Eight concurrent calls with one key make one charge. The same key with another payment type is
// refused.
func TestPay_withOneIdempotencyKeyPaysOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.OwnCardForm)
		r := c.Request(site.CardOnline)
		r.Token = "cryptogram"
		const times = 8
		answers := make(chan error, times)
		for range times {
			go func() {
				v := c.Guest
				v.IdempotencyKey = "once"
				_, err := c.Payments.Pay(t.Context(), v, r)
				answers <- err
			}()
		}
		for range times {
			if err := <-answers; err != nil {
				t.Error(err)
			}
		}
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Paid)
		if c.Desk.Charges() != 1 {
			t.Errorf("%d charges", c.Desk.Charges())
		}
		other := c.Request(site.SBP)
		v := c.Guest
		v.IdempotencyKey = "once"
		_, err := c.Payments.Pay(t.Context(), v, other)
		ordertest.WantFault(t, err, fault.Invalid, "order.other_request")
	})
}

// A second call comes while the first still waits for the acquirer: it is shown that the payment
// is being checked, and one attempt is made.
func TestPay_twiceWithoutAKeyPaysOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.OwnCardForm)
		begun, goOn := make(chan struct{}), make(chan struct{})
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			close(begun)
			<-goOn
			return c.Desk.DefaultAnswer(in), nil
		}
		r := c.Request(site.CardOnline)
		r.Token = "cryptogram"
		done := make(chan error, 1)
		go func() {
			_, err := c.Payments.Pay(t.Context(), c.Guest, r)
			done <- err
		}()
		<-begun
		if shown := c.BeginPayment(t, r); shown.Status != payment.StatusChecking {
			t.Errorf("the second click is shown %s", shown.Status)
		}
		close(goOn)
		if err := <-done; err != nil {
			t.Error(err)
		}
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Paid)
	})
}

// After a reload of the page the same payment type shows the same page of the bank.
func TestPay_repeatedContinuesTheSameAttempt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		first := c.BeginPayment(t, c.Request(site.CardOnline))
		again := c.BeginPayment(t, c.Request(site.CardOnline))
		if first.Last.ID != again.Last.ID || again.Last.Next.URL != first.Last.Next.URL || again.Last.Next.URL == "" {
			t.Errorf("first %+v, then %+v", first.Last, again.Last)
		}
		c.WantState(t, order.WaitingForPayment, payment.StatusPending, payment.Pending)
	})
}

// A card without funds is declined, with a message at its field, also for the same call again. A
// second card pays for the order.
func TestPay_makesAnotherAttemptAfterADeclinedOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.OwnCardForm)
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.Desk.RecordStart(in)
			return acquiring.NextOfEvent(c.Desk.Fail(in.ID, acquiring.InsufficientFunds)), nil
		}
		r := c.Request(site.CardOnline)
		r.Token = "poor"
		v := c.Guest
		v.IdempotencyKey = "poor"
		for range 2 { // the same call is shown the same
			_, err := c.Payments.Pay(t.Context(), v, r)
			if f := ordertest.WantFault(t, err, fault.Invalid, "pay.insufficient_funds"); f.Fields["card_number"] == nil {
				t.Errorf("the fields are %v", f.Fields)
			}
		}
		c.WantState(t, order.WaitingForPayment, payment.StatusWaiting, payment.Failed)
		c.WantLines(t, map[string]int{ordertest.RiceKey: 1})
		c.Desk.OnStart = nil
		r.Token = "rich"
		if shown := c.BeginPayment(t, r); shown.Status != payment.StatusPaid {
			t.Errorf("shown %s", shown.Status)
		}
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Failed, payment.Paid)
	})
}

// A customer who began by card chooses SBP: the first attempt is canceled, the second one pays.
func TestPay_byAnotherTypeCancelsTheActiveAttempt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		first := c.Desk.LastID()
		shown := c.BeginPayment(t, c.Request(site.SBP))
		if shown.Last.Next.Kind != acquiring.MobileLink || shown.Bill.PaymentType != site.SBP || c.Desk.LastID() == first {
			t.Errorf("shown %+v", shown)
		}
		c.WantState(t, order.WaitingForPayment, payment.StatusPending, payment.Failed, payment.Pending)
		c.DeliverWebhook(t, c.Desk.Pay(c.Desk.LastID()))
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Failed, payment.Paid)
	})
}

// A customer has paid on the bank's page, no webhook came, and they choose SBP: the order turns
// out to be paid, and no second attempt is made.
func TestPay_byAnotherTypeFindsThatTheFirstIsPaid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		c.Desk.Pay(c.Desk.LastID())
		if shown := c.BeginPayment(t, c.Request(site.SBP)); shown.Status != payment.StatusPaid || shown.Bill.PaymentType != site.CardOnline {
			t.Errorf("shown %s by %s", shown.Status, shown.Bill.PaymentType)
		}
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Paid)
	})
}

// A card was charged and the answer was lost. Another card is not charged; the poll finds that
// the first has paid.
func TestPay_chargesNoCardWhileAnOutcomeIsUnknown(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.OwnCardForm)
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.Desk.DefaultAnswer(in) // it was charged, and the answer got lost
			return acquiring.Next{}, nil
		}
		r := c.Request(site.CardOnline)
		r.Token = "cryptogram"
		c.Desk.NeverAnswers = true
		if shown := c.BeginPayment(t, r); shown.Status != payment.StatusChecking {
			t.Errorf("shown %s", shown.Status)
		}
		r.Token = "another"
		if shown := c.BeginPayment(t, r); shown.Status != payment.StatusChecking {
			t.Errorf("shown %s", shown.Status)
		}
		c.Desk.NeverAnswers = false
		c.AdvanceAndSweep(t, 5*time.Second)
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Paid)
		if c.Desk.Charges() != 1 {
			t.Errorf("%d charges", c.Desk.Charges())
		}
	})
}

// A request with a card was never answered. After a minute another card can be used and pays.
// When the first request arrives after all, its money is refunded.
func TestPay_takesAnotherCardAfterAMinuteWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.OwnCardForm)
		lost := acquiring.Intent{}
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			lost = in
			return acquiring.Next{}, nil
		}
		r := c.Request(site.CardOnline)
		r.Token = "cryptogram"
		c.BeginPayment(t, r)
		c.AdvanceAndSweep(t, 10*time.Second)
		c.WantState(t, order.WaitingForPayment, payment.StatusChecking, payment.Starting)
		for range 3 {
			c.AdvanceAndSweep(t, 30*time.Second)
		}
		c.WantState(t, order.WaitingForPayment, payment.StatusWaiting, payment.Abandoned)
		c.Desk.OnStart = nil
		c.BeginPayment(t, r)
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Abandoned, payment.Paid)
		// The first request arrives after all: its money goes back.
		c.Desk.DefaultAnswer(lost)
		c.AdvanceAndSweep(t, time.Minute)
		c.AdvanceAndSweep(t, time.Minute)
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Paid, payment.Paid)
		if c.Desk.Refunded != c.Placed.Prices.Total {
			t.Errorf("%v given back", c.Desk.Refunded)
		}
	})
}

// A request that certainly never reached the acquirer fails the attempt, since no money can have
// been taken.
func TestPay_failsWhenTheAcquirerCannotBeReached(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.Desk.OnStart = func(acquiring.Intent) (acquiring.Next, error) {
			return acquiring.Next{}, &acquiring.Error{Acquirer: "desk", Op: "start", Kind: acquiring.Unsent}
		}
		_, err := c.Payments.Pay(t.Context(), c.Guest, c.Request(site.CardOnline))
		ordertest.WantFault(t, err, fault.Invalid, "pay.refused")
		c.WantState(t, order.WaitingForPayment, payment.StatusWaiting, payment.Failed)
	})
}

// A process dies before or after its call reached the acquirer. A minute later another process
// continues: the order is accepted if it was paid, else the customer gets a page to pay on.
func TestPay_isContinuedAfterItsProcessDied(t *testing.T) {
	t.Parallel()
	for name, reached := range map[string]bool{"before the call": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				c := ordertest.NewCashier(t, d, site.SBP, carttest.BankPage)
				c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
					if reached {
						c.Desk.DefaultAnswer(in)
						c.Desk.Pay(in.ID)
					}
					panic("the process dies")
				}
				func() {
					defer func() { _ = recover() }()
					_, _ = c.Payments.Pay(t.Context(), c.Guest, c.Request(site.SBP))
				}()
				c.Desk.OnStart = nil
				c.Restart(t)
				c.WantState(t, order.WaitingForPayment, payment.StatusChecking, payment.Starting)
				c.AdvanceAndSweep(t, 61*time.Second)
				if reached {
					c.WantState(t, order.Accepted, payment.StatusPaid, payment.Paid)
				} else {
					c.WantState(t, order.WaitingForPayment, payment.StatusPending, payment.Pending)
				}
			})
		})
	}
}

// A visitor who may see an order by its link can neither pay it nor see its payment. A wrong key
// of the checkout is refused as well.
func TestPay_isRefusedToOtherCustomers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		other := c.Visitor(t, "sushi")
		_, err := c.Orders.LookUp(t.Context(), other, order.Lookup{OrderID: c.Placed.ID, Link: c.Placed.Link}) // they may see it
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Payments.Pay(t.Context(), other, c.Request(site.CardOnline))
		ordertest.WantFault(t, err, fault.NotFound, "order.not_found")
		_, err = c.Payments.FindView(t.Context(), other, c.Form.CacheKey)
		ordertest.WantFault(t, err, fault.NotFound, "order.not_found")
		_, err = c.Payments.Complete3DS(t.Context(), other, payment.ThreeDSResult{OrderID: c.Placed.ID, IsLast: true})
		ordertest.WantFault(t, err, fault.NotFound, "order.not_found")
		wrong := c.Request(site.CardOnline)
		wrong.CacheKey = "another"
		_, err = c.Payments.Pay(t.Context(), c.Guest, wrong)
		ordertest.WantFault(t, err, fault.NotFound, "order.not_found")
		c.WantState(t, order.WaitingForPayment, payment.StatusWaiting)
	})
}

// An order in cash is accepted at once, without a deadline, and cannot be paid online.
func TestPay_refusesAnOrderThatIsPaidOnReceipt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Takeaway(t, v, carttest.Pokrovka, ordertest.HalfPast(14))
		o := h.Place(t, v, r)
		if o.State != order.Accepted || !o.PayUntil.IsZero() {
			t.Errorf("%s until %s", o.State, o.PayUntil)
		}
		_, err := h.Payments.Pay(t.Context(), v, payment.PayRequest{OrderID: o.ID, PaymentType: site.CardOnline})
		ordertest.WantFault(t, err, fault.NotFound, "order.not_found")
	})
}

// Google Pay, which the acquirer does not support, is left out and refused. Without an account
// nothing is offered.
func TestPaymentTypes_offersWhatAnAccountSupports(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		city, _ := c.Guest.Site.City(carttest.Moscow)
		types := c.Payments.PaymentTypes(c.Guest.Site, city, site.Takeaway)
		if len(types) != 4 { // the desk does not take Google Pay
			t.Errorf("offered: %v", types)
		}
		if types := c.NewProcess(t).Payments.PaymentTypes(c.Guest.Site, city, site.Takeaway); len(types) != 0 {
			t.Errorf("offered without an account: %v", types)
		}
		_, err := c.Payments.Pay(t.Context(), c.Guest, c.Request(site.GooglePay))
		if f := ordertest.WantFault(t, err, fault.Invalid, "order.payment_type"); f.Fields["payment_type"] == nil {
			t.Errorf("the fields are %v", f.Fields)
		}
	})
}

// An order by card in Ankara is refused without an email address, and created with one.
func TestCreate_requiresAnEmailForCardsInTurkey(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.Desk.OnStart = nil
		c.Restart(t)
		orders := c.Orders
		v := c.Visitor(t, "sushi")
		p := cart.PlaceRequest{CityID: carttest.Ankara, OrderType: site.Takeaway, ShopID: carttest.Kizilay}
		q, err := c.Carts.Add(t.Context(), v, p, cart.Addition{ProductKey: "2-1002", Count: 1})
		if err != nil {
			t.Fatal(err)
		}
		begun, err := orders.Begin(t.Context(), v, p)
		if err != nil {
			t.Fatal(err)
		}
		r := order.Request{
			CityID: carttest.Ankara, OrderType: p.OrderType, ShopID: p.ShopID, CacheKey: begun.Key, Phone: "+90 532 123 45 67",
			Username: "Ayşe", PaymentType: site.CardOnline, IntervalID: "asap", SeenTotal: q.Prices.Total,
		}
		_, err = orders.Create(t.Context(), v, r)
		if f, ok := fault.Of(err); !ok || f.Fields["email"] == nil || f.Fields["email"][0].Key != "order.email_required" {
			t.Errorf("%v", err)
		}
		r.Email = "ayse@example.org"
		if _, err := orders.Create(t.Context(), v, r); err != nil {
			var f *fault.Error
			errors.As(err, &f)
			t.Errorf("%v %v", err, f)
		}
	})
}
