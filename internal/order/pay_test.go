package order_test

import (
	"errors"
	"net/http"
	"reflect"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/site"
)

const rice = "1-1002"

func TestAnOrderThatIsPaidOnlineWaitsAndIsAcceptedByItsPayment(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		if c.o.State != order.WaitingForPayment || !c.o.PayUntil.Equal(c.Clock.Now().Add(order.HoldFor)) {
			t.Errorf("%s until %s", c.o.State, c.o.PayUntil)
		}
		c.wantLines(t, map[string]int{rice: 1})
		c.want(t, order.WaitingForPayment, order.MoneyWaiting)

		told := c.pays(t, c.request(site.CardOnline))
		if told.State != order.MoneyPending || told.Last.Next.Kind != acquiring.Redirect || told.Last.Sum.Amount != c.o.Prices.Total {
			t.Errorf("told %+v", told)
		}
		if _, err := c.carts.Add(t.Context(), c.v, carttest.Takeaway(carttest.Pokrovka), cart.Addition{ProductKey: rice, Count: 2}); err != nil {
			t.Fatal(err)
		}
		if reply := c.hears(t, c.desk.pay(c.desk.last())); reply.Status != http.StatusOK {
			t.Errorf("the callback is answered %d", reply.Status)
		}
		c.want(t, order.Accepted, order.MoneyPaid, order.Paid)
		c.wantLines(t, map[string]int{rice: 2}) // what came since stays
		o, err := c.orders.Get(t.Context(), c.v, c.o.ID)
		if err != nil || o.PaidBy != c.desk.last() || o.History[1].Actor != string(order.Acquirer) {
			t.Errorf("%v, %v", o, err)
		}
	})
}

func TestTheSameCallPaysOnceHoweverOftenItComes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, true)
		r := c.request(site.CardOnline)
		r.Token = "cryptogram"
		const times = 8
		answers := make(chan error, times)
		for range times {
			go func() {
				v := c.v
				v.IdempotencyKey = "once"
				_, err := c.orders.Pay(t.Context(), v, r)
				answers <- err
			}()
		}
		for range times {
			if err := <-answers; err != nil {
				t.Error(err)
			}
		}
		c.want(t, order.Accepted, order.MoneyPaid, order.Paid)
		if c.desk.charges() != 1 {
			t.Errorf("%d charges", c.desk.charges())
		}
		other := c.request(site.SBP)
		v := c.v
		v.IdempotencyKey = "once"
		_, err := c.orders.Pay(t.Context(), v, other)
		wantFault(t, err, fault.Invalid, "order.other_request")
	})
}

func TestTwoClicksWithoutAKeyPayOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, true)
		begun, goOn := make(chan struct{}), make(chan struct{})
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			close(begun)
			<-goOn
			return c.desk.usual(in), nil
		}
		r := c.request(site.CardOnline)
		r.Token = "cryptogram"
		done := make(chan error, 1)
		go func() {
			_, err := c.orders.Pay(t.Context(), c.v, r)
			done <- err
		}()
		<-begun
		if told := c.pays(t, r); told.State != order.MoneyChecking {
			t.Errorf("the second click is told %s", told.State)
		}
		close(goOn)
		if err := <-done; err != nil {
			t.Error(err)
		}
		c.want(t, order.Accepted, order.MoneyPaid, order.Paid)
	})
}

func TestAReloadGoesOnWithWhatWasBegun(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		first := c.pays(t, c.request(site.CardOnline))
		again := c.pays(t, c.request(site.CardOnline))
		if first.Last.ID != again.Last.ID || again.Last.Next.URL != first.Last.Next.URL || again.Last.Next.URL == "" {
			t.Errorf("first %+v, then %+v", first.Last, again.Last)
		}
		c.want(t, order.WaitingForPayment, order.MoneyPending, order.Pending)
	})
}

func TestADeclinedTryIsFollowedByAnother(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, true)
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.desk.reach(in)
			return acquiring.Outcome(c.desk.fail(in.ID, acquiring.InsufficientFunds)), nil
		}
		r := c.request(site.CardOnline)
		r.Token = "poor"
		v := c.v
		v.IdempotencyKey = "poor"
		for range 2 { // the same call is told the same
			_, err := c.orders.Pay(t.Context(), v, r)
			if f := wantFault(t, err, fault.Invalid, "pay.insufficient_funds"); f.Fields["card_number"] == nil {
				t.Errorf("the fields are %v", f.Fields)
			}
		}
		c.want(t, order.WaitingForPayment, order.MoneyWaiting, order.Failed)
		c.wantLines(t, map[string]int{rice: 1})
		c.desk.onStart = nil
		r.Token = "rich"
		if told := c.pays(t, r); told.State != order.MoneyPaid {
			t.Errorf("told %s", told.State)
		}
		c.want(t, order.Accepted, order.MoneyPaid, order.Failed, order.Paid)
	})
}

