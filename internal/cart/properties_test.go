package cart_test

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/visit"
)

// drawCart draws a cart with a place, a time and facts. Some of the cart is not available.
func drawCart(t *rapid.T) quoteInput {
	a := quoteInput{place: carttest.Delivery(), at: carttest.Noon.Add(time.Duration(rapid.IntRange(0, 100*24*60).Draw(t, "minutes")) * time.Minute)}
	a.place.ZoneID = rapid.SampledFrom([]int64{carttest.Free, carttest.Hard, 0}).Draw(t, "zone")
	if rapid.Bool().Draw(t, "takeaway") {
		a.place = carttest.Takeaway(rapid.SampledFrom([]int64{carttest.Arbat, carttest.Pokrovka, 0}).Draw(t, "shop"))
	}
	for range rapid.IntRange(0, 6).Draw(t, "lines") {
		product := rapid.SampledFrom([]int64{
			carttest.Salmon, carttest.Rice, carttest.Soy, carttest.Wasabi, carttest.Pair, carttest.OnlyArbat, bowl, mint, third,
		}).Draw(t, "product")
		line := lineOf(product, rapid.IntRange(1, 40).Draw(t, "count"))
		for range rapid.IntRange(0, 3).Draw(t, "modifiers") {
			c := rapid.SampledFrom([]cart.Chosen{
				{ID: carttest.Ginger},
				{ID: carttest.SoySauce, GroupID: carttest.Sauce},
				{ID: carttest.SpicySauce, GroupID: carttest.Sauce},
				{ID: truffle, GroupID: toppings},
				{ID: cheese, GroupID: toppings},
				{ID: onion, GroupID: toppings},
			}).Draw(t, "modifier")
			c.Count = rapid.IntRange(1, 3).Draw(t, "times")
			line.Modifiers = append(line.Modifiers, c)
		}
		a.cart.Lines = append(a.cart.Lines, line)
	}
	a.cart.WithoutBag = rapid.Bool().Draw(t, "without bag")
	a.cart.Promocode = rapid.SampledFrom([]string{
		"", "TEN", "BOWLS33", "SUM100", "SUM9999", "SAUCE10", "CAKE", "MUG", "FREEWAY", "NIGHT", "PICKUP", "ALL100", "EVERY",
	}).Draw(t, "code")
	for id := range int64(18) {
		if rapid.IntRange(0, 3).Draw(t, "gift") == 0 {
			a.cart.Gifts = append(a.cart.Gifts, cart.Given{ID: id, Count: rapid.IntRange(1, 4).Draw(t, "gifts")})
		}
	}
	a.cart.Presents = []cart.Given{{ID: 7, Count: rapid.IntRange(1, 3).Draw(t, "presents")}}
	a.cart.Bonuses = money.Amount(rapid.IntRange(0, 300_000).Draw(t, "bonuses"))
	a.facts = cart.Facts{
		CustomerID: rapid.Int64Range(0, 1).Draw(t, "customer"), HasOrdered: rapid.Bool().Draw(t, "has ordered"),
		Balance:   money.Amount(rapid.IntRange(0, 300_000).Draw(t, "balance")),
		GiftsUsed: map[int64]int{10: rapid.IntRange(0, 6).Draw(t, "used")},
		Presents:  []cart.Present{{ID: 7, GiftID: 10, MaxCount: 2, Used: rapid.IntRange(0, 2).Draw(t, "used of a present")}},
	}
	return a
}

// For random carts the total is the sum of its parts and never negative, discounts and bonuses
// of the lines add up to those of the cart, and bonuses leave at least one currency unit of each
// portion and package to pay.
func TestQuote_sumsAddUpForAnyCart(t *testing.T) {
	t.Parallel()
	h := newRulesHouse(t)
	h.Stop(t, catalog.StopProduct, "soy")
	v := h.Again(t, visit.Context{}, "sushi")
	rapid.Check(t, func(t *rapid.T) {
		q := drawCart(t).quote(t, v)
		p := q.Prices
		if p.Total != p.Subtotal+p.Packages+p.Delivery-p.Discount-p.Bonuses || p.Total < 0 || p.Bonuses < 0 || p.UpcomingBonuses < 0 {
			t.Fatalf("does not add up: %+v", p)
		}
		var totals, discounts, least money.Amount
		for _, l := range q.Lines {
			if !l.IsSold() && l.Discount != 0 || l.Discount < 0 || l.Discount > l.Total {
				t.Fatalf("a discount of %s on %s", l.Discount, l.Total)
			}
			discounts += l.Discount
			if l.IsSold() {
				totals += l.Total
				least += min(l.WithModifiers, money.Scale).Times(l.Count)
			}
		}
		for _, packed := range q.Packages {
			least += min(packed.Price, money.Scale).Times(packed.Count)
		}
		if totals != p.Subtotal || discounts != p.Discount {
			t.Fatalf("lines %s less %s: %+v", totals, discounts, p)
		}
		if p.Bonuses > 0 && (p.Discount > 0 || p.Total < least || p.Bonuses > q.Bonus.Balance || p.Bonuses > q.Cart.Bonuses) {
			t.Fatalf("too many bonuses, at least %s is paid: %+v", least, p)
		}
	})
}

