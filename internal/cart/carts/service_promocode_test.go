package carts_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"servery/internal/bonus"
	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/limit"
	"servery/internal/money"
	"servery/internal/stock"
	"servery/internal/visit"
)

// A code that all customers together have used up is refused, and stays in a cart without
// effect. A code that a phone has used up is refused to the customer of that phone, and to a
// guest once an order with that phone was refused.
func TestApplyPromocode_keepsTheLimitsOfAllAndOfThePhone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		v := h.Visitor(t, "sushi")
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		apply := func(v visit.Context, code string) error {
			_, err := s.ApplyPromocode(t.Context(), v, carttest.Delivery(), code)
			return err
		}
		if err := errors.Join(apply(v, " twice "), apply(v, "Hundred")); err != nil {
			t.Fatal(err)
		}
		hundred := stock.Item{Site: "sushi", Kind: stock.Promocode, ID: 19}
		reserveStock(t, h, "order:1", stock.Request{Item: hundred, Count: 100, Limit: 100})
		expectKey(t, "used up", apply(v, "HUNDRED"), "cart.promocode_limit")
		q, err := s.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval)
		if err != nil || q.Promocode == nil || q.Promocode.IsActive || q.Cart.Promocode != "HUNDRED" {
			t.Errorf("it stays and does nothing: %+v, %v", q.Promocode, err)
		}
		phone := stock.Item{Site: "sushi", Kind: stock.PromocodePhone, ID: 18, Scope: v.Marks.Of("sushi", "79160000001")}
		reserveStock(t, h, "order:2", stock.Request{Item: phone, Count: 2, Limit: 2})
		if err := apply(v, "TWICE"); err != nil {
			t.Errorf("the phone is not known yet: %v", err)
		}
		if err := s.RememberPhone(t.Context(), v, carttest.Moscow, "79160000001"); err != nil {
			t.Fatal(err)
		}
		expectKey(t, "by the phone of a refused order", apply(v, "TWICE"), "cart.promocode_phone_limit")
		other := h.Visitor(t, "sushi")
		other.CustomerID, other.CustomerPhone = h.Customer(t, "sushi", "79160000001"), "79160000001"
		mustAdd(t, s, other, carttest.Delivery(), addRice(1))
		expectKey(t, "by the customer's phone", apply(other, "TWICE"), "cart.promocode_phone_limit")
		if q, err = s.ForgetPromocode(t.Context(), v, carttest.Delivery()); err != nil || q.Promocode != nil {
			t.Errorf("forgotten: %+v, %v", q.Promocode, err)
		}
	})
}

// A cart has a gift twice, once chosen and once by the promocode. Removing or forgetting it
// takes out the chosen one first, then the promocode, with a notice that names both.
func TestService_RemoveGift_namesTheCodeThatLeavesWithItsGift(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		v := h.Visitor(t, "sushi")
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		for name, remove := range map[string]func() (cart.Quoted, error){
			"removed":   func() (cart.Quoted, error) { return s.RemoveGift(t.Context(), v, carttest.Delivery(), stockGift) },
			"forgotten": func() (cart.Quoted, error) { return s.ForgetGift(t.Context(), v, carttest.Delivery(), stockGift) },
		} {
			if _, err := s.ApplyPromocode(t.Context(), v, carttest.Delivery(), "MUG"); err != nil {
				t.Fatal(err)
			}
			if _, err := s.AddGift(t.Context(), v, carttest.Delivery(), stockGift); err != nil {
				t.Fatal(err)
			}
			q, err := remove()
			if err != nil || q.Cart.Promocode != "MUG" || len(q.Notices) != 0 {
				t.Errorf("%s: the one that was taken beside it goes first: %+v, %v, %v", name, q.Cart, q.Notices, err)
			}
			q, err = remove()
			if err != nil || q.Cart.Promocode != "" || len(q.Notices) != 1 || q.Notices[0].Key != "cart.promocode_left" {
				t.Fatalf("%s: %+v, %v, %v", name, q.Cart, q.Notices, err)
			}
			text := lang.T(lang.EN, q.Notices[0].Key, q.Notices[0].Args)
			if want := "Promo code MUG was removed together with its gift “Mug”"; text != want {
				t.Errorf("%s: %q, want %q", name, text, want)
			}
			if q, err = remove(); err != nil || len(q.Notices) != 0 {
				t.Errorf("%s once more: %v, %v", name, q.Notices, err)
			}
		}
	})
}

