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

// room is a process that signs customers in, with its database and clock.
type room struct {
	t         *testing.T
	db        *db.DB
	clock     *clock.Fake
	sessions  *customer.Sessions
	customers *customer.Customers
}

func newRoom(t *testing.T, d *db.DB) *room {
	t.Helper()
	c := clock.NewFake(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC))
	return &room{t: t, db: d, clock: c, sessions: newSessions(t, d, c), customers: customer.NewCustomers(d, c)}
}

// byPhone returns the customer of a site with the phone, and creates them when there is none.
func (r *room) byPhone(site, phone string) customer.Customer {
	r.t.Helper()
	c, err := r.customers.FindOrCreateByPhone(r.t.Context(), site, phone)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// makeLink returns the token of a new sign-in link for the phone's customer.
func (r *room) makeLink(site, phone string) string {
	r.t.Helper()
	link, err := r.customers.MakeLink(r.t.Context(), site, r.byPhone(site, phone).ID)
	if err != nil {
		r.t.Fatal(err)
	}
	return link.Token
}

// begin begins a guest's session and returns it with its token.
func (r *room) begin(site string) (customer.Session, string) {
	r.t.Helper()
	s, token, err := r.sessions.Begin(r.t.Context(), site, "")
	if err != nil {
		r.t.Fatal(err)
	}
	return s, token
}

// beginGuest begins a guest's session and returns its token.
func (r *room) beginGuest(site string) string {
	r.t.Helper()
	_, token := r.begin(site)
	return token
}

// signIn signs in by a link, in place of the session with the token old.
func (r *room) signIn(site, old, link string) customer.SignedIn {
	r.t.Helper()
	in, err := r.sessions.SignIn(r.t.Context(), site, old, link, "", joinNothing)
	if err != nil {
		r.t.Fatal(err)
	}
	return in
}

// find returns the session that a process finds by a token.
func (r *room) find(s *customer.Sessions, site, token string) customer.Session {
	r.t.Helper()
	found, err := s.Find(r.t.Context(), site, token)
	if err != nil {
		r.t.Fatal(err)
	}
	return found
}

// joinNothing is the join of a sign-in that has nothing to move to the customer.
func joinNothing(*db.Tx, customer.Rotated) error { return nil }

const anna, boris = "79160000001", "79160000002"

func TestLink_continuesTheVisitUnderAnotherToken(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		elsewhere := newSessions(t, d, r.clock)
		begun, old := r.begin("sushi")
		r.find(elsewhere, "sushi", old) // a guest is remembered there
		in := r.signIn("sushi", old, r.makeLink("sushi", anna))
		want := customer.Session{ID: in.Session.ID, CustomerID: r.byPhone("sushi", anna).ID, Phone: anna}
		if in.Session != want || in.Customer.Phone != anna || in.Session.ID == begun.ID {
			t.Errorf("signed in as %v %v, want %v in a session of its own", in.Session, in.Customer.Phone, want)
		}
		if got := r.find(elsewhere, "sushi", old); got != begun {
			t.Errorf("elsewhere the old token is %v, want a guest's session for a moment, %v", got, begun)
		}
		for name, s := range map[string]*customer.Sessions{"here": r.sessions, "elsewhere": elsewhere, "a new process": newSessions(t, d, r.clock)} {
			if got := r.find(s, "sushi", in.Token); got != want {
				t.Errorf("%s the new token is %v, want %v", name, got, want)
			}
		}
		for name, s := range map[string]*customer.Sessions{"here": r.sessions, "in a new process": newSessions(t, d, r.clock)} {
			if got := r.find(s, "sushi", old); got != (customer.Session{}) {
				t.Errorf("%s the old token is still %v", name, got)
			}
		}
	})
}

func TestLink_beginsASessionWhereThereIsNone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		in := r.signIn("sushi", "", r.makeLink("sushi", anna))
		if got := r.find(newSessions(t, d, r.clock), "sushi", in.Token); got.ID == 0 || got != in.Session {
			t.Errorf("found %v, want %v", got, in.Session)
		}
	})
}

func TestLink_passesNothingToTheNextCustomerOfTheBrowser(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		_, old := r.begin("sushi")
		first := r.signIn("sushi", old, r.makeLink("sushi", anna))
		again := r.signIn("sushi", first.Token, r.makeLink("sushi", anna))
		if again.Session != first.Session {
			t.Errorf("the same customer has session %v, want %v", again.Session, first.Session)
		}
		second := r.signIn("sushi", again.Token, r.makeLink("sushi", boris))
		if second.Session.ID == first.Session.ID || second.Session.Phone != boris {
			t.Errorf("the next customer has session %v after %v", second.Session, first.Session)
		}
		if got := r.find(newSessions(t, d, r.clock), "sushi", again.Token); got.ID != 0 {
			t.Errorf("the session of the one before lives: %v", got)
		}
	})
}

