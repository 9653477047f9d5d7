package orders_test

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/order/repeat"
)

// An order has its promocode, discount and gift, and the cart has none of them afterwards.
// Repeating the order names code and gift as left out.
func TestCreate_storesOffersAndRemovesThemFromTheCart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.Visitor(t, "sushi")
		r := h.AddGift(t, v, h.ApplyCode(t, v, h.TakeawayFromPhone(t, v, 1), "THREE"), ordertest.SoyGiftID)
		o := h.Place(t, v, r)
		got, err := h.Orders.Get(t.Context(), v, o.ID)
		if err != nil || toJSON(t, got) != toJSON(t, o) {
			t.Errorf("read back %s, %v; want %s", toJSON(t, got), err, toJSON(t, o))
		}
		if got.Promocode != "THREE" || got.Prices.Discount != money.Major(10) || len(got.Lines) != 1 || len(got.Details.Gifts) != 1 {
			t.Fatalf("got %+v", got)
		}
		if g := got.Details.Gifts[0]; g.ID != ordertest.SoyGiftID || g.Count != 1 || g.BasicPrice != money.Major(30) {
			t.Errorf("got %+v", g)
		}
		if p := got.Prices; p.Subtotal+p.Packages+p.Delivery-p.Discount-p.Bonuses != p.Total {
			t.Errorf("the total is not the sum of its parts: %+v", p)
		}
		if ids, err := h.History.MostOrdered(t.Context(), "sushi", carttest.Moscow); err != nil || !slices.Equal(ids, []int64{carttest.Rice}) {
			t.Errorf("a gift counts as ordered: %v, %v", ids, err)
		}
		q, err := h.Carts.Load(t.Context(), h.Again(t, v, "sushi"), carttest.Takeaway(carttest.Arbat), carttest.SameInterval)
		if err != nil || len(q.Cart.Gifts) != 0 || q.Promocode != nil {
			t.Errorf("left in the cart: %+v, %v", q.Cart, err)
		}
		h.Move(t, o, order.Cooking, order.Done)
		repeated, err := h.Repeats().Repeat(t.Context(), h.Again(t, v, "sushi"), o.ID, carts.Replace)
		if err != nil || len(repeated.Cart.Lines) != 1 || len(repeated.Cart.Cart.Gifts) != 0 || repeated.Cart.Promocode != nil {
			t.Errorf("repeated %+v, %v", repeated.Cart.Cart, err)
		}
		left := map[repeat.DifferenceKind]string{}
		for _, d := range repeated.Differences {
			left[d.Kind] = d.Name.In(lang.EN)
		}
		if want := map[repeat.DifferenceKind]string{
			repeat.CodeLeft: "THREE", repeat.GiftLeft: got.Details.Gifts[0].Name.In(lang.EN),
		}; !maps.Equal(left, want) {
			t.Errorf("shown as left out %v, want %v", left, want)
		}
	})
}

// Six buyers with one phone use offers for a first order at once. One succeeds; the others can
// order the fresh cart, which has no such offer.
func TestCreate_allowsAPhoneOneFirstOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		var wait sync.WaitGroup
		var mu sync.Mutex
		won := 0
		buyers := make([]buyer, 6)
		for n := range buyers {
			v := h.Visitor(t, "sushi")
			r := h.TakeawayFromPhone(t, v, 7)
			if n%2 == 0 {
				r = h.AddGift(t, v, r, ordertest.FirstGiftID)
			} else {
				r = h.ApplyCode(t, v, r, "HELLO")
			}
			buyers[n] = buyer{v, r}
		}
		for _, b := range buyers {
			wait.Go(func() {
				_, err := h.Orders.Create(t.Context(), b.v, b.r)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won++
					return
				}
				// The customer is not led in a circle: what is shown now is what they get.
				q := ordertest.WantRefused(t, err, "order.first_order_gone", "order.changed", "order.total_changed")
				if again, err := h.Carts.Preview(t.Context(), b.v, carttest.Takeaway(carttest.Arbat)); err != nil || again.Fingerprint != q.Fingerprint {
					t.Errorf("the cart that was shown is not the one that is there: %v", err)
				}
				o, err := h.Orders.Create(t.Context(), b.v, ordertest.Agree(b.r, q))
				if err != nil || len(o.Details.Gifts) != 0 || o.Prices.Discount != 0 {
					t.Errorf("ordered again: %+v, %v", o, err)
				}
			})
		}
		wait.Wait()
		if won != 1 {
			t.Errorf("%d first orders", won)
		}
	})
}

// A code allows one use for each phone. A second visitor with the same phone is refused, and can
// use it with another phone.
func TestCreate_countsACodeByThePhoneOfTheOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		first, second := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		h.Place(t, first, h.ApplyCode(t, first, h.TakeawayFromPhone(t, first, 1), "ONCE"))
		r := h.ApplyCode(t, second, h.TakeawayFromPhone(t, second, 1), "ONCE")
		_, err := h.Orders.Create(t.Context(), second, r)
		q := ordertest.WantRefused(t, err, "order.total_changed")
		if q.Promocode == nil || q.Promocode.IsActive {
			t.Errorf("the code is still active: %+v", q.Promocode)
		}
		r.Phone = "+79161230002" // in the same checkout, since no order was placed
		q, err = h.Carts.Preview(t.Context(), second, carttest.Takeaway(carttest.Arbat))
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.Orders.Create(t.Context(), second, ordertest.Agree(r, q))
		q = ordertest.WantRefused(t, err, "order.total_changed") // another phone may use it, but its total must be seen first
		if o := h.Place(t, second, ordertest.Agree(r, q)); o.Promocode != "ONCE" {
			t.Errorf("got %+v", o)
		}
	})
}