// The gift of a first order is refused once there is an order, not canceled, of the session, of
// the phone with which an order was refused, or of the customer's phone.
func TestFirstOrder_isThatOfSessionPhoneAndCustomer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		addFirstGift := func(v visit.Context) error {
			if _, err := s.ForgetGift(t.Context(), v, carttest.Delivery(), firstGift); err != nil {
				return err
			}
			_, err := s.AddGift(t.Context(), v, carttest.Delivery(), firstGift)
			return err
		}
		visitor := func() visit.Context {
			v := h.Visitor(t, "sushi")
			mustAdd(t, s, v, carttest.Delivery(), addRice(1))
			return v
		}
		bySession, byPhone := visitor(), visitor()
		insertOrder(t, h, bySession.SessionID, "79160000001", "canceled")
		if err := errors.Join(addFirstGift(bySession), addFirstGift(byPhone)); err != nil {
			t.Fatalf("no one has ordered: %v", err)
		}
		insertOrder(t, h, bySession.SessionID, "79160000002", "accepted")
		bySession.Now = bySession.Now.Add(10 * time.Second) // the cart is remembered with what was known before
		expectKey(t, "the session has ordered", addFirstGift(bySession), "cart.gift_not_earned")
		if err := s.RememberPhone(t.Context(), byPhone, carttest.Moscow, "79160000001"); err != nil {
			t.Fatal(err)
		}
		if err := addFirstGift(byPhone); err != nil {
			t.Errorf("the phone's one order was canceled: %v", err)
		}
		if err := s.RememberPhone(t.Context(), byPhone, carttest.Moscow, "79160000002"); err != nil {
			t.Fatal(err)
		}
		q, err := s.Load(t.Context(), byPhone, carttest.Delivery(), carttest.SameInterval)
		if err != nil || len(q.Cart.Gifts) != 0 {
			t.Errorf("the gift of a first order is still there: %+v, %v", q.Cart.Gifts, err)
		}
		customer := visitor()
		customer.CustomerID, customer.CustomerPhone = h.Customer(t, "sushi", "79160000002"), "79160000002"
		mustAdd(t, s, customer, carttest.Delivery(), addRice(1))
		expectKey(t, "the customer's phone has ordered", addFirstGift(customer), "cart.gift_not_earned")
	})
}

// A customer with 50 bonuses asks to pay with 80: 50 are spent, and the cart still wants 80. Beside
// the discount of a promocode none are spent, and again 50 once the promocode is forgotten. With 0 no
// bonuses are spent.
func TestApplyBonuses_paysWithAtMostTheBalance(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		v := h.Visitor(t, "sushi")
		v.CustomerID = h.Customer(t, "sushi", "79160000001")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := bonus.Adjust(t.Context(), tx, bonus.Account{CustomerID: v.CustomerID, Currency: money.Currency{Code: "RUB"}}, "a present of the test", money.Major(50), v.Now)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		q, err := s.ApplyBonuses(t.Context(), v, carttest.Delivery(), money.Major(80))
		if err != nil || q.Prices.Bonuses != money.Major(50) || q.Bonus.Wanted != money.Major(80) {
			t.Errorf("got %v of %+v, %v", q.Prices.Bonuses, q.Bonus, err)
		}
		if q, err = s.ApplyPromocode(t.Context(), v, carttest.Delivery(), "TEN"); err != nil || q.Prices.Discount == 0 || q.Prices.Bonuses != 0 {
			t.Errorf("beside a discount of %v: %v, %v", q.Prices.Discount, q.Prices.Bonuses, err)
		}
		if q, err = s.ForgetPromocode(t.Context(), v, carttest.Delivery()); err != nil || q.Prices.Bonuses != money.Major(50) || q.Bonus.Wanted != money.Major(80) {
			t.Errorf("with the promocode forgotten: %v of %+v, %v", q.Prices.Bonuses, q.Bonus, err)
		}
		if q, err = s.ApplyBonuses(t.Context(), v, carttest.Delivery(), 0); err != nil || q.Prices.Bonuses != 0 {
			t.Errorf("off: %v, %v", q.Prices.Bonuses, err)
		}
	})
}

