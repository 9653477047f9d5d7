package order_test

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
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/stock"
	"servery/internal/visit"
)

// onlineShop returns a house with offers and a bonus programme where orders are paid online.
func onlineShop(t *testing.T, d *db.DB) *cashier {
	t.Helper()
	c := &cashier{house: newHouse(t, d)}
	files := carttest.Online(false)
	files["sushi/brand.yaml"] += "bonus_programme: {percent: \"5\"}\n"
	for name, text := range offers {
		files[name] = text
	}
	c.Import(t, files)
	c.desk = newDesk(c.Clock)
	c.orders = c.process(t)
	return c
}

// look returns the cart as its customer sees it on coming back.
func (c *cashier) look(t *testing.T, v visit.Context) cart.Quoted {
	t.Helper()
	q, err := c.carts.Load(t.Context(), c.Again(t, v, "sushi"), cart.PlaceRequest{CityID: carttest.Moscow, OrderType: site.Takeaway}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// wait places the order of a request that is paid online.
func (c *cashier) wait(t *testing.T, v visit.Context, r order.Request) order.Order {
	t.Helper()
	r.PaymentType = site.SBP
	o := c.place(t, v, r)
	if o.State != order.WaitingForPayment {
		t.Fatalf("the order is %s", o.State)
	}
	return o
}

// begin begins another checkout of the cart and returns the request for what q shows.
func (c *cashier) begin(t *testing.T, v visit.Context, r order.Request, q cart.Quoted) order.Request {
	t.Helper()
	checkout, err := c.orders.Begin(t.Context(), v, carttest.Takeaway(r.ShopID))
	if err != nil {
		t.Fatal(err)
	}
	r.CacheKey = checkout.Key
	return agree(r, q)
}

func TestCart_whileItsOrderWaitsHasAllThatTheOrderHolds(t *testing.T) {
	t.Parallel()
	const phone = "79160000014"
	withOffers := func(t *testing.T, c *cashier, v visit.Context) order.Request {
		t.Helper()
		present := c.Present(t, "sushi", v.CustomerID, rollGift, 1, c.Clock.Now().AddDate(0, 1, 0))
		r := c.take(t, v, c.fetch(t, v, 1), firstGift)
		r = c.take(t, v, r, soyGiftID)
		if _, err := c.carts.AddPresent(t.Context(), v, carttest.Takeaway(carttest.Arbat), present); err != nil {
			t.Fatal(err)
		}
		return c.apply(t, v, r, "ONCE")
	}
	withBonuses := func(t *testing.T, c *cashier, v visit.Context) order.Request {
		t.Helper()
		return c.pay(t, v, c.fetch(t, v, 1), money.Major(90))
	}
	for name, prepare := range map[string]func(*testing.T, *cashier, visit.Context) order.Request{"offers": withOffers, "bonuses": withBonuses} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				c := onlineShop(t, d)
				v := c.known(t, c.Visitor(t, "sushi"), phone, money.Major(100))
				r := prepare(t, c, v)
				first := c.wait(t, v, r)
				for range 2 { // read, and remembered
					q := c.look(t, v)
					if q.Fingerprint != r.Fingerprint || len(q.Notices) != 0 || len(q.Lost) != 0 {
						t.Fatalf("the cart of the waiting order has become %+v, %v", q.Prices, q.Notices)
					}
				}
				r = c.begin(t, c.Again(t, v, "sushi"), r, c.look(t, v))
				second := c.wait(t, v, r)
				if second.Prices != first.Prices || second.Promocode != first.Promocode || len(second.Details.Gifts) != len(first.Details.Gifts) {
					t.Errorf("first %+v, then %+v", first, second)
				}
				if o, err := c.orders.Get(t.Context(), v, first.ID); err != nil || o.State != order.Canceled {
					t.Errorf("the first order is %s, %v", o.State, err)
				}
				for _, g := range second.Details.Gifts {
					if g.Kind == cart.Personal {
						c.wantUsed(t, stock.Item{Site: "sushi", Kind: stock.Present, ID: g.ID}, 1)
					}
				}
				if name == "bonuses" {
					c.wantBalance(t, v, money.Major(10))
					return
				}
				c.wantUsed(t, soyGift, 1)
				c.wantUsed(t, stock.Item{Site: "sushi", Kind: stock.PromocodePhone, ID: 2, Scope: v.Marks.Of("sushi", phone)}, 1)
				c.wantUsed(t, stock.Item{Site: "sushi", Kind: stock.FirstOrder, Scope: v.Marks.Of("sushi", phone)}, 1)
			})
		})
	}
}

