package order_test

import (
	"sync"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/stock"
	"servery/internal/visit"
)

// buyer is about to send an order.
type buyer struct {
	v visit.Context
	r order.Request
}

func TestBuyersSideBySideGetExactlyWhatThereIs(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, c := range map[string]struct {
			prepare func(*house, visit.Context, order.Request) order.Request
			thing   stock.Item
			lost    []string
		}{
			"code": {
				func(h *house, v visit.Context, r order.Request) order.Request { return h.apply(t, v, r, "three") },
				three,
				[]string{"order.promocode_gone", "order.total_changed"},
			},
			"gift": {
				func(h *house, v visit.Context, r order.Request) order.Request { return h.take(t, v, r, soyGiftID) },
				soyGift,
				[]string{"order.gift_gone", "order.changed"},
			},
		} {
			h := newShop(t, dbtest.Open(t, d.Engine()))
			var wait sync.WaitGroup
			var mu sync.Mutex
			var won []order.Order
			var lost []func()
			buyers := make([]buyer, 12)
			for n := range buyers {
				v := h.Visitor(t, "sushi")
				buyers[n] = buyer{v, c.prepare(h, v, h.fetch(t, v, n))}
			}
			for _, b := range buyers {
				wait.Go(func() {
					o, err := h.orders.Create(t.Context(), b.v, b.r)
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						won = append(won, o)
						return
					}
					q := wantRefused(t, err, c.lost...)
					lost = append(lost, func() {
						again, err := h.carts.Preview(t.Context(), h.Again(t, b.v, "sushi"), carttest.Takeaway(carttest.Arbat))
						if err != nil || again.Fingerprint != q.Fingerprint {
							t.Errorf("%s: the cart that was shown is not the one that is there: %v", name, err)
						}
					})
				})
			}
			wait.Wait()
			h.Clock.Advance(time.Second) // what a cart shows of gifts may be a second old
			for _, check := range lost {
				check()
			}
			if len(won) != 3 {
				t.Errorf("%s: %d won, want 3", name, len(won))
			}
			h.wantUsed(t, c.thing, 3)
			for i, o := range won {
				if _, err := h.orders.SetState(t.Context(), o.ID, order.Canceled, "", h.Clock.Now()); err != nil {
					t.Fatal(err)
				}
				h.wantUsed(t, c.thing, 2-i)
			}
		}
	})
}

func TestWhatALoserIsShownCanBeOrdered(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		late := h.Visitor(t, "sushi")
		r := h.take(t, late, h.apply(t, late, h.fetch(t, late, 99), "THREE"), soyGiftID)
		for n := range 3 {
			v := h.Visitor(t, "sushi")
			h.place(t, v, h.take(t, v, h.apply(t, v, h.fetch(t, v, n), "THREE"), soyGiftID))
		}
		_, err := h.orders.Create(t.Context(), late, r)
		q := wantRefused(t, err, "order.total_changed")
		o := h.place(t, h.Again(t, late, "sushi"), agree(r, q))
		if o.Promocode != "" || o.Prices.Discount != 0 || len(o.Details.Gifts) != 0 {
			t.Errorf("got %+v", o)
		}
		h.wantUsed(t, three, 3)
		h.wantUsed(t, soyGift, 3)
	})
}

func TestAnOrderSentTwiceTakesOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.known(t, h.Visitor(t, "sushi"), "79161234567", money.Major(100))
		r := h.pay(t, v, h.take(t, v, h.fetch(t, v, 1), soyGiftID), money.Major(30))
		var wait sync.WaitGroup
		for range 10 {
			wait.Go(func() {
				if _, err := h.orders.Create(t.Context(), v, r); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		h.wantUsed(t, soyGift, 1)
		h.wantBalance(t, v, money.Major(70))
	})
}
