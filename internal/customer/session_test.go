package customer_test

import (
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// newSessions returns the sessions of a new process, which has none in its cache.
func newSessions(t *testing.T, d *db.DB, c clock.Clock) *customer.Sessions {
	t.Helper()
	s := customer.NewSessions(d, c)
	return s
}

func TestSession_isFoundByItsTokenOnItsSiteOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC))
		begun, token, err := newSessions(t, d, c).Begin(t.Context(), "sushi", "")
		if err != nil {
			t.Fatal(err)
		}
		other := newSessions(t, d, c) // another process: nothing remembered
		for _, want := range []struct {
			site, token string
			id          int64
		}{{"sushi", token, begun.ID}, {"pizza", token, 0}, {"sushi", token[1:] + "A", 0}, {"sushi", "", 0}, {"sushi", "not base64!", 0}} {
			got, err := other.Find(t.Context(), want.site, want.token)
			if err != nil || got != (customer.Session{ID: want.id}) {
				t.Errorf("%s %q: session %v, want %d (%v)", want.site, want.token, got, want.id, err)
			}
		}
	})
}

func TestSession_lives256DaysAfterItWasLastSeen(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC))
		begun, token, err := newSessions(t, d, c).Begin(t.Context(), "sushi", "")
		if err != nil {
			t.Fatal(err)
		}
		const life = 256 * 24 * time.Hour // as the specification says, whatever the product's constant is
		for range 3 {
			c.Advance(life - time.Hour)
			if got, err := newSessions(t, d, c).Find(t.Context(), "sushi", token); err != nil || got != begun {
				t.Fatalf("a session seen in time is lost: %v, %v", got, err)
			}
		}
		c.Advance(life + time.Hour)
		// Before the sweep, which deletes an unused guest earlier than that.
		if got, err := newSessions(t, d, c).Find(t.Context(), "sushi", token); err != nil || got.ID != 0 {
			t.Fatalf("an old session still lives: %v, %v", got, err)
		}
		if err := newSessions(t, d, c).Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, err := newSessions(t, d, c).Find(t.Context(), "sushi", token); err != nil || got.ID != 0 {
			t.Fatalf("an old session lives after the sweep: %v, %v", got, err)
		}
	})
}

func TestSession_recordsACustomerEachTenMinutesAndAGuestDaily(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		in := r.signIn("sushi", r.beginGuest("sushi"), r.makeLink("sushi", "79161234567"))
		lastSeen := func() time.Time {
			t.Helper()
			if _, err := r.sessions.Find(t.Context(), "sushi", in.Token); err != nil {
				t.Fatal(err)
			}
			list, err := r.sessions.List(t.Context(), "sushi", in.Session.CustomerID, in.Session.ID)
			if err != nil || len(list) != 1 {
				t.Fatalf("devices %v, %v", list, err)
			}
			return list[0].SeenAt
		}
		signedIn := r.clock.Now()
		if r.clock.Advance(9 * time.Minute); !lastSeen().Equal(signedIn) {
			t.Error("written again after nine minutes")
		}
		if now := r.clock.Advance(2 * time.Minute); !lastSeen().Equal(now) {
			t.Errorf("last used %v, want %v", lastSeen(), now)
		}

		// A guest session has a shorter life.
		for _, seenAfter := range []time.Duration{23 * time.Hour, 25 * time.Hour} {
			begun, token := r.begin("sushi")
			find := func(after time.Duration) customer.Session {
				t.Helper()
				r.clock.Advance(after)
				got, err := newSessions(t, d, r.clock).Find(t.Context(), "sushi", token)
				if err != nil {
					t.Fatal(err)
				}
				return got
			}
			if got := find(seenAfter); got != begun {
				t.Fatalf("seen after %v: %v", seenAfter, got)
			}
			lives := find(customer.SessionLife-seenAfter+time.Minute) == begun
			if want := seenAfter > 24*time.Hour; lives != want {
				t.Errorf("seen after %v: lives on %v, want %v", seenAfter, lives, want)
			}
		}
	})
}
