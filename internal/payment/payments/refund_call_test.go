package payments_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/payment/payments"
)

// Calls for a refund are not sent, have an unknown outcome, stay pending or are lost after the
// refund was made. The acquirer is called again under the same id, and refunds once.
func TestRefund_isCalledAgainUnderTheSameIDUntilItIsCertain(t *testing.T) {
	t.Parallel()
	type answer = func(acquiring.Refund) (acquiring.Refunded, error)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, answersOf := range map[string]func(b *ordertest.Till) []answer{
			"not sent": func(*ordertest.Till) []answer {
				return []answer{ordertest.RefundUnsent, ordertest.RefundUnsent, ordertest.RefundUnsent}
			},
			"unknown": func(*ordertest.Till) []answer { return []answer{ordertest.RefundUnknown, ordertest.RefundUnknown} },
			"on its way": func(*ordertest.Till) []answer {
				return []answer{ordertest.RefundPending, ordertest.RefundPending, ordertest.RefundPending}
			},
			"made, then lost": func(b *ordertest.Till) []answer {
				return []answer{b.RefundAndLoseAnswer, ordertest.RefundUnknown, b.RefundAndLoseAnswer}
			},
		} {
			c := ordertest.NewCounter(t, d)
			_, o := c.PlacePaid(t)
			c.Bank.Answers = answersOf(c.Bank)
			wantCalls := len(c.Bank.Answers) + 1
			c.RefundLines(t, o.ID, "all")
			c.SweepEachMinute(t, 15*time.Minute)
			c.Bank.WantRefunded(t, o.Prices.Total)
			calls := c.Bank.RefundCalls()
			if len(calls) != wantCalls || slices.ContainsFunc(calls, func(r acquiring.Refund) bool { return r.ID != calls[0].ID || r.Before != 0 }) {
				t.Errorf("%s: asked %d times, want %d: %+v", name, len(calls), wantCalls, calls)
			}
			if m := c.WithPayment(t, o.ID); len(m.Payment.Refunds) != 1 || m.Payment.Refunds[0].State != payment.RefundDone {
				t.Errorf("%s: %+v", name, m.Payment.Refunds)
			}
		}
	})
}

// An acquirer without a clear answer is called 40 to 60 times in a day, a person is alerted, and
// the refund is made as soon as it answers.
func TestRefund_growsThePausesBetweenCalls(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		for range 100 {
			c.Bank.Answers = append(c.Bank.Answers, ordertest.RefundUnknown)
		}
		c.RefundLines(t, o.ID, "all")
		c.SweepEachMinute(t, 24*time.Hour)
		if n := len(c.Bank.RefundCalls()); n < 40 || n > 60 {
			t.Errorf("asked %d times in a day", n)
		}
		if c.Diary.Count("alert=true kind=refund_unknown") == 0 {
			t.Error("no person was alerted")
		}
		if m := c.WithPayment(t, o.ID); m.Payment.Refunds[0].State != payment.RefundRunning {
			t.Errorf("it counts as %s", m.Payment.Refunds[0].State)
		}
		c.Bank.Answers = nil
		c.SweepEachMinute(t, 31*time.Minute)
		c.Bank.WantRefunded(t, o.Prices.Total)
	})
}

