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

// thirtyLines is a cart of thirty lines to which every rule applies.
func thirtyLines(code string, bonuses money.Amount) asked {
	var c cart.Cart
	for i := range 30 {
		var line cart.Line
		switch i % 3 {
		case 0:
			line = dish(carttest.Salmon, 1+i%4, cart.Chosen{ID: carttest.Ginger, Count: 1 + i%3}, cart.Chosen{ID: carttest.SoySauce, GroupID: carttest.Sauce, Count: 1})
		case 1:
			line = dish(bowl, 1+i%4, cart.Chosen{ID: truffle, GroupID: toppings, Count: 1 + i%3}, cart.Chosen{ID: cheese, GroupID: toppings, Count: 2})
		default:
			line = dish(third, 1+i%4)
		}
		line.Key = fmt.Sprintf("%s~%08x", line.Key, i)
		c.Lines = append(c.Lines, line)
	}
	c.Promocode, c.Bonuses = code, bonuses
	c.Gifts = []cart.Given{{ID: 1, Count: 2}, {ID: 5, Count: 1}, {ID: 10, Count: 3}}
	c.Presents = []cart.Given{{ID: 7, Count: 1}}
	c.IntervalID = schedule.IDOf(carttest.Noon.Add(2 * schedule.LastHourWindow))
	return asked{cart: c, facts: cart.Facts{
		CustomerID: 1, Balance: money.Major(5000), GiftsUsed: map[int64]int{10: 1},
		Presents: []cart.Present{{ID: 7, GiftID: 12, MaxCount: 2}},
	}}
}

// BenchmarkQuote30Lines prices thirty lines with modifiers, gifts with conditions, a
// present, packages, a zone, a chosen interval, and a code or bonuses.
func BenchmarkQuote30Lines(b *testing.B) {
	v := rulesHouse(b).Again(b, visit.Context{}, "sushi")
	for _, c := range []struct {
		name string
		a    asked
	}{
		{"percent", thirtyLines("TEN", 0)},
		{"sum", thirtyLines("SUM100", 0)},
		{"bonuses", thirtyLines("MUG", money.Major(2000))},
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

// It is not parallel: what other tests allocate would be counted too.
func TestThePriceOfThirtyLinesAllocatesLittle(t *testing.T) {
	v := rulesHouse(t).Again(t, visit.Context{}, "sushi")
	q := thirtyLines("TEN", 0).quote(t, v)
	if n := testing.AllocsPerRun(20, func() { cart.Quote(q.Cart, q.Spot, q.Menu, q.Facts, v.Lang, v.Now) }); n > 100 {
		t.Errorf("%v allocations", n)
	}
}

func TestGiftsAreWorkForTheKitchen(t *testing.T) {
	t.Parallel()
	v := rulesHouse(t).Again(t, visit.Context{}, "sushi")
	needs := func(gifts ...cart.Given) int {
		return asked{cart: with(dishes(dish(carttest.Rice, 2)), "MUG", gifts...)}.quote(t, v).Needs()[schedule.AllGroups]
	}
	if without, with := needs(), needs(cart.Given{ID: 10, Count: 2}); without != 3*5 || with != 5*5 {
		t.Errorf("%d minutes, with two gifts %d", without, with)
	}
}
