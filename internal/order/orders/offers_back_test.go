package orders_test

import (
	"fmt"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/schedule"
	"servery/internal/stock"
)

// A phone uses a code for first orders, cancels, and can use it again.
func TestCancel_returnsTheFirstOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.Visitor(t, "sushi")
		for range 2 {
			v = h.Again(t, v, "sushi")
			o := h.Place(t, v, h.ApplyCode(t, v, h.TakeawayFromPhone(t, v, 7), "HELLO"))
			if _, err := h.Orders.Cancel(t.Context(), v, o.ID); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// An order uses the customer's present, which cannot be chosen again. Canceling the order
// returns it.
func TestCancel_returnsAPresent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.SignInWithBonuses(t, h.Visitor(t, "sushi"), "79161234567", 0)
		id, err := customer.NewCustomers(d, h.Clock).AddPresent(t.Context(), "sushi", v.CustomerID, "welcome", customer.Present{GiftID: ordertest.RollGiftID, Count: 1})
		if err != nil {
			t.Fatal(err)
		}
		present := stock.Item{Site: "sushi", Kind: stock.Present, ID: id}
		add := func(r order.Request) (order.Request, error) {
			q, err := h.Carts.AddPresent(t.Context(), v, carttest.Takeaway(carttest.Arbat), id)
			return ordertest.Agree(r, q), err
		}
		r, err := add(h.TakeawayFromPhone(t, v, 1))
		if err != nil {
			t.Fatal(err)
		}
		o := h.Place(t, v, r)
		if len(o.Details.Gifts) != 1 || o.Details.Gifts[0].Kind != cart.Personal || o.Details.Gifts[0].ID != id {
			t.Errorf("got %+v", o.Details.Gifts)
		}
		h.WantUsed(t, present, 1)
		if _, err := add(h.TakeawayFromPhone(t, v, 1)); err == nil {
			t.Error("the same present again")
		}
		if _, err := h.Orders.Cancel(t.Context(), v, o.ID); err != nil {
			t.Fatal(err)
		}
		h.WantUsed(t, present, 0)
		if _, err := add(h.TakeawayFromPhone(t, v, 1)); err != nil {
			t.Error(err)
		}
	})
}

// One unpaid order cannot be read. Sweep returns an error, but cancels the other unpaid order
// and releases what it and a checkout have reserved.
func TestSweep_cancelsOthersWhenAnOrderCannotBeRead(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.SignInWithBonuses(t, h.Visitor(t, "sushi"), "79161234567", money.Major(100))
		broken := h.Place(t, v, h.Takeaway(t, v, carttest.Pokrovka, ordertest.HalfPast(14)))
		o := h.Place(t, v, h.AddGift(t, v, h.Takeaway(t, v, carttest.Pokrovka, ordertest.HalfPast(15)), ordertest.SoyGiftID))
		begun := h.Takeaway(t, v, carttest.Pokrovka, ordertest.HalfPast(16)) // a checkout that becomes no order
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			for _, statement := range []string{
				"UPDATE orders SET state = 'waiting_for_payment', pay_until = '2026-11-20 09:10:00+00:00'",
				fmt.Sprintf("UPDATE orders SET currency = 'nothing', pay_until = '2020-01-01 00:00:00+00:00' WHERE id = %d", broken.ID),
			} {
				if _, err := tx.SQL.ExecContext(t.Context(), statement); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		h.Clock.Advance(orders.HoldFor)
		if err := h.Orders.Sweep(t.Context(), h.Clock.Now()); err == nil {
			t.Error("no error for the order that cannot be read")
		}
		if got, err := h.Orders.Get(t.Context(), v, o.ID); err != nil || got.State != order.Canceled {
			t.Errorf("the other order is %v, %v", got.State, err)
		}
		h.WantUsed(t, ordertest.SoyGift, 0)
		if _, held, err := schedule.FindReservation(t.Context(), d.Read(), "cache:"+begun.CacheKey); err != nil || held {
			t.Errorf("the checkout still holds its time: %v", err)
		}
	})
}

// An unpaid order waits until its deadline. Then Sweep cancels it, once, and returns its gift,
// bonuses and interval.
func TestSweep_cancelsAnUnpaidOrderAndReleasesAll(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.SignInWithBonuses(t, h.Visitor(t, "sushi"), "79161234567", money.Major(100))
		r := h.Takeaway(t, v, carttest.Pokrovka, ordertest.HalfPast(14))
		o := h.Place(t, v, h.PayWithBonuses(t, v, h.AddGift(t, v, r, ordertest.SoyGiftID), money.Major(40)))
		h.WantBalance(t, v, money.Major(60))
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(t.Context(), "UPDATE orders SET state = 'waiting_for_payment', pay_until = $2 WHERE id = $1",
				o.ID, h.Clock.Now().Add(orders.HoldFor))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		sweep := func() order.Order {
			if err := h.Orders.Sweep(t.Context(), h.Clock.Now()); err != nil {
				t.Fatal(err)
			}
			got, err := h.Orders.Get(t.Context(), v, o.ID)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		h.Clock.Advance(orders.HoldFor - time.Second)
		if got := sweep(); got.State != order.WaitingForPayment {
			t.Errorf("%v before the deadline", got.State)
		}
		h.WantUsed(t, ordertest.SoyGift, 1)
		h.Clock.Advance(time.Second)
		for range 2 {
			if got := sweep(); got.State != order.Canceled || got.History[len(got.History)-1].Actor != string(order.Deadline) {
				t.Errorf("%v by %v after the deadline", got.State, got.History)
			}
			h.WantUsed(t, ordertest.SoyGift, 0)
			h.WantBalance(t, v, money.Major(100))
		}
		if _, held, err := schedule.FindReservation(t.Context(), d.Read(), fmt.Sprintf("order:%d", o.ID)); err != nil || held {
			t.Errorf("the interval is still taken: %v", err)
		}
	})
}

// Three days of sweeps do not return the gift and the bonuses of an accepted order.
func TestSweep_leavesWhatAnAcceptedOrderUsed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.SignInWithBonuses(t, h.Visitor(t, "sushi"), "79161234567", money.Major(100))
		h.Place(t, v, h.PayWithBonuses(t, v, h.AddGift(t, v, h.TakeawayFromPhone(t, v, 1), ordertest.SoyGiftID), money.Major(40)))
		for range 3 {
			if err := h.Orders.Sweep(t.Context(), h.Clock.Advance(24*time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		h.WantUsed(t, ordertest.SoyGift, 1)
		h.WantBalance(t, v, money.Major(60))
		h.WantBalanced(t)
	})
}
