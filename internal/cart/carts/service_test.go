package carts_test

import (
	"errors"
	"sync"
	"testing"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/money"
	"servery/internal/site"
	"servery/internal/visit"
)

var (
	soySauce   = cart.Chosen{ID: carttest.SoySauce, GroupID: carttest.Sauce, Count: 1}
	spicySauce = cart.Chosen{ID: carttest.SpicySauce, GroupID: carttest.Sauce, Count: 1}
)

// keyOf returns the key of a product in Moscow.
func keyOf(product int64) string { return carttest.KeyOf(product) }

// addSalmon returns an addition of salmon with soy sauce and further modifiers.
func addSalmon(count int, extra ...cart.Chosen) cart.Addition {
	return cart.Addition{ProductKey: keyOf(carttest.Salmon), Count: count, Modifiers: append([]cart.Chosen{soySauce}, extra...)}
}

// addRice returns an addition of rice, which has no modifiers.
func addRice(count int) cart.Addition {
	return cart.Addition{ProductKey: keyOf(carttest.Rice), Count: count}
}

// newVisitor returns a brand on a database, the service of its carts, and a visitor.
func newVisitor(t *testing.T, d *db.DB) (*carttest.Restaurant, *carts.Service, visit.Context) {
	t.Helper()
	h := carttest.New(t, d)
	return h, carts.New(d), h.Visitor(t, "sushi")
}

// mustAdd adds to the visitor's cart, which must succeed, and returns the cart.
func mustAdd(t *testing.T, s *carts.Service, v visit.Context, p cart.PlaceRequest, a cart.Addition) cart.Quoted {
	t.Helper()
	q, err := s.Add(t.Context(), v, p, a)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// A product is added twice, and once with another modifier: the loaded cart has two lines.
// Another session has none. An addition with the key of a line adds to that line. Removing all
// portions of a line removes the line, and so does forgetting it.
func TestAdd_isThereWhenLoadedAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s, v := newVisitor(t, d)
		mustAdd(t, s, v, carttest.Delivery(), addSalmon(1))
		mustAdd(t, s, v, carttest.Delivery(), addSalmon(1))
		mustAdd(t, s, v, carttest.Delivery(), addSalmon(1, cart.Chosen{ID: carttest.Ginger, Count: 2}))
		q, err := s.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval)
		if err != nil {
			t.Fatal(err)
		}
		if len(q.Lines) != 2 || q.Lines[0].Count != 2 || q.Lines[1].Count != 1 || q.Count != 3 {
			t.Fatalf("got %+v", q.Lines)
		}
		if other, err := s.Load(t.Context(), h.Visitor(t, "sushi"), carttest.Delivery(), carttest.SameInterval); err != nil || len(other.Lines) != 0 {
			t.Errorf("another session sees %+v, %v", other.Lines, err)
		}
		more := mustAdd(t, s, v, carttest.Delivery(), cart.Addition{ProductKey: q.Lines[1].Key, Count: 1})
		if more.Lines[1].Count != 2 {
			t.Errorf("more of a line by its key: %+v", more.Lines)
		}
		less, err := s.Remove(t.Context(), v, carttest.Delivery(), q.Lines[0].Key, 2)
		if err != nil || len(less.Lines) != 1 {
			t.Errorf("removed: %+v, %v", less.Lines, err)
		}
		gone, err := s.Forget(t.Context(), v, carttest.Delivery(), q.Lines[1].Key)
		if err != nil || len(gone.Lines) != 0 || gone.Prices != (cart.Prices{}) {
			t.Errorf("forgotten: %+v, %v", gone, err)
		}
	})
}

