package customer_test

import (
	"errors"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
)

// expectEverywhere fails the test unless each of the processes finds the wanted session by the token.
func (r *room) expectEverywhere(processes []*customer.Sessions, token string, want customer.Session) {
	r.t.Helper()
	for i, s := range processes {
		if got := r.find(s, "sushi", token); got != want {
			r.t.Errorf("in process %d the session is %v, want %v", i, got.ID, want.ID)
		}
	}
}

func TestSessions_EndEndsTheSessionInEveryProcessAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		both := []*customer.Sessions{r.sessions, newSessions(t, d, r.clock)}
		in := r.signIn("sushi", "", r.makeLink("sushi", anna))
		r.expectEverywhere(both, in.Token, in.Session) // each has seen it by now
		if err := r.sessions.End(t.Context(), "pizza", in.Token); err != nil {
			t.Fatal(err)
		}
		r.expectEverywhere(both, in.Token, in.Session)
		for range 2 {
			if err := r.sessions.End(t.Context(), "sushi", in.Token); err != nil {
				t.Fatal(err)
			}
			r.expectEverywhere(both, in.Token, customer.Session{})
		}
		if err := r.sessions.End(t.Context(), "sushi", "no token"); err != nil {
			t.Error(err)
		}
		_, token, err := r.sessions.Begin(t.Context(), "sushi", in.Token)
		if err != nil || token == in.Token {
			t.Errorf("what comes next: %v", err)
		}
	})
}

func TestSession_ofAGuestIsNotFoundOnceItHasEnded(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		_, token := r.begin("sushi")
		if err := r.sessions.End(t.Context(), "sushi", token); err != nil {
			t.Fatal(err)
		}
		r.expectEverywhere([]*customer.Sessions{r.sessions}, token, customer.Session{})
	})
}

func TestBrowsers_areListedAndEndedByTheirCustomer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		describe := func(agent string) func(tx *db.Tx, s customer.Rotated) error {
			return func(tx *db.Tx, s customer.Rotated) error {
				return r.sessions.StoreDeviceName(t.Context(), tx, s.ID, agent)
			}
		}
		var in [4]customer.SignedIn
		for i, phone := range []string{anna, anna, anna, boris} {
			var err error
			in[i], err = r.sessions.SignIn(t.Context(), "sushi", "", r.makeLink("sushi", phone), "", describe("Chrome/1 Android"))
			if err != nil {
				t.Fatal(err)
			}
			r.clock.Advance(time.Minute)
		}
		me, here := in[0].Customer.ID, in[0].Session.ID
		list, err := r.sessions.List(t.Context(), "sushi", me, here)
		began := clock.Cut(r.clock.Now().Add(-4 * time.Minute))
		if err != nil || len(list) != 3 || list[0].SessionID != here || !list[0].IsCurrent || list[1].SessionID != in[2].Session.ID ||
			list[2].IsCurrent || list[0].Device != "Chrome, Android" || !list[0].SignedInAt.Equal(began) {
			t.Fatalf("browsers %v, %v", list, err)
		}
		unknown := fault.New(fault.NotFound, "customer.session_unknown")
		for name, id := range map[string]int64{"another's": in[3].Session.ID, "no one's": 1 << 40} {
			if err := r.sessions.EndOne(t.Context(), "sushi", me, id); !errors.Is(err, unknown) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := r.sessions.EndOne(t.Context(), "pizza", me, in[2].Session.ID); !errors.Is(err, unknown) {
			t.Errorf("at another brand: %v", err)
		}
		if err := r.sessions.EndOne(t.Context(), "sushi", me, in[2].Session.ID); err != nil {
			t.Fatal(err)
		}
		if r.find(r.sessions, "sushi", in[2].Token).ID != 0 || r.find(r.sessions, "sushi", in[1].Token).ID == 0 {
			t.Error("not the one that was meant has ended")
		}
		if err := r.sessions.EndOthers(t.Context(), "sushi", me, here); err != nil {
			t.Fatal(err)
		}
		for i, lives := range []bool{true, false, false, true} {
			if got := r.find(r.sessions, "sushi", in[i].Token).ID != 0; got != lives {
				t.Errorf("session %d lives: %v, want %v", i, got, lives)
			}
		}
	})
}
