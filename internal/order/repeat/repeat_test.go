package repeat_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/order"
	"servery/internal/order/ordertest"
	"servery/internal/order/repeat"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// countPortions returns how many portions the cart has of each line, by its key.
func countPortions(c cart.Cart) map[string]int {
	counts := map[string]int{}
	for _, line := range c.Lines {
		counts[line.Key] = line.Count
	}
	return counts
}

// placeRepeatable returns a done order for delivery and its visitor, whose cart for takeaway has
// the additions.
func placeRepeatable(t *testing.T, h *ordertest.Restaurant, additions ...cart.Addition) (visit.Context, order.Order) {
	t.Helper()
	v := h.Visitor(t, "sushi")
	o := h.Place(t, v, h.Delivery(t, v, schedule.ASAP))
	h.Move(t, o, order.Cooking, order.Sent, order.Done)
	v = h.Again(t, v, "sushi")
	for _, a := range additions {
		if _, err := h.Carts.Add(t.Context(), v, carttest.Takeaway(carttest.Arbat), a); err != nil {
			t.Fatal(err)
		}
	}
	return v, o
}

// Repeat fills an empty cart. With the mode WhenEmpty it refuses a filled one with cart.filled.
func TestRepeat_asksBeforeItTakesTheCartsPlace(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v, o := placeRepeatable(t, h)
		filled, err := h.Repeats().Repeat(t.Context(), v, o.ID, carts.WhenEmpty)
		if err != nil || len(filled.Cart.Lines) != len(o.Lines) {
			t.Fatalf("an empty cart: %+v, %v", filled.Cart.Cart, err)
		}
		_, err = h.Repeats().Repeat(t.Context(), v, o.ID, carts.WhenEmpty)
		if !errors.Is(err, fault.New(fault.Conflict, "cart.filled")) {
			t.Errorf("a filled cart: %v", err)
		}
	})
}

// Order again asks before it replaces a filled cart. Until the customer has answered, the address that was used last
// stays the first of the saved ones.
func TestRepeat_savesNoAddressBeforeTheCartIsFilled(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v, o := placeRepeatable(t, h, cart.Addition{ProductKey: "1-1007", Count: 3})
		owner := geo.Owner{SessionID: v.SessionID, CustomerID: v.CustomerID, Site: v.Site.Alias}
		listed := func() (streets []string) {
			saved, err := h.Addresses.List(t.Context(), owner)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range saved {
				streets = append(streets, a.Street)
			}
			return streets
		}
		home := geo.Address{CityID: carttest.Moscow, Precision: geo.AtHouse, Address: "улица Остоженка, 1", FullAddress: "Москва, улица Остоженка, 1", Street: "улица Остоженка", House: "1", Point: carttest.InFree}
		h.Clock.Advance(time.Minute)
		if _, err := h.Addresses.Save(t.Context(), owner, home, site.AddressForm{}); err != nil {
			t.Fatal(err)
		}
		before := listed()
		h.Clock.Advance(time.Minute)
		if _, err := h.Repeats().Repeat(t.Context(), v, o.ID, carts.WhenEmpty); !errors.Is(err, fault.New(fault.Conflict, "cart.filled")) {
			t.Fatalf("a filled cart: %v", err)
		}
		if got := listed(); !slices.Equal(got, before) {
			t.Errorf("before the answer: saved %v, want %v", got, before)
		}
		q, err := h.Repeats().Repeat(t.Context(), v, o.ID, carts.Replace)
		if err != nil {
			t.Fatal(err)
		}
		if got := listed(); got[0] != o.Details.Address.Street || q.Cart.Cart.Address.ID == 0 {
			t.Errorf("after the answer: saved %v, the cart's %+v", got, q.Cart.Cart.Address)
		}
	})
}

