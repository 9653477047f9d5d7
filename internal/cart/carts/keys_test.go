package carts_test

import (
	"strconv"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/visit"
)

// queryInt returns the number that a query has as its only result.
func queryInt(t *testing.T, d *db.DB, query string, args ...any) int {
	t.Helper()
	var n int
	if err := d.Reader().QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// countStoredBodies counts the carts that are stored with the idempotency keys of a session.
const countStoredBodies = "SELECT COUNT(*) FROM idempotency WHERE session_id = $1 AND body IS NOT NULL"

// Each change is made once under its key. A repeated call returns the cart as it is by then,
// with what was added since, and another request under the key is refused. No carts are stored
// with the keys.
func TestService_repeatedKey_returnsTheCartAsItIs(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := carttest.New(t, d)
		s, v := carts.New(d), withFreshKeys(h.Visitor(t, "sushi"))
		changes := map[string]func(v visit.Context) (cart.Quoted, error){
			"add": func(v visit.Context) (cart.Quoted, error) {
				return s.Add(t.Context(), v, carttest.Delivery(), addRice(1))
			},
			"remove": func(v visit.Context) (cart.Quoted, error) {
				return s.Remove(t.Context(), v, carttest.Delivery(), keyOf(carttest.Rice), 1)
			},
			"forget": func(v visit.Context) (cart.Quoted, error) {
				return s.Forget(t.Context(), v, carttest.Delivery(), keyOf(carttest.Rice))
			},
			"bag": func(v visit.Context) (cart.Quoted, error) {
				return s.SetBag(t.Context(), v, carttest.Delivery(), true)
			},
			"no change": func(v visit.Context) (cart.Quoted, error) {
				return s.SetBag(t.Context(), v, carttest.Delivery(), true)
			},
			"clear": func(v visit.Context) (cart.Quoted, error) {
				return s.Clear(t.Context(), v, carttest.Moscow)
			},
		}
		for _, name := range []string{"add", "remove", "add", "forget", "bag", "no change", "add", "clear"} {
			mustAdd(t, s, v(), carttest.Delivery(), addRice(2))
			once := v()
			first, err := changes[name](once)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			later := mustAdd(t, s, v(), carttest.Delivery(), addRice(3))
			if later.Count != first.Count+3 {
				t.Fatalf("%s: %d portions after %d", name, later.Count, first.Count)
			}
			for range 2 {
				q, err := changes[name](once)
				if err != nil || q.Count != later.Count || q.Cart.Version != later.Cart.Version || q.Prices != later.Prices {
					t.Errorf("%s again: %d portions, version %d, %v; want those of the cart, %d, version %d",
						name, q.Count, q.Cart.Version, err, later.Count, later.Cart.Version)
				}
				_, err = s.Add(t.Context(), once, carttest.Delivery(), addRice(7))
				if fault.KeyOf(err) != "cart.key_reused" {
					t.Errorf("%s: another request under the key: %v", name, err)
				}
			}
		}
		if n := queryInt(t, d, countStoredBodies, v().SessionID); n != 0 {
			t.Errorf("%d carts are kept with their keys", n)
		}
	})
}

// Filling a cart from an order is the one change whose answer is stored: a repeated call returns
// the cart as it was filled, although a dish was added since.
func TestService_Fill_answersARepeatedKeyWithWhatItFilled(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := carttest.New(t, d)
		s, v := carts.New(d), withFreshKeys(h.Visitor(t, "sushi"))
		dishes := mustAdd(t, s, v(), carttest.Delivery(), addRice(2)).Cart
		filling := carts.Filling{OrderID: 7, Mode: carts.Join, Cart: dishes}
		once := v()
		for range 2 {
			q, err := s.Fill(t.Context(), once, filling)
			if err != nil || q.Count != 4 {
				t.Errorf("filled: %d portions, want 4: %v", q.Count, err)
			}
			mustAdd(t, s, v(), carttest.Delivery(), addRice(1))
		}
		if n := queryInt(t, d, countStoredBodies, v().SessionID); n != 1 {
			t.Errorf("%d carts are kept with their keys, want the filled one", n)
		}
		q, err := s.Load(t.Context(), v(), carttest.Delivery(), carttest.SameInterval)
		if err != nil || q.Count != 6 {
			t.Errorf("the cart has %d portions, want 6: %v", q.Count, err)
		}
	})
}

// Of 231 keys of a session the newest 200 are stored. The oldest of those still changes nothing
// when repeated, and the key of another session stays.
func TestService_keepsTheNewestKeysOfASession(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := carttest.New(t, d)
		s, v, other := carts.New(d), h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		other.IdempotencyKey = "of another session"
		mustAdd(t, s, other, carttest.Delivery(), addRice(1))
		changeAt := func(n int) cart.Quoted {
			t.Helper()
			v.IdempotencyKey = "change-" + strconv.Itoa(n)
			v.Now = other.Now.Add(time.Duration(n) * time.Millisecond)
			q, err := s.SetBag(t.Context(), v, carttest.Delivery(), n%3 == 0) // a change, or none
			if err != nil {
				t.Fatal(err)
			}
			return q
		}
		v.IdempotencyKey = "first"
		mustAdd(t, s, v, carttest.Delivery(), addRice(1))
		const changes, kept = 230, 200
		var last cart.Quoted
		for n := 1; n <= changes; n++ {
			last = changeAt(n)
			if n == kept-1 || n == changes {
				if has := queryInt(t, d, "SELECT COUNT(*) FROM idempotency WHERE session_id = $1", v.SessionID); has != kept {
					t.Errorf("%d keys are kept after %d, want %d", has, n+1, kept)
				}
			}
		}
		for range 2 { // the oldest that is kept
			if q := changeAt(changes - kept + 1); q.Cart.Version != last.Cart.Version || q.Cart.WithoutBag != last.Cart.WithoutBag {
				t.Errorf("a key that is kept has changed the cart again: version %d after %d", q.Cart.Version, last.Cart.Version)
			}
		}
		if has := queryInt(t, d, "SELECT COUNT(*) FROM idempotency WHERE session_id = $1", other.SessionID); has != 1 {
			t.Errorf("%d keys of another session, want 1", has)
		}
	})
}
