package order_test

import (
	"strings"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/site"
)

func TestAnOrderThatCostsNothingIsAcceptedWithoutPaying(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.SBP, false)
		files := carttest.Online(false)
		files["sushi/promocodes.yaml"] = "- {id: 1, code: ALL, percent: 100}\n"
		files["sushi/packages.yaml"] = "- {id: 2, alias: box, name: Коробка, price: 5, rule: per_order, order_types: [delivery]}\n"
		c.Import(t, files)
		c.v = c.Visitor(t, "sushi")
		r := c.takeaway(t, c.v, carttest.Pokrovka, halfPast(15))
		q, err := c.carts.ApplyPromocode(t.Context(), c.v, carttest.Takeaway(carttest.Pokrovka), "ALL")
		if err != nil || q.Prices.Total != 0 {
			t.Fatalf("the cart costs %v, %v", q.Prices.Total, err)
		}
		r.PaymentType, r.SeenTotal = site.CardOnline, 0
		c.r, c.o = r, c.place(t, c.v, r)
		c.want(t, order.Accepted, order.MoneyPaid)
		c.wantLines(t, map[string]int{})
		if told := c.pays(t, c.request(site.CardOnline)); told.State != order.MoneyPaid {
			t.Errorf("told %s", told.State)
		}
		if _, err := c.orders.Cancel(t.Context(), c.v, c.o.ID); err != nil {
			t.Error(err)
		}
		c.want(t, order.Canceled, order.MoneyCanceled)
	})
}

func TestAnOrderIsPaidByWhatIsOfferedForItsTypeAlone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, false)
		files := carttest.Online(false)
		files["sushi/brand.yaml"] = strings.Replace(files["sushi/brand.yaml"], "takeaway: [card_online, sbp, ", "takeaway: [card_online, ", 1)
		c.Import(t, files)
		_, err := c.orders.Pay(t.Context(), c.Again(t, c.v, "sushi"), c.request(site.SBP))
		wantFault(t, err, fault.Invalid, "order.payment_type")
		c.want(t, order.WaitingForPayment, order.MoneyWaiting)
		c.pays(t, c.request(site.CardOnline))
	})
}

func TestACardThatWasSentToAPreparedAcquirerIsNotFollowedByAnotherAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.CardOnline, true)
		sent := 0
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			ref := c.desk.reach(in).event.Ref
			if in.Token == "" {
				return acquiring.Next{Kind: acquiring.Prepared, Ref: ref, VerifyParam: "p"}, nil
			}
			sent++
			return acquiring.Next{Ref: ref}, nil // the bank is at it, and its answer is lost
		}
		c.desk.stubborn = true
		c.pays(t, c.request(site.CardOnline))
		c.Clock.Advance(2 * time.Minute) // typing takes its time
		r := c.request(site.CardOnline)
		r.Token, r.VerifyParam = "cryptogram", "p"
		if told := c.pays(t, r); told.State != order.MoneyChecking {
			t.Errorf("told %s", told.State)
		}
		c.Clock.Advance(10 * time.Second)
		r.Token = "another"
		if told := c.pays(t, r); told.State != order.MoneyChecking {
			t.Errorf("told %s", told.State)
		}
		c.want(t, order.WaitingForPayment, order.MoneyChecking, order.Pending)
		if sent != 1 {
			t.Errorf("%d cards were sent", sent)
		}
		c.desk.pay(c.desk.last())
		c.later(t, 30*time.Second)
		c.want(t, order.Accepted, order.MoneyPaid, order.Paid)
	})
}

func TestATryIsBusyFromWhenItIsWrittenDownHoweverLongItsCallWaited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.SBP, false)
		v := c.Again(t, c.v, "sushi")
		c.Clock.Advance(90 * time.Second) // an earlier try had to be ended first
		starts := 0
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			if starts++; starts == 1 {
				if err := c.orders.CheckPayments(t.Context(), c.Clock.Now()); err != nil {
					t.Error(err)
				}
			}
			return c.desk.usual(in), nil
		}
		if _, err := c.orders.Pay(t.Context(), v, c.request(site.SBP)); err != nil {
			t.Fatal(err)
		}
		if starts != 1 {
			t.Errorf("started %d times at once", starts)
		}
		c.want(t, order.WaitingForPayment, order.MoneyPending, order.Pending)
	})
}

func TestNewsAndTheAnswerThatIsWrittenAtTheSameTimeBothStay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.SBP, false)
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.desk.reach(in)
			return acquiring.Next{}, nil
		}
		c.pays(t, c.request(site.SBP))
		c.want(t, order.WaitingForPayment, order.MoneyChecking, order.Starting)
		news, _ := c.desk.Status(t.Context(), acquiring.Lookup{ID: c.desk.last()})
		news.Reason = acquiring.InsufficientFunds
		heard := make(chan error, 1)
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if _, err := tx.SQL.ExecContext(t.Context(), "UPDATE payment SET state = 'pending' WHERE id = $1", string(news.ID)); err != nil {
				return err
			}
			go func() { heard <- order.Hear(t.Context(), c.orders, news.ID, news) }()
			return untilBlocked(t, d, tx)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-heard; err != nil {
			t.Fatal(err)
		}
		tries, err := c.orders.Payments(t.Context(), c.o.ID)
		if err != nil || tries[0].State != order.Pending || tries[0].Reason != acquiring.InsufficientFunds || tries[0].Ref != news.Ref {
			t.Errorf("%+v, %v", tries, err)
		}
	})
}

// untilBlocked waits until somebody waits for what the transaction has written. With SQLite
// all wait for their turn, so there is nothing to wait for.
func untilBlocked(t *testing.T, d *db.DB, tx *db.Tx) error {
	t.Helper()
	if d.Engine() != db.Postgres {
		return nil
	}
	var own, blocked int
	if err := tx.SQL.QueryRowContext(t.Context(), "SELECT pg_backend_pid()").Scan(&own); err != nil {
		return err
	}
	for blocked == 0 {
		const others = "SELECT COUNT(*) FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))"
		if err := d.Reader().QueryRowContext(t.Context(), others, own).Scan(&blocked); err != nil {
			return err
		}
	}
	return nil
}

func TestTheNameThatACallbackBroughtOutlivesAnAnswerWithoutOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := atCashier(t, d, site.SBP, false)
		c.desk.onStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.desk.reach(in)
			e, _ := c.desk.Status(t.Context(), acquiring.Lookup{ID: in.ID})
			c.hears(t, e)
			return acquiring.Next{}, nil // the answer itself is lost
		}
		c.pays(t, c.request(site.SBP))
		tries, err := c.orders.Payments(t.Context(), c.o.ID)
		if err != nil || tries[0].Ref != "ref-"+string(tries[0].ID) {
			t.Errorf("the try is called %q, %v", tries[0].Ref, err)
		}
	})
}