func TestAnotherWayToPayEndsTheFirst(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		first := c.desk.last()
		told := c.pays(t, c.request(site.SBP))
		if told.Last.Next.Kind != acquiring.MobileLink || told.Order.PaymentType != site.SBP || c.desk.last() == first {
			t.Errorf("told %+v", told)
		}
		c.want(t, order.WaitingForPayment, order.MoneyPending, order.Failed, order.Pending)
		c.hears(t, c.desk.pay(c.desk.last()))
		c.want(t, order.Accepted, order.MoneyPaid, order.Failed, order.Paid)
	})
}

func TestAWayThatWasPaidMeanwhileLeavesNoRoomForAnother(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		c.desk.pay(c.desk.last())
		if told := c.pays(t, c.request(site.SBP)); told.State != order.MoneyPaid || told.Order.PaymentType != site.CardOnline {
			t.Errorf("told %s by %s", told.State, told.Order.PaymentType)
		}
		c.want(t, order.Accepted, order.MoneyPaid, order.Paid)
	})
}

func TestACardWhoseOutcomeNobodyKnowsIsNotChargedAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, true)
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.desk.usual(in) // it was charged, and the answer got lost
			return acquiring.Next{}, nil
		}
		r := c.request(site.CardOnline)
		r.Token = "cryptogram"
		c.desk.away = true
		if told := c.pays(t, r); told.State != order.MoneyChecking {
			t.Errorf("told %s", told.State)
		}
		r.Token = "another"
		if told := c.pays(t, r); told.State != order.MoneyChecking {
			t.Errorf("told %s", told.State)
		}
		c.desk.away = false
		c.later(t, 5*time.Second)
		c.want(t, order.Accepted, order.MoneyPaid, order.Paid)
		if c.desk.charges() != 1 {
			t.Errorf("%d charges", c.desk.charges())
		}
	})
}

func TestACardThatNeverReachedTheAcquirerCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, true)
		lost := acquiring.Intent{}
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			lost = in
			return acquiring.Next{}, nil
		}
		r := c.request(site.CardOnline)
		r.Token = "cryptogram"
		c.pays(t, r)
		c.later(t, 10*time.Second)
		c.want(t, order.WaitingForPayment, order.MoneyChecking, order.Starting)
		for range 3 {
			c.later(t, 30*time.Second)
		}
		c.want(t, order.WaitingForPayment, order.MoneyWaiting, order.Abandoned)
		c.desk.onStart = nil
		c.pays(t, r)
		c.want(t, order.Accepted, order.MoneyPaid, order.Abandoned, order.Paid)
		// The first request arrives after all: its money goes back.
		c.desk.usual(lost)
		c.later(t, time.Minute)
		c.later(t, time.Minute)
		c.want(t, order.Accepted, order.MoneyPaid, order.Paid, order.Paid)
		if c.desk.refunded != c.o.Prices.Total {
			t.Errorf("%v given back", c.desk.refunded)
		}
	})
}

func TestAPageWhoseAnswerWasLostIsAskedForAgainWithTheSameIntent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.SBP, false)
		var asked []acquiring.Intent
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			if asked = append(asked, in); len(asked) == 1 {
				return acquiring.Next{}, nil // it never reached the acquirer
			}
			return c.desk.usual(in), nil
		}
		c.pays(t, c.request(site.SBP))
		c.want(t, order.WaitingForPayment, order.MoneyChecking, order.Starting)
		c.orders = c.process(t) // another process goes on
		c.later(t, 5*time.Second)
		c.want(t, order.WaitingForPayment, order.MoneyPending, order.Pending)
		if len(asked) != 2 || !sameIntent(asked[0], asked[1]) {
			t.Errorf("asked %+v", asked)
		}
	})
}

func sameIntent(a, b acquiring.Intent) bool {
	isSame := a.Started.Equal(b.Started) && a.Deadline.Equal(b.Deadline)
	a.Started, a.Deadline, b.Started, b.Deadline = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	return isSame && len(a.Receipt.Lines) > 0 && reflect.DeepEqual(a.Receipt, b.Receipt) && a.ID == b.ID && a.Customer == b.Customer && a.ReturnURL == b.ReturnURL && a.TermURL == b.TermURL &&
		a.CallbackURL == b.CallbackURL && a.Description == b.Description && a.Sum == b.Sum && a.Method == b.Method && a.Language == b.Language
}

