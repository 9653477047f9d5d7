package repeat_test

import (
	"strings"
	"testing"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/order/repeat"
	"servery/internal/schedule"
)

// A roll was ordered with rice, ginger twice and the spicy sauce. Repeated, it keeps all of them that can
// still be chosen; only a group that lacks what it needs gets its usual modifiers. It is not repeated when
// that is gone too.
func TestRepeat_keepsTheModifiersThatCanStillBeChosen(t *testing.T) {
	t.Parallel()
	const file = "sushi/modifiers.yaml"
	const rice, ginger = 1, 4
	importWith := func(before, after string) func(t *testing.T, h *ordertest.Restaurant) {
		return func(t *testing.T, h *ordertest.Restaurant) {
			h.Import(t, map[string]string{file: strings.Replace(carttest.Texts[file], before, after, 1)})
		}
	}
	stop := func(aliases ...string) func(t *testing.T, h *ordertest.Restaurant) {
		return func(t *testing.T, h *ordertest.Restaurant) {
			for _, alias := range aliases {
				h.Stop(t, catalog.StopModifier, alias)
			}
		}
	}
	rices := cart.Chosen{ID: rice, Count: 1}
	gingers := func(count int) cart.Chosen { return cart.Chosen{ID: ginger, Count: count} }
	sauce := func(id int64) cart.Chosen { return cart.Chosen{ID: id, GroupID: carttest.Sauce, Count: 1} }
	for name, c := range map[string]struct {
		change func(t *testing.T, h *ordertest.Restaurant)
		want   []cart.Chosen
		kind   repeat.DifferenceKind
	}{
		"as before":      {func(*testing.T, *ordertest.Restaurant) {}, []cart.Chosen{rices, gingers(2), sauce(carttest.SpicySauce)}, ""},
		"one stopped":    {stop("ginger"), []cart.Chosen{rices, sauce(carttest.SpicySauce)}, repeat.WithoutModifiers},
		"one renumbered": {importWith("id: 4, alias: ginger", "id: 5, alias: ginger"), []cart.Chosen{rices, sauce(carttest.SpicySauce)}, repeat.WithoutModifiers},
		"fewer of one":   {importWith("price: 20, max: 3", "price: 20, max: 1"), []cart.Chosen{rices, gingers(1), sauce(carttest.SpicySauce)}, repeat.WithoutModifiers},
		"a group's only": {stop("spicy-sauce"), []cart.Chosen{rices, gingers(2), sauce(carttest.SoySauce)}, repeat.WithoutModifiers},
		"more of one": {
			importWith("price: 20, max: 3", "price: 20, min: 3, count: 3, max: 3"),
			[]cart.Chosen{rices, gingers(3), sauce(carttest.SpicySauce)},
			repeat.OtherPrice,
		},
		"a whole group": {stop("spicy-sauce", "soy-sauce"), nil, repeat.Gone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := ordertest.New(t, dbtest.Open(t, db.SQLite))
			v := h.Visitor(t, "sushi")
			roll := cart.Addition{ProductKey: "1-1001", Count: 1, Modifiers: []cart.Chosen{rices, gingers(2), sauce(carttest.SpicySauce)}}
			if _, err := h.Carts.Add(t.Context(), v, carttest.Takeaway(carttest.Arbat), roll); err != nil {
				t.Fatal(err)
			}
			o := h.Place(t, v, h.Takeaway(t, v, carttest.Arbat, schedule.ASAP))
			h.Move(t, o, order.Cooking, order.Done)
			c.change(t, h)
			got, err := h.Repeats().Repeat(t.Context(), h.Again(t, v, "sushi"), o.ID, carts.Replace)
			if err != nil {
				t.Fatal(err)
			}
			var chosen []cart.Chosen
			if line := got.Cart.Cart.Lines[0]; line.ProductID == 1001 {
				chosen = line.Modifiers
			}
			if cart.LineKey("", chosen) != cart.LineKey("", c.want) {
				t.Errorf("chosen %v, want %v", chosen, c.want)
			}
			var kind repeat.DifferenceKind
			for _, d := range got.Differences {
				if kind = d.Kind; d.Name["en"] != "Salmon roll" {
					t.Errorf("%v differs", d.Name)
				}
			}
			if kind != c.kind {
				t.Errorf("the difference is %q, want %q", kind, c.kind)
			}
		})
	}
}