// A cart is filled by replacing and by joining. BringBack restores the former cart each time,
// and a repeated call returns the same.
func TestRepeat_canBeUndone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v, o := placeRepeatable(t, h, cart.Addition{ProductKey: "1-1007", Count: 3})
		for mode, want := range map[carts.FillMode]int{carts.Replace: 2, carts.Join: 3} {
			filled, err := h.Repeats().Repeat(t.Context(), v, o.ID, mode)
			if err != nil || len(filled.Cart.Lines) != want {
				t.Fatalf("%s: %+v, %v", mode, filled.Cart.Cart, err)
			}
			isTakeaway := filled.Cart.Cart.OrderType == site.Takeaway
			if isTakeaway != (mode == carts.Join) {
				t.Errorf("%s: ordered as %s", mode, filled.Cart.Cart.OrderType)
			}
			once := v
			once.IdempotencyKey = "undo-" + string(mode)
			for range 2 { // the second call changes nothing
				q, err := h.Carts.BringBack(t.Context(), once, carttest.Moscow)
				if err != nil || len(q.Lines) != 1 || countPortions(q.Cart)["1-1007"] != 3 || q.Cart.OrderType != site.Takeaway || q.Cart.ShopID != carttest.Arbat {
					t.Errorf("%s brought back: %+v, %v", mode, q.Cart, err)
				}
			}
		}
	})
}

// Joining an order twice doubles its portions; each call with one idempotency key counts once.
// The portions end at the maximum.
func TestRepeat_addsToTheSameLine(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v, o := placeRepeatable(t, h)
		for want := 1; want <= 2; want++ {
			once := v
			once.IdempotencyKey = "add-" + string(rune('a'+want))
			for range 2 { // the second call changes nothing
				filled, err := h.Repeats().Repeat(t.Context(), once, o.ID, carts.Join)
				if err != nil || filled.Cart.Lines[0].Count != want*o.Lines[0].Count {
					t.Errorf("repeat %d: %+v, %v", want, filled.Cart.Cart, err)
				}
			}
		}
		if _, err := h.Carts.Add(t.Context(), v, carttest.Delivery(), cart.Addition{ProductKey: o.Lines[0].Key, Count: cart.MaxCount - 2*o.Lines[0].Count}); err != nil {
			t.Fatal(err)
		}
		q, err := h.Repeats().Repeat(t.Context(), v, o.ID, carts.Join)
		if err != nil || countPortions(q.Cart.Cart)[o.Lines[0].Key] != cart.MaxCount {
			t.Errorf("above %d portions: %+v, %v", cart.MaxCount, q.Cart.Cart, err)
		}
	})
}

// Without a repeat, and once the cart was changed after one, BringBack returns cart.not_kept.
func TestRepeat_isNotUndoneOverALaterChange(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		errNotKept := fault.New(fault.Conflict, "cart.not_kept")
		v, o := placeRepeatable(t, h)
		if _, err := h.Carts.BringBack(t.Context(), v, carttest.Moscow); !errors.Is(err, errNotKept) {
			t.Errorf("without a repeat: %v", err)
		}
		rice := cart.Addition{ProductKey: "1-1002", Count: 1}
		changes := map[string]func() error{
			"a dish": func() error { _, err := h.Carts.Add(t.Context(), v, carttest.Delivery(), rice); return err },
			"a shop": func() error { _, err := h.Carts.SetShop(t.Context(), v, carttest.Arbat); return err },
			"empty":  func() error { _, err := h.Carts.Clear(t.Context(), v, carttest.Moscow); return err },
		}
		for name, change := range changes {
			if _, err := h.Carts.Add(t.Context(), v, carttest.Delivery(), rice); err != nil {
				t.Fatal(err)
			}
			if _, err := h.Repeats().Repeat(t.Context(), v, o.ID, carts.Replace); err != nil {
				t.Fatal(err)
			}
			if err := change(); err != nil {
				t.Fatal(err)
			}
			if _, err := h.Carts.BringBack(t.Context(), v, carttest.Moscow); !errors.Is(err, errNotKept) {
				t.Errorf("after %s: %v", name, err)
			}
		}
	})
}

