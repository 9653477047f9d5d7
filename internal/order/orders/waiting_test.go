package orders_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/stock"
	"servery/internal/visit"
)

// An order with offers or bonuses waits for its payment. The cart still has them; ordering it
// again cancels the first order and uses the same offers once.
func TestCart_whileItsOrderWaitsHasAllThatTheOrderHolds(t *testing.T) {
	t.Parallel()
	const phone = "79160000014"
	withOffers := func(t *testing.T, c *ordertest.Cashier, v visit.Context) order.Request {
		t.Helper()
		present := c.Present(t, "sushi", v.CustomerID, ordertest.RollGiftID, 1, c.Clock.Now().AddDate(0, 1, 0))
		r := c.AddGift(t, v, c.TakeawayFromPhone(t, v, 1), ordertest.FirstGiftID)
		r = c.AddGift(t, v, r, ordertest.SoyGiftID)
		if _, err := c.Carts.AddPresent(t.Context(), v, carttest.Takeaway(carttest.Arbat), present); err != nil {
			t.Fatal(err)
		}
		return c.ApplyCode(t, v, r, "ONCE")
	}
	withBonuses := func(t *testing.T, c *ordertest.Cashier, v visit.Context) order.Request {
		t.Helper()
		return c.PayWithBonuses(t, v, c.TakeawayFromPhone(t, v, 1), money.Major(90))
	}
	for name, prepare := range map[string]func(*testing.T, *ordertest.Cashier, visit.Context) order.Request{"offers": withOffers, "bonuses": withBonuses} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				c := ordertest.NewCashierWithOffers(t, d)
				v := c.SignInWithBonuses(t, c.Visitor(t, "sushi"), phone, money.Major(100))
				r := prepare(t, c, v)
				first := c.PlaceUnpaid(t, v, r)
				for range 2 { // the second call may use a remembered cart
					q := c.LoadCart(t, v)
					if q.Fingerprint != r.Fingerprint || len(q.Notices) != 0 || len(q.Lost) != 0 {
						t.Fatalf("the cart of the waiting order has become %+v, %v", q.Prices, q.Notices)
					}
				}
				r = c.BeginAgain(t, c.Again(t, v, "sushi"), r, c.LoadCart(t, v))
				second := c.PlaceUnpaid(t, v, r)
				if second.Prices != first.Prices || second.Promocode != first.Promocode || len(second.Details.Gifts) != len(first.Details.Gifts) {
					t.Errorf("first %+v, then %+v", first, second)
				}
				if o, err := c.Orders.Get(t.Context(), v, first.ID); err != nil || o.State != order.Canceled {
					t.Errorf("the first order is %s, %v", o.State, err)
				}
				for _, g := range second.Details.Gifts {
					if g.Kind == cart.Personal {
						c.WantUsed(t, stock.Item{Site: "sushi", Kind: stock.Present, ID: g.ID}, 1)
					}
				}
				if name == "bonuses" {
					c.WantBalance(t, v, money.Major(10))
					return
				}
				c.WantUsed(t, ordertest.SoyGift, 1)
				c.WantUsed(t, stock.Item{Site: "sushi", Kind: stock.PromocodePhone, ID: 2, Scope: v.Marks.Of("sushi", phone)}, 1)
				c.WantUsed(t, stock.Item{Site: "sushi", Kind: stock.FirstOrder, Scope: v.Marks.Of("sushi", phone)}, 1)
			})
		})
	}
}

