package order_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"servery/internal/bonus"
	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/schedule"
	"servery/internal/stock"
	"servery/internal/visit"
)

// offers are what the house offers in the tests of scarce things.
var offers = map[string]string{
	"sushi/gifts.yaml": `- {id: 1, alias: soy-gift, product: soy, name: {ru: Соус в подарок, en: Soy on us}, stock: 3, conditions: [{subtotal: {ru: 50, tr: 1}}]}
- {id: 2, alias: first-gift, product: wasabi, name: {ru: Васаби новичку, en: Wasabi to begin with}, conditions: [{first_order: true}]}
- {id: 3, alias: roll-gift, product: rice-roll, name: {ru: Ролл в подарок, en: A roll on us}, personal: true}
`,
	"sushi/promocodes.yaml": `- {id: 1, code: THREE, percent: 10, limit: 3}
- {id: 2, code: ONCE, sum: {ru: 20, tr: 1}, limit_per_phone: 1}
- {id: 3, code: HELLO, percent: 50, first_order: true}
`,
}

var (
	three     = stock.Item{Site: "sushi", Kind: stock.Promocode, ID: 1}
	soyGift   = stock.Item{Site: "sushi", Kind: stock.Gift, ID: 1}
	soyGiftID = int64(1)
	firstGift = int64(2)
	rollGift  = int64(3)
)

// newShop is a house with offers and a bonus programme.
func newShop(t testing.TB, d *db.DB) *house {
	t.Helper()
	h := newHouse(t, d)
	changed := map[string]string{"sushi/brand.yaml": carttest.Texts["sushi/brand.yaml"] + "bonus_programme: {percent: \"5\"}\n"}
	for name, text := range offers {
		changed[name] = text
	}
	h.Import(t, changed)
	return h
}

// known makes the visitor a customer who was given bonuses.
func (h *house) known(t testing.TB, v visit.Context, phone string, bonuses money.Amount) visit.Context {
	t.Helper()
	c, err := customer.NewCustomers(h.DB, h.Clock).ByPhone(t.Context(), v.Site.Alias, phone)
	if err != nil {
		t.Fatal(err)
	}
	v = h.signIn(t, v, c)
	if bonuses == 0 {
		return v
	}
	err = h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := bonus.Give(t.Context(), tx, roubles(c.ID), "a present of the test", bonuses, v.Now)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// roubles is the account in the currency of Moscow.
func roubles(customerID int64) bonus.Account {
	return bonus.Account{CustomerID: customerID, Currency: money.Currency{Code: "RUB"}}
}

func (h *house) balance(t testing.TB, v visit.Context) money.Amount {
	t.Helper()
	balance, err := bonus.Balance(t.Context(), h.DB.Read(), roubles(v.CustomerID))
	if err != nil {
		t.Fatal(err)
	}
	return balance
}

func (h *house) wantUsed(t testing.TB, thing stock.Item, want int) {
	t.Helper()
	if got, err := stock.CountUsed(t.Context(), h.DB.Read(), thing); err != nil || got != want {
		t.Errorf("%v: %d used, want %d (%v)", thing, got, want, err)
	}
}

func (h *house) wantBalance(t testing.TB, v visit.Context, want money.Amount) {
	t.Helper()
	if got := h.balance(t, v); got != want {
		t.Errorf("the balance is %v, want %v", got, want)
	}
}

// wantBalanced wants every bonus to have come from somewhere, and none to wait for an
// order.
func (h *house) wantBalanced(t testing.TB) {
	t.Helper()
	var all, held int64
	err := h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return tx.SQL.QueryRowContext(t.Context(),
			"SELECT COALESCE(SUM(e.amount), 0), COALESCE(SUM(CASE WHEN a.kind = 'held' THEN e.amount ELSE 0 END), 0) "+
				"FROM bonus_entry e JOIN bonus_account a ON a.id = e.account_id").Scan(&all, &held)
	})
	if err != nil || all != 0 || held != 0 {
		t.Errorf("the ledger sums to %d, and %d are held: %v", all, held, err)
	}
}

// agree gives the request as the page sends it that shows this cart.
func agree(r order.Request, q cart.Quoted) order.Request {
	r.SeenTotal, r.Fingerprint = q.Prices.Total, q.Fingerprint
	return r
}

// apply puts a code into the cart of a request that fetches its order.
func (h *house) apply(t testing.TB, v visit.Context, r order.Request, code string) order.Request {
	t.Helper()
	q, err := h.carts.ApplyPromocode(t.Context(), v, carttest.Takeaway(r.ShopID), code)
	if err != nil {
		t.Fatal(err)
	}
	return agree(r, q)
}

// take puts a gift into it.
func (h *house) take(t testing.TB, v visit.Context, r order.Request, gift int64) order.Request {
	t.Helper()
	q, err := h.carts.AddGift(t.Context(), v, carttest.Takeaway(r.ShopID), gift)
	if err != nil {
		t.Fatal(err)
	}
	return agree(r, q)
}

// pay pays for it with bonuses.
func (h *house) pay(t testing.TB, v visit.Context, r order.Request, bonuses money.Amount) order.Request {
	t.Helper()
	q, err := h.carts.ApplyBonuses(t.Context(), v, carttest.Takeaway(r.ShopID), bonuses)
	if err != nil {
		t.Fatal(err)
	}
	return agree(r, q)
}

// fetch gives a request to fetch an order as soon as possible, from another phone each.
func (h *house) fetch(t testing.TB, v visit.Context, n int) order.Request {
	t.Helper()
	r := h.takeaway(t, v, carttest.Arbat, schedule.ASAP)
	r.Phone = fmt.Sprintf("+7916123%04d", n)
	return r
}

