package payments_test

import (
	"reflect"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/site"
)

// A request for a page of the bank was lost. Another process requests it again with exactly the
// same data.
func TestPoll_requestsALostPageAgainWithTheSameIntent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.SBP, carttest.BankPage)
		var asked []acquiring.Intent
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			if asked = append(asked, in); len(asked) == 1 {
				return acquiring.Next{}, nil // it never reached the acquirer
			}
			return c.Desk.DefaultAnswer(in), nil
		}
		c.BeginPayment(t, c.Request(site.SBP))
		c.WantState(t, order.WaitingForPayment, payment.StatusChecking, payment.Starting)
		c.Restart(t) // another process goes on
		c.AdvanceAndSweep(t, 5*time.Second)
		c.WantState(t, order.WaitingForPayment, payment.StatusPending, payment.Pending)
		if len(asked) != 2 || !sameIntent(asked[0], asked[1]) {
			t.Errorf("asked %+v", asked)
		}
	})
}

// sameIntent reports whether two intents are equal in all that the acquirer receives, and have a
// receipt.
func sameIntent(a, b acquiring.Intent) bool {
	isSame := a.Started.Equal(b.Started) && a.Deadline.Equal(b.Deadline)
	a.Started, a.Deadline, b.Started, b.Deadline = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	return isSame && len(a.Receipt.Lines) > 0 && reflect.DeepEqual(a.Receipt, b.Receipt) && a.ID == b.ID && a.Customer == b.Customer && a.ReturnURL == b.ReturnURL && a.TermURL == b.TermURL &&
		a.CallbackURL == b.CallbackURL && a.Description == b.Description && a.Sum == b.Sum && a.Method == b.Method && a.Language == b.Language
}

// The acquirer has the payment but returns no page to pay on: the poll cancels the attempt, and
// the customer can begin another.
func TestPoll_cancelsAnAttemptWhosePageIsLost(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashier(t, d, site.CardOnline, carttest.BankPage)
		c.Desk.OnStart = func(in acquiring.Intent) (acquiring.Next, error) {
			return acquiring.Next{Ref: c.Desk.RecordStart(in).Event.Ref}, nil
		}
		c.BeginPayment(t, c.Request(site.CardOnline))
		c.AdvanceAndSweep(t, 5*time.Second)
		c.WantState(t, order.WaitingForPayment, payment.StatusWaiting, payment.Failed)
		c.Desk.OnStart = nil
		c.BeginPayment(t, c.Request(site.CardOnline))
		c.WantState(t, order.WaitingForPayment, payment.StatusPending, payment.Failed, payment.Pending)
	})
}
