package payments_test

import (
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
)

// sumText returns a sum as customers might read it.
func sumText(sum acquiring.Sum) string { return sum.Amount.String() }

// refundAmount refunds an amount of an order under a key, and returns the error.
func refundAmount(t *testing.T, c *ordertest.Counter, id int64, key string, amount money.Amount) error {
	t.Helper()
	r := payment.RefundRequest{Key: key, Reason: "cold", Amount: amount, Bearer: payment.CourierService, Actor: "Vera"}
	_, err := c.Orders.Refund(t.Context(), id, r, c.Clock.Now())
	return err
}

// Amounts that cannot be divided evenly over the parts of an order are refunded before and after its
// closing receipt. Each receipt has the refunded sum, and the closing receipt the sum that is left. In
// the end all is refunded exactly. The bearer is stored, also when the acquirer refuses a refund first.
func TestRefund_byAmountIsSpreadOverWhatIsLeft(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, o := c.PlacePaid(t)
		c.Bank.Answers = append(c.Bank.Answers, ordertest.RefundRefused)
		for range 2 {
			if err := refundAmount(t, c, o.ID, "a", 3333); err != nil {
				t.Fatal(err)
			}
		}
		if err := refundAmount(t, c, o.ID, "a", 3334); fault.KeyOf(err) != "order.refund_key_used" {
			t.Errorf("another amount under the key: %v", err)
		}
		c.SweepEachMinute(t, 3*time.Minute)
		c.Bank.WantRefunded(t, 3333)
		c.HandOver(t, o)
		c.SweepEachMinute(t, 2*time.Minute)
		if closed := c.Closing(t, o.ID); closed.State != payment.ClosingDone || closed.Sum.Amount != o.Prices.Total-3333 {
			t.Errorf("closed as %+v", closed)
		}
		if err := refundAmount(t, c, o.ID, "b", 101); err != nil {
			t.Fatal(err)
		}
		left := o.Prices.Total - 3333 - 101
		err := refundAmount(t, c, o.ID, "c", left+1)
		if f, ok := fault.Of(err); !ok || f.Code != fault.Invalid || f.Message.Key != "order.refund_over" || f.Fields["amount"] == nil || f.Message.Args["left"] != left {
			t.Errorf("more than is left: %v", err)
		}
		if err := refundAmount(t, c, o.ID, "c", -1); fault.KeyOf(err) != "common.invalid" {
			t.Errorf("less than nothing: %v", err)
		}
		c.RefundLines(t, o.ID, "rest")
		c.SweepEachMinute(t, 3*time.Minute)
		c.Bank.WantRefunded(t, o.Prices.Total)
		for _, r := range c.Bank.RefundCalls() {
			if r.Receipt.Total() != r.Sum.Amount {
				t.Errorf("the receipt of %s has %s: %+v", r.Sum, r.Receipt.Total(), r.Receipt.Lines)
			}
		}
		m := c.WithPayment(t, o.ID)
		for _, r := range m.Payment.Refunds {
			if byAmount := r.Sum.Amount == 3333 || r.Sum.Amount == 101; byAmount && (r.Bearer != payment.CourierService || r.Actor != "operator:Vera") ||
				!byAmount && r.Bearer != payment.Restaurant {
				t.Errorf("%s is borne by %s, asked for by %s", r.Sum, r.Bearer, r.Actor)
			}
		}
		if !m.Order.IsRefunded() || m.Payment.Status() != payment.StatusRefunded {
			t.Errorf("at last %s", m.Payment.Status())
		}
		c.CheckBooks(t)
	})
}

// Eight refunds by amount and a cancellation run concurrently. In any order, exactly what was paid is
// refunded, and the books agree.
func TestRefund_concurrentWithACancellationNeverExceedsWhatWasPaid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		v, o := c.PlacePaid(t)
		var calls sync.WaitGroup
		part := o.Prices.Total/5 + 1
		for i := range 8 {
			calls.Go(func() {
				if err := refundAmount(t, c, o.ID, string(rune('a'+i)), part); err != nil && fault.KeyOf(err) != "order.refund_over" && fault.KeyOf(err) != "order.nothing_to_refund" {
					t.Error(err)
				}
			})
		}
		calls.Go(func() {
			if _, err := c.Orders.Cancel(t.Context(), v, o.ID); err != nil {
				t.Error(err)
			}
		})
		calls.Wait()
		c.SweepEachMinute(t, 12*time.Minute)
		c.Bank.WantRefunded(t, o.Prices.Total)
		if m := c.WithPayment(t, o.ID); m.Order.State != order.Canceled || m.Payment.Status() != payment.StatusRefunded {
			t.Errorf("got %s, %s", m.Order.State, m.Payment.Status())
		}
		c.CheckBooks(t)
	})
}