// wantRefused wants a conflict of the key with the fresh cart beside it.
func wantRefused(t testing.TB, err error, keys ...string) cart.Quoted {
	t.Helper()
	f, ok := fault.Of(err)
	if !ok || f.Code != fault.Conflict || !slices.Contains(keys, f.Message.Key) {
		t.Fatalf("got %v, want one of %v", err, keys)
	}
	q, ok := f.Data.(cart.Quoted)
	if !ok {
		t.Fatalf("no fresh cart beside %v: %T", err, f.Data)
	}
	return q
}

func TestAnOrderKeepsWhatItWasGivenAndTheCartDoesNot(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		v := h.Visitor(t, "sushi")
		r := h.take(t, v, h.apply(t, v, h.fetch(t, v, 1), "THREE"), soyGiftID)
		o := h.place(t, v, r)
		got, err := h.orders.Get(t.Context(), v, o.ID)
		if err != nil || asText(t, got) != asText(t, o) {
			t.Errorf("read back %s, %v; want %s", asText(t, got), err, asText(t, o))
		}
		if got.Promocode != "THREE" || got.Prices.Discount != money.Major(10) || len(got.Lines) != 1 || len(got.Details.Gifts) != 1 {
			t.Fatalf("got %+v", got)
		}
		if g := got.Details.Gifts[0]; g.ID != soyGiftID || g.Count != 1 || g.BasicPrice != money.Major(30) || !slices.Equal(g.Allergens, got.Details.Gifts[0].Allergens) {
			t.Errorf("got %+v", g)
		}
		if p := got.Prices; p.Subtotal+p.Packages+p.Delivery-p.Discount-p.Bonuses != p.Total {
			t.Errorf("the total is not the sum of its parts: %+v", p)
		}
		if ids, err := h.orders.MostOrdered(t.Context(), "sushi", carttest.Moscow); err != nil || !slices.Equal(ids, []int64{carttest.Rice}) {
			t.Errorf("a gift counts as ordered: %v, %v", ids, err)
		}
		q, err := h.carts.Load(t.Context(), h.Again(t, v, "sushi"), carttest.Takeaway(carttest.Arbat), nil)
		if err != nil || len(q.Cart.Gifts) != 0 || q.Promocode != nil {
			t.Errorf("left in the cart: %+v, %v", q.Cart, err)
		}
		h.move(t, o, order.Cooking, order.Done)
		repeated, err := h.orders.Repeat(t.Context(), h.Again(t, v, "sushi"), o.ID, cart.Replace)
		if err != nil || len(repeated.Cart.Lines) != 1 || len(repeated.Cart.Cart.Gifts) != 0 || repeated.Cart.Promocode != nil {
			t.Errorf("repeated %+v, %v", repeated.Cart.Cart, err)
		}
		left := map[order.DifferenceKind]string{}
		for _, d := range repeated.Differences {
			left[d.Kind] = d.Name.In(lang.EN)
		}
		if want := map[order.DifferenceKind]string{
			order.CodeLeft: "THREE", order.GiftLeft: got.Details.Gifts[0].Name.In(lang.EN),
		}; !maps.Equal(left, want) {
			t.Errorf("told as left out %v, want %v", left, want)
		}
	})
}

func TestAPhoneGetsItsFirstOrderOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		var wait sync.WaitGroup
		var mu sync.Mutex
		won := 0
		buyers := make([]buyer, 6)
		for n := range buyers {
			v := h.Visitor(t, "sushi")
			r := h.fetch(t, v, 7)
			if n%2 == 0 {
				r = h.take(t, v, r, firstGift)
			} else {
				r = h.apply(t, v, r, "HELLO")
			}
			buyers[n] = buyer{v, r}
		}
		for _, b := range buyers {
			wait.Go(func() {
				_, err := h.orders.Create(t.Context(), b.v, b.r)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won++
					return
				}
				// The customer is not led in a circle: what he is shown now, he gets.
				q := wantRefused(t, err, "order.first_order_gone", "order.changed", "order.total_changed")
				if again, err := h.carts.Preview(t.Context(), b.v, carttest.Takeaway(carttest.Arbat)); err != nil || again.Fingerprint != q.Fingerprint {
					t.Errorf("the cart that was shown is not the one that is there: %v", err)
				}
				o, err := h.orders.Create(t.Context(), b.v, agree(b.r, q))
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

func TestACodeForEachPhoneIsCountedByThePhoneOfTheOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newShop(t, d)
		first, second := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		h.place(t, first, h.apply(t, first, h.fetch(t, first, 1), "ONCE"))
		r := h.apply(t, second, h.fetch(t, second, 1), "ONCE")
		_, err := h.orders.Create(t.Context(), second, r)
		q := wantRefused(t, err, "order.total_changed")
		if q.Promocode == nil || q.Promocode.IsActive {
			t.Errorf("the code is still active: %+v", q.Promocode)
		}
		r.Phone = "+79161230002" // of the same checkout, nothing having been taken
		q, err = h.carts.Preview(t.Context(), second, carttest.Takeaway(carttest.Arbat))
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.orders.Create(t.Context(), second, agree(r, q))
		q = wantRefused(t, err, "order.total_changed") // another phone may use it, which is told too
		if o := h.place(t, second, agree(r, q)); o.Promocode != "ONCE" {
			t.Errorf("got %+v", o)
		}
	})
}
