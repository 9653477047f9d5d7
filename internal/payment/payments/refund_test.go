package payments_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/cart/carttest"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/erase"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/payment/payments"
	"servery/internal/phone"
	"servery/internal/schedule"
	"servery/internal/visit"
)

// A paid order is canceled twice, by its customer or by the operator. The refund is stored with
// that and made afterwards, once; the bonuses are as before the order.
func TestRefundCanceled_refundsAPaidOrderOnce(t *testing.T) {
	t.Parallel()
	cancellations := map[string]func(c *ordertest.Counter, v visit.Context, id int64) error{
		"by its customer": func(c *ordertest.Counter, v visit.Context, id int64) error {
			_, err := c.Orders.Cancel(t.Context(), v, id)
			return err
		},
		"by the operator": func(c *ordertest.Counter, _ visit.Context, id int64) error {
			_, err := c.Orders.SetState(t.Context(), id, order.Canceled, "", c.Clock.Now())
			return err
		},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, cancel := range cancellations {
			c := ordertest.NewCounter(t, d)
			v := c.SignInWithBonuses(t, c.Visitor(t, "sushi"), "79161234567", money.Major(100))
			before := c.Balance(t, v)
			o, id := c.MarkPaid(t, c.Place(t, v, c.PayWithBonuses(t, v, c.TakeawayFromPhone(t, v, 1), money.Major(40))))
			for range 2 {
				if err := cancel(c, v, o.ID); err != nil {
					t.Fatal(name, err)
				}
			}
			if m := c.WithPayment(t, o.ID); m.Payment.Status() != payment.StatusRefunding || len(m.Payment.Refunds) != 1 || m.Payment.Refunds[0].Cause != payment.OnCancel ||
				m.Payment.Refunds[0].PaymentID != id || m.Payment.Refunds[0].Sum.Amount != o.Prices.Total {
				t.Errorf("%s: at first %s, %+v", name, m.Payment.Status(), m.Payment.Refunds)
			}
			c.Bank.WantRefunded(t, 0) // nothing leaves the machine inside of a transaction
			c.SweepEachMinute(t, 2*time.Minute)
			c.Bank.WantRefunded(t, o.Prices.Total)
			m := c.WithPayment(t, o.ID)
			if m.Payment.Status() != payment.StatusRefunded || m.Payment.Attempts[0].Refunded != o.Prices.Total || !m.Order.IsRefunded() ||
				m.Payment.Refunds[0].State != payment.RefundDone || m.Payment.Refunds[0].FinishedAt.IsZero() {
				t.Errorf("%s: at last %s, %+v", name, m.Payment.Status(), m)
			}
			c.WantBalance(t, v, before)
		}
	})
}

// Lines of an order are refunded one by one, and then the rest. A repeated key changes nothing;
// another request with it, an unknown line and too many items are refused. All refunds add up to
// the total, each with a receipt of its sum.
func TestRefund_byLinesAddsUpToTheTotal(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		c.Move(t, o, order.Cooking, order.Sent, order.Done)
		line := func(key string, count int) payment.RefundLine { return payment.RefundLine{Key: key, Count: count} }
		parts := c.WithPayment(t, o.ID).Payment.Refundable()
		if len(parts) < 3 {
			t.Fatalf("too simple an order: %+v", parts)
		}
		c.RefundLines(t, o.ID, "a", line(parts[0].Key, 1))
		c.RefundLines(t, o.ID, "a", line(parts[0].Key, 1))
		if err := c.TryRefundLines(t, o.ID, "a", line(parts[1].Key, 1)); fault.KeyOf(err) != "order.refund_key_used" {
			t.Errorf("another refund with the same key: %v", err)
		}
		c.Clock.Advance(time.Second) // the order of two at one instant is not certain
		c.RefundLines(t, o.ID, "b", line(parts[1].Key, 1))
		for want, l := range map[string]payment.RefundLine{
			"order.refund_line_unknown": line("nothing", 1), "order.refund_line_over": line(parts[0].Key, parts[0].Count),
		} {
			if err := c.TryRefundLines(t, o.ID, "c", l); fault.KeyOf(err) != want {
				t.Errorf("%+v: %v, want %s", l, err, want)
			}
		}
		if err := c.TryRefundLines(t, o.ID, "c", line(parts[2].Key, 1), line(parts[2].Key, parts[2].Count)); fault.KeyOf(err) != "order.refund_line_over" {
			t.Errorf("a line twice: %v", err)
		}
		c.SweepEachMinute(t, 3*time.Minute)
		m := c.WithPayment(t, o.ID)
		if len(m.Payment.Refunds) != 2 || m.Payment.Status() != payment.StatusPaid || m.Order.IsRefunded() {
			t.Fatalf("got %s, %+v", m.Payment.Status(), m.Payment.Refunds)
		}
		if after := m.Payment.Refundable(); after[0].Refunded != 1 || after[0].RefundedAmount != m.Payment.Refunds[0].Sum.Amount {
			t.Errorf("shown as left %+v", after)
		}
		c.Bank.WantRefunded(t, m.Payment.Refunds[0].Sum.Amount.Add(m.Payment.Refunds[1].Sum.Amount))
		c.RefundLines(t, o.ID, "rest")
		c.RefundLines(t, o.ID, "rest")
		c.SweepEachMinute(t, 2*time.Minute)
		c.Bank.WantRefunded(t, o.Prices.Total)
		if err := c.TryRefundLines(t, o.ID, "d"); fault.KeyOf(err) != "order.nothing_to_refund" {
			t.Errorf("when all is given back: %v", err)
		}
		if m := c.WithPayment(t, o.ID); m.Payment.Status() != payment.StatusRefunded || !m.Order.IsRefunded() {
			t.Errorf("at last %s", m.Payment.Status())
		}
		for _, r := range c.Bank.RefundCalls() {
			if r.Receipt.Total() != r.Sum.Amount || r.Receipt.Tax != acquiring.TaxGeneral || r.Customer.Email == "" || r.Description == "" {
				t.Errorf("asked for %s with %+v", r.Sum, r)
			}
		}
	})
}

