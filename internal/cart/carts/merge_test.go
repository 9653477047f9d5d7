package carts_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/schedule"
	"servery/internal/site"
	"servery/internal/visit"
)

// annasPhone is the phone of the customer of these tests.
const annasPhone = "79160000001"

// countsOfLines returns how many portions there are of each line, by its key.
func countsOfLines(q cart.Quoted) map[string]int {
	counts := map[string]int{}
	for _, l := range q.Lines {
		counts[l.Key] = l.Count
	}
	return counts
}

// mustLoad returns the visitor's cart at a place, which must load.
func mustLoad(t *testing.T, s *carts.Service, v visit.Context, p cart.PlaceRequest) cart.Quoted {
	t.Helper()
	q, err := s.Load(t.Context(), v, p, carttest.SameInterval)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// A guest with dishes, a gift and a promocode signs in three times: the customer has that cart,
// with its shop, once, and the session has none.
func TestMerge_movesTheGuestsCartOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		anna := h.Customer(t, "sushi", annasPhone)
		guest := h.Visitor(t, "sushi")
		mustAdd(t, s, guest, carttest.Takeaway(carttest.Arbat), addRice(5))
		for _, change := range []func() (cart.Quoted, error){
			func() (cart.Quoted, error) {
				return s.AddGift(t.Context(), guest, carttest.Takeaway(carttest.Arbat), stockGift)
			},
			func() (cart.Quoted, error) {
				return s.ApplyPromocode(t.Context(), guest, carttest.Takeaway(carttest.Arbat), "TEN")
			},
		} {
			if _, err := change(); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			v := h.SignIn(t, s, guest, anna, annasPhone)
			q := mustLoad(t, s, v, carttest.Takeaway(0))
			if q.Count != 5 || len(q.Cart.Gifts) != 1 || q.Cart.Promocode != "TEN" || q.Cart.ShopID != carttest.Arbat {
				t.Errorf("got %+v", q.Cart)
			}
		}
		if q := mustLoad(t, s, guest, carttest.Takeaway(0)); len(q.Lines) != 0 {
			t.Errorf("the session still has %+v", q.Lines)
		}
	})
}

// A customer has a cart from their phone and signs in on a laptop with another. Lines that only
// one cart has stay, a line of both has the higher count, the place is the newer one and the
// code the customer's. Both devices see the same cart.
func TestMerge_keepsTheHigherCountOfALine(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		anna := h.Customer(t, "sushi", annasPhone)
		phone, laptop := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		v := h.SignIn(t, s, phone, anna, annasPhone)
		mustAdd(t, s, v, carttest.Delivery(), addRice(3))
		mustAdd(t, s, v, carttest.Delivery(), addSalmon(2))
		mustAdd(t, s, v, carttest.Delivery(), cart.Addition{ProductKey: keyOf(carttest.Soy), Count: 1})
		if _, err := s.ApplyPromocode(t.Context(), v, carttest.Delivery(), "TEN"); err != nil {
			t.Fatal(err)
		}
		mustAdd(t, s, laptop, carttest.Takeaway(carttest.Arbat), addRice(2))
		more := mustAdd(t, s, laptop, carttest.Takeaway(carttest.Arbat), addSalmon(4))
		mustAdd(t, s, laptop, carttest.Takeaway(carttest.Arbat), cart.Addition{ProductKey: keyOf(carttest.Pair), Count: 2})
		if _, err := s.ApplyPromocode(t.Context(), laptop, carttest.Takeaway(carttest.Arbat), "SUM100"); err != nil {
			t.Fatal(err)
		}
		v = h.SignIn(t, s, laptop, anna, annasPhone)
		city, err := v.City(carttest.Moscow)
		if err != nil {
			t.Fatal(err)
		}
		var kept cart.Cart
		err = d.InTx(t.Context(), func(tx *db.Tx) error {
			stored, err := s.ReadIn(t.Context(), tx, v, city)
			kept = stored.Cart
			return err
		})
		if err != nil || kept.OrderType != site.Takeaway || kept.ShopID != carttest.Arbat || kept.Promocode != "TEN" {
			t.Errorf("place and code: %+v, %v", kept, err)
		}
		q := mustLoad(t, s, v, carttest.Takeaway(0))
		want := map[string]int{keyOf(carttest.Rice): 3, more.Lines[1].Key: 4, keyOf(carttest.Soy): 1, keyOf(carttest.Pair): 2}
		if got := countsOfLines(q); len(got) != len(want) {
			t.Errorf("got %v, want %v", got, want)
		} else {
			for line, count := range want {
				if got[line] != count {
					t.Errorf("%s: %d portions, want %d", line, got[line], count)
				}
			}
		}
		if other := mustLoad(t, s, h.Again(t, visit.Context{SessionID: phone.SessionID, CustomerID: anna}, "sushi"), carttest.Takeaway(0)); other.Count != q.Count {
			t.Errorf("the other device sees %d portions, this one %d", other.Count, q.Count)
		}
	})
}

