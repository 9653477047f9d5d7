package carts_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/money"
	"servery/internal/stock"
	"servery/internal/visit"
)

// The gifts of [carttest.RuleTexts] that the tests of the service use.
const (
	subtotalGift int64 = 1 // from 500
	bowlGift     int64 = 2
	lunchGift    int64 = 5
	firstGift    int64 = 9
	stockGift    int64 = 10 // five in all, three in a cart
	personalGift int64 = 12
	ankaraGift   int64 = 13
)

// newOfferingHouse returns a brand with an offer for each rule on a database, and the service of
// its carts.
func newOfferingHouse(t *testing.T, d *db.DB) (*carttest.Restaurant, *carts.Service) {
	t.Helper()
	h := carttest.New(t, d)
	h.Import(t, carttest.RuleTexts)
	return h, carts.New(d)
}

// reserveStock reserves limited stock for a holder, as an order does.
func reserveStock(t *testing.T, h *carttest.Restaurant, holder string, wants ...stock.Request) {
	t.Helper()
	err := h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return stock.Reserve(t.Context(), tx, holder, wants, time.Time{})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// insertOrder stores an order of the session and the phone in a state, with only what carts read of
// an order.
func insertOrder(t *testing.T, h *carttest.Restaurant, session int64, phone, state string) {
	t.Helper()
	err := h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(t.Context(), `
INSERT INTO orders (id, site, city_id, shop_id, zone_id, session_id, cache_key, request_hash, link, order_type, state, change_id,
    changed_at, phone, payment_type, interval_id, promised_from, promised_to, currency, subtotal, packages, delivery, discount,
    bonuses, total, revision, details, created_at)
SELECT COALESCE(MAX(id), 0) + 1, 'sushi', 1, 11, 0, $1, $5, $4, $5, 'takeaway', $3, 0, $6, $2, 'cash', '', $6, $6, 'RUB', 0, 0, 0, 0, 0, 0, 1, $4, $6
FROM orders`, session, phone, state, []byte("{}"), fmt.Sprint(session, phone, state), h.Clock.Now())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// findPricedGift returns the gift or present with the id, the zero value when it is not in the list.
func findPricedGift(list []cart.PricedGift, id int64) cart.PricedGift {
	for _, g := range list {
		if g.ID == id {
			return g
		}
	}
	return cart.PricedGift{}
}

// expectKey fails the test unless err is a fault with this message key. name is the case.
func expectKey(t *testing.T, name string, err error, key string) {
	t.Helper()
	if fault.KeyOf(err) != key {
		t.Errorf("%s: %v, want %s", name, err, key)
	}
}

// A gift from 500 is added twice and removed once. When the subtotal falls below 500, the gift
// leaves with a notice, and it does not return by itself. ForgetGift removes it.
func TestAddGift_isSavedAndItsLossHasANotice(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		v := h.Visitor(t, "sushi")
		mustAdd(t, s, v, carttest.Delivery(), addRice(5))
		var q cart.Quoted
		var err error
		for range 2 {
			if q, err = s.AddGift(t.Context(), v, carttest.Delivery(), subtotalGift); err != nil {
				t.Fatal(err)
			}
		}
		if got := findPricedGift(q.Gifts, subtotalGift); got.Count != 2 || q.Prices.Subtotal != money.Major(500) {
			t.Errorf("%d of the gift, %v", got.Count, q.Prices)
		}
		if q, err = s.RemoveGift(t.Context(), v, carttest.Delivery(), subtotalGift); err != nil || findPricedGift(q.Gifts, subtotalGift).Count != 1 {
			t.Errorf("one less: %+v, %v", q.Cart.Gifts, err)
		}
		if q, err = s.Remove(t.Context(), v, carttest.Delivery(), keyOf(carttest.Rice), 1); err != nil || len(q.Cart.Gifts) != 0 || len(q.Notices) != 1 {
			t.Errorf("the condition is lost: %+v, %v, %v", q.Cart.Gifts, q.Notices, err)
		}
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		if q, err = s.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval); err != nil || len(q.Cart.Gifts) != 0 || len(q.Notices) != 0 {
			t.Errorf("it came back by itself: %+v, %v, %v", q.Cart.Gifts, q.Notices, err)
		}
		if _, err = s.AddGift(t.Context(), v, carttest.Delivery(), subtotalGift); err != nil {
			t.Fatal(err)
		}
		if q, err = s.ForgetGift(t.Context(), v, carttest.Delivery(), subtotalGift); err != nil || len(q.Cart.Gifts) != 0 {
			t.Errorf("forgotten: %+v, %v", q.Cart.Gifts, err)
		}
	})
}