// Right codes are never counted. After ten wrong ones the session has to wait, also from another
// address; after thirty, so has the address. Ten minutes later both can go on.
func TestApplyPromocode_pausesAfterTenWrongCodes(t *testing.T) {
	t.Parallel()
	h, s := newOfferingHouse(t, dbtest.Open(t, db.SQLite))
	v := h.Visitor(t, "sushi")
	mustAdd(t, s, v, carttest.Delivery(), addRice(1))
	apply := func(v visit.Context, code, address string) string {
		v.Caller.Address = address
		_, err := s.ApplyPromocode(t.Context(), v, carttest.Delivery(), code)
		if f, ok := fault.Of(err); ok && f.Code == fault.TooMany && (f.RetryAfter <= 0 || f.Fields["promocode"] == nil) {
			t.Errorf("it does not say when to come back: %+v", f)
		}
		return fault.KeyOf(err)
	}
	for range 20 {
		if got := apply(v, "ten", "192.0.2.1"); got != "" {
			t.Fatalf("a right code: %s", got)
		}
		if got := apply(v, "thousand", "192.0.2.1"); got != "cart.promocode_minimum" {
			t.Fatalf("a code that exists: %s", got)
		}
	}
	for n := range 10 {
		if got := apply(v, fmt.Sprint("GUESS", n), "192.0.2.1"); got != "cart.promocode_unknown" {
			t.Fatalf("guess %d: %s", n, got)
		}
	}
	if got := apply(v, "ten", "192.0.2.2"); got != "cart.too_many_codes" {
		t.Errorf("the same session: %q", got)
	}
	for n := range 20 {
		stranger := h.Visitor(t, "sushi")
		mustAdd(t, s, stranger, carttest.Delivery(), addRice(1))
		if got := apply(stranger, fmt.Sprint("GUESS", n), "192.0.2.1"); got != "cart.promocode_unknown" {
			t.Fatalf("guess %d: %s", n, got)
		}
	}
	if got := apply(h.Visitor(t, "sushi"), "ten", "192.0.2.1"); got != "cart.codes_paused" {
		t.Errorf("the same address: %q", got)
	}
	h.Clock.Advance(10 * time.Minute)
	if got := apply(h.Again(t, v, "sushi"), "ten", "192.0.2.1"); got != "" {
		t.Errorf("ten minutes later: %q", got)
	}
}

// newApplier returns a function that applies a code for a new visitor with the caller, and returns
// the key of the refusal, empty for none.
func newApplier(t *testing.T, h *carttest.Restaurant, s *carts.Service) func(caller limit.Caller, code string) string {
	t.Helper()
	return func(caller limit.Caller, code string) string {
		v := h.Visitor(t, "sushi")
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		v.Caller = caller
		_, err := s.ApplyPromocode(t.Context(), v, carttest.Delivery(), code)
		if f, ok := fault.Of(err); ok && f.Code == fault.TooMany && f.RetryAfter <= 0 {
			t.Errorf("it does not say when to come back: %+v", f)
		}
		return fault.KeyOf(err)
	}
}

// Of 200 wrong codes from as many addresses, 100 are looked up. After that a code that few have
// used needs a captcha, or is paused where there is none; a code that several visitors have
// applied still works.
func TestApplyPromocode_asksForTheCaptchaWhenASiteIsGuessedFromManyAddresses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		apply := newApplier(t, h, s)
		for n := range 3 {
			if got := apply(limit.Caller{Address: fmt.Sprint("honest", n)}, "ten"); got != "" {
				t.Fatalf("a right code: %s", got)
			}
		}
		looked := 0
		for n := range 200 {
			if apply(limit.Caller{Address: fmt.Sprint("address", n)}, fmt.Sprint("GUESS", n)) == "cart.promocode_unknown" {
				looked++
			}
		}
		if looked != 100 {
			t.Errorf("%d of 200 guesses are looked at", looked)
		}
		captcha := limit.Caller{Address: "new", HasCaptcha: true}
		solved := limit.Caller{Address: "new", HasCaptcha: true, PassedCaptcha: true}
		for name, c := range map[string]struct {
			caller     limit.Caller
			code, want string
		}{
			"a code that many have, without a captcha":  {limit.Caller{Address: "new"}, "ten", ""},
			"a code that many have":                     {captcha, "ten", ""},
			"a code that few have":                      {captcha, "SUM100", "cart.captcha"},
			"a wrong one":                               {captcha, "GUESS", "cart.captcha"},
			"a code that few have, solved":              {solved, "SUM100", ""},
			"a wrong one, solved":                       {solved, "GUESS", "cart.promocode_unknown"},
			"a code that few have, where there is none": {limit.Caller{Address: "new"}, "SUM100", "cart.codes_paused"},
			"a wrong one, where there is none":          {limit.Caller{Address: "new"}, "GUESS", "cart.codes_paused"},
		} {
			if got := apply(c.caller, c.code); got != c.want {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
	})
}

// Thirty wrong codes pause an address for guests, but not for a signed-in customer behind it.
func TestApplyPromocode_goesOnForCustomersBehindAnAddressThatGuesses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		apply := newApplier(t, h, s)
		for n := range 30 {
			apply(limit.Caller{Address: "house"}, fmt.Sprint("GUESS", n))
		}
		if got := apply(limit.Caller{Address: "house"}, "SUM100"); got != "cart.codes_paused" {
			t.Errorf("a guest of the address: %q", got)
		}
		v := h.Visitor(t, "sushi")
		v.CustomerID, v.Caller.Address = h.Customer(t, "sushi", "79160000001"), "house"
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		if _, err := s.ApplyPromocode(t.Context(), v, carttest.Delivery(), "SUM100"); err != nil {
			t.Errorf("a customer of the address: %v", err)
		}
	})
}