// 60 and 70 portions of a product with different modifiers are merged to a hundred, in two
// lines.
func TestMerge_keepsAtMostAHundredOfAProduct(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		anna := h.Customer(t, "sushi", annasPhone)
		first, second := h.Visitor(t, "sushi"), h.Visitor(t, "sushi")
		mustAdd(t, s, first, carttest.Delivery(), addSalmon(60))
		mustAdd(t, s, second, carttest.Delivery(), addSalmon(70, cart.Chosen{ID: carttest.Ginger, Count: 1}))
		h.SignIn(t, s, first, anna, annasPhone)
		v := h.SignIn(t, s, second, anna, annasPhone)
		if q := mustLoad(t, s, v, carttest.Delivery()); q.Count != cart.MaxCount || len(q.Lines) != 2 {
			t.Errorf("%d portions in %d lines", q.Count, len(q.Lines))
		}
	})
}

// A guest's cart without a place changes neither address nor zone of the customer's cart, and
// brings its phone.
func TestMerge_keepsThePlaceWhenTheGuestHasNone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		anna := h.Customer(t, "sushi", annasPhone)
		v := h.SignIn(t, s, h.Visitor(t, "sushi"), anna, annasPhone)
		if _, err := s.SetAddress(t.Context(), v, geo.Address{ID: 1, CityID: carttest.Moscow, Point: carttest.InHard}); err != nil {
			t.Fatal(err)
		}
		guest := h.Visitor(t, "sushi")
		if err := s.RememberPhone(t.Context(), guest, carttest.Moscow, annasPhone); err != nil {
			t.Fatal(err)
		}
		q := mustLoad(t, s, h.SignIn(t, s, guest, anna, annasPhone), carttest.Delivery())
		if q.Spot.Zone == nil || q.Spot.Zone.ID != carttest.Hard || q.Cart.Phone != annasPhone {
			t.Errorf("got %+v", q.Cart)
		}
	})
}

// A customer has chosen a time. A guest who has chosen the same shop and no time leaves it, one who has chosen
// another shop or another time does not.
func TestMerge_keepsTheTimeWhenTheGuestHasChosenTheSamePlaceAndNone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		atThree := schedule.IDOf(carttest.Noon.Add(3 * time.Hour))
		for i, c := range []struct {
			name           string
			shop           int64
			interval, want string
		}{
			{"same shop, no time", carttest.Arbat, "", "asap"},
			{"same shop, another time", carttest.Arbat, atThree, atThree},
			{"another shop, no time", carttest.Pokrovka, "", ""},
		} {
			phone := "7916000000" + strconv.Itoa(i)
			anna := h.Customer(t, "sushi", phone)
			v := h.SignIn(t, s, h.Visitor(t, "sushi"), anna, phone)
			mustAdd(t, s, v, carttest.Takeaway(carttest.Arbat), addRice(1))
			if _, err := s.SetInterval(t.Context(), v, carttest.Moscow, "asap"); err != nil {
				t.Fatal(err)
			}
			guest := h.Visitor(t, "sushi")
			mustAdd(t, s, guest, carttest.Takeaway(c.shop), addRice(2))
			if c.interval != "" {
				if _, err := s.SetInterval(t.Context(), guest, carttest.Moscow, c.interval); err != nil {
					t.Fatal(err)
				}
			}
			v = h.SignIn(t, s, guest, anna, phone)
			if q := mustLoad(t, s, v, carttest.Takeaway(0)); q.Cart.IntervalID != c.want || q.Cart.ShopID != c.shop {
				t.Errorf("%s: %q in shop %d, want %q in %d", c.name, q.Cart.IntervalID, q.Cart.ShopID, c.want, c.shop)
			}
		}
	})
}