// A gift of lunch hours leaves the cart when it is loaded after lunch. The notice is shown once,
// since the loss is saved.
func TestLoad_savesThatAGiftIsNoLongerEarned(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		v := h.Visitor(t, "sushi")
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		if _, err := s.AddGift(t.Context(), v, carttest.Delivery(), lunchGift); err != nil {
			t.Fatal(err)
		}
		h.Clock.Set(carttest.Noon.Add(5 * time.Hour))
		v = h.Again(t, v, "sushi")
		for _, notices := range []int{1, 0} {
			q, err := s.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval)
			if err != nil || len(q.Cart.Gifts) != 0 || len(q.Notices) != notices {
				t.Errorf("after lunch: %+v, %v, want %d notices (%v)", q.Cart.Gifts, q.Notices, notices, err)
			}
		}
	})
}

// Twenty concurrent calls with one key add one gift. Another gift under the key is refused.
func TestAddGift_withOneKeyAddsOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		v := h.Visitor(t, "sushi")
		mustAdd(t, s, v, carttest.Delivery(), addRice(5))
		v.IdempotencyKey = "one-gift-for-all"
		var wait sync.WaitGroup
		for range 20 {
			wait.Go(func() {
				q, err := s.AddGift(t.Context(), v, carttest.Delivery(), subtotalGift)
				if err != nil || findPricedGift(q.Gifts, subtotalGift).Count != 1 {
					t.Errorf("got %+v, %v", q.Cart.Gifts, err)
				}
			})
		}
		wait.Wait()
		_, err := s.AddGift(t.Context(), v, carttest.Delivery(), bowlGift)
		expectKey(t, "another gift under the key", err, "cart.key_reused")
	})
}

// Each wrong gift, present, code and number of bonuses is refused with its own message at one
// field, and the stored carts are unchanged.
func TestService_refusesEachWrongGiftCodeAndBonus(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		v := h.Visitor(t, "sushi")
		other := h.Customer(t, "sushi", "79160000001")
		present := h.Present(t, "sushi", other, personalGift, 1, time.Time{})
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		known := v
		known.CustomerID, known.CustomerPhone = h.Customer(t, "sushi", "79160000002"), "79160000002"
		own := h.Present(t, "sushi", known.CustomerID, personalGift, 1, h.Clock.Now().Add(time.Hour))
		mustAdd(t, s, known, carttest.Delivery(), addRice(1))
		late := known
		late.Now = v.Now.Add(time.Hour)
		for name, c := range map[string]struct {
			do   func() (cart.Quoted, error)
			want string
		}{
			"a gift that is not earned": {func() (cart.Quoted, error) {
				return s.AddGift(t.Context(), v, carttest.Delivery(), subtotalGift)
			}, "cart.gift_not_earned"},
			"a gift that does not exist": {func() (cart.Quoted, error) {
				return s.AddGift(t.Context(), v, carttest.Delivery(), 1<<62)
			}, "cart.unknown_gift"},
			"a gift of another city": {func() (cart.Quoted, error) {
				return s.AddGift(t.Context(), v, carttest.Delivery(), ankaraGift)
			}, "cart.gift_not_offered"},
			"a gift that is only given as a present": {func() (cart.Quoted, error) {
				return s.AddGift(t.Context(), v, carttest.Delivery(), personalGift)
			}, "cart.gift_not_offered"},
			"a present of another customer": {func() (cart.Quoted, error) {
				return s.AddPresent(t.Context(), known, carttest.Delivery(), present)
			}, "cart.unknown_present"},
			"a present for a guest": {func() (cart.Quoted, error) {
				return s.AddPresent(t.Context(), v, carttest.Delivery(), present)
			}, "cart.unknown_present"},
			"a present that is over": {func() (cart.Quoted, error) {
				return s.AddPresent(t.Context(), late, carttest.Delivery(), own)
			}, "cart.unknown_present"},
			"an unknown code": {func() (cart.Quoted, error) {
				return s.ApplyPromocode(t.Context(), v, carttest.Delivery(), "NOSUCHCODE")
			}, "cart.promocode_unknown"},
			"no code": {func() (cart.Quoted, error) {
				return s.ApplyPromocode(t.Context(), v, carttest.Delivery(), " ")
			}, "cart.promocode_empty"},
			"a code with a higher minimum": {func() (cart.Quoted, error) {
				return s.ApplyPromocode(t.Context(), v, carttest.Delivery(), "thousand")
			}, "cart.promocode_minimum"},
			"bonuses of a guest": {func() (cart.Quoted, error) {
				return s.ApplyBonuses(t.Context(), v, carttest.Delivery(), money.Major(1))
			}, "cart.bonuses_of_guest"},
			"bonuses below zero": {func() (cart.Quoted, error) {
				return s.ApplyBonuses(t.Context(), known, carttest.Delivery(), -1)
			}, "cart.bad_bonuses"},
		} {
			_, err := c.do()
			expectKey(t, name, err, c.want)
			if f, ok := fault.Of(err); ok && len(f.Fields) != 1 {
				t.Errorf("%s names no field: %v", name, f.Fields)
			}
		}
		for _, who := range []visit.Context{v, known} {
			q, err := s.Load(t.Context(), who, carttest.Delivery(), carttest.SameInterval)
			if err != nil || len(q.Cart.Gifts)+len(q.Cart.Presents) != 0 || q.Cart.Promocode != "" || q.Cart.Bonuses != 0 {
				t.Errorf("the cart has changed: %+v, %v", q.Cart, err)
			}
		}
	})
}

