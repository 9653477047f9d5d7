package orders_test

import (
	"errors"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/stock"
)

// An order spends 40 bonuses. Canceling it returns them. When it is done it accrues what was promised,
// even if the programme has ended since. A refund reverses both. Repeated calls change nothing.
func TestBonuses_ofAnOrderAreSpentAccruedAndRefunded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.SignInWithBonuses(t, h.Visitor(t, "sushi"), "79161234567", money.Major(100))
		again := func() {
			known := v
			v = h.Again(t, v, "sushi")
			v.CustomerID, v.CustomerPhone = known.CustomerID, known.CustomerPhone
		}
		o := h.Place(t, v, h.PayWithBonuses(t, v, h.TakeawayFromPhone(t, v, 1), money.Major(40)))
		if o.Prices.Bonuses != money.Major(40) || o.Prices.UpcomingBonuses != 317 { // 5 % of 100 less the 36.67 that pay for the dish; 3.33 pay for the package
			t.Fatalf("got %+v", o.Prices)
		}
		h.WantBalance(t, v, money.Major(60))
		for range 2 {
			if _, err := h.Orders.Cancel(t.Context(), v, o.ID); err != nil {
				t.Fatal(err)
			}
			h.WantBalance(t, v, money.Major(100))
		}

		again()
		o = h.Place(t, v, h.PayWithBonuses(t, v, h.TakeawayFromPhone(t, v, 1), money.Major(40)))
		if _, err := h.Orders.Refund(t.Context(), o.ID, ordertest.WholeOrder, h.Clock.Now()); fault.KeyOf(err) != "order.not_refundable" {
			t.Errorf("an order that is not done: %v", err)
		}
		h.Import(t, nil) // the programme ends, which does not matter to the order
		h.Move(t, o, order.Cooking, order.Done)
		h.WantBalance(t, v, 6317)
		if _, err := h.Orders.SetState(t.Context(), o.ID, order.Done, "", h.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		h.WantBalance(t, v, 6317)

		at := h.Clock.Now()
		for range 2 {
			got, err := h.Orders.Refund(t.Context(), o.ID, ordertest.WholeOrder, h.Clock.Now())
			if err != nil || !got.RefundedAt.Equal(at) || got.State != order.Done {
				t.Errorf("refunded %v in %v, %v", got.RefundedAt, got.State, err)
			}
			h.WantBalance(t, v, money.Major(100))
			h.Clock.Advance(time.Minute)
		}
		if _, err := h.Orders.Refund(t.Context(), o.ID+1, ordertest.WholeOrder, at); !errors.Is(err, fault.New(fault.NotFound, "order.not_found")) {
			t.Errorf("an order that nobody has: %v", err)
		}
		h.WantBalanced(t)
	})
}

// A customer's order has the phone of the account, whatever is sent, and a code limited by phone
// counts against that one.
func TestCreate_usesThePhoneOfTheCustomer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.SignInWithBonuses(t, h.Visitor(t, "sushi"), "79161234567", 0)
		sent := h.ApplyCode(t, v, h.TakeawayFromPhone(t, v, 1), "ONCE")
		sent.Phone = "no phone at all"
		if o := h.Place(t, v, sent); o.Phone != "79161234567" {
			t.Errorf("ordered with %s", o.Phone)
		}
		h.WantUsed(t, stock.Item{Site: "sushi", Kind: stock.PromocodePhone, ID: 2, Scope: v.Marks.Of("sushi", "79161234567")}, 1)
		h.TakeawayFromPhone(t, v, 2)
		if _, err := h.Carts.ApplyPromocode(t.Context(), v, carttest.Takeaway(carttest.Arbat), "ONCE"); err == nil {
			t.Error("the code again, from another phone")
		}
	})
}

// A done order that was paid online without a payment that can be refunded is
// order.not_refundable, and its bonuses stay.
func TestRefund_refusesByHandWhatWasPaidOnline(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.SignInWithBonuses(t, h.Visitor(t, "sushi"), "79161234567", 0)
		o := h.Place(t, v, h.TakeawayFromPhone(t, v, 1))
		h.Move(t, o, order.Cooking, order.Done)
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(t.Context(), "UPDATE orders SET payment_type = 'cardOnline' WHERE id = $1", o.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Orders.Refund(t.Context(), o.ID, ordertest.WholeOrder, h.Clock.Now()); fault.KeyOf(err) != "order.not_refundable" {
			t.Errorf("got %v", err)
		}
		if got, err := h.Orders.Get(t.Context(), v, o.ID); err != nil || got.IsRefunded() {
			t.Errorf("it counts as refunded: %v, %v", got.RefundedAt, err)
		}
		h.WantBalance(t, v, money.Major(5))
	})
}

// A guest's order is done and refunded without any bonuses.
func TestSetState_accruesNothingForAGuest(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.TakeawayFromPhone(t, v, 1))
		h.Move(t, o, order.Cooking, order.Done)
		h.WantBalanced(t)
		if _, err := h.Orders.Refund(t.Context(), o.ID, ordertest.WholeOrder, h.Clock.Now()); err != nil {
			t.Error(err)
		}
	})
}

// The customer sees an order on another device; another customer does not.
func TestGet_onAnotherDeviceOfTheCustomer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.SignInWithBonuses(t, h.Visitor(t, "sushi"), "79161234567", 0)
		o := h.Place(t, v, h.TakeawayFromPhone(t, v, 1))
		phone := h.SignInWithBonuses(t, h.Visitor(t, "sushi"), "79161234567", 0)
		if _, err := h.Orders.Get(t.Context(), phone, o.ID); err != nil {
			t.Error(err)
		}
		other := h.SignInWithBonuses(t, h.Visitor(t, "sushi"), "79161234568", 0)
		if _, err := h.Orders.Get(t.Context(), other, o.ID); fault.KeyOf(err) != "order.not_found" {
			t.Errorf("another customer: %v", err)
		}
	})
}