// Each wrong count, key, modifier and place is refused with its own message, and the stored cart
// is unchanged.
func TestAdd_refusesEachWrongAddition(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := carttest.New(t, d)
		h.Stop(t, catalog.StopProduct, "soy")
		s, v := carts.New(d), h.Visitor(t, "sushi")
		before := mustAdd(t, s, v, carttest.Delivery(), addRice(99))
		withModifier := func(id, group int64, count int) cart.Addition {
			return addSalmon(1, cart.Chosen{ID: id, GroupID: group, Count: count})
		}
		for name, c := range map[string]struct {
			place cart.PlaceRequest
			add   cart.Addition
			want  string
		}{
			"count 0":                      {carttest.Delivery(), addRice(0), "cart.bad_count"},
			"count -1":                     {carttest.Delivery(), addRice(-1), "cart.bad_count"},
			"count 101":                    {carttest.Delivery(), addSalmon(101), "cart.bad_count"},
			"count 2^31":                   {carttest.Delivery(), addSalmon(1 << 31), "cart.bad_count"},
			"more than 100 in all":         {carttest.Delivery(), addRice(2), "cart.too_many"},
			"half a pair":                  {carttest.Delivery(), cart.Addition{ProductKey: keyOf(carttest.Pair), Count: 3}, "cart.multiplicity"},
			"another city's key":           {carttest.Delivery(), cart.Addition{ProductKey: "2-1002", Count: 1}, "cart.other_city"},
			"no key":                       {carttest.Delivery(), cart.Addition{ProductKey: "x", Count: 1}, "cart.unknown_product"},
			"unknown product":              {carttest.Delivery(), cart.Addition{ProductKey: keyOf(9), Count: 1}, "cart.unknown_product"},
			"another brand's product":      {carttest.Delivery(), cart.Addition{ProductKey: keyOf(5001), Count: 1}, "cart.unknown_product"},
			"a stopped product":            {carttest.Delivery(), cart.Addition{ProductKey: keyOf(carttest.Soy), Count: 1}, "cart.product_stopped"},
			"not sold in this shop":        {carttest.Takeaway(carttest.Pokrovka), cart.Addition{ProductKey: keyOf(carttest.OnlyArbat), Count: 1}, "cart.not_sold"},
			"an unknown modifier":          {carttest.Delivery(), withModifier(99, 0, 1), "cart.unknown_modifier"},
			"a modifier of no product":     {carttest.Delivery(), cart.Addition{ProductKey: keyOf(carttest.Rice), Count: 1, Modifiers: []cart.Chosen{soySauce}}, "cart.unknown_modifier"},
			"a modifier of another group":  {carttest.Delivery(), withModifier(carttest.SpicySauce, 77, 1), "cart.unknown_modifier"},
			"twice, once with its group":   {carttest.Delivery(), addSalmon(1, cart.Chosen{ID: carttest.SpicySauce, Count: 1}, spicySauce), "cart.modifier_bounds_upto"},
			"too much of a single":         {carttest.Delivery(), withModifier(carttest.ExtraRice, 0, 2), "cart.modifier_bounds_upto"},
			"a single named twice":         {carttest.Delivery(), addSalmon(1, cart.Chosen{ID: carttest.ExtraRice, Count: 1}, cart.Chosen{ID: carttest.ExtraRice, Count: 1}), "cart.modifier_bounds_upto"},
			"a negative modifier":          {carttest.Delivery(), withModifier(carttest.Ginger, 0, -1), "cart.bad_modifier_count"},
			"an absurd modifier":           {carttest.Delivery(), withModifier(carttest.Ginger, 0, 1<<31), "cart.bad_modifier_count"},
			"nothing of a group":           {carttest.Delivery(), cart.Addition{ProductKey: keyOf(carttest.Salmon), Count: 1, Modifiers: []cart.Chosen{}}, "cart.modifier_group_bounds"},
			"too much of one of the group": {carttest.Delivery(), withModifier(carttest.SpicySauce, carttest.Sauce, 2), "cart.modifier_bounds_upto"},
			"a zone of nowhere":            {cart.PlaceRequest{CityID: carttest.Moscow, OrderType: site.Delivery, ZoneID: 7}, addRice(1), "cart.unknown_zone"},
			"no shop":                      {carttest.Takeaway(0), addRice(1), "cart.no_shop"},
			"a shop of another city":       {carttest.Takeaway(carttest.Kizilay), addRice(1), "cart.unknown_shop"},
			"an unknown order type":        {cart.PlaceRequest{CityID: carttest.Moscow, OrderType: "drone"}, addRice(1), "cart.order_type"},
			"an unknown city":              {cart.PlaceRequest{CityID: 77, OrderType: site.Delivery}, addRice(1), "cart.unknown_city"},
		} {
			if _, err := s.Add(t.Context(), v, c.place, c.add); err == nil || fault.KeyOf(err) != c.want {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
		}
		fresh := h.Visitor(t, "sushi")
		_, err := s.Add(t.Context(), fresh, cart.PlaceRequest{CityID: carttest.Moscow, OrderType: site.Delivery}, addRice(1))
		if f, ok := fault.Of(err); !ok || f.Message.Key != "cart.no_address" || f.Fields["delivery_address"] == nil {
			t.Errorf("no address: %v", err)
		}
		for name, do := range map[string]func() error{
			"remove 0": func() error {
				_, err := s.Remove(t.Context(), v, carttest.Delivery(), keyOf(carttest.Rice), 0)
				return err
			},
			"remove -1": func() error {
				_, err := s.Remove(t.Context(), v, carttest.Delivery(), keyOf(carttest.Rice), -1)
				return err
			},
			"remove 101": func() error {
				_, err := s.Remove(t.Context(), v, carttest.Delivery(), keyOf(carttest.Rice), 101)
				return err
			},
		} {
			if err := do(); fault.KeyOf(err) != "cart.bad_count" {
				t.Errorf("%s: %v", name, err)
			}
		}
		after, err := s.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval)
		if err != nil || after.Count != before.Count || after.Prices != before.Prices {
			t.Errorf("the cart has changed: %+v, %v", after.Prices, err)
		}
	})
}

