package cart_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/visit"
)

// giftAttempt is a change of gifts, presents, promocode or bonuses that is tried on a cart.
type giftAttempt struct {
	name string
	quoteInput
	do func(q cart.Quoted, l lang.Lang) (cart.Cart, error)
}

// addGift returns the change that adds one of a gift.
func addGift(id int64) func(cart.Quoted, lang.Lang) (cart.Cart, error) {
	return func(q cart.Quoted, l lang.Lang) (cart.Cart, error) {
		return q.Cart.AddGift(id, q.Spot, q.Menu, q.Facts, l, q.At)
	}
}

// addPresent returns the change that adds one of a present.
func addPresent(id int64) func(cart.Quoted, lang.Lang) (cart.Cart, error) {
	return func(q cart.Quoted, l lang.Lang) (cart.Cart, error) {
		return q.Cart.AddPresent(id, q.Spot, q.Menu, q.Facts, l, q.At)
	}
}

// applyCode returns the change that applies a promocode.
func applyCode(code string) func(cart.Quoted, lang.Lang) (cart.Cart, error) {
	return func(q cart.Quoted, l lang.Lang) (cart.Cart, error) {
		return q.Cart.ApplyPromocode(code, q.Spot, q.Menu, q.Facts, l, q.At)
	}
}

// applyBonuses returns the change that pays with at most this many bonuses.
func applyBonuses(most money.Amount) func(cart.Quoted, lang.Lang) (cart.Cart, error) {
	return func(q cart.Quoted, l lang.Lang) (cart.Cart, error) {
		return q.Cart.ApplyBonuses(most, q.Spot, q.Menu, q.Facts, l, q.At)
	}
}

// giftAttempts returns changes of gifts, presents, promocode and bonuses, of which most must be
// refused.
func giftAttempts() []giftAttempt {
	rice := cartOf(lineOf(carttest.Rice, 1))
	full := withOffers(rice, "", cart.Given{ID: 10, Count: 3})
	holding := rice
	holding.Presents = []cart.Given{{ID: 7, Count: 1}}
	own := cart.Facts{CustomerID: 1, Presents: []cart.Present{
		{ID: 7, GiftID: 10, MaxCount: 1},
		{ID: 8, GiftID: 10, MaxCount: 1, ExpiresAt: carttest.Noon},
		{ID: 9, GiftID: 12, MaxCount: 1},
		{ID: 6, GiftID: 10, MaxCount: 1, Used: 1},
	}}
	withBonuses := knownCustomer(money.Major(10))
	return []giftAttempt{
		{"a gift", quoteInput{cart: rice}, addGift(10)},
		{"a gift that does not exist", quoteInput{cart: rice}, addGift(99)},
		{"a gift of another city", quoteInput{cart: rice}, addGift(13)},
		{"a personal gift", quoteInput{cart: rice}, addGift(12)},
		{"the gift of the code", quoteInput{cart: withOffers(rice, "CAKE")}, addGift(12)},
		{"a gift without its condition", quoteInput{cart: rice}, addGift(1)},
		{"a gift without the second of two", quoteInput{cart: cartOf(lineOf(carttest.Rice, 10))}, addGift(11)},
		{"a gift for an empty cart", quoteInput{}, addGift(10)},
		{"one gift too many", quoteInput{cart: full}, addGift(10)},
		{"a gift of which none is left", quoteInput{cart: rice, facts: cart.Facts{GiftsUsed: map[int64]int{10: 5}}}, addGift(10)},
		{"one more than the stock has left", quoteInput{cart: withOffers(rice, "", cart.Given{ID: 10, Count: 1}), facts: cart.Facts{GiftsUsed: map[int64]int{10: 4}}}, addGift(10)},
		{"a gift whose product is stopped", quoteInput{cart: rice}, addGift(14)},
		{"a gift whose product is not sold here", quoteInput{place: carttest.Takeaway(carttest.Pokrovka), cart: rice}, addGift(15)},
		{"a present", quoteInput{cart: rice, facts: own}, addPresent(7)},
		{"another customer's present", quoteInput{cart: rice, facts: own}, addPresent(70)},
		{"a guest's present", quoteInput{cart: rice}, addPresent(7)},
		{"a present that has expired", quoteInput{cart: rice, facts: own}, addPresent(8)},
		{"a present that was used", quoteInput{cart: rice, facts: own}, addPresent(6)},
		{"a present whose product is stopped", quoteInput{cart: rice, facts: own}, addPresent(9)},
		{"one present too many", quoteInput{cart: holding, facts: own}, addPresent(7)},
		{"a present for an empty cart", quoteInput{facts: own}, addPresent(7)},
		{"a code as customers write it", quoteInput{cart: rice}, applyCode("  ten ")},
		{"no code", quoteInput{cart: rice}, applyCode(" ")},
		{"a code that does not exist", quoteInput{cart: rice}, applyCode("NOPE")},
		{"a code with a bound that fails", quoteInput{cart: withOffers(rice, "TEN")}, applyCode("THOUSAND")},
		{"a code that is used up", quoteInput{cart: rice, facts: cart.Facts{PromocodeUsed: 100}}, applyCode("HUNDRED")},
		{"bonuses", quoteInput{cart: rice, facts: knownCustomer(money.Major(10))}, applyBonuses(money.Major(10))},
		{"fewer than none", quoteInput{cart: rice, facts: knownCustomer(money.Major(10))}, applyBonuses(-1)},
		{"a guest's bonuses", quoteInput{cart: rice}, applyBonuses(money.Major(10))},
		{"none of a guest", quoteInput{cart: rice}, applyBonuses(0)},
		{"bonuses where there are none", quoteInput{place: berlinPlace(), cart: rice, facts: knownCustomer(0)}, applyBonuses(money.Major(10))},
		{"bonuses where they are switched off", quoteInput{place: berlinPlace(), cart: rice, facts: withBonuses}, applyBonuses(money.Major(10))},
		{"bonuses after the last day", quoteInput{cart: rice, facts: withBonuses, at: carttest.Noon.AddDate(1, 0, 0)}, applyBonuses(money.Major(10))},
		{"bonuses with a discount", quoteInput{cart: withOffers(rice, "TEN"), facts: withBonuses}, applyBonuses(money.Major(10))},
		{"bonuses with free delivery", quoteInput{cart: withOffers(rice, "FREEWAY"), facts: withBonuses}, applyBonuses(money.Major(10))},
	}
}

