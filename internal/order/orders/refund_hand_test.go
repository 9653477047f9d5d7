package orders_test

import (
	"errors"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/audittest"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
)

// Of an order that was paid on receipt an amount is owed and a line handed back. Each is stored once,
// with who bears it and who handed it back; more than was paid is refused. Once all was handed back the
// order counts as refunded, and not before.
func TestRefund_ofAnOrderPaidOnReceiptIsHandedBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCounter(t, d)
		v := c.SignInWithBonuses(t, c.Visitor(t, "sushi"), "79161234567", money.Major(100))
		before := c.Balance(t, v)
		o := c.Place(t, v, c.PayWithBonuses(t, v, c.TakeawayFromPhone(t, v, 1), money.Major(40)))
		c.Move(t, o, order.Cooking, order.Done)
		refund := func(r payment.RefundRequest) error {
			_, err := c.Orders.Refund(t.Context(), o.ID, r, c.Clock.Now())
			return err
		}
		owed := payment.RefundRequest{Key: "owed", Reason: "no soup", Amount: 1001, Bearer: payment.Platform, Owed: true, Actor: "Vera"}
		for range 2 {
			if err := refund(owed); err != nil {
				t.Fatal(err)
			}
		}
		owed.Owed = false
		if err := refund(owed); fault.KeyOf(err) != "order.refund_key_used" {
			t.Errorf("another request under the key: %v", err)
		}
		if err := refund(payment.RefundRequest{Key: "over", Amount: o.Prices.Total - 1000}); fault.KeyOf(err) != "order.refund_over" {
			t.Errorf("more than was paid: %v", err)
		}
		for range 2 {
			if _, err := c.Orders.HandBack(t.Context(), o.ID, "owed", "courier 7", c.Clock.Advance(time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.Orders.HandBack(t.Context(), o.ID, "nothing", "", c.Clock.Now()); !errors.Is(err, fault.New(fault.NotFound, "order.refund_unknown")) {
			t.Errorf("an unknown refund: %v", err)
		}
		m := c.WithPayment(t, o.ID)
		if len(m.Payment.ByHand) != 1 || m.Order.IsRefunded() {
			t.Fatalf("%+v, refunded: %v", m.Payment.ByHand, m.Order.IsRefunded())
		}
		if h := m.Payment.ByHand[0]; h.Amount != 1001 || h.Bearer != payment.Platform || h.Actor != "operator:Vera" || h.HandedBackBy != "operator:courier 7" || h.IsOwed() {
			t.Errorf("stored as %+v", h)
		}
		for range 2 {
			if err := refund(payment.RefundRequest{Key: "rest", All: true}); err != nil {
				t.Fatal(err)
			}
		}
		m = c.WithPayment(t, o.ID)
		var kinds []order.ChangeKind
		var handedBack money.Amount
		for _, change := range m.Order.History[3:] {
			kinds = append(kinds, change.Kind)
			if change.Kind == order.Refunded {
				handedBack = handedBack.Add(change.Amount)
			}
		}
		if handedBack != o.Prices.Total || !m.Order.IsRefunded() || len(kinds) != 3 || kinds[0] != order.RefundOwed {
			t.Errorf("%v handed back %s of %s", kinds, handedBack, o.Prices.Total)
		}
		c.WantBalance(t, v, before)
		if err := refund(payment.RefundRequest{Key: "more", All: true}); fault.KeyOf(err) != "order.nothing_to_refund" {
			t.Errorf("when all is handed back: %v", err)
		}
		audittest.Check(t, d, audittest.Books{Settled: true})
	})
}
