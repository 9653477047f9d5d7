package cart_test

import (
	"fmt"
	"testing"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/money"
	"servery/internal/schedule"
	"servery/internal/visit"
)

// newThirtyLines returns a cart of thirty lines to which every rule applies, with a promocode,
// empty for none, and bonuses to pay with.
func newThirtyLines(code string, bonuses money.Amount) quoteInput {
	var c cart.Cart
	for i := range 30 {
		var line cart.Line
		switch i % 3 {
		case 0:
			line = lineOf(carttest.Salmon, 1+i%4, cart.Chosen{ID: carttest.Ginger, Count: 1 + i%3}, cart.Chosen{ID: carttest.SoySauce, GroupID: carttest.Sauce, Count: 1})
		case 1:
			line = lineOf(bowl, 1+i%4, cart.Chosen{ID: truffle, GroupID: toppings, Count: 1 + i%3}, cart.Chosen{ID: cheese, GroupID: toppings, Count: 2})
		default:
			line = lineOf(third, 1+i%4)
		}
		line.Key = fmt.Sprintf("%s~%08x", line.Key, i)
		c.Lines = append(c.Lines, line)
	}
	c.Promocode, c.Bonuses = code, bonuses
	c.Gifts = []cart.Given{{ID: 1, Count: 2}, {ID: 5, Count: 1}, {ID: 10, Count: 3}}
	c.Presents = []cart.Given{{ID: 7, Count: 1}}
	c.IntervalID = schedule.IDOf(carttest.Noon.Add(2 * schedule.LastHourWindow))
	return quoteInput{cart: c, facts: cart.Facts{
		CustomerID: 1, Balance: money.Major(5000), GiftsUsed: map[int64]int{10: 1},
		Presents: []cart.Present{{ID: 7, GiftID: 12, MaxCount: 2}},
	}}
}

// BenchmarkQuote30Lines measures pricing thirty lines with modifiers, gifts with conditions, a
// present, packages, a zone, a chosen interval, and a code or bonuses.
func BenchmarkQuote30Lines(b *testing.B) {
	v := newRulesHouse(b).Again(b, visit.Context{}, "sushi")
	for _, c := range []struct {
		name string
		a    quoteInput
	}{
		{"percent", newThirtyLines("TEN", 0)},
		{"sum", newThirtyLines("SUM100", 0)},
		{"bonuses", newThirtyLines("MUG", money.Major(2000))},
	} {
		b.Run(c.name, func(b *testing.B) {
			q := c.a.quote(b, v)
			if !q.IsComplete() || q.Interval == nil || q.Prices.Discount+q.Prices.Bonuses == 0 || len(q.Lost) > 0 {
				b.Fatalf("not all rules are on: %+v", q.Prices)
			}
			b.ReportAllocs()
			for b.Loop() {
				cart.Quote(q.Cart, q.Spot, q.Menu, q.Facts, v.Lang, v.Now)
			}
		})
	}
}

// Pricing thirty lines makes at most a hundred allocations. The test is not parallel, since what
// other tests allocate would be counted too.
func TestQuote_allocatesLittle(t *testing.T) {
	v := newRulesHouse(t).Again(t, visit.Context{}, "sushi")
	q := newThirtyLines("TEN", 0).quote(t, v)
	if n := testing.AllocsPerRun(20, func() { cart.Quote(q.Cart, q.Spot, q.Menu, q.Facts, v.Lang, v.Now) }); n > 100 {
		t.Errorf("%v allocations", n)
	}
}

// The kitchen work of a cart includes its gifts: the one of the promocode and two that were
// chosen.
func TestNeeds_countGifts(t *testing.T) {
	t.Parallel()
	v := newRulesHouse(t).Again(t, visit.Context{}, "sushi")
	needs := func(gifts ...cart.Given) int {
		return quoteInput{cart: withOffers(cartOf(lineOf(carttest.Rice, 2)), "MUG", gifts...)}.quote(t, v).Needs()[schedule.AllGroups]
	}
	if without, with := needs(), needs(cart.Given{ID: 10, Count: 2}); without != 3*5 || with != 5*5 {
		t.Errorf("%d minutes, with two gifts %d", without, with)
	}
}
