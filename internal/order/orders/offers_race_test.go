package orders_test

import (
	"sync"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/stock"
	"servery/internal/visit"
)

// buyer is a visitor with a request that is ready to be sent.
type buyer struct {
	v visit.Context
	r order.Request
}

// Twelve buyers order with a promocode or a gift of which there are three. Three succeed; the
// others are refused with the cart that they then have. Canceling returns the stock.
func TestCreate_concurrentlyUsesLimitedStockExactly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, c := range map[string]struct {
			prepare func(*house, visit.Context, order.Request) order.Request
			item    stock.Item
			faults  []string // those of a buyer who comes too late
		}{
			"code": {
				func(h *house, v visit.Context, r order.Request) order.Request { return h.ApplyCode(t, v, r, "three") },
				ordertest.CodeThree,
				[]string{"order.promocode_gone", "order.total_changed"},
			},
			"gift": {
				func(h *house, v visit.Context, r order.Request) order.Request {
					return h.AddGift(t, v, r, ordertest.SoyGiftID)
				},
				ordertest.SoyGift,
				[]string{"order.gift_gone", "order.changed"},
			},
		} {
			h := newShop(t, dbtest.Open(t, d.Engine()))
			var wait sync.WaitGroup
			var mu sync.Mutex
			var won []order.Order
			var checks []func() // one for each who was refused
			buyers := make([]buyer, 12)
			for n := range buyers {
				v := h.Visitor(t, "sushi")
				buyers[n] = buyer{v, c.prepare(h, v, h.TakeawayFromPhone(t, v, n))}
			}
			for _, b := range buyers {
				wait.Go(func() {
					o, err := h.Orders.Create(t.Context(), b.v, b.r)
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						won = append(won, o)
						return
					}
					q := ordertest.WantRefused(t, err, c.faults...)
					checks = append(checks, func() {
						again, err := h.Carts.Preview(t.Context(), h.Again(t, b.v, "sushi"), carttest.Takeaway(carttest.Arbat))
						if err != nil || again.Fingerprint != q.Fingerprint {
							t.Errorf("%s: the cart that was shown is not the one that is there: %v", name, err)
						}
					})
				})
			}
			wait.Wait()
			h.Clock.Advance(time.Second) // what a cart shows of gifts may be a second old
			for _, check := range checks {
				check()
			}
			if len(won) != 3 {
				t.Errorf("%s: %d won, want 3", name, len(won))
			}
			h.WantUsed(t, c.item, 3)
			for i, o := range won {
				if _, err := h.Orders.SetState(t.Context(), o.ID, order.Canceled, "", h.Clock.Now()); err != nil {
					t.Fatal(err)
				}
				h.WantUsed(t, c.item, 2-i)
			}
		}
	})
}

// Others use up code and gift. The late buyer is refused, and can order the fresh cart, which
// has neither.
func TestCreate_canOrderTheFreshCartOfARefusal(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		late := h.Visitor(t, "sushi")
		r := h.AddGift(t, late, h.ApplyCode(t, late, h.TakeawayFromPhone(t, late, 99), "THREE"), ordertest.SoyGiftID)
		for n := range 3 {
			v := h.Visitor(t, "sushi")
			h.Place(t, v, h.AddGift(t, v, h.ApplyCode(t, v, h.TakeawayFromPhone(t, v, n), "THREE"), ordertest.SoyGiftID))
		}
		_, err := h.Orders.Create(t.Context(), late, r)
		q := ordertest.WantRefused(t, err, "order.total_changed")
		o := h.Place(t, h.Again(t, late, "sushi"), ordertest.Agree(r, q))
		if o.Promocode != "" || o.Prices.Discount != 0 || len(o.Details.Gifts) != 0 {
			t.Errorf("got %+v", o)
		}
		h.WantUsed(t, ordertest.CodeThree, 3)
		h.WantUsed(t, ordertest.SoyGift, 3)
	})
}

// Ten equal requests at once use the gift and the bonuses once.
func TestCreate_sentTwiceUsesStockOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.SignInWithBonuses(t, h.Visitor(t, "sushi"), "79161234567", money.Major(100))
		r := h.PayWithBonuses(t, v, h.AddGift(t, v, h.TakeawayFromPhone(t, v, 1), ordertest.SoyGiftID), money.Major(30))
		var wait sync.WaitGroup
		for range 10 {
			wait.Go(func() {
				if _, err := h.Orders.Create(t.Context(), v, r); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		h.WantUsed(t, ordertest.SoyGift, 1)
		h.WantBalance(t, v, money.Major(70))
	})
}