// Three tabs add dishes while two of them sign in. The customer's cart has one portion for each
// call that succeeded, and the guest's session has none.
func TestMerge_losesAndDoublesNothingThatIsAddedConcurrently(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		for range 10 {
			anna := h.Customer(t, "sushi", "7916"+randomDigits())
			guest := h.Visitor(t, "sushi")
			var wait sync.WaitGroup
			var done atomic.Int32
			add := func(v visit.Context) {
				for range 3 {
					switch _, err := s.Add(t.Context(), v, carttest.Delivery(), addRice(1)); {
					case err == nil:
						done.Add(1)
					case fault.KeyOf(err) != "cart.changed" && fault.KeyOf(err) != "customer.session_rotated":
						t.Error(err)
					}
				}
			}
			wait.Go(func() { add(guest) })
			wait.Go(func() { add(guest) })
			var v visit.Context
			wait.Go(func() {
				v = h.SignIn(t, s, guest, anna, annasPhone)
				add(v)
			})
			wait.Go(func() { h.SignIn(t, s, guest, anna, annasPhone) })
			wait.Wait()
			if q := mustLoad(t, s, v, carttest.Delivery()); q.Count != int(done.Load()) {
				t.Errorf("%d calls reported success, %d portions are there", done.Load(), q.Count)
			}
			if q := mustLoad(t, s, guest, carttest.Delivery()); q.Count != 0 {
				t.Errorf("%d portions are left where they cannot be found", q.Count)
			}
		}
	})
}

// Five devices with a dish of their own and one in common sign in at the same time: all dishes
// are in the customer's cart, the common one with the highest count.
func TestMerge_keepsTheLinesOfDevicesThatSignInConcurrently(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		anna := h.Customer(t, "sushi", annasPhone)
		products := []int64{carttest.Rice, carttest.Soy, carttest.OnlyArbat, carttest.Mint, carttest.Third}
		devices := make([]visit.Context, len(products))
		for i, product := range products {
			devices[i] = h.Visitor(t, "sushi")
			mustAdd(t, s, devices[i], carttest.Delivery(), cart.Addition{ProductKey: keyOf(product), Count: i + 1})
			mustAdd(t, s, devices[i], carttest.Delivery(), addSalmon(i+1))
		}
		var wait sync.WaitGroup
		for i := range devices {
			wait.Go(func() { devices[i] = h.SignIn(t, s, devices[i], anna, annasPhone) })
		}
		wait.Wait()
		q := mustLoad(t, s, devices[0], carttest.Delivery())
		counts := countsOfLines(q)
		for i, product := range products {
			if counts[keyOf(product)] != i+1 {
				t.Errorf("product %d: %d portions, want %d", product, counts[keyOf(product)], i+1)
			}
		}
		at := slices.IndexFunc(q.Lines, func(l cart.Priced) bool { return l.ProductID == carttest.Salmon })
		if at < 0 || q.Lines[at].Count != len(products) {
			t.Errorf("the line that all of them had: %v", counts)
		}
	})
}

