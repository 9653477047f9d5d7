package order_test

import (
	"net/http"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/site"
)

func TestNewsComeInAnyOrderAndAnyNumber(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, true)
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) { // the callbacks overtake the answer
			c.desk.reach(in)
			pending, _ := c.desk.Status(t.Context(), acquiring.Lookup{ID: in.ID})
			paid := c.desk.pay(in.ID)
			for _, e := range []acquiring.Event{paid, paid, pending} {
				if reply := c.hears(t, e); reply.Status != http.StatusOK {
					t.Errorf("answered %d", reply.Status)
				}
			}
			return acquiring.Next{Kind: acquiring.Redirect, URL: "https://bank.example/", Ref: paid.Ref}, nil
		}
		if told := c.pays(t, c.request(site.CardOnline)); told.State != order.MoneyPaid {
			t.Errorf("told %s", told.State)
		}
		failed := acquiring.Event{ID: c.desk.last(), State: acquiring.Failed, Sum: acquiring.Sum{Amount: c.o.Prices.Total, Currency: c.o.Currency}, Reason: acquiring.Expired}
		c.hears(t, failed)
		c.want(t, order.Accepted, order.MoneyPaid, order.Paid)
	})
}

func TestACallbackWithAWrongSumIsBelievedOnlyWhenTheAcquirerSaysSoItself(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		e, _ := c.desk.Status(t.Context(), acquiring.Lookup{ID: c.desk.last()})
		e.State, e.Sum.Amount = acquiring.Paid, 1
		c.hears(t, e)
		c.want(t, order.WaitingForPayment, order.MoneyPending, order.Pending)

		c.desk.tries[c.desk.last()].event.Sum.Amount = 1
		c.desk.pay(c.desk.last())
		c.hears(t, e)
		c.want(t, order.WaitingForPayment, order.MoneyWaiting, order.Disputed)
	})
}

func TestAnotherSumGoesBackAsItWasTakenAndTheCustomerPaysAnew(t *testing.T) {
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
				c := atCashier(t, d, site.CardOnline, false)
				c.pays(t, c.request(site.CardOnline))
				first := c.desk.tries[c.desk.last()]
				twist(&first.event.Sum)
				c.hears(t, c.desk.pay(c.desk.last()))
				c.later(t, time.Minute)
				c.want(t, order.WaitingForPayment, order.MoneyWaiting, order.Disputed)
				taken := first.event.Sum
				if back := c.desk.refunds; len(back) != 1 || back[0].Sum != taken || back[0].Paid != taken || len(back[0].Receipt.Lines) > 0 {
					t.Errorf("%+v given back, %s were taken", back, taken)
				}
				if o, err := c.orders.Get(t.Context(), c.v, c.o.ID); err != nil || o.IsRefunded() {
					t.Errorf("an order that waits is paid back: %v", err)
				}
				first.event.Sum = first.intent.Sum // what it says later pays for nothing
				c.hears(t, first.event)
				c.want(t, order.WaitingForPayment, order.MoneyWaiting, order.Disputed)
				c.pays(t, c.request(site.SBP))
				c.hears(t, c.desk.pay(c.desk.last()))
				c.want(t, order.Accepted, order.MoneyPaid, order.Disputed, order.Paid)
			})
		})
	}
}

func TestAnotherSumGoesBackOfACanceledOrderToo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		c.desk.stubborn = true
		c.later(t, order.HoldFor)
		c.desk.tries[c.desk.last()].event.Sum.Amount += money.Scale
		c.hears(t, c.desk.pay(c.desk.last()))
		c.want(t, order.Canceled, order.MoneyRefunding, order.Disputed)
		c.later(t, time.Minute)
		c.want(t, order.Canceled, order.MoneyRefunded, order.Disputed)
		if c.desk.refunded != c.o.Prices.Total+money.Scale {
			t.Errorf("%v given back", c.desk.refunded)
		}
	})
}

func TestACustomerWhosePaymentTakesAnotherSumIsToldAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, true)
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.desk.reach(in).event.Sum.Amount = 1
			return acquiring.Outcome(c.desk.pay(in.ID)), nil
		}
		r := c.request(site.CardOnline)
		r.Token = "cryptogram"
		v := c.Again(t, c.v, "sushi")
		v.IdempotencyKey = "click"
		for range 2 { // the second click is answered as the first
			_, err := c.orders.Pay(t.Context(), v, r)
			wantFault(t, err, fault.Invalid, "pay.other_sum")
		}
		c.want(t, order.WaitingForPayment, order.MoneyWaiting, order.Disputed)
	})
}

func TestWhatNobodyCanReadIsNotGuessed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		c.desk.tries[c.desk.last()].event.Sum = acquiring.Sum{}
		c.desk.pay(c.desk.last())
		c.later(t, time.Minute)
		c.want(t, order.WaitingForPayment, order.MoneyChecking, order.Disputed)
		if told := c.pays(t, c.request(site.SBP)); told.State != order.MoneyChecking {
			t.Errorf("told %s", told.State)
		}
		c.later(t, order.HoldFor)
		c.want(t, order.Canceled, order.MoneyChecking, order.Disputed)
		if c.desk.refunded != 0 {
			t.Errorf("%v given back", c.desk.refunded)
		}
	})
}