func TestLink_isRefusedAlikeForEveryReason(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		used, foreign, old := r.makeLink("sushi", anna), r.makeLink("pizza", anna), r.makeLink("sushi", anna)
		r.signIn("sushi", "", used)
		r.clock.Advance(customer.LinkLife)
		_, token := r.begin("sushi")
		for name, link := range map[string]string{
			"used": used, "of another site": foreign, "too old": old, "never made": token, "empty": "", "no token": "let me in",
		} {
			_, err := r.sessions.SignIn(t.Context(), "sushi", token, link, "", func(*db.Tx, customer.Rotated) error {
				t.Errorf("%s: joined", name)
				return nil
			})
			if !errors.Is(err, customer.ErrLinkUnusable) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := r.find(r.sessions, "sushi", token); got.ID == 0 || got.CustomerID != 0 {
			t.Errorf("after refusals the session is %v", got)
		}
	})
}

func TestLink_worksUntilItExpires(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		link := r.makeLink("sushi", anna)
		r.clock.Advance(customer.LinkLife - time.Millisecond)
		r.signIn("sushi", "", link)
	})
}

func TestLink_signsInOneOfTwoConcurrentUses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		link := r.makeLink("sushi", anna)
		var work sync.WaitGroup
		faults := make([]error, 8)
		for i := range faults {
			_, token := r.begin("sushi")
			work.Go(func() { _, faults[i] = r.sessions.SignIn(t.Context(), "sushi", token, link, "", joinNothing) })
		}
		work.Wait()
		won := 0
		for _, err := range faults {
			if err == nil {
				won++
			} else if !errors.Is(err, customer.ErrLinkUnusable) {
				t.Error(err)
			}
		}
		if won != 1 {
			t.Errorf("%d have won, want one", won)
		}
	})
}

func TestLink_staysUnusedWhenTheCartsCannotBeJoined(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		link := r.makeLink("sushi", anna)
		begun, token := r.begin("sushi")
		broken := errors.New("broken")
		_, err := r.sessions.SignIn(t.Context(), "sushi", token, link, "", func(*db.Tx, customer.Rotated) error { return broken })
		if !errors.Is(err, broken) {
			t.Fatal(err)
		}
		if got := r.find(newSessions(t, d, r.clock), "sushi", token); got != begun {
			t.Errorf("the session is %v, want %v", got, begun)
		}
		r.signIn("sushi", token, link)
	})
}

func TestLinks_areSweptWhenTheyExpire(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		r.makeLink("sushi", anna)
		r.clock.Advance(customer.LinkLife)
		young := r.makeLink("sushi", anna)
		if err := r.sessions.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		var left int
		if err := d.Reader().QueryRowContext(t.Context(), "SELECT count(*) FROM sign_in_link").Scan(&left); err != nil || left != 1 {
			t.Errorf("%d links are left, %v", left, err)
		}
		r.signIn("sushi", "", young)
	})
}

// The answer of a sign-in was lost. Its browser, which alone has the key, gets the same session again for as long as the
// link would have been good. A link that someone else finds is used up for them, whatever key they have.
func TestLink_isGoodAgainForTheBrowserWhoseAnswerWasLost(t *testing.T) {
	t.Parallel()
	const key, other = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		signIn := func(link, old, key string) (customer.SignedIn, error) {
			joined := false
			in, err := r.sessions.SignIn(t.Context(), "sushi", old, link, key, func(*db.Tx, customer.Rotated) error {
				joined = true
				return nil
			})
			if key != "" && joined != (old != "") { // only the first call below has the cookie of the visit
				t.Errorf("joined %t for the cookie %q", joined, old)
			}
			return in, err
		}
		link, guest := r.makeLink("sushi", anna), r.beginGuest("sushi")
		lost, err := signIn(link, guest, key)
		if err != nil {
			t.Fatal(err)
		}
		again, err := signIn(link, "", key)
		if err != nil || again.Token != lost.Token || again.Session.ID != lost.Session.ID || again.Customer != lost.Customer {
			t.Errorf("again %+v, %v, want %+v", again, err, lost)
		}
		if r.find(r.sessions, "sushi", again.Token).CustomerID != lost.Customer.ID {
			t.Error("the token that is answered again is no session of the customer")
		}
		refused := func(name, link, key string) {
			t.Helper()
			if in, err := signIn(link, "", key); !errors.Is(err, customer.ErrLinkUnusable) || in.Token != "" {
				t.Errorf("%s: %+v, %v", name, in, err)
			}
		}
		refused("another key", link, other)
		refused("no key", link, "")
		ended := r.makeLink("sushi", anna)
		in, err := signIn(ended, guest, key)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.sessions.End(t.Context(), "sushi", in.Token); err != nil {
			t.Fatal(err)
		}
		refused("a session that was signed out", ended, key)
		r.clock.Advance(customer.LinkLife)
		refused("too late", link, key)
	})
}

// A key that could be guessed by someone who finds a used link lets no browser use it again.
func TestLink_isNotGoodAgainForAShortKey(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		link, key := r.makeLink("sushi", anna), "0123456789abcdef0123456789abcde"
		if _, err := r.sessions.SignIn(t.Context(), "sushi", "", link, key, joinNothing); err != nil {
			t.Fatal(err)
		}
		if _, err := r.sessions.SignIn(t.Context(), "sushi", "", link, key, joinNothing); !errors.Is(err, customer.ErrLinkUnusable) {
			t.Errorf("again: %v", err)
		}
	})
}