// Fifty concurrent calls with one key add one portion. A repeated call returns the cart as it
// is; another body under the key is refused.
func TestAdd_withOneKeyAddsOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, s, v := newVisitor(t, d)
		v.IdempotencyKey = "one-key-for-all"
		var wait sync.WaitGroup
		for range 50 {
			wait.Go(func() {
				q, err := s.Add(t.Context(), v, carttest.Delivery(), addRice(1))
				if err != nil || q.Count != 1 {
					t.Errorf("got %d portions, %v", q.Count, err)
				}
			})
		}
		wait.Wait()
		other := v
		other.IdempotencyKey = "another-key"
		if q := mustAdd(t, s, other, carttest.Delivery(), addRice(1)); q.Count != 2 {
			t.Errorf("another key: %d portions", q.Count)
		}
		for range 2 {
			if q := mustAdd(t, s, v, carttest.Delivery(), addRice(1)); q.Count != 2 {
				t.Errorf("the first key again: %d portions, not those of the cart", q.Count)
			}
		}
		if _, err := s.Add(t.Context(), v, carttest.Delivery(), addRice(2)); fault.KeyOf(err) != "cart.key_reused" {
			t.Errorf("another body under the key: %v", err)
		}
	})
}

// A key whose call was refused can be used for another call.
func TestAdd_refusedUsesNoKey(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, s, v := newVisitor(t, d)
		v.IdempotencyKey = "first-refused"
		if _, err := s.Add(t.Context(), v, carttest.Delivery(), addRice(101)); err == nil {
			t.Fatal("101 portions were taken")
		}
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
	})
}

// Of twelve concurrent additions without a key, each either succeeds and is in the cart, or is
// refused with cart.changed.
func TestAdd_concurrentlyIsStoredOrRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, s, v := newVisitor(t, d)
		var wait sync.WaitGroup
		var mu sync.Mutex
		done := 0
		for range 12 {
			wait.Go(func() {
				_, err := s.Add(t.Context(), v, carttest.Delivery(), addRice(1))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					done++
				case !errors.Is(err, fault.New(fault.Conflict, "cart.changed")):
					t.Error(err)
				}
			})
		}
		wait.Wait()
		q, err := s.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval)
		if err != nil || q.Count != done || done == 0 {
			t.Errorf("%d calls reported success, %d portions are there, %v", done, q.Count, err)
		}
	})
}