func TestACallbackThatIsNotTheAcquirersOwnChangesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		e := c.desk.pay(c.desk.last())
		forged := notify(e)
		forged.Header.Set("Signature", "guess")
		if reply := c.orders.Callback(t.Context(), c.v.Site, carttest.Account, forged); reply.Status != http.StatusForbidden {
			t.Errorf("a forged one is answered %d", reply.Status)
		}
		if reply := c.orders.Callback(t.Context(), c.v.Site, "another", notify(e)); reply.Status != http.StatusForbidden {
			t.Errorf("one to another account is answered %d", reply.Status)
		}
		c.want(t, order.WaitingForPayment, order.MoneyPending, order.Pending)
		e.ID = "nobody"
		if reply := c.hears(t, e); reply.Status != http.StatusOK {
			t.Errorf("one about nothing is answered %d", reply.Status)
		}
	})
}

func TestMoneyThatComesAfterTheDeadlineGoesBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		c.desk.stubborn = true // its page cannot be closed
		c.later(t, order.HoldFor)
		c.want(t, order.Canceled, order.MoneyCanceled, order.Abandoned)
		c.hears(t, c.desk.pay(c.desk.last()))
		c.want(t, order.Canceled, order.MoneyRefunding, order.Paid)
		c.later(t, time.Minute)
		c.want(t, order.Canceled, order.MoneyRefunded, order.Paid)
		if c.desk.refunded != c.o.Prices.Total {
			t.Errorf("%v given back", c.desk.refunded)
		}
		c.wantLines(t, map[string]int{rice: 1})
	})
}

func TestWhatIsGivenUpIsWatchedEverMoreRarely(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		c.desk.stubborn = true
		c.later(t, order.HoldFor)
		before := c.desk.statuses
		for range 15 {
			c.later(t, time.Minute)
		}
		if asked := c.desk.statuses - before; asked < 14 || asked > 16 {
			t.Errorf("asked %d times in the first quarter of an hour", asked)
		}
		before = c.desk.statuses
		for range 71 * 4 {
			c.later(t, 15*time.Minute)
		}
		if asked := c.desk.statuses - before; asked < 10 || asked > 60 {
			t.Errorf("asked %d times in the days after", asked)
		}
		before = c.desk.statuses
		c.later(t, 24*time.Hour)
		c.later(t, 24*time.Hour)
		if asked := c.desk.statuses - before; asked > 1 {
			t.Errorf("asked %d times after that", asked)
		}
	})
}

func TestTheDeadlineEndsTheTryBeforeTheOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		c.later(t, order.HoldFor-time.Second)
		c.want(t, order.WaitingForPayment, order.MoneyPending, order.Pending)
		c.later(t, time.Second)
		c.want(t, order.Canceled, order.MoneyCanceled, order.Failed)
		_, err := c.orders.Pay(t.Context(), c.v, c.request(site.CardOnline))
		wantFault(t, err, fault.Conflict, "order.payment_over")
	})
}

func TestAnOrderThatIsPaidAtTheLastMomentIsAccepted(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		c.desk.pay(c.desk.last()) // and nobody tells
		c.later(t, order.HoldFor)
		c.want(t, order.Accepted, order.MoneyPaid, order.Paid)
	})
}

func TestBeginningAnewWithdrawsWhatWaits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		c.wantLines(t, map[string]int{rice: 1})
		_, err := c.orders.Begin(t.Context(), c.v, carttest.Takeaway(carttest.Pokrovka))
		if err != nil {
			t.Fatal(err)
		}
		c.want(t, order.Canceled, order.MoneyCanceled, order.Failed)
		o, err := c.orders.Get(t.Context(), c.v, c.o.ID)
		if err != nil || o.History[1].Actor != string(order.Customer) {
			t.Errorf("%v, %v", o.History, err)
		}
		c.wantLines(t, map[string]int{rice: 1})
	})
}

func TestBeginningAnewFindsThatItIsPaidAlready(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		c.desk.pay(c.desk.last())
		_, err := c.orders.Begin(t.Context(), c.v, carttest.Takeaway(carttest.Pokrovka))
		f := wantFault(t, err, fault.Conflict, "order.already_paid")
		if paid, ok := f.Data.(order.AlreadyPaid); !ok || paid.OrderID != c.o.ID {
			t.Errorf("told %v", f.Data)
		}
		c.want(t, order.Accepted, order.MoneyPaid, order.Paid)
	})
}

func TestACartThatWaitsToBePaidIsNotOrderedTwice(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		for round := range 5 { // they come in another order each time
			v := c.Visitor(t, "sushi")
			first := c.takeaway(t, v, carttest.Pokrovka, halfPast(15+round))
			second := first
			begun, err := c.orders.Begin(t.Context(), v, carttest.Takeaway(carttest.Pokrovka))
			if err != nil {
				t.Fatal(err)
			}
			second.CacheKey = begun.Key
			first.PaymentType, second.PaymentType = site.SBP, site.SBP
			errs := make(chan error, 2)
			for _, r := range []order.Request{first, second} {
				go func() {
					_, err := c.orders.Create(t.Context(), v, r)
					errs <- err
				}()
			}
			one, other := <-errs, <-errs
			if one == nil {
				one = other
			} else if other != nil {
				t.Fatal(one, other)
			}
			wantFault(t, one, fault.Conflict, "order.no_cache")
		}
	})
}