// Quoting a random cart, and then the cart that the quote returns, has the same prices and
// fingerprint and removes no further gift. The quote does not change its input.
func TestQuote_ofAQuotedCartChangesNothing(t *testing.T) {
	t.Parallel()
	v := newRulesHouse(t).Again(t, visit.Context{}, "sushi")
	rapid.Check(t, func(t *rapid.T) {
		a := drawCart(t)
		before := append([]cart.Given(nil), a.cart.Gifts...)
		first := a.quote(t, v)
		if !reflect.DeepEqual(append([]cart.Given(nil), a.cart.Gifts...), before) {
			t.Fatal("the quote has changed the cart that it was given")
		}
		a.cart = first.Cart
		second := a.quote(t, v)
		if len(second.Lost) > 0 || second.Prices != first.Prices || second.Fingerprint != first.Fingerprint {
			t.Fatalf("lost %v; %+v, then %+v", second.Lost, first.Prices, second.Prices)
		}
		for _, list := range [][]cart.PricedGift{first.Gifts, first.Presents} {
			for _, g := range list {
				if g.Count < 0 || g.Count > g.MaxCount {
					t.Fatalf("%d of %d of gift %d", g.Count, g.MaxCount, g.ID)
				}
			}
		}
	})
}

// A random change of gifts, presents, code or bonuses either shows in the next quote, or is
// refused at a field and leaves the cart as it was.
func TestCart_changesShowInTheQuoteAndRefusalsChangeNothing(t *testing.T) {
	t.Parallel()
	v := newRulesHouse(t).Again(t, visit.Context{}, "sushi")
	rapid.Check(t, func(t *rapid.T) {
		a := drawCart(t)
		q := a.quote(t, v)
		do := rapid.SampledFrom([]func(cart.Quoted, lang.Lang) (cart.Cart, error){
			addGift(1), addGift(5), addGift(10), addGift(12), addPresent(7), addPresent(8), applyCode("TEN"), applyCode("MUG"), applyBonuses(5000),
		}).Draw(t, "change")
		changed, err := do(q, lang.EN)
		if err != nil {
			if f, ok := fault.Of(err); !ok || len(f.Fields) == 0 || !reflect.DeepEqual(changed, q.Cart) {
				t.Fatalf("%v: %+v", err, changed)
			}
			return
		}
		a.cart = changed
		after := a.quote(t, v)
		if after.Cart.Promocode != changed.Promocode || !reflect.DeepEqual(after.Cart.Presents, changed.Presents) {
			t.Fatalf("taken, and gone: %+v, %+v", changed, after.Cart)
		}
		if after.Promocode != nil && changed.Promocode != q.Cart.Promocode && !after.Promocode.IsActive {
			t.Fatalf("applied, and not active: %+v", after.Promocode)
		}
		// Another code may have another gift, for which one of the stock is left.
		if changed.Promocode == q.Cart.Promocode && !reflect.DeepEqual(after.Cart.Gifts, changed.Gifts) {
			t.Fatalf("taken, and gone: %+v, %+v", changed.Gifts, after.Cart.Gifts)
		}
	})
}

// Of random toppings in random order, the two dearest units cost nothing.
func TestPortionPrice_makesTheDearestUnitsOfAGroupFree(t *testing.T) {
	t.Parallel()
	menu := quoteInput{}.quote(t, newRulesHouse(t).Again(t, visit.Context{}, "sushi")).Menu
	product, _ := menu.Product(bowl)
	prices := map[int64]money.Amount{truffle: 6000, cheese: 4000, onion: 4000}
	rapid.Check(t, func(t *rapid.T) {
		var wanted []cart.Chosen
		var units []money.Amount
		for _, id := range rapid.Permutation([]int64{truffle, cheese, onion}).Draw(t, "order") {
			count := rapid.IntRange(0, 3).Draw(t, "count")
			wanted = append(wanted, cart.Chosen{ID: id, GroupID: toppings, Count: count})
			for range count {
				units = append(units, prices[id])
			}
		}
		want := product.Price
		for i, price := range units { // all but the two that cost most
			dearer := 0
			for k, other := range units {
				if other > price || other == price && k < i {
					dearer++
				}
			}
			if dearer >= 2 {
				want += price
			}
		}
		if got := cart.PortionPrice(product, wanted); got != want {
			t.Fatalf("%v cost %s, want %s", wanted, got, want)
		}
	})
}
