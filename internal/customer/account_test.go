package customer_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

var today = clock.Day{Year: 2026, Month: time.November, Day: 20}

func TestUpdate_changesTheProfileThatIsReadAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		who := r.byPhone("sushi", anna)
		change := customer.Change{
			Name: new("Анна"), Sex: new(customer.Female), Birthday: new("08.03.1991"), Email: new("anna@example.org"),
			Consents: map[customer.Kind]bool{customer.News: true}, Versions: map[customer.Kind]string{customer.News: customer.News.Version()},
		}
		if _, err := r.customers.Update(t.Context(), "sushi", who.ID, change, today, "203.0.113.7"); err != nil {
			t.Fatal(err)
		}
		p, err := r.customers.Profile(t.Context(), "sushi", who.ID)
		if err != nil || p.Name != "Анна" || p.Sex != customer.Female || customer.BirthdayText(p.Birthday) != "08.03.1991" || p.Email != "anna@example.org" {
			t.Errorf("%#v, %v", p, err)
		}
		if len(p.Consents) != 1 || p.Consents[0].Address != "203.0.113.7" || !p.Consents[0].At.Equal(clock.Cut(r.clock.Now())) {
			t.Errorf("consents %v", p.Consents)
		}
		for name, call := range map[string]func() error{
			"read at another brand": func() error {
				_, err := r.customers.Profile(t.Context(), "pizza", who.ID)
				return err
			},
			"changed at another brand": func() error {
				_, err := r.customers.Update(t.Context(), "pizza", who.ID, change, today, "")
				return err
			},
		} {
			if err := call(); !errors.Is(err, customer.ErrSignInFirst) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestSetNameIfEmpty_keepsANameThatIsThere(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		who := r.byPhone("sushi", anna)
		for _, name := range []string{"Anna", "Ferdinand"} {
			if err := d.InTx(t.Context(), func(tx *db.Tx) error { return customer.SetNameIfEmpty(t.Context(), tx, who.ID, name) }); err != nil {
				t.Fatal(err)
			}
		}
		if got := r.byPhone("sushi", anna).Name; got != "Anna" {
			t.Errorf("the name is %q", got)
		}
	})
}

func TestErase_leavesNoCustomerAndTheNextSignInIsANewOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		in := r.signIn("sushi", "", r.makeLink("sushi", anna))
		link := r.makeLink("sushi", anna)
		refuse := errors.New("another room refuses")
		err := r.customers.Erase(t.Context(), "sushi", in.Customer.ID, func(*db.Tx, customer.Erased) error { return refuse })
		if !errors.Is(err, refuse) || r.find(r.sessions, "sushi", in.Token) != in.Session {
			t.Fatalf("refused: %v", err)
		}
		err = r.customers.Erase(t.Context(), "sushi", in.Customer.ID, func(_ *db.Tx, e customer.Erased) error {
			if e.Phone != anna || e.Site != "sushi" || len(e.SessionIDs) != 1 || e.SessionIDs[0] != in.Session.ID {
				t.Errorf("the other rooms get %#v", e)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if r.find(r.sessions, "sushi", in.Token) != (customer.Session{}) {
			t.Error("the session lives")
		}
		if _, err := r.sessions.SignIn(t.Context(), "sushi", "", link, "", joinNothing); !errors.Is(err, customer.ErrLinkUnusable) {
			t.Errorf("the link: %v", err)
		}
		if err := r.customers.Erase(t.Context(), "sushi", in.Customer.ID, nil); !errors.Is(err, customer.ErrSignInFirst) {
			t.Errorf("erased again: %v", err)
		}
		if again := r.byPhone("sushi", anna); again.ID == in.Customer.ID || again.Name != "" {
			t.Errorf("comes back as %v", again)
		}
	})
}

