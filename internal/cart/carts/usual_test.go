package carts_test

import (
	"reflect"
	"testing"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
)

// Without modifiers in the request the product's usual ones are added, or more of the line whose
// key is named. An empty list means none, which is refused where one is needed or the usual one
// is stopped.
func TestCart_Add_addsTheUsualModifiersWhenNoneAreNamed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		v := h.Visitor(t, "sushi")
		sauced := cart.LineKey(keyOf(carttest.Salmon), []cart.Chosen{soySauce})
		spiced := cart.LineKey(keyOf(carttest.Salmon), []cart.Chosen{spicySauce})
		add := func(key string, modifiers []cart.Chosen) cart.Quoted {
			t.Helper()
			return mustAdd(t, s, v, carttest.Delivery(), cart.Addition{ProductKey: key, Count: 1, Modifiers: modifiers})
		}
		for i, step := range []struct {
			key       string
			modifiers []cart.Chosen
			want      map[string]int
		}{
			{keyOf(carttest.Salmon), nil, map[string]int{sauced: 1}},
			{keyOf(carttest.Salmon), nil, map[string]int{sauced: 2}},
			{keyOf(carttest.Salmon), []cart.Chosen{spicySauce}, map[string]int{sauced: 2, spiced: 1}},
			{spiced, nil, map[string]int{sauced: 2, spiced: 2}},                                        // more of the line
			{spiced, []cart.Chosen{soySauce}, map[string]int{sauced: 3, spiced: 2}},                    // what is named counts
			{keyOf(carttest.Bowl), nil, map[string]int{sauced: 3, spiced: 2, keyOf(carttest.Bowl): 1}}, // nothing is usual
			{keyOf(carttest.Bowl), []cart.Chosen{}, map[string]int{sauced: 3, spiced: 2, keyOf(carttest.Bowl): 2}},
		} {
			if got := countsOfLines(add(step.key, step.modifiers)); !reflect.DeepEqual(got, step.want) {
				t.Errorf("step %d: %v, want %v", i, got, step.want)
			}
		}
		_, err := s.Add(t.Context(), v, carttest.Delivery(), cart.Addition{ProductKey: spiced, Count: 1, Modifiers: []cart.Chosen{}})
		expectKey(t, "an empty list is none", err, "cart.modifier_group_bounds")
		h.Stop(t, catalog.StopModifier, "soy-sauce")
		_, err = s.Add(t.Context(), h.Again(t, h.Visitor(t, "sushi"), "sushi"), carttest.Delivery(), cart.Addition{ProductKey: keyOf(carttest.Salmon), Count: 1})
		expectKey(t, "the usual one is stopped", err, "cart.modifier_group_bounds")
	})
}

// A modifier that is named without its group goes to the same line as one that is named with it. The
// request is not changed, and a modifier of another product is refused.
func TestCart_Add_findsTheGroupOfAModifier(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		v := h.Visitor(t, "sushi")
		named := []cart.Chosen{{ID: carttest.Ginger, Count: 1}, {ID: carttest.Truffle, GroupID: carttest.Toppings, Count: 1}, {ID: carttest.Cheese, GroupID: carttest.Toppings, Count: 2}}
		bare := []cart.Chosen{{ID: carttest.Cheese, Count: 1}, {ID: carttest.Truffle, Count: 1}, {ID: carttest.Cheese, GroupID: carttest.Toppings, Count: 1}}
		mustAdd(t, s, v, carttest.Delivery(), cart.Addition{ProductKey: keyOf(carttest.Bowl), Count: 1, Modifiers: named[1:]})
		q := mustAdd(t, s, v, carttest.Delivery(), cart.Addition{ProductKey: keyOf(carttest.Bowl), Count: 1, Modifiers: bare})
		if len(q.Lines) != 1 || q.Lines[0].Count != 2 || !reflect.DeepEqual(q.Lines[0].Line.Modifiers, named[1:]) {
			t.Errorf("the same choice is another line: %+v", q.Cart.Lines)
		}
		if bare[0].GroupID != 0 {
			t.Error("the choice of the request was changed")
		}
		_, err := s.Add(t.Context(), v, carttest.Delivery(), cart.Addition{ProductKey: keyOf(carttest.Bowl), Count: 1, Modifiers: named})
		expectKey(t, "a modifier of another product", err, "cart.unknown_modifier")
	})
}

// No list of modifiers and an empty one are different requests, so the second under the same key
// is refused.
func TestService_Add_distinguishesAnEmptyListFromNoneUnderOneKey(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		v := h.Visitor(t, "sushi")
		v.IdempotencyKey = "one-key-for-both"
		add := func(modifiers []cart.Chosen) error {
			_, err := s.Add(t.Context(), v, carttest.Delivery(), cart.Addition{ProductKey: keyOf(carttest.Bowl), Count: 1, Modifiers: modifiers})
			return err
		}
		if err := add(nil); err != nil {
			t.Fatal(err)
		}
		if err := add([]cart.Chosen{}); fault.KeyOf(err) != "cart.key_reused" {
			t.Errorf("got %v", err)
		}
	})
}