// The city of a delivered order has takeaway alone by now. The order is repeated for takeaway, with the
// shop to be chosen, as the dishes are still sold; no address is saved.
func TestRepeat_isForTheOtherOrderTypeWhereThatOfTheOrderIsNotSold(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := ordertest.New(t, d)
		v, o := placeRepeatable(t, h)
		const cities = "sushi/cities.yaml"
		h.Import(t, map[string]string{cities: strings.Replace(carttest.Texts[cities], "- place: moscow\n", "- place: moscow\n  order_types: [takeaway]\n", 1)})
		got, err := h.Repeats().Repeat(t.Context(), h.Again(t, v, "sushi"), o.ID, carts.Replace)
		if err != nil {
			t.Fatal(err)
		}
		c := got.Cart.Cart
		if len(c.Lines) != len(o.Lines) || c.OrderType != site.Takeaway || c.ShopID != 0 || c.Address != nil || c.ZoneID != 0 {
			t.Errorf("repeated %+v", c)
		}
		for _, difference := range got.Differences {
			if difference.Kind != repeat.OtherPrice { // of the salmon roll
				t.Errorf("%v: %s", difference.Name, difference.Kind)
			}
		}
	})
}

// Three pairs of rolls were ordered. A count in which they are not sold now is rounded up to one in which they are,
// and the customer is shown both: where the step has become another one, and in the last work hour.
func TestRepeat_roundsCountsUpToTheStepOfSale(t *testing.T) {
	t.Parallel()
	const file, step = "sushi/menu/01-rolls.yaml", "sale_multiplicity: 2,"
	importStep := func(of string) func(t *testing.T, h *ordertest.Restaurant) {
		return func(t *testing.T, h *ordertest.Restaurant) {
			h.Import(t, map[string]string{file: strings.Replace(carttest.Texts[file], step, of, 1)})
		}
	}
	for name, c := range map[string]struct {
		change func(t *testing.T, h *ordertest.Restaurant)
		want   int
	}{
		"the same step":   {func(*testing.T, *ordertest.Restaurant) {}, 6},
		"a step of four":  {importStep("sale_multiplicity: 4,"), 8},
		"a step of sixty": {importStep("sale_multiplicity: 60,"), 60},
		"the last work hour": {func(_ *testing.T, h *ordertest.Restaurant) {
			h.Clock.Set(carttest.Noon.Add(9*time.Hour + 30*time.Minute))
		}, 8},
		"a dish that is stopped": {func(t *testing.T, h *ordertest.Restaurant) {
			importStep("sale_multiplicity: 4,")(t, h)
			h.Stop(t, catalog.StopProduct, "pair-roll")
		}, 6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := ordertest.New(t, dbtest.Open(t, db.SQLite))
			v := h.Visitor(t, "sushi")
			pairs := cart.Addition{ProductKey: "1-1006", Count: 6}
			if _, err := h.Carts.Add(t.Context(), v, carttest.Takeaway(carttest.Pokrovka), pairs); err != nil {
				t.Fatal(err)
			}
			o := h.Place(t, v, h.Takeaway(t, v, carttest.Pokrovka, schedule.ASAP))
			h.Move(t, o, order.Cooking, order.Done)
			c.change(t, h)
			got, err := h.Repeats().Repeat(t.Context(), h.Again(t, v, "sushi"), o.ID, carts.Replace)
			if err != nil {
				t.Fatal(err)
			}
			if count := countPortions(got.Cart.Cart)[pairs.ProductKey]; count != c.want {
				t.Errorf("%d portions, want %d", count, c.want)
			}
			var before, after int
			for _, d := range got.Differences {
				if d.Kind == repeat.OtherCount {
					before, after = d.OldCount, d.NewCount
				}
			}
			if isOther := c.want != 6; isOther && (before != 6 || after != c.want) || !isOther && after != 0 {
				t.Errorf("the difference is %d → %d", before, after)
			}
		})
	}
}