func TestAPaymentThatStandsAndWhosePageIsLostIsCancelled(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			return acquiring.Next{Ref: c.desk.reach(in).event.Ref}, nil
		}
		c.pays(t, c.request(site.CardOnline))
		c.later(t, 5*time.Second)
		c.want(t, order.WaitingForPayment, order.MoneyWaiting, order.Failed)
		c.desk.onStart = nil
		c.pays(t, c.request(site.CardOnline))
		c.want(t, order.WaitingForPayment, order.MoneyPending, order.Failed, order.Pending)
	})
}

func TestAnAcquirerThatCannotBeReachedAtAllTookNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.desk.onStart = func(acquiring.Intent) (acquiring.Next, error) {
			return acquiring.Next{}, &acquiring.Error{Acquirer: "desk", Op: "start", Kind: acquiring.Unsent}
		}
		_, err := c.orders.Pay(t.Context(), c.v, c.request(site.CardOnline))
		wantFault(t, err, fault.Invalid, "pay.refused")
		c.want(t, order.WaitingForPayment, order.MoneyWaiting, order.Failed)
	})
}

func TestAProcessThatDiesWhileItAsksLeavesTheRestToAnother(t *testing.T) {
	t.Parallel()
	for name, reached := range map[string]bool{"before the call": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				c := atCashier(t, d, site.SBP, false)
				c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
					if reached {
						c.desk.usual(in)
						c.desk.pay(in.ID)
					}
					panic("the process dies")
				}
				func() {
					defer func() { _ = recover() }()
					_, _ = c.orders.Pay(t.Context(), c.v, c.request(site.SBP))
				}()
				c.desk.onStart = nil
				c.orders = c.process(t)
				c.want(t, order.WaitingForPayment, order.MoneyChecking, order.Starting)
				c.later(t, 61*time.Second)
				if reached {
					c.want(t, order.Accepted, order.MoneyPaid, order.Paid)
				} else {
					c.want(t, order.WaitingForPayment, order.MoneyPending, order.Pending)
				}
			})
		})
	}
}

func TestOnlyTheCustomerOfAnOrderPaysIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		other := c.Visitor(t, "sushi")
		_, err := c.orders.LookUp(t.Context(), other, order.Look{OrderID: c.o.ID, Link: c.o.Link}) // he may see it
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.orders.Pay(t.Context(), other, c.request(site.CardOnline))
		wantFault(t, err, fault.NotFound, "order.not_found")
		_, err = c.orders.PayingOf(t.Context(), other, c.r.CacheKey)
		wantFault(t, err, fault.NotFound, "order.not_found")
		_, err = c.orders.Prove(t.Context(), other, order.Answer{OrderID: c.o.ID, IsLast: true})
		wantFault(t, err, fault.NotFound, "order.not_found")
		wrong := c.request(site.CardOnline)
		wrong.CacheKey = "another"
		_, err = c.orders.Pay(t.Context(), c.v, wrong)
		wantFault(t, err, fault.NotFound, "order.not_found")
		c.want(t, order.WaitingForPayment, order.MoneyWaiting)
	})
}

func TestWhatIsPaidOnReceiptIsNotPaidOnline(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.takeaway(t, v, carttest.Pokrovka, halfPast(14))
		o := h.place(t, v, r)
		if o.State != order.Accepted || !o.PayUntil.IsZero() {
			t.Errorf("%s until %s", o.State, o.PayUntil)
		}
		_, err := h.orders.Pay(t.Context(), v, order.PayRequest{OrderID: o.ID, PaymentType: site.CardOnline})
		wantFault(t, err, fault.NotFound, "order.not_found")
	})
}

func TestOnlyWhatAnAccountTakesIsOffered(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		city, _ := c.v.Site.City(carttest.Moscow)
		types := c.orders.PaymentTypes(c.v.Site, city, site.Takeaway)
		if len(types) != 4 { // the desk does not take Google Pay
			t.Errorf("offered: %v", types)
		}
		if types := process(t, c.house).PaymentTypes(c.v.Site, city, site.Takeaway); len(types) != 0 {
			t.Errorf("offered without an account: %v", types)
		}
		_, err := c.orders.Pay(t.Context(), c.v, c.request(site.GooglePay))
		if f := wantFault(t, err, fault.Invalid, "order.payment_type"); f.Fields["payment_type"] == nil {
			t.Errorf("the fields are %v", f.Fields)
		}
	})
}

func TestACardPayerInTurkeyTellsHisEmail(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.desk.onStart = nil
		orders := order.New(c.DB, c.carts, c.addresses, newQueue(t, c.DB), c.Clock, order.Options{
			Accounts: acquiring.Accounts{"sushi": {carttest.Account: c.desk}},
		})
		v := c.Visitor(t, "sushi")
		p := cart.PlaceRequest{CityID: carttest.Ankara, OrderType: site.Takeaway, ShopID: carttest.Kizilay}
		q, err := c.carts.Add(t.Context(), v, p, cart.Addition{ProductKey: "2-1002", Count: 1})
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
