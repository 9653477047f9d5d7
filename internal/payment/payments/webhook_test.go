package payments_test

import (
	"net/http"
	"testing"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/site"
)

// Webhooks arrive while the acquirer is still being called: paid twice, then pending. The order
// is accepted once, and a failure that arrives later changes nothing.
func TestHandleWebhook_takesEventsInAnyOrderAndAnyNumber(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.OwnCardForm)
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) { // the callbacks overtake the answer
			c.Desk.RecordStart(in)
			pending, _ := c.Desk.QueryStatus(t.Context(), acquiring.Lookup{ID: in.ID})
			paid := c.Desk.Pay(in.ID)
			for _, e := range []acquiring.Event{paid, paid, pending} {
				if reply := c.DeliverWebhook(t, e); reply.Status != http.StatusOK {
					t.Errorf("answered %d", reply.Status)
				}
			}
			return acquiring.Next{Kind: acquiring.Redirect, URL: "https://bank.example/", Ref: paid.Ref}, nil
		}
		if shown := c.BeginPayment(t, c.Request(site.CardOnline)); shown.Status != payment.StatusPaid {
			t.Errorf("shown %s", shown.Status)
		}
		failed := acquiring.Event{ID: c.Desk.LastID(), State: acquiring.Failed, Sum: acquiring.Sum{Amount: c.Placed.Prices.Total, Currency: c.Placed.Currency}, Reason: acquiring.Expired}
		c.DeliverWebhook(t, failed)
		c.WantState(t, order.Accepted, payment.StatusPaid, payment.Paid)
	})
}

// A webhook says that one kopeck was paid. It changes nothing while the acquirer answers
// "pending", and disputes the attempt once the acquirer has taken that sum itself.
func TestHandleWebhook_appliesAWrongSumOnlyWhenTheAcquirerConfirmsIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		e, _ := c.Desk.QueryStatus(t.Context(), acquiring.Lookup{ID: c.Desk.LastID()})
		e.State, e.Sum.Amount = acquiring.Paid, 1
		c.DeliverWebhook(t, e)
		c.WantState(t, order.WaitingForPayment, payment.StatusPending, payment.Pending)

		c.Desk.Attempts[c.Desk.LastID()].Event.Sum.Amount = 1
		c.Desk.Pay(c.Desk.LastID())
		c.DeliverWebhook(t, e)
		c.WantState(t, order.WaitingForPayment, payment.StatusWaiting, payment.Disputed)
	})
}

// A webhook with a wrong signature, one to an account that does not exist, and one about an
// unknown payment leave the order waiting.
func TestHandleWebhook_ignoresForgedForeignAndUnknownEvents(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		e := c.Desk.Pay(c.Desk.LastID())
		forged := ordertest.WebhookOf(e)
		forged.Header.Set("Signature", "guess")
		if reply := c.Payments.HandleWebhook(t.Context(), c.Guest.Site, carttest.Account, forged); reply.Status != http.StatusForbidden {
			t.Errorf("a forged one is answered %d", reply.Status)
		}
		if reply := c.Payments.HandleWebhook(t.Context(), c.Guest.Site, "another", ordertest.WebhookOf(e)); reply.Status != http.StatusForbidden {
			t.Errorf("one to another account is answered %d", reply.Status)
		}
		c.WantState(t, order.WaitingForPayment, payment.StatusPending, payment.Pending)
		e.ID = "unknown"
		if reply := c.DeliverWebhook(t, e); reply.Status != http.StatusOK {
			t.Errorf("one about nothing is answered %d", reply.Status)
		}
	})
}

// Some acquirers ask before they take the money. The reply is Accepted in time, and otherwise
// says what is wrong: the sum, the payment, the time, or that the order is canceled.
func TestHandleWebhook_answersWhetherAnOrderCanBePaid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.BeginPayment(t, c.Request(site.CardOnline))
		var verdict acquiring.Verdict
		ask := func(edit func(*acquiring.Event)) acquiring.Verdict {
			e, _ := c.Desk.QueryStatus(t.Context(), acquiring.Lookup{ID: c.Desk.LastID()})
			e.State = acquiring.Asked
			edit(&e)
			c.Desk.OnVerdict = func(v acquiring.Verdict) acquiring.Reply {
				verdict = v
				return acquiring.PlainReply(v)
			}
			c.DeliverWebhook(t, e)
			return verdict
		}
		unchanged := func(*acquiring.Event) {}
		if got := ask(unchanged); got != acquiring.Accepted {
			t.Errorf("in time: %d", got)
		}
		if got := ask(func(e *acquiring.Event) { e.Sum.Amount++ }); got != acquiring.WrongSum {
			t.Errorf("another sum: %d", got)
		}
		if got := ask(func(e *acquiring.Event) { e.ID = "unknown" }); got != acquiring.NotKnown {
			t.Errorf("another payment: %d", got)
		}
		c.Clock.Advance(orders.HoldFor)
		if got := ask(unchanged); got != acquiring.TooLate {
			t.Errorf("too late: %d", got)
		}
		c.AdvanceAndSweep(t, 0)
		if got := ask(unchanged); got != acquiring.NotNow {
			t.Errorf("canceled: %d", got)
		}
	})
}