// An order that is being cooked is canceled, and none of its money, an amount, lines, or all is refunded.
// The rest is kept, with a closing receipt. The customer reads what is refunded, and the kept money can
// be refunded later, which leaves less of it.
func TestCancelForRestaurant_keepsAPartOfTheMoney(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		for name, end := range map[string]struct {
			keep    bool
			part    *payment.RefundRequest
			back    func(o order.Order) money.Amount
			status  payment.Status
			message string
		}{
			"none":   {keep: true, back: func(order.Order) money.Amount { return 0 }, status: payment.StatusPaid, message: "refund.kept"},
			"amount": {part: &payment.RefundRequest{Amount: 5001}, back: func(order.Order) money.Amount { return 5001 }, status: payment.StatusRefunded, message: "refund.done_part"},
			"lines": {
				part: &payment.RefundRequest{Lines: []payment.RefundLine{{Key: ordertest.RiceKey, Count: 1}}, Bearer: payment.Platform},
				back: func(o order.Order) money.Amount { return o.Bill().Parts[0].Paid }, status: payment.StatusRefunded, message: "refund.done_part",
			},
			"all": {
				part: &payment.RefundRequest{All: true, Bearer: payment.Platform}, back: func(o order.Order) money.Amount { return o.Prices.Total },
				status: payment.StatusRefunded, message: "refund.done_canceled",
			},
		} {
			_, o := c.PlacePaid(t)
			c.Move(t, o, order.Cooking)
			want := end.back(o)
			r := order.CancelRequest{Outcome: order.OutcomeCanceled, KeepMoney: end.keep, Part: end.part}
			for range 2 {
				if _, err := c.Orders.CancelForRestaurant(t.Context(), o.ID, r, c.Clock.Now()); err != nil {
					t.Fatal(name, err)
				}
			}
			c.SweepEachMinute(t, 3*time.Minute)
			m := c.WithPayment(t, o.ID)
			if got := m.Payment.Refunded(); got != want || m.Payment.Kept() != o.Prices.Total-want || m.Payment.Status() != end.status {
				t.Errorf("%s: %s refunded, %s kept, %s; want %s", name, got, m.Payment.Kept(), m.Payment.Status(), want)
			}
			if message, _ := m.Payment.RefundMessage(sumText); message.Key != end.message {
				t.Errorf("%s: the customer reads %s", name, message.Key)
			}
			if m.Order.Kept == 0 {
				if len(m.Payment.Closings) != 0 {
					t.Errorf("%s: a closing receipt of nothing", name)
				}
				continue
			}
			if closed := c.Closing(t, o.ID); closed.State != payment.ClosingDone || closed.Sum.Amount != m.Order.Kept {
				t.Errorf("%s: closed as %+v", name, closed)
			}
			if err := refundAmount(t, c, o.ID, "later", 100); err != nil {
				t.Errorf("%s: later: %v", name, err)
			}
			if got := c.WithPayment(t, o.ID).Payment.Kept(); got != m.Order.Kept-100 {
				t.Errorf("%s: %s of %s are kept after another refund", name, got, m.Order.Kept)
			}
		}
		c.SweepEachMinute(t, 3*time.Minute)
		c.CheckBooks(t)
	})
}

// A part that is more than was paid, and a part of an order that is paid on receipt, are refused, and
// the order is not canceled.
func TestCancelForRestaurant_refusesAPartThatWasNotPaid(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		_, paid := c.PlacePaid(t)
		unpaid := c.PlaceTakeaway(t, c.Visitor(t, "sushi"))
		for id, key := range map[int64]string{paid.ID: "order.refund_over", unpaid.ID: "order.nothing_to_refund"} {
			r := order.CancelRequest{Outcome: order.OutcomeCanceled, Part: &payment.RefundRequest{Amount: paid.Prices.Total + 1}}
			if _, err := c.Orders.CancelForRestaurant(t.Context(), id, r, c.Clock.Now()); fault.KeyOf(err) != key {
				t.Errorf("%s: %v", key, err)
			}
			if m := c.WithPayment(t, id); m.Order.State != order.Accepted || len(m.Payment.Refunds) != 0 {
				t.Errorf("%s: the order is %s", key, m.Order.State)
			}
		}
		both := order.CancelRequest{Outcome: order.OutcomeCanceled, KeepMoney: true, Part: &payment.RefundRequest{Amount: 1}}
		if _, err := c.Orders.CancelForRestaurant(t.Context(), paid.ID, both, c.Clock.Now()); fault.KeyOf(err) != "order.refund_one_of" {
			t.Errorf("none and a part: %v", err)
		}
		if _, err := c.Orders.CancelForRestaurant(t.Context(), unpaid.ID, order.CancelRequest{Outcome: order.OutcomeCanceled, KeepMoney: true}, c.Clock.Now()); err != nil {
			t.Errorf("nothing of nothing: %v", err)
		}
	})
}