// The result or refusal of each of giftAttempts, with its field and English message, is as in
// testdata/refusals.txt, which people read. A refused change leaves the cart as it was.
func TestCart_refusesEachChangeWithItsOwnMessage(t *testing.T) {
	t.Parallel()
	h := newRulesHouse(t)
	h.Stop(t, catalog.StopProduct, "soy")
	v := h.Again(t, visit.Context{}, "sushi")
	var text strings.Builder
	for _, a := range giftAttempts() {
		q := a.quote(t, v)
		changed, err := a.do(q, lang.EN)
		if err == nil {
			fmt.Fprintf(&text, "%s\n  taken: gifts %v, presents %v, code %q, bonuses %s\n\n", a.name, changed.Gifts, changed.Presents, changed.Promocode, changed.Bonuses)
			continue
		}
		f, ok := fault.Of(err)
		if !ok || len(f.Fields) != 1 {
			t.Fatalf("%s: %v", a.name, err)
		}
		if !reflect.DeepEqual(changed, q.Cart) {
			t.Errorf("%s: refused and changed: %+v", a.name, changed)
		}
		for field, messages := range f.Fields {
			fmt.Fprintf(&text, "%s\n  %s, %s, at %s: %s\n\n", a.name, f.Code, f.Message.Key, field, lang.T(lang.EN, messages[0].Key, messages[0].Args))
		}
	}
	const golden = "testdata/refusals.txt"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	compareGolden(t, golden, string(want), text.String())
}

// Two of one gift and one of another are added; removing and forgetting takes the right ones
// out, and one that is not there changes nothing.
func TestCart_addsAndRemovesGiftsOneByOne(t *testing.T) {
	t.Parallel()
	v := newRulesHouse(t).Again(t, visit.Context{}, "sushi")
	q := quoteInput{cart: cartOf(lineOf(carttest.Rice, 5))}.quote(t, v)
	c := q.Cart
	for _, id := range []int64{10, 10, 1} {
		var err error
		if c, err = c.AddGift(id, q.Spot, q.Menu, q.Facts, lang.EN, q.At); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		what string
		do   func() cart.Cart
		want []cart.Given
	}{
		{"added", func() cart.Cart { return c }, []cart.Given{{ID: 10, Count: 2}, {ID: 1, Count: 1}}},
		{"one less", func() cart.Cart { return c.RemoveGift(10, q.Menu) }, []cart.Given{{ID: 10, Count: 1}, {ID: 1, Count: 1}}},
		{"the last one", func() cart.Cart { return c.RemoveGift(1, q.Menu) }, []cart.Given{{ID: 10, Count: 2}}},
		{"forgotten", func() cart.Cart { return c.ForgetGift(10, q.Menu) }, []cart.Given{{ID: 1, Count: 1}}},
		{"one that is not there", func() cart.Cart { return c.RemoveGift(2, q.Menu) }, []cart.Given{{ID: 10, Count: 2}, {ID: 1, Count: 1}}},
	} {
		if got := step.do().Gifts; !reflect.DeepEqual(got, step.want) {
			t.Errorf("%s: %v, want %v", step.what, got, step.want)
		}
	}
}

// A cart has a gift twice, once chosen and once by the promocode. Removing it takes out the
// chosen one first, and the second time the promocode.
func TestCart_RemoveGift_removesThePromocodeWithItsGift(t *testing.T) {
	t.Parallel()
	v := newRulesHouse(t).Again(t, visit.Context{}, "sushi")
	q := quoteInput{cart: withOffers(cartOf(lineOf(carttest.Rice, 1)), "MUG", cart.Given{ID: 10, Count: 1})}.quote(t, v)
	once := q.Cart.RemoveGift(10, q.Menu)
	if once.Promocode != "MUG" || len(once.Gifts) != 0 {
		t.Errorf("the one that was taken leaves first: %+v", once)
	}
	if twice := once.RemoveGift(10, q.Menu); twice.Promocode != "" {
		t.Errorf("the code stays: %+v", twice)
	}
	if other := once.RemoveGift(1, q.Menu); other.Promocode != "MUG" {
		t.Errorf("another gift takes the code: %+v", other)
	}
}

// Removing takes one of a present at a time, does not change the cart that it is called on, and
// leaves other presents.
func TestCart_RemovePresent_removesOneByOne(t *testing.T) {
	t.Parallel()
	c := cart.Cart{Presents: []cart.Given{{ID: 7, Count: 2}}}
	once := c.RemovePresent(7)
	if twice := once.RemovePresent(7); once.Presents[0].Count != 1 || len(twice.Presents) != 0 || c.Presents[0].Count != 2 {
		t.Errorf("%v, then %v, and before %v", once.Presents, twice.Presents, c.Presents)
	}
	if none := c.RemovePresent(8); none.Presents[0].Count != 2 {
		t.Errorf("another present leaves: %v", none.Presents)
	}
}