func TestCart_whileItsOrderWaitsMayTakeTheTimeOfTheOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := onlineShop(t, d)
		v, stranger := c.Visitor(t, "sushi"), c.Visitor(t, "sushi")
		r := c.takeaway(t, v, carttest.Pokrovka, halfPast(14)) // fills the interval
		c.wait(t, v, r)
		isFull := func(v visit.Context) bool {
			t.Helper()
			q, err := c.carts.Preview(t.Context(), v, carttest.Takeaway(carttest.Pokrovka))
			if err != nil {
				t.Fatal(err)
			}
			list, err := c.carts.Intervals(t.Context(), v, q, clock.DayOf(v.Now, q.Spot.City.Location))
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(list, func(i schedule.Interval) bool { return i.ID == halfPast(14) })
			return at < 0 || list[at].Disabled
		}
		if _, err := c.carts.Add(t.Context(), stranger, carttest.Takeaway(carttest.Pokrovka), cart.Addition{ProductKey: rice, Count: 1}); err != nil {
			t.Fatal(err)
		}
		if isFull(v) || !isFull(stranger) {
			t.Errorf("full for its own cart: %t, for others: %t", isFull(v), isFull(stranger))
		}
		c.wait(t, v, c.begin(t, c.Again(t, v, "sushi"), r, c.look(t, v)))
	})
}

func TestCart_ofOthersIsHeldToWhatAWaitingOrderHolds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := onlineShop(t, d)
		v := c.Visitor(t, "sushi")
		r := c.take(t, v, c.apply(t, v, c.fetch(t, v, 7), "ONCE"), firstGift)
		c.wait(t, v, r)

		samePhone := c.Visitor(t, "sushi")
		c.apply(t, samePhone, c.fetch(t, samePhone, 7), "ONCE")
		if err := c.carts.RememberPhone(t.Context(), samePhone, carttest.Moscow, "79161230007"); err != nil {
			t.Fatal(err)
		}
		if q := c.look(t, samePhone); q.Promocode.IsActive || q.Gifts[1].IsEarned() {
			t.Errorf("another cart of the phone gets %+v, %+v", q.Promocode, q.Gifts[1])
		}
		ankara := cart.PlaceRequest{CityID: carttest.Ankara, OrderType: site.Takeaway, ShopID: carttest.Kizilay}
		q, err := c.carts.Add(t.Context(), c.Again(t, v, "sushi"), ankara, cart.Addition{ProductKey: "2-1002", Count: 3})
		if err != nil || q.Gifts[1].IsEarned() {
			t.Errorf("the cart of another city gets %+v, %v", q.Gifts, err)
		}
	})
}

func TestCart_ofACustomerWhoSignsInWhileTheOrderWaitsHasAllThatItHolds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := onlineShop(t, d)
		v := c.Visitor(t, "sushi")
		r := c.take(t, v, c.apply(t, v, c.fetch(t, v, 7), "ONCE"), firstGift)
		c.wait(t, v, r)
		v = c.SignIn(t, c.carts, v, c.Customer(t, "sushi", "79161230007"), "79161230007")
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return c.orders.Join(t.Context(), tx, v, v.SessionID) }); err != nil {
			t.Fatal(err)
		}
		q := c.look(t, v)
		if !q.Promocode.IsActive || len(q.Cart.Gifts) != 1 || len(q.Notices) != 0 {
			t.Errorf("the cart has become %+v, %v", q.Cart, q.Notices)
		}
		c.wait(t, v, c.begin(t, c.Again(t, v, "sushi"), r, q))
	})
}