// The interval of a waiting order is free for its own cart, which can be ordered again, and full
// for others.
func TestCart_whileItsOrderWaitsMayTakeTheTimeOfTheOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashierWithOffers(t, d)
		v, stranger := c.Visitor(t, "sushi"), c.Visitor(t, "sushi")
		r := c.Takeaway(t, v, carttest.Pokrovka, ordertest.HalfPast(14)) // fills the interval
		c.PlaceUnpaid(t, v, r)
		isFull := func(v visit.Context) bool {
			t.Helper()
			q, err := c.Carts.Preview(t.Context(), v, carttest.Takeaway(carttest.Pokrovka))
			if err != nil {
				t.Fatal(err)
			}
			list, err := c.Carts.Intervals(t.Context(), v, q, clock.DayOf(v.Now, q.Spot.City.Location))
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(list, func(i schedule.Interval) bool { return i.ID == ordertest.HalfPast(14) })
			return at < 0 || list[at].Disabled
		}
		if _, err := c.Carts.Add(t.Context(), stranger, carttest.Takeaway(carttest.Pokrovka), cart.Addition{ProductKey: ordertest.RiceKey, Count: 1}); err != nil {
			t.Fatal(err)
		}
		if isFull(v) || !isFull(stranger) {
			t.Errorf("full for its own cart: %t, for others: %t", isFull(v), isFull(stranger))
		}
		bySession := func(id int64) {
			if _, err := d.Writer().ExecContext(t.Context(), "UPDATE orders SET session_id = $1", id); err != nil {
				t.Fatal(err)
			}
		}
		newcomer := v
		newcomer.SessionID = 0
		bySession(0) // as an order by phone
		if !isFull(newcomer) {
			t.Error("not full for a visitor without a session")
		}
		bySession(v.SessionID)
		c.PlaceUnpaid(t, v, c.BeginAgain(t, c.Again(t, v, "sushi"), r, c.LoadCart(t, v)))
	})
}

// A waiting order uses offers for one phone. Another cart of the phone and a cart of another
// city do not get them.
func TestCart_ofOthersCannotUseWhatAWaitingOrderHolds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashierWithOffers(t, d)
		v := c.Visitor(t, "sushi")
		r := c.AddGift(t, v, c.ApplyCode(t, v, c.TakeawayFromPhone(t, v, 7), "ONCE"), ordertest.FirstGiftID)
		c.PlaceUnpaid(t, v, r)

		samePhone := c.Visitor(t, "sushi")
		c.ApplyCode(t, samePhone, c.TakeawayFromPhone(t, samePhone, 7), "ONCE")
		if err := c.Carts.RememberPhone(t.Context(), samePhone, carttest.Moscow, "79161230007"); err != nil {
			t.Fatal(err)
		}
		if q := c.LoadCart(t, samePhone); q.Promocode.IsActive || q.Gifts[1].IsEarned() {
			t.Errorf("another cart of the phone gets %+v, %+v", q.Promocode, q.Gifts[1])
		}
		ankara := cart.PlaceRequest{CityID: carttest.Ankara, OrderType: site.Takeaway, ShopID: carttest.Kizilay}
		q, err := c.Carts.Add(t.Context(), c.Again(t, v, "sushi"), ankara, cart.Addition{ProductKey: "2-1002", Count: 3})
		if err != nil || q.Gifts[1].IsEarned() {
			t.Errorf("the cart of another city gets %+v, %v", q.Gifts, err)
		}
	})
}

// A guest signs in while the order waits. The cart keeps code and gift and can be ordered again.
func TestCart_ofACustomerWhoSignsInWhileTheOrderWaitsHasAllThatItHolds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashierWithOffers(t, d)
		v := c.Visitor(t, "sushi")
		r := c.AddGift(t, v, c.ApplyCode(t, v, c.TakeawayFromPhone(t, v, 7), "ONCE"), ordertest.FirstGiftID)
		c.PlaceUnpaid(t, v, r)
		v = c.SignIn(t, c.Carts, v, c.Customer(t, "sushi", "79161230007"), "79161230007")
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return c.Orders.Join(t.Context(), tx, v, v.SessionID) }); err != nil {
			t.Fatal(err)
		}
		q := c.LoadCart(t, v)
		if !q.Promocode.IsActive || len(q.Cart.Gifts) != 1 || len(q.Notices) != 0 {
			t.Errorf("the cart has become %+v, %v", q.Cart, q.Notices)
		}
		c.PlaceUnpaid(t, v, c.BeginAgain(t, c.Again(t, v, "sushi"), r, q))
	})
}