// Of three presents an order has used one: two can be added, the third is refused. When another
// order uses the rest, the present leaves the cart with a notice.
func TestAddPresent_addsWhatOrdersHaveLeft(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		v := h.Visitor(t, "sushi")
		v.CustomerID = h.Customer(t, "sushi", "79160000001")
		present := h.Present(t, "sushi", v.CustomerID, personalGift, 3, time.Time{})
		reserveStock(t, h, "order:1", stock.Request{Item: stock.Item{Site: "sushi", Kind: stock.Present, ID: present}, Count: 1, Limit: 3})
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		for range 2 {
			if _, err := s.AddPresent(t.Context(), v, carttest.Delivery(), present); err != nil {
				t.Fatal(err)
			}
		}
		_, err := s.AddPresent(t.Context(), v, carttest.Delivery(), present)
		expectKey(t, "the third of two", err, "cart.gift_too_many")
		q, err := s.RemovePresent(t.Context(), v, carttest.Delivery(), present)
		if got := findPricedGift(q.Presents, present); err != nil || got.Count != 1 || got.MaxCount != 2 {
			t.Errorf("got %+v, %v", got, err)
		}
		reserveStock(t, h, "order:2", stock.Request{Item: stock.Item{Site: "sushi", Kind: stock.Present, ID: present}, Count: 2, Limit: 3})
		if q, err = s.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval); err != nil || len(q.Cart.Presents) != 0 || len(q.Notices) != 1 {
			t.Errorf("taken by an order in between: %+v, %v, %v", q.Cart.Presents, q.Notices, err)
		}
	})
}

// priceInTx returns the visitor's cart as a transaction sees it.
func priceInTx(t *testing.T, d *db.DB, s *carts.Service, v visit.Context) (q cart.Quoted, err error) {
	t.Helper()
	city, err := v.City(carttest.Moscow)
	if err != nil {
		t.Fatal(err)
	}
	err = d.InTx(t.Context(), func(tx *db.Tx) error {
		stored, err := s.ReadIn(t.Context(), tx, v, city)
		if err == nil {
			q, err = stored.Price(t.Context(), stored.Cart)
		}
		return err
	})
	return q, err
}

// Four of five gifts are used, of which a cart may have three. A transaction sees that at once for a cart that has one; other calls, and carts without
// gifts, a second later. When the last one is used, it leaves the cart, and adding it is a Conflict with the fresh cart.
func TestAddGift_countsTheStockOfASecondAgo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		v, withGift := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		mustAdd(t, s, withGift, carttest.Delivery(), addRice(1))
		if _, err := s.AddGift(t.Context(), withGift, carttest.Delivery(), stockGift); err != nil {
			t.Fatal(err)
		}
		reserveStock(t, h, "order:1", stock.Request{Item: stock.Item{Site: "sushi", Kind: stock.Gift, ID: stockGift}, Count: 4, Limit: 5})
		for _, c := range []struct {
			v    visit.Context
			left int
		}{{v, 3}, {withGift, 1}} {
			q, err := priceInTx(t, d, s, c.v)
			if got := findPricedGift(q.Gifts, stockGift); err != nil || got.MaxCount != c.left {
				t.Errorf("in a transaction %d are left, want %d; %v", got.MaxCount, c.left, err)
			}
		}
		h.Clock.Advance(time.Second)
		v = h.Again(t, v, "sushi")
		q, err := s.AddGift(t.Context(), v, carttest.Delivery(), stockGift)
		if got := findPricedGift(q.Gifts, stockGift); err != nil || got.Count != 1 || got.MaxCount != 1 {
			t.Errorf("a second later: %+v, %v", got, err)
		}
		reserveStock(t, h, "order:2", stock.Request{Item: stock.Item{Site: "sushi", Kind: stock.Gift, ID: stockGift}, Count: 1, Limit: 5})
		h.Clock.Advance(time.Second)
		v = h.Again(t, v, "sushi")
		if q, err = s.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval); err != nil || len(q.Cart.Gifts) != 0 {
			t.Errorf("the last one is gone: %+v, %v", q.Cart.Gifts, err)
		}
		_, err = s.AddGift(t.Context(), v, carttest.Delivery(), stockGift)
		if _, hasCart := cart.FreshCart(err); !errors.Is(err, fault.New(fault.Conflict, "cart.gift_gone")) || !hasCart {
			t.Errorf("none is left: %v", err)
		}
	})
}

// Adding and loading works for a guest although the tables of limited stock, presents and
// bonuses do not exist, so they are not read.
func TestLoad_readsTheCartAloneForAGuestWithoutLimitedStock(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, s, v := newVisitor(t, d)
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			for _, table := range []string{"stock_count", "present", "bonus_entry"} {
				if _, err := tx.SQL.ExecContext(t.Context(), "DROP TABLE "+table); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		if _, err := s.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval); err != nil {
			t.Error(err)
		}
	})
}
