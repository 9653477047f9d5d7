package orders_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/limit"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment/payments"
	"servery/internal/schedule"
	"servery/internal/visit"
)

// Of a hundred wrong lookups of one session at once, ten are looked at.
func TestLookUp_limitsConcurrentGuesses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		thief := h.Visitor(t, "sushi")
		var wait sync.WaitGroup
		var looked atomic.Int32
		for range 100 {
			wait.Go(func() {
				_, err := h.Orders.LookUp(t.Context(), thief, order.Lookup{OrderID: o.ID, Phone: "79160000000", Address: "192.0.2.1"})
				if fault.CodeOf(err) == fault.NotFound {
					looked.Add(1)
				}
			})
		}
		wait.Wait()
		if n := looked.Load(); n != 10 {
			t.Errorf("%d guesses were looked at", n)
		}
	})
}

// On PostgreSQL the cart changes in a transaction for which Create waits. Create then reads the
// new version and places the order. On SQLite transactions run one after another.
func TestCreate_readsACartThatChangesMeanwhile(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Engine() != db.Postgres {
			t.Skip("writers wait for each other")
		}
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP)
		created := make(chan error, 1)
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(t.Context(), "UPDATE cart SET version = version + 1 WHERE session_id = $1 AND city_id = $2", v.SessionID, carttest.Moscow)
			if err != nil {
				return err
			}
			go func() {
				_, err := h.Orders.Create(t.Context(), v, r)
				created <- err
			}()
			for waits := false; !waits; {
				err := tx.SQL.QueryRowContext(t.Context(),
					"SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid)").Scan(&waits)
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		select {
		case err = <-created:
		case <-time.After(time.Minute):
			t.Fatal("the order still waits")
		}
		if err != nil {
			t.Errorf("the same cart in a newer version: %v", err)
		}
	})
}

// Twenty calls cancel an order at once. All return it canceled, with two states in its history.
func TestCancel_concurrentlyCancelsOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
		var wait sync.WaitGroup
		for range 20 {
			wait.Go(func() {
				if got, err := h.Orders.Cancel(t.Context(), v, o.ID); err != nil || got.State != order.Canceled || len(got.History) != 2 {
					t.Errorf("%v after %v, %v", got.State, got.History, err)
				}
			})
		}
		wait.Wait()
	})
}

// A cart that is refused shows by its gifts and discount whether its phone has ordered before. A guest is shown ten of
// them, then none, and the cart keeps the phone before; other guests are shown theirs.
func TestCreate_doesNotShowAGuestWhichPhonesHaveOrdered(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		h.StartProcess(t, orders.Options{Limits: limit.Limits{OrdersPerSession: 3}}, payments.Options{})
		const known = 77
		customer := h.Visitor(t, "sushi")
		h.Place(t, customer, h.TakeawayFromPhone(t, customer, known))
		// ask orders for another total than the cart has, which is refused, from each of the phones.
		ask := func(v visit.Context, phones ...int) (refused error) {
			r := h.ApplyCode(t, v, h.TakeawayFromPhone(t, v, phones[0]), "HELLO")
			for _, n := range phones {
				r.Phone, r.SeenTotal = fmt.Sprintf("+7916123%04d", n), 1
				_, refused = h.Orders.Create(t.Context(), v, r)
			}
			return refused
		}
		thief := h.Visitor(t, "sushi")
		shown := ordertest.WantRefused(t, ask(h.Visitor(t, "sushi"), known), "order.total_changed")
		if shown.Promocode.IsActive {
			t.Error("a phone that has ordered gets the code of a first order")
		}
		ordertest.WantRefused(t, ask(thief, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), "order.total_changed")
		r := h.Takeaway(t, thief, carttest.Arbat, schedule.ASAP)
		r.Phone = fmt.Sprintf("+7916123%04d", known)
		wrong, right, unknown := r, r, r
		wrong.SeenTotal, right.SeenTotal, right.Fingerprint, unknown.CacheKey = 1, shown.Prices.Total, shown.Fingerprint, "no such checkout"
		for name, r := range map[string]order.Request{"a wrong total": wrong, "the total of that phone": right, "no checkout": unknown} {
			_, err := h.Orders.Create(t.Context(), thief, r)
			if f, _ := fault.Of(err); f == nil || f.Message.Key != "order.too_many_lookups" {
				t.Errorf("%s: %v", name, err)
			}
			if _, isShown := cart.FreshCart(err); isShown {
				t.Errorf("%s shows a cart", name)
			}
		}
		q, err := h.Carts.Preview(t.Context(), h.Again(t, thief, "sushi"), carttest.Takeaway(carttest.Arbat))
		if err != nil || !q.Promocode.IsActive {
			t.Errorf("the cart afterwards has %+v, %v", q.Promocode, err)
		}
	})
}