// A refund of one line leaves the bonuses that a done order has earned; once the rest is
// refunded too, they are taken back.
func TestRefund_ofTheWholeOrderUndoesItsBonuses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		v := c.SignInWithBonuses(t, c.Visitor(t, "sushi"), "79161234567", money.Major(100))
		r := c.Delivery(t, v, schedule.ASAP)
		r.Phone = "+79161230001"
		o, _ := c.MarkPaid(t, c.Place(t, v, r))
		c.Move(t, o, order.Cooking, order.Sent, order.Done)
		earned := c.Balance(t, v)
		if earned <= money.Major(100) {
			t.Fatal("the order earned nothing")
		}
		c.RefundLines(t, o.ID, "part", payment.RefundLine{Key: o.Lines[0].Key, Count: 1})
		c.SweepEachMinute(t, 2*time.Minute)
		c.WantBalance(t, v, earned)
		c.RefundLines(t, o.ID, "rest")
		c.WantBalance(t, v, earned) // it is not paid back yet
		c.SweepEachMinute(t, 2*time.Minute)
		c.WantBalance(t, v, money.Major(100))
		c.WantBalanced(t)
	})
}

// Five refunds by the operator and a cancellation by the customer run at once: the order is
// refunded once.
func TestRefund_refundsNothingTwiceForConcurrentCalls(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		v, o := c.PlacePaid(t)
		var all sync.WaitGroup
		for _, key := range []string{"a", "a", "b", "c", "d"} {
			all.Go(func() {
				if err := c.TryRefundLines(t, o.ID, key); err != nil && fault.KeyOf(err) != "order.nothing_to_refund" {
					t.Error(err)
				}
			})
		}
		all.Go(func() {
			if _, err := c.Orders.Cancel(t.Context(), v, o.ID); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		c.SweepEachMinute(t, 2*time.Minute)
		c.Bank.WantRefunded(t, o.Prices.Total)
		if m := c.WithPayment(t, o.ID); len(m.Payment.Refunds) != 1 {
			t.Errorf("%d refunds", len(m.Payment.Refunds))
		}
	})
}