// Once the order is paid, its code for one phone cannot be applied to the next cart.
func TestCart_afterAPaidOrderCannotUseItsCodeAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashierWithOffers(t, d)
		c.Guest = c.SignInWithBonuses(t, c.Visitor(t, "sushi"), "79161234567", 0)
		c.Form = c.ApplyCode(t, c.Guest, c.TakeawayFromPhone(t, c.Guest, 1), "ONCE")
		c.Placed = c.PlaceUnpaid(t, c.Guest, c.Form)
		c.Form.PaymentType = site.SBP
		c.BeginPayment(t, c.Request(site.SBP))
		c.DeliverWebhook(t, c.Desk.Pay(c.Desk.LastID()))
		if _, err := c.Carts.Add(t.Context(), c.Again(t, c.Guest, "sushi"), carttest.Takeaway(carttest.Arbat), cart.Addition{ProductKey: ordertest.RiceKey, Count: 1}); err != nil {
			t.Fatal(err)
		}
		_, err := c.Carts.ApplyPromocode(t.Context(), c.Again(t, c.Guest, "sushi"), carttest.Takeaway(carttest.Arbat), "ONCE")
		ordertest.WantFault(t, err, fault.Invalid, "cart.promocode_phone_limit")
	})
}

// A second tab orders the cart of a waiting order. It gets order.no_cache with that cart, and
// gift and bonuses are used once.
func TestCreate_ofASecondTabWhileTheFirstOrderWaitsTakesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashierWithOffers(t, d)
		v := c.SignInWithBonuses(t, c.Visitor(t, "sushi"), "79161234567", money.Major(100))
		r := c.AddGift(t, v, c.PayWithBonuses(t, v, c.TakeawayFromPhone(t, v, 1), money.Major(60)), ordertest.SoyGiftID)
		r.PaymentType = site.SBP
		tab := c.BeginAgain(t, v, r, c.LoadCart(t, v))
		c.PlaceUnpaid(t, v, r)
		_, err := c.Orders.Create(t.Context(), v, tab)
		q := ordertest.WantRefused(t, err, "order.no_cache")
		if q.Fingerprint != r.Fingerprint {
			t.Errorf("the second tab is shown another cart: %+v", q.Prices)
		}
		c.WantUsed(t, ordertest.SoyGift, 1)
		c.WantBalance(t, v, money.Major(40))
	})
}

// Six buyers at once each order their cart four times while the orders wait. A code and a gift that are
// limited to three are never used more often, and as often as there are waiting orders.
func TestCreate_ofCartsWhoseOrdersWaitKeepsTheLimitExactly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := ordertest.NewCashierWithOffers(t, d)
		var wait sync.WaitGroup
		buyers := make([]buyer, 6)
		for n := range buyers {
			v := c.Visitor(t, "sushi")
			buyers[n] = buyer{v, c.AddGift(t, v, c.ApplyCode(t, v, c.TakeawayFromPhone(t, v, n), "THREE"), ordertest.SoyGiftID)}
		}
		for _, b := range buyers {
			wait.Go(func() {
				v, r := b.v, b.r
				r.PaymentType = site.SBP
				for range 4 {
					_, err := c.Orders.Create(t.Context(), v, r)
					var f *fault.Error
					if err != nil && (!errors.As(err, &f) || f.Code != fault.Conflict) {
						t.Error(err)
						return
					}
					q, err := c.Carts.Load(t.Context(), v, carttest.Takeaway(carttest.Arbat), carttest.SameInterval)
					if err != nil {
						t.Error(err)
						return
					}
					checkout, err := c.Orders.Begin(t.Context(), v, carttest.Takeaway(carttest.Arbat))
					if err != nil {
						t.Error(err)
						return
					}
					r.CacheKey = checkout.Key
					r = ordertest.Agree(r, q)
				}
				if _, err := c.Orders.Create(t.Context(), v, r); err != nil && fault.CodeOf(err) != fault.Conflict {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		held := 0
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			return tx.SQL.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM orders WHERE state = 'waiting_for_payment' AND promocode = 'THREE'").Scan(&held)
		})
		if err != nil || held > 3 {
			t.Errorf("%d orders hold the code, %v", held, err)
		}
		c.WantUsed(t, ordertest.CodeThree, held)
		if used := c.CountUsed(t, ordertest.SoyGift); used > 3 {
			t.Errorf("%d gifts of 3 are held", used)
		}
	})
}
