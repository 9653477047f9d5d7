package carts_test

import (
	"errors"
	"strconv"
	"testing"

	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/visit"
)

// withFreshKeys returns a function that returns the visitor with another idempotency key each time.
func withFreshKeys(v visit.Context) func() visit.Context {
	n := 0
	return func() visit.Context {
		n++
		v.IdempotencyKey = "key-" + strconv.Itoa(n)
		return v
	}
}

// Two processes change one cart in turn, each with the cart of its last change in memory. Every
// change is made to the cart as it is in the database.
func TestService_changesTheCartThatAnotherProcessHasChanged(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := carttest.New(t, d)
		here, there, v := carts.New(d), carts.New(d), withFreshKeys(h.Visitor(t, "sushi"))
		mustAdd(t, here, v(), carttest.Delivery(), addRice(1))
		mustAdd(t, here, v(), carttest.Delivery(), addRice(1))
		mustAdd(t, there, v(), carttest.Delivery(), addRice(1))
		if q := mustAdd(t, here, v(), carttest.Delivery(), addRice(1)); q.Count != 4 {
			t.Errorf("added to the stale cart in memory: %d portions, want 4", q.Count)
		}

		added := mustAdd(t, there, v(), carttest.Delivery(), addSalmon(1))
		line := added.Lines[len(added.Lines)-1].Key
		if q, err := here.Remove(t.Context(), v(), carttest.Delivery(), line, 1); err != nil || q.Count != 4 {
			t.Errorf("a line that came elsewhere cannot be removed: %d portions, %v", q.Count, err)
		}

		for _, step := range []struct {
			s       *carts.Service
			without bool
		}{{here, true}, {carts.New(d), false}, {here, true}} {
			if _, err := step.s.SetBag(t.Context(), v(), carttest.Delivery(), step.without); err != nil {
				t.Fatal(err)
			}
		}
		if q, err := there.Load(t.Context(), v(), carttest.Delivery(), carttest.SameInterval); err != nil || !q.Cart.WithoutBag {
			t.Errorf("the change to the value that the stale cart in memory has was not saved: %v", err)
		}
	})
}

// A key that one process has used changes nothing at another, which has the cart in memory.
func TestService_repeatedKey_changesOnceInAllProcesses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := carttest.New(t, d)
		here, there, v := carts.New(d), carts.New(d), withFreshKeys(h.Visitor(t, "sushi"))
		mustAdd(t, here, v(), carttest.Delivery(), addRice(1))
		again := v()
		mustAdd(t, there, again, carttest.Delivery(), addRice(1))
		mustAdd(t, here, v(), carttest.Delivery(), addRice(1))
		for range 2 {
			if q := mustAdd(t, here, again, carttest.Delivery(), addRice(1)); q.Count != 3 {
				t.Errorf("the same key at the other process: %d portions, want those of the cart, 3", q.Count)
			}
		}
		if q, err := here.Load(t.Context(), v(), carttest.Delivery(), carttest.SameInterval); err != nil || q.Count != 3 {
			t.Errorf("the cart has %d portions, want 3: %v", q.Count, err)
		}
	})
}

// A session is deleted while its cart is in memory: adding returns db.ErrNotFound.
func TestAdd_failsForASessionThatHasEnded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := carttest.New(t, d)
		s, v := carts.New(d), withFreshKeys(h.Visitor(t, "sushi"))
		mustAdd(t, s, v(), carttest.Delivery(), addRice(1))
		if _, err := d.Writer().ExecContext(t.Context(), "DELETE FROM session WHERE id = $1", v().SessionID); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Add(t.Context(), v(), carttest.Delivery(), addRice(1)); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
}