// Two devices of a customer add dishes concurrently to one cart. The same idempotency key on
// both devices means two changes, since keys belong to sessions.
func TestAdd_fromTwoDevicesOfACustomerChangesOneCart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		anna := h.Customer(t, "sushi", annasPhone)
		var devices []visit.Context
		for range 2 {
			devices = append(devices, h.SignIn(t, s, h.Visitor(t, "sushi"), anna, annasPhone))
		}
		var wait sync.WaitGroup
		var done atomic.Int32
		for _, v := range devices {
			wait.Go(func() {
				for range 5 {
					switch _, err := s.Add(t.Context(), v, carttest.Delivery(), addRice(1)); {
					case err == nil:
						done.Add(1)
					case fault.KeyOf(err) != "cart.changed" && fault.KeyOf(err) != "customer.session_rotated":
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		for _, v := range devices {
			if q := mustLoad(t, s, v, carttest.Delivery()); q.Count != int(done.Load()) {
				t.Errorf("%d calls reported success, %d portions are there", done.Load(), q.Count)
			}
		}
		one := devices[0]
		one.IdempotencyKey = "the-same-key"
		two := devices[1]
		two.IdempotencyKey = "the-same-key"
		before := mustAdd(t, s, one, carttest.Delivery(), addRice(1))
		if q := mustAdd(t, s, two, carttest.Delivery(), addRice(1)); q.Count != before.Count+1 {
			t.Errorf("the key of another device swallowed a line: %d after %d", q.Count, before.Count)
		}
	})
}

// randomDigits returns seven random digits, which complete a phone that no one has yet.
func randomDigits() string { return strconv.Itoa(1_000_000 + rand.IntN(8_999_999)) }

// A sign-in locks the session and then its carts. A change from another tab waits for it instead
// of locking in the other order, and is then refused with customer.session_rotated. On SQLite
// writers wait for each other anyway.
func TestMerge_doesNotDeadlockWithAChangeOnPostgreSQL(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.Postgres)
	h, s := newOfferingHouse(t, d)
	anna := h.Customer(t, "sushi", annasPhone)
	guest := h.Visitor(t, "sushi")
	mustAdd(t, s, guest, carttest.Delivery(), addRice(1))
	tap := guest
	tap.IdempotencyKey = "a tap"
	v := guest
	v.CustomerID, v.CustomerPhone = anna, annasPhone

	tapped := make(chan error, 1)
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(t.Context(), "UPDATE session SET customer_id = $1, token_hash = $2 WHERE id = $3",
			anna, []byte("another token"), guest.SessionID)
		if err != nil {
			return err
		}
		go func() {
			_, err := s.Add(t.Context(), tap, carttest.Delivery(), addRice(1))
			tapped <- err
		}()
		for waits := 0; waits == 0 && len(tapped) == 0; {
			// Not in the transaction, which would see the same again and again.
			err := d.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waits)
			if err != nil {
				return err
			}
		}
		return s.Merge(t.Context(), tx, v, v.SessionID)
	})
	if err != nil {
		t.Error(err)
	}
	if err := <-tapped; fault.KeyOf(err) != "customer.session_rotated" {
		t.Errorf("the tap was answered with %v", err)
	}
	if q := mustLoad(t, s, v, carttest.Delivery()); q.Count != 1 {
		t.Errorf("%d portions in the customer's cart", q.Count)
	}
}

// Calls that were sent with the guest's session before the sign-in ended return
// customer.session_rotated, and the customer's cart is unchanged.
func TestUpdate_refusesASessionThatHasSignedIn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, s := newOfferingHouse(t, d)
		guest := h.Visitor(t, "sushi")
		mustAdd(t, s, guest, carttest.Takeaway(carttest.Arbat), addRice(5))
		v := h.SignIn(t, s, guest, h.Customer(t, "sushi", annasPhone), annasPhone)

		// These calls were sent before the sign-in ended, and have the guest's session.
		_, ofTime := s.SetInterval(t.Context(), guest, carttest.Moscow, "1")
		_, ofLine := s.Add(t.Context(), guest, carttest.Takeaway(carttest.Arbat), addRice(1))
		for what, err := range map[string]error{"time": ofTime, "line": ofLine} {
			if fault.KeyOf(err) != "customer.session_rotated" || fault.CodeOf(err) != fault.Conflict {
				t.Errorf("%s: %v, want customer.session_rotated", what, err)
			}
		}
		if q := mustLoad(t, s, v, carttest.Takeaway(0)); q.Count != 5 {
			t.Errorf("%d portions in the customer's cart, want 5", q.Count)
		}
	})
}
