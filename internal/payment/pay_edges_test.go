package payment_test

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
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/site"
)

func TestAnOrderThatCostsNothingIsAcceptedWithoutPaying(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.SBP, false)
		files := carttest.Online(false)
		files["sushi/promocodes.yaml"] = "- {id: 1, code: ALL, percent: 100}\n"
		files["sushi/packages.yaml"] = "- {id: 2, alias: box, name: Коробка, price: 5, rule: per_order, order_types: [delivery]}\n"
		c.Import(t, files)
		c.Guest = c.Visitor(t, "sushi")
		r := c.Takeaway(t, c.Guest, carttest.Pokrovka, ordertest.HalfPast(15))
		q, err := c.Carts.ApplyPromocode(t.Context(), c.Guest, carttest.Takeaway(carttest.Pokrovka), "ALL")
		if err != nil || q.Prices.Total != 0 {
			t.Fatalf("the cart costs %v, %v", q.Prices.Total, err)
		}
		r.PaymentType, r.SeenTotal = site.CardOnline, 0
		c.Form, c.Placed = r, c.Place(t, c.Guest, r)
		c.Want(t, order.Accepted, payment.StatusPaid)
		c.WantLines(t, map[string]int{})
		if shown := c.BeginPayment(t, c.Request(site.CardOnline)); shown.Status != payment.StatusPaid {
			t.Errorf("shown %s", shown.Status)
		}
		if _, err := c.Orders.Cancel(t.Context(), c.Guest, c.Placed.ID); err != nil {
			t.Error(err)
		}
		c.Want(t, order.Canceled, payment.StatusCanceled)
	})
}

func TestAnOrderIsPaidByWhatIsOfferedForItsTypeAlone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, false)
		files := carttest.Online(false)
		files["sushi/brand.yaml"] = strings.Replace(files["sushi/brand.yaml"], "takeaway: [card_online, sbp, ", "takeaway: [card_online, ", 1)
		c.Import(t, files)
		_, err := c.Payments.Pay(t.Context(), c.Again(t, c.Guest, "sushi"), c.Request(site.SBP))
		ordertest.WantFault(t, err, fault.Invalid, "order.payment_type")
		c.Want(t, order.WaitingForPayment, payment.StatusWaiting)
		c.BeginPayment(t, c.Request(site.CardOnline))
	})
}

func TestACardThatWasSentToAPreparedAcquirerIsNotFollowedByAnotherAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, true)
		sent := 0
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			ref := c.Desk.Reach(in).Event.Ref
			if in.Token == "" {
				return acquiring.Next{Kind: acquiring.Prepared, Ref: ref, VerifyParam: "p"}, nil
			}
			sent++
			return acquiring.Next{Ref: ref}, nil // the bank is at it, and its answer is lost
		}
		c.Desk.Stubborn = true
		c.BeginPayment(t, c.Request(site.CardOnline))
		c.Clock.Advance(2 * time.Minute) // typing takes its time
		r := c.Request(site.CardOnline)
		r.Token, r.VerifyParam = "cryptogram", "p"
		if shown := c.BeginPayment(t, r); shown.Status != payment.StatusChecking {
			t.Errorf("shown %s", shown.Status)
		}
		c.Clock.Advance(10 * time.Second)
		r.Token = "another"
		if shown := c.BeginPayment(t, r); shown.Status != payment.StatusChecking {
			t.Errorf("shown %s", shown.Status)
		}
		c.Want(t, order.WaitingForPayment, payment.StatusChecking, payment.Pending)
		if sent != 1 {
			t.Errorf("%d cards were sent", sent)
		}
		c.Desk.Pay(c.Desk.Last())
		c.Later(t, 30*time.Second)
		c.Want(t, order.Accepted, payment.StatusPaid, payment.Paid)
	})
}

func TestATryIsBusyFromWhenItIsWrittenDownHoweverLongItsCallWaited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.SBP, false)
		v := c.Again(t, c.Guest, "sushi")
		c.Clock.Advance(90 * time.Second) // an earlier try had to be ended first
		starts := 0
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			if starts++; starts == 1 {
				if err := c.Payments.PollDue(t.Context(), c.Clock.Now()); err != nil {
					t.Error(err)
				}
			}
			return c.Desk.Usual(in), nil
		}
		if _, err := c.Payments.Pay(t.Context(), v, c.Request(site.SBP)); err != nil {
			t.Fatal(err)
		}
		if starts != 1 {
			t.Errorf("started %d times at once", starts)
		}
		c.Want(t, order.WaitingForPayment, payment.StatusPending, payment.Pending)
	})
}

func TestNewsAndTheAnswerThatIsWrittenAtTheSameTimeBothStay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.SBP, false)
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.Desk.Reach(in)
			return acquiring.Next{}, nil
		}
		c.BeginPayment(t, c.Request(site.SBP))
		c.Want(t, order.WaitingForPayment, payment.StatusChecking, payment.Starting)
		news, _ := c.Desk.QueryStatus(t.Context(), acquiring.Lookup{ID: c.Desk.Last()})
		news.Reason = acquiring.InsufficientFunds
		heard := make(chan error, 1)
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if _, err := tx.SQL.ExecContext(t.Context(), "UPDATE payment SET state = 'pending' WHERE id = $1", string(news.ID)); err != nil {
				return err
			}
			go func() { heard <- payment.Apply(t.Context(), c.Payments, news.ID, news) }()
			return untilBlocked(t, d, tx)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-heard; err != nil {
			t.Fatal(err)
		}
		tries, err := c.Payments.ListAttempts(t.Context(), c.Placed.ID)
		if err != nil || tries[0].State != payment.Pending || tries[0].Reason != acquiring.InsufficientFunds || tries[0].Ref != news.Ref {
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
		c := ordertest.NewCashier(t, d, site.SBP, false)
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.Desk.Reach(in)
			e, _ := c.Desk.QueryStatus(t.Context(), acquiring.Lookup{ID: in.ID})
			c.Deliver(t, e)
			return acquiring.Next{}, nil // the answer itself is lost
		}
		c.BeginPayment(t, c.Request(site.SBP))
		tries, err := c.Payments.ListAttempts(t.Context(), c.Placed.ID)
		if err != nil || tries[0].Ref != "ref-"+string(tries[0].ID) {
			t.Errorf("the try is called %q, %v", tries[0].Ref, err)
		}
	})
}