func TestSignInAs_failsAfterAnErasure(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		who, guest := r.byPhone("sushi", anna), r.beginGuest("sushi")
		if err := r.customers.Erase(t.Context(), "sushi", who.ID, func(*db.Tx, customer.Erased) error { return nil }); err != nil {
			t.Fatal(err)
		}
		_, err := r.sessions.SignInAs(t.Context(), "sushi", guest, func(*db.Tx) (int64, error) { return who.ID, nil }, func(*db.Tx, customer.Rotated) error {
			t.Error("what the guest had is given to who is erased")
			return nil
		})
		if !errors.Is(err, customer.ErrSignInFirst) {
			t.Errorf("signed in: %v", err)
		}
		if got := r.find(newSessions(t, d, r.clock), "sushi", guest); got.ID == 0 || got.CustomerID != 0 {
			t.Errorf("the guest's session is %v", got)
		}
	})
}

func TestSignIn_isVerifiedAgainWhenAnErasureOvertakesIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		before := r.byPhone("sushi", anna)
		if err := r.customers.Erase(t.Context(), "sushi", before.ID, func(*db.Tx, customer.Erased) error { return nil }); err != nil {
			t.Fatal(err)
		}
		overtaken := false
		in, err := r.sessions.SignInAs(t.Context(), "sushi", "", func(tx *db.Tx) (int64, error) {
			if !overtaken { // found before the erasure
				overtaken = true
				return before.ID, nil
			}
			again, err := r.customers.FindOrCreate(t.Context(), tx, "sushi", anna, "")
			return again.ID, err
		}, joinNothing)
		if err != nil || in.Customer.ID == before.ID || in.Customer.Phone != anna {
			t.Errorf("signed in as %v, %v", in.Customer, err)
		}
	})
}

func TestSignIn_concurrentWithAnErasureLeavesNoSession(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		for range 5 {
			who := r.byPhone("sushi", anna)
			link := r.makeLink("sushi", anna)
			var both sync.WaitGroup
			both.Go(func() {
				_, err := r.sessions.SignIn(t.Context(), "sushi", "", link, "", joinNothing)
				if err != nil && !errors.Is(err, customer.ErrLinkUnusable) {
					t.Error(err)
				}
			})
			both.Go(func() {
				if err := r.customers.Erase(t.Context(), "sushi", who.ID, func(*db.Tx, customer.Erased) error { return nil }); err != nil {
					t.Error(err)
				}
			})
			both.Wait()
			var left int
			if err := d.Reader().QueryRowContext(t.Context(), "SELECT count(*) FROM session WHERE customer_id = $1", who.ID).Scan(&left); err != nil || left != 0 {
				t.Fatalf("%d sessions of who is erased, %v", left, err)
			}
		}
	})
}

func TestSweep_removesWhatALateCallStoresOfAnErasedCustomer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		who := r.byPhone("sushi", anna)
		if err := r.customers.Erase(t.Context(), "sushi", who.ID, func(*db.Tx, customer.Erased) error { return nil }); err != nil {
			t.Fatal(err)
		}
		other := r.byPhone("sushi", boris)
		for _, id := range []int64{who.ID, other.ID} {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := tx.SQL.ExecContext(t.Context(),
					"INSERT INTO cart (customer_id, site, city_id, body, version, updated_at) VALUES ($1, 'sushi', 1, $2, 1, $3)", id, []byte("{}"), r.clock.Now())
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		r.clock.Advance(time.Minute)
		if err := r.sessions.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		var left int64
		if err := d.Reader().QueryRowContext(t.Context(), "SELECT MAX(customer_id) FROM cart HAVING COUNT(*) = 1").Scan(&left); err != nil || left != other.ID {
			t.Errorf("left is the cart of %d, %v", left, err)
		}
	})
}

func TestClaim_refusesASessionThatHasSignedOut(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		in := r.signIn("sushi", "", r.makeLink("sushi", anna))
		claim := func() error {
			return d.InTx(t.Context(), func(tx *db.Tx) error { return customer.Claim(t.Context(), tx, in.Session, r.clock.Now()) })
		}
		if err := claim(); err != nil {
			t.Fatal(err)
		}
		if err := r.sessions.End(t.Context(), "sushi", in.Token); err != nil {
			t.Fatal(err)
		}
		if err := claim(); !errors.Is(err, customer.ErrSignInFirst) {
			t.Errorf("after the logout: %v", err)
		}
	})
}