// The chosen address decides the zone, whatever zone the request names. Choosing a shop makes
// the cart one for takeaway. Without the address the request's zone counts again.
func TestSetAddress_decidesTheZone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, s, v := newVisitor(t, d)
		mustAdd(t, s, v, carttest.Delivery(), addRice(8))
		q, err := s.SetAddress(t.Context(), v, geo.Address{ID: 1, CityID: carttest.Moscow, Point: carttest.InHard})
		if err != nil || q.Spot.Zone == nil || q.Spot.Zone.ID != carttest.Hard {
			t.Fatalf("got %+v, %v", q.Spot.Zone, err)
		}
		if q, err = s.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval); err != nil || q.Spot.Zone.ID != carttest.Hard {
			t.Errorf("the request's zone won over the address: %+v, %v", q.Spot.Zone, err)
		}
		if q, err = s.SetShop(t.Context(), v, carttest.Pokrovka); err != nil || q.Spot.OrderType != site.Takeaway || q.Prices.Delivery != 0 {
			t.Errorf("after choosing a shop: %+v, %v", q.Spot, err)
		}
		if err := s.ForgetAddress(t.Context(), v, carttest.Moscow, 1); err != nil {
			t.Fatal(err)
		}
		if q, err = s.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval); err != nil || q.Spot.Zone.ID != carttest.Free {
			t.Errorf("without an address: %+v, %v", q.Spot.Zone, err)
		}
	})
}

// At another shop a product is not sold and a modifier is stopped: both lines stay, with their
// reasons, and count in no sum.
func TestLoad_keepsUnsoldLinesOutOfTheSums(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s, v := newVisitor(t, d)
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		mustAdd(t, s, v, carttest.Delivery(), cart.Addition{ProductKey: keyOf(carttest.OnlyArbat), Count: 1})
		mustAdd(t, s, v, carttest.Delivery(), addSalmon(1))
		h.Stop(t, catalog.StopModifier, "soy-sauce")
		v = h.Again(t, v, "sushi")
		q, err := s.Load(t.Context(), v, carttest.Takeaway(carttest.Pokrovka), carttest.SameInterval)
		if err != nil {
			t.Fatal(err)
		}
		if q.Prices.Subtotal != money.Major(100) || len(q.Lines) != 3 || q.IsComplete() || len(q.Notices) == 0 {
			t.Errorf("got %+v with %+v", q.Prices, q.Lines)
		}
		if q.Lines[1].Alert == nil || q.Lines[1].Type != catalog.Unavailable || q.Lines[2].Alert == nil {
			t.Errorf("no reason: %+v", q.Lines)
		}
	})
}

// A line of a product that the new content does not have leaves the cart without a refusal.
func TestLoad_removesProductsThatContentHasDropped(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s, v := newVisitor(t, d)
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		mustAdd(t, s, v, carttest.Delivery(), cart.Addition{ProductKey: keyOf(carttest.Wasabi), Count: 1})
		h.Import(t, map[string]string{"sushi/menu/02-sauces.yaml": `group: {id: 12, alias: sauces, name: Соусы}
products:
  - {id: 1004, alias: soy, name: Соевый соус, price: 30, picture: none}
`})
		v = h.Again(t, v, "sushi")
		for range 2 {
			if q, err := s.Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval); err != nil || len(q.Lines) != 1 {
				t.Errorf("got %+v, %v", q.Lines, err)
			}
		}
	})
}

// A visitor without a session gets an empty cart at the place, with its zone and minimum.
func TestLoad_withoutASessionReturnsAnEmptyCart(t *testing.T) {
	t.Parallel()
	h := carttest.New(t, dbtest.Open(t, db.SQLite))
	v := h.Again(t, visit.Context{}, "sushi")
	q, err := carts.New(h.DB).Load(t.Context(), v, carttest.Delivery(), carttest.SameInterval)
	if err != nil || len(q.Lines) != 0 || q.Spot.Zone == nil || q.Prices.Total != 0 || q.Minimum == nil {
		t.Errorf("got %+v, %v", q, err)
	}
}
