package payments_test

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/payment/payments"
)

// A closing receipt that is refused, or pending for 72 hours, fails: it is logged and counted
// once as an alert, and not called for again.
func TestClosingReceipt_thatFailsAlertsAPerson(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, answers := range map[string][]acquiring.Closed{
			"refused": {{State: acquiring.ClosingFailed, Code: "receipt.items"}},
			"pending": {{State: acquiring.ClosingPending, Ref: "rt-1"}},
		} {
			c := ordertest.NewCounter(t, d)
			_, o := c.PlacePaid(t)
			c.Bank.ClosingAnswers = answers
			want := "receipt.items"
			if name == "pending" {
				want = "pending_too_long"
				for range 80 {
					c.Bank.ClosingAnswers = append(c.Bank.ClosingAnswers, answers[0])
				}
			}
			c.HandOver(t, o)
			for range 74 {
				c.Sweep(t)
				c.Clock.Advance(time.Hour)
			}
			calls := len(c.Bank.ClosingCalls())
			if got := c.Closing(t, o.ID); got.State != payment.ClosingFailed || got.Code != want || got.FinishedAt.IsZero() {
				t.Errorf("%s: %+v", name, got)
			}
			c.SweepEachMinute(t, 2*time.Minute)
			if len(c.Bank.ClosingCalls()) != calls {
				t.Errorf("%s: asked again after it failed", name)
			}
			if n := c.Diary.Count("alert=true kind=closing_receipt_failed"); n != 1 {
				t.Errorf("%s: logged %d times", name, n)
			}
			if n, _ := readCounter(c.Payments, "servery_closing_receipts_total", "failed"); n != 1 {
				t.Errorf("%s: counted %d times", name, n)
			}
			if n, _ := readCounter(c.Payments, "servery_order_alerts_total", "closing_receipt_failed"); n != 1 {
				t.Errorf("%s: %d alerts", name, n)
			}
		}
	})
}

// readCounter returns the value of the counter of the given name that has a label with the value
// label. It returns false when there is none.
func readCounter(s *payments.Service, name, label string) (int, bool) {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(s.Collectors()...)
	families, err := registry.Gather()
	if err != nil {
		return 0, false
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			for _, l := range m.GetLabel() {
				if family.GetName() == name && l.GetValue() == label {
					return int(m.GetCounter().GetValue()), true
				}
			}
		}
	}
	return 0, false
}

// The acquirer's account is removed from the settings. In forty hours a person is alerted twice;
// with the account back, the receipt is made.
func TestClosingReceipt_withoutAnAnswerAlertsAPersonAndGoesOn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		c.Restart(t, nil)
		c.HandOver(t, o)
		for range 40 {
			c.Sweep(t)
			c.Clock.Advance(time.Hour)
		}
		if got := c.Closing(t, o.ID); got.State != payment.ClosingRunning || got.Code != "account" {
			t.Errorf("without its account: %+v", got)
		}
		if n := c.Diary.Count("alert=true kind=closing_receipt_unknown"); n != 2 {
			t.Errorf("alerted %d times in forty hours", n)
		}
		c.Restart(t, c.Bank)
		c.SweepEachMinute(t, time.Minute)
		if got := c.Closing(t, o.ID); got.State != payment.ClosingDone || got.Code != "" {
			t.Errorf("with it again: %+v", got)
		}
	})
}

// Each kind of alert is a counter from the start, at zero.
func TestAlerts_areCountedFromZero(t *testing.T) {
	t.Parallel()
	c := ordertest.NewCounter(t, dbtest.Open(t, db.SQLite))
	for _, kind := range []string{"refund_failed", "refund_unknown", "foreign_refund", "other_sum", "payment_unknown", "closing_receipt_unknown", "account_gone"} {
		if n, ok := readCounter(c.Payments, "servery_order_alerts_total", kind); n != 0 || !ok {
			t.Errorf("%s is %d, counted: %t", kind, n, ok)
		}
	}
}