// A refund that certainly fails is followed by another with a new id. After the fifth a person
// is alerted once, and the customer is shown that it is stuck. The operator can refund again.
func TestRefund_alertsAPersonAfterFiveFailures(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		v, o := c.PlacePaid(t)
		for range 5 {
			c.Bank.Answers = append(c.Bank.Answers, ordertest.RefundRefused)
		}
		if _, err := c.Orders.Cancel(t.Context(), v, o.ID); err != nil {
			t.Fatal(err)
		}
		c.SweepEachMinute(t, time.Hour)
		m := c.WithPayment(t, o.ID)
		ids := map[acquiring.ID]bool{}
		for _, r := range c.Bank.RefundCalls() {
			ids[r.ID] = true
		}
		isOther := func(r payment.Refund) bool { return r.State != payment.RefundFailed || r.Code != "no_funds" }
		if len(m.Payment.Refunds) != 5 || len(ids) != 5 || slices.ContainsFunc(m.Payment.Refunds, isOther) {
			t.Errorf("asked under %d ids, in the books are %+v", len(ids), m.Payment.Refunds)
		}
		if n := c.Diary.Count("alert=true kind=refund_failed"); n != 1 {
			t.Errorf("a person was alerted %d times", n)
		}
		if m.Payment.Status() != payment.StatusRefunding {
			t.Errorf("it counts as %s", m.Payment.Status())
		}
		if message, ok := m.Payment.RefundMessage(sumText); !ok || message.Key != "refund.stuck" {
			t.Errorf("the customer is shown %+v", message)
		}
		c.Bank.WantRefunded(t, 0)
		c.RefundLines(t, o.ID, "by hand") // what failed is left, and may be given back
		c.SweepEachMinute(t, 2*time.Minute)
		c.Bank.WantRefunded(t, o.Prices.Total)
	})
}

// A refund fails once and is made by the next attempt. The repeated key of the operator refunds
// nothing more.
func TestRefund_isMadeAfterOneFailure(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		c.Bank.Answers = append(c.Bank.Answers, ordertest.RefundRefused)
		c.RefundLines(t, o.ID, "all")
		c.RefundLines(t, o.ID, "all")
		c.SweepEachMinute(t, 15*time.Minute)
		c.RefundLines(t, o.ID, "all")
		c.Bank.WantRefunded(t, o.Prices.Total)
	})
}

// A process claims a refund and dies. Another calls the acquirer only after the lease of two
// minutes.
func TestRefund_isMadeByAnotherProcessAfterTheFirstDied(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		c.RefundLines(t, o.ID, "all")
		refund := c.WithPayment(t, o.ID).Payment.Refunds[0].ID
		now := c.Clock.Now()
		isClaimed, err := payments.ClaimRefund(t.Context(), c.Payments, refund) // and dies
		if err != nil || !isClaimed {
			t.Fatal(isClaimed, err)
		}
		c.Restart(t, c.Bank)
		c.SweepEachMinute(t, time.Minute)
		if len(c.Bank.RefundCalls()) != 0 {
			t.Errorf("asked %s after, while the first may still be asking", c.Clock.Now().Sub(now))
		}
		c.SweepEachMinute(t, 2*time.Minute)
		c.Bank.WantRefunded(t, o.Prices.Total)
		if m := c.WithPayment(t, o.ID); m.Payment.Refunds[0].ID != refund || m.Payment.Status() != payment.StatusRefunded {
			t.Errorf("got %+v", m.Payment.Refunds)
		}
	})
}

// Each part of an order is refunded separately, and three processes sweep at the same time. The
// acquirer is never called for two refunds of a payment at once, and all is refunded once.
func TestRefund_isCalledForOneRefundOfAPaymentAtATime(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		parts := c.WithPayment(t, o.ID).Payment.Refundable()
		for i, part := range parts {
			c.RefundLines(t, o.ID, part.Key, payment.RefundLine{Key: part.Key, Count: part.Count})
			if i == 0 {
				c.Bank.Answers = append(c.Bank.Answers, c.Bank.RefundAndLoseAnswer, ordertest.RefundPending, ordertest.RefundPending)
			}
		}
		first := c.Orders
		c.Restart(t, c.Bank)
		for range 20 {
			now := c.Clock.Advance(time.Minute)
			var all sync.WaitGroup
			for _, s := range []*orders.Service{first, c.Orders, first} {
				all.Go(func() {
					if err := s.Sweep(t.Context(), now); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		}
		c.Bank.WantRefunded(t, o.Prices.Total)
		if m := c.WithPayment(t, o.ID); m.Payment.Status() != payment.StatusRefunded || len(m.Payment.Refunds) != len(parts) {
			t.Errorf("got %+v", m.Payment.Refunds)
		}
	})
}