// An order whose attempt failed has nothing to refund. An order paid on receipt cannot be
// refunded before it is done, and then only as a whole. An unknown order is not found.
func TestRefund_refusesAnOrderThatIsNotPaid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		v := c.Visitor(t, "sushi")
		o := c.Place(t, v, c.Takeaway(t, v, carttest.Arbat, schedule.ASAP))
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(t.Context(), "UPDATE orders SET payment_type = 'sbp', state = 'waiting_for_payment' WHERE id = $1", o.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		c.AddAttempt(t, o, payment.Failed)
		if err := c.TryRefundLines(t, o.ID, "k"); fault.KeyOf(err) != "order.nothing_to_refund" {
			t.Errorf("got %v", err)
		}
		cash := c.Visitor(t, "sushi")
		paid := c.PlaceTakeaway(t, cash)
		if err := c.TryRefundLines(t, paid.ID, "k"); fault.KeyOf(err) != "order.not_refundable" {
			t.Errorf("an order that is paid on receipt and not done: %v", err)
		}
		c.Move(t, paid, order.Cooking, order.Done)
		if err := c.TryRefundLines(t, paid.ID, "a", payment.RefundLine{Key: "soup", Count: 1}); fault.KeyOf(err) != "order.refund_line_unknown" {
			t.Errorf("a line of an order that was paid on receipt: %v", err)
		}
		if err := c.TryRefundLines(t, o.ID+1, "k"); !errors.Is(err, fault.New(fault.NotFound, "order.not_found")) {
			t.Errorf("an order that does not exist: %v", err)
		}
	})
}

// A customer cannot be erased while a refund of their order is open. Afterwards the attempt has
// nothing of the person but keeps its sums and reference.
func TestForget_waitsForRefunds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		v := c.SignInWithBonuses(t, c.Visitor(t, "sushi"), "79161234567", 0)
		o, id := c.MarkPaid(t, c.Place(t, v, c.TakeawayFromPhone(t, v, 1)))
		if _, err := c.Orders.Cancel(t.Context(), v, o.ID); err != nil {
			t.Fatal(err)
		}
		forget := func() error {
			return d.InTx(t.Context(), func(tx *db.Tx) error {
				who := customer.Customer{ID: v.CustomerID, Phone: "79161234567"}
				return erase.Forget(t.Context(), tx, customer.Erased{Customer: who, Site: "sushi"}, phone.NewMarks([]byte("secret")))
			})
		}
		if err := forget(); fault.KeyOf(err) != "customer.refund_running" {
			t.Errorf("got %v", err)
		}
		c.SweepEachMinute(t, 2*time.Minute)
		if err := forget(); err != nil {
			t.Fatal(err)
		}
		m := c.WithPayment(t, o.ID)
		if p := m.Payment.Attempts[0]; p.Payer() != (acquiring.Customer{}) || p.ID != id || p.Ref == "" || p.Refunded != o.Prices.Total || p.Sum.Amount != o.Prices.Total {
			t.Errorf("in the books stands %+v", p)
		}
	})
}

// The acquirer reports a refund that was not requested here: a person is alerted once, and the
// order still counts as paid.
func TestForeignRefund_alertsAPersonAndChangesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		p := c.WithPayment(t, o.ID).Payment.Attempts[0]
		for i, hasRefund := range []bool{false, true} {
			e := acquiring.Event{Ref: p.Ref, ID: p.ID, State: acquiring.Paid, Sum: p.Sum}
			if hasRefund {
				e.Refunded = p.Sum.Amount
			}
			if err := payments.Apply(t.Context(), c.Payments, p.ID, e); err != nil {
				t.Fatal(err)
			}
			if n := c.Diary.Count("alert=true kind=foreign_refund"); n != i {
				t.Errorf("alerted %d times, want %d", n, i)
			}
		}
		if m := c.WithPayment(t, o.ID); m.Payment.Status() != payment.StatusPaid || m.Payment.Refunded() != 0 {
			t.Errorf("it counts as %s", m.Payment.Status())
		}
	})
}

// A request names exactly one of all, lines and amount. One that names none or two of them, one with an
// unknown bearer, and one without a key are refused.
func TestRefund_saysOneOfAllLinesAndAmount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		lines := []payment.RefundLine{{Key: "delivery", Count: 1}}
		for _, wrong := range []payment.RefundRequest{
			{Key: "k"}, {Key: "k", All: true, Lines: lines}, {Key: "k", Amount: 1, Lines: lines}, {Key: "k", All: true, Amount: 1},
		} {
			if _, err := c.Orders.Refund(t.Context(), 1, wrong, c.Clock.Now()); fault.KeyOf(err) != "order.refund_one_of" {
				t.Errorf("all: %v, %d lines: %v", wrong.All, len(wrong.Lines), err)
			}
		}
		for field, wrong := range map[string]payment.RefundRequest{"key": {All: true}, "bearer": {Key: "k", All: true, Bearer: "nobody"}} {
			_, err := c.Orders.Refund(t.Context(), 1, wrong, c.Clock.Now())
			if f, ok := fault.Of(err); !ok || f.Code != fault.Invalid || f.Fields[field] == nil {
				t.Errorf("%s: %v", field, err)
			}
		}
	})
}
