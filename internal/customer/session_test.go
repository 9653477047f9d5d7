package customer_test

import (
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func sessions(t *testing.T, d *db.DB, c clock.Clock) *customer.Sessions {
	t.Helper()
	s, err := customer.NewSessions(d, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASessionIsFoundByItsTokenOnItsSiteOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC))
		begun, token, err := sessions(t, d, c).Begin(t.Context(), "sushi", "")
		if err != nil {
			t.Fatal(err)
		}
		other := sessions(t, d, c) // another process: nothing remembered
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

func TestASessionLives256DaysAfterItWasLastSeen(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC))
		begun, token, err := sessions(t, d, c).Begin(t.Context(), "sushi", "")
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			c.Advance(customer.SessionLife - time.Hour)
			if got, err := sessions(t, d, c).Find(t.Context(), "sushi", token); err != nil || got != begun {
				t.Fatalf("a session seen in time is lost: %v, %v", got, err)
			}
		}
		c.Advance(customer.SessionLife + time.Hour)
		if err := sessions(t, d, c).Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, err := sessions(t, d, c).Find(t.Context(), "sushi", token); err != nil || got.ID != 0 {
			t.Fatalf("an old session still lives: %v, %v", got, err)
		}
	})
}