func TestTheBanksPageOf3DSecureIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, true)
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			ref := c.desk.reach(in).event.Ref
			return acquiring.Next{Kind: acquiring.ThreeDS2, Ref: ref, ThreeDS: acquiring.ThreeDS{MethodURL: "https://acs.example/m", TransID: "t"}}, nil
		}
		var proofs []acquiring.Proof
		c.desk.onFinish = func(p acquiring.Proof) (acquiring.Next, error) {
			proofs = append(proofs, p)
			if p.CRes == "" {
				return acquiring.Next{Kind: acquiring.ThreeDS2, Ref: p.Ref, ThreeDS: acquiring.ThreeDS{ACSURL: "https://acs.example", CReq: "creq", TransID: "t"}}, nil
			}
			return acquiring.Outcome(c.desk.pay(p.ID)), nil
		}
		r := c.request(site.CardOnline)
		r.Token = "cryptogram"
		told := c.pays(t, r)
		told, err := c.orders.Prove(t.Context(), c.v, order.Answer{OrderID: c.o.ID, PaymentID: told.Last.ID, MethodDone: true})
		if err != nil || told.State != order.MoneyPending || told.Last.Next.ThreeDS.CReq != "creq" {
			t.Fatalf("%+v, %v", told, err)
		}
		for range 2 {
			o, err := c.orders.ProveReturn(t.Context(), c.v.Site, order.Answer{PaymentID: told.Last.ID, CRes: "cres"})
			if err != nil || o.ID != c.o.ID {
				t.Error(o, err)
			}
		}
		if len(proofs) != 2 || proofs[1].CRes != "cres" || proofs[1].TransID != "t" {
			t.Errorf("handed over: %+v", proofs)
		}
		c.want(t, order.Accepted, order.MoneyPaid, order.Paid)
		_, err = c.orders.ProveReturn(t.Context(), c.v.Site, order.Answer{PaymentID: "nobody", CRes: "cres"})
		wantFault(t, err, fault.NotFound, "order.not_found")
	})
}

func TestWhoComesBackFromTheBankLearnsTheOutcomeAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		prove := func(isLast bool) order.Paying {
			t.Helper()
			told, err := c.orders.Prove(t.Context(), c.v, order.Answer{OrderID: c.o.ID, IsLast: isLast})
			if err != nil {
				t.Fatal(err)
			}
			return told
		}
		for range 3 {
			prove(false)
		}
		if c.desk.statuses != 1 {
			t.Errorf("asked %d times in one second", c.desk.statuses)
		}
		c.Clock.Advance(time.Second)
		c.desk.tries[c.desk.last()].event.Reason = acquiring.InsufficientFunds // a try on the acquirer's page
		if told := prove(false); told.State != order.MoneyPending || told.Last.Reason != acquiring.InsufficientFunds {
			t.Errorf("told %s %s", told.State, told.Last.Reason)
		}
		if told := prove(true); told.State != order.MoneyWaiting {
			t.Errorf("told %s the last time", told.State)
		}
		c.pays(t, c.request(site.SBP))
		c.desk.pay(c.desk.last())
		c.Clock.Advance(time.Second)
		if told := prove(false); told.State != order.MoneyPaid {
			t.Errorf("told %s", told.State)
		}
	})
}

func TestAnAcquirerThatAsksFirstIsToldWhetherTheOrderCanBePaid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		c.pays(t, c.request(site.CardOnline))
		var verdict acquiring.Verdict
		ask := func(edit func(*acquiring.Event)) acquiring.Verdict {
			e, _ := c.desk.Status(t.Context(), acquiring.Lookup{ID: c.desk.last()})
			e.State = acquiring.Asked
			edit(&e)
			c.desk.verdict = func(v acquiring.Verdict) acquiring.Reply {
				verdict = v
				return acquiring.PlainReply(v)
			}
			c.hears(t, e)
			return verdict
		}
		as := func(*acquiring.Event) {}
		if got := ask(as); got != acquiring.Accepted {
			t.Errorf("in time: %d", got)
		}
		if got := ask(func(e *acquiring.Event) { e.Sum.Amount++ }); got != acquiring.WrongSum {
			t.Errorf("another sum: %d", got)
		}
		if got := ask(func(e *acquiring.Event) { e.ID = "nobody" }); got != acquiring.NotKnown {
			t.Errorf("another payment: %d", got)
		}
		c.Clock.Advance(order.HoldFor)
		if got := ask(as); got != acquiring.TooLate {
			t.Errorf("too late: %d", got)
		}
		c.later(t, 0)
		if got := ask(as); got != acquiring.NotNow {
			t.Errorf("canceled: %d", got)
		}
	})
}
