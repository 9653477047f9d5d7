package customer_test

import (
	"testing"
	"time"

	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
)

// lateCall makes a call that sends a token of no session and begins one. It returns the code of the fault,
// 0 when a session has begun.
func (r *room) lateCall(s *customer.Sessions, site, token string) fault.Code {
	r.t.Helper()
	if found := r.find(s, site, token); found != (customer.Session{}) {
		r.t.Fatalf("the token is still of %v", found)
	}
	_, given, err := s.Begin(r.t.Context(), site, token)
	if f, ok := fault.Of(err); ok && given == "" {
		return f.Code
	}
	if err != nil || given == "" {
		r.t.Fatalf("begun %q, %v", given, err)
	}
	return 0
}

func TestToken_replacedBySignInBeginsNoSessionForThreeMinutes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		_, guest := r.begin("sushi")
		annas := r.signIn("sushi", guest, r.makeLink("sushi", anna)).Token
		r.signIn("sushi", annas, r.makeLink("sushi", boris))
		for name, token := range map[string]string{"a guest's": guest, "the customer's before": annas} {
			for where, s := range map[string]*customer.Sessions{"here": r.sessions, "in another process": newSessions(t, d, r.clock)} {
				if got := r.lateCall(s, "sushi", token); got != fault.Conflict {
					t.Errorf("%s token, %s: %v, want a conflict", name, where, got)
				}
			}
			if got := r.lateCall(r.sessions, "pizza", token); got != 0 {
				t.Errorf("%s token at another brand: %v", name, got)
			}
		}
		r.clock.Advance(customer.RotatedFor - time.Second)
		if got := r.lateCall(r.sessions, "sushi", guest); got != fault.Conflict {
			t.Errorf("just before the time is over: %v, want a conflict", got)
		}
		r.clock.Advance(time.Second)
		if got := r.lateCall(r.sessions, "sushi", guest); got != 0 {
			t.Errorf("after three minutes: %v, want a session", got)
		}
	})
}

func TestBegin_acceptsAnUnknownToken(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRoom(t, d)
		r.signIn("sushi", "", r.makeLink("sushi", anna))
		strange := r.makeLink("sushi", boris) // random, as a token of a session that is long gone
		for _, token := range []string{"", "no token", strange} {
			if got := r.lateCall(r.sessions, "sushi", token); got != 0 {
				t.Errorf("%q: %v, want a session", token, got)
			}
		}
	})
}
