package payments_test

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
	"servery/internal/payment/payments"
	"servery/internal/site"
)

// A promocode of 100 % makes the cart cost nothing. The order by card is accepted at once
// without any attempt, and can be canceled.
func TestCreate_acceptsAnOrderThatCostsNothingWithoutPayment(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.SBP, carttest.BankPage)
		files := carttest.Online(carttest.BankPage)
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
		c.WantState(t, order.Accepted, payment.StatusPaid)
		c.WantLines(t, map[string]int{})
		if shown := c.BeginPayment(t, c.Request(site.CardOnline)); shown.Status != payment.StatusPaid {
			t.Errorf("shown %s", shown.Status)
		}
		if _, err := c.Orders.Cancel(t.Context(), c.Guest, c.Placed.ID); err != nil {
			t.Error(err)
		}
		c.WantState(t, order.Canceled, payment.StatusCanceled)
	})
}

// SBP is offered for deliveries only, so a takeaway order cannot be paid by it.
func TestPay_refusesAPaymentTypeOfAnotherOrderType(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		files := carttest.Online(carttest.BankPage)
		files["sushi/brand.yaml"] = strings.Replace(files["sushi/brand.yaml"], "takeaway: [card_online, sbp, ", "takeaway: [card_online, ", 1)
		c.Import(t, files)
		_, err := c.Payments.Pay(t.Context(), c.Again(t, c.Guest, "sushi"), c.Request(site.SBP))
		ordertest.WantFault(t, err, fault.Invalid, "order.payment_type")
		c.WantState(t, order.WaitingForPayment, payment.StatusWaiting)
		c.BeginPayment(t, c.Request(site.CardOnline))
	})
}

// An acquirer is prepared, receives a card two minutes later, and its answer is lost. Another
// card ten seconds after that is not sent; the first one pays for the order.
func TestPay_sendsNoSecondCardWhileTheFirstMayBeCharged(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.OwnCardForm)
		sent := 0
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			ref := c.Desk.RecordStart(in).Event.Ref
			if in.Token == "" {
				return acquiring.Next{Kind: acquiring.Prepared, Ref: ref, VerifyParam: "p"}, nil
			}
			sent++
			return acquiring.Next{Ref: ref}, nil // the bank is at it, and its answer is lost
		}
		c.Desk.NeverCancels = true
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
		c.WantState(t, order.WaitingForPayment, payment.StatusChecking, payment.Pending)
		if sent != 1 {
			t.Errorf("%d cards were sent", sent)
		}
		c.Desk.Pay(c.Desk.LastID())
		c.AdvanceAndSweep(t, 30*time.Second)
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Paid)
	})
}

// The call to pay has waited for 90 seconds before its attempt is stored. A poll that runs while
// the acquirer is called must not start the payment a second time.
func TestPay_leasesTheAttemptFromTheMomentItIsStored(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.SBP, carttest.BankPage)
		v := c.Again(t, c.Guest, "sushi")
		c.Clock.Advance(90 * time.Second) // an earlier try had to be ended first
		starts := 0
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			if starts++; starts == 1 {
				if err := c.Payments.PollDue(t.Context(), c.Clock.Now()); err != nil {
					t.Error(err)
				}
			}
			return c.Desk.DefaultAnswer(in), nil
		}
		if _, err := c.Payments.Pay(t.Context(), v, c.Request(site.SBP)); err != nil {
			t.Fatal(err)
		}
		if starts != 1 {
			t.Errorf("started %d times at once", starts)
		}
		c.WantState(t, order.WaitingForPayment, payment.StatusPending, payment.Pending)
	})
}

// An event about a failed card is applied while another transaction sets the attempt to pending:
// state, reason and reference are all stored.
func TestApplyEvent_keepsAnAnswerThatIsStoredConcurrently(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.SBP, carttest.BankPage)
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.Desk.RecordStart(in)
			return acquiring.Next{}, nil
		}
		c.BeginPayment(t, c.Request(site.SBP))
		c.WantState(t, order.WaitingForPayment, payment.StatusChecking, payment.Starting)
		event, _ := c.Desk.QueryStatus(t.Context(), acquiring.Lookup{ID: c.Desk.LastID()})
		event.Reason = acquiring.InsufficientFunds
		applied := make(chan error, 1)
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if _, err := tx.SQL.ExecContext(t.Context(), "UPDATE payment SET state = 'pending' WHERE id = $1", string(event.ID)); err != nil {
				return err
			}
			go func() { applied <- payments.Apply(t.Context(), c.Payments, event.ID, event) }()
			return waitUntilBlocked(t, d, tx)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-applied; err != nil {
			t.Fatal(err)
		}
		attempts, err := c.Payments.ListAttempts(t.Context(), c.Placed.ID)
		if err != nil || attempts[0].State != payment.Pending || attempts[0].Reason != acquiring.InsufficientFunds || attempts[0].Ref != event.Ref {
			t.Errorf("%+v, %v", attempts, err)
		}
	})
}

// waitUntilBlocked waits until another transaction waits for a lock that tx holds. With SQLite it
// returns at once: there all writers wait for each other anyway.
func waitUntilBlocked(t *testing.T, d *db.DB, tx *db.Tx) error {
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

// A webhook brings the acquirer's reference while the payment is started, and the answer itself
// is lost: the reference stays.
func TestPay_keepsTheReferenceOfAnEarlierWebhook(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.SBP, carttest.BankPage)
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			c.Desk.RecordStart(in)
			e, _ := c.Desk.QueryStatus(t.Context(), acquiring.Lookup{ID: in.ID})
			c.DeliverWebhook(t, e)
			return acquiring.Next{}, nil // the answer itself is lost
		}
		c.BeginPayment(t, c.Request(site.SBP))
		attempts, err := c.Payments.ListAttempts(t.Context(), c.Placed.ID)
		if err != nil || attempts[0].Ref != "ref-"+string(attempts[0].ID) {
			t.Errorf("the reference is %q, %v", attempts[0].Ref, err)
		}
	})
}