func TestCart_ofAPaidOrderIsHeldToWhatTheOrderUsed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := onlineShop(t, d)
		c.v = c.known(t, c.Visitor(t, "sushi"), "79161234567", 0)
		c.r = c.apply(t, c.v, c.fetch(t, c.v, 1), "ONCE")
		c.o = c.wait(t, c.v, c.r)
		c.r.PaymentType = site.SBP
		c.pays(t, c.request(site.SBP))
		c.hears(t, c.desk.pay(c.desk.last()))
		if _, err := c.carts.Add(t.Context(), c.Again(t, c.v, "sushi"), carttest.Takeaway(carttest.Arbat), cart.Addition{ProductKey: rice, Count: 1}); err != nil {
			t.Fatal(err)
		}
		_, err := c.carts.ApplyPromocode(t.Context(), c.Again(t, c.v, "sushi"), carttest.Takeaway(carttest.Arbat), "ONCE")
		wantFault(t, err, fault.Invalid, "cart.promocode_phone_limit")
	})
}

func TestCreate_ofASecondTabWhileTheFirstOrderWaitsTakesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := onlineShop(t, d)
		v := c.known(t, c.Visitor(t, "sushi"), "79161234567", money.Major(100))
		r := c.take(t, v, c.pay(t, v, c.fetch(t, v, 1), money.Major(60)), soyGiftID)
		r.PaymentType = site.SBP
		tab := c.begin(t, v, r, c.look(t, v))
		c.wait(t, v, r)
		_, err := c.orders.Create(t.Context(), v, tab)
		q := wantRefused(t, err, "order.no_cache")
		if q.Fingerprint != r.Fingerprint {
			t.Errorf("the second tab is shown another cart: %+v", q.Prices)
		}
		c.wantUsed(t, soyGift, 1)
		c.wantBalance(t, v, money.Major(40))
	})
}

// Buyers order their carts again and again while the orders wait: each time the first order
// goes and the next one takes what it held, unless somebody else was faster.
func TestCreate_ofCartsWhoseOrdersWaitKeepsTheLimitExactly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := onlineShop(t, d)
		var all sync.WaitGroup
		buyers := make([]buyer, 6)
		for n := range buyers {
			v := c.Visitor(t, "sushi")
			buyers[n] = buyer{v, c.take(t, v, c.apply(t, v, c.fetch(t, v, n), "THREE"), soyGiftID)}
		}
		for _, b := range buyers {
			all.Go(func() {
				v, r := b.v, b.r
				r.PaymentType = site.SBP
				for range 4 {
					_, err := c.orders.Create(t.Context(), v, r)
					var f *fault.Error
					if err != nil && (!errors.As(err, &f) || f.Code != fault.Conflict) {
						t.Error(err)
						return
					}
					q, err := c.carts.Load(t.Context(), v, carttest.Takeaway(carttest.Arbat), nil)
					if err != nil {
						t.Error(err)
						return
					}
					checkout, err := c.orders.Begin(t.Context(), v, carttest.Takeaway(carttest.Arbat))
					if err != nil {
						t.Error(err)
						return
					}
					r.CacheKey = checkout.Key
					r = agree(r, q)
				}
				if _, err := c.orders.Create(t.Context(), v, r); err != nil && fault.CodeOf(err) != fault.Conflict {
					t.Error(err)
				}
			})
		}
		all.Wait()
		held := 0
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			return tx.SQL.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM orders WHERE state = 'waiting_for_payment' AND promocode = 'THREE'").Scan(&held)
		})
		if err != nil || held > 3 {
			t.Errorf("%d orders hold the code, %v", held, err)
		}
		c.wantUsed(t, three, held)
		if used, err := stock.CountUsed(t.Context(), d.Read(), soyGift); err != nil || used > 3 {
			t.Errorf("%d gifts of 3 are held, %v", used, err)
		}
	})
}
