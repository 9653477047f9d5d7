package staff_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/staff"
)

// fail signs in with a login and a wrong password from an address, and returns the error.
func (h house) fail(login, address string) error {
	_, _, _, err := h.SignIn(h.t.Context(), staff.SignIn{Login: login, Password: "wrong", Code: "000000", Address: address})
	return err
}

// countRows returns how many counts of failures are stored.
func (h house) countRows() (rows int) {
	h.t.Helper()
	if err := h.db.Reader().QueryRowContext(h.t.Context(), "SELECT COUNT(*) FROM staff_failure").Scan(&rows); err != nil {
		h.t.Fatal(err)
	}
	return rows
}

func TestSignIn_isNotClosedToOthersByOneAddress(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		secret, _ := h.join(olga())
		h.clock.Advance(time.Minute)
		for i := range 100 {
			want := "staff.wrong_sign_in"
			if i >= 5 {
				want = "common.too_many_requests"
			}
			expectFault(t, fmt.Sprintf("attempt %d", i+1), h.fail("olga@sushi.example", "10.0.0.1"), want)
		}
		if _, err := h.signIn(password, h.code(secret), "10.0.0.9"); err != nil {
			t.Errorf("the person at her own address: %v", err)
		}
	})
}

// The login has a space, so that its text is that of another login with an address.
func TestSignIn_isNotClosedByFailuresOfALoginThatEndsWithAnAddress(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		secret, _ := h.join(olga())
		h.clock.Advance(time.Minute)
		for i := range 6 {
			expectFault(t, "a login with a space", h.fail("olga@sushi.example 10.0.0.9", fmt.Sprintf("10.0.1.%d", i)), "staff.wrong_sign_in")
		}
		if _, err := h.signIn(password, h.code(secret), "10.0.0.9"); err != nil {
			t.Errorf("the person at her own address: %v", err)
		}
	})
}

func TestSignIn_isClosedForALoginAfterThirtyFailuresOfManyAddresses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		secret, _ := h.join(olga())
		h.clock.Advance(time.Minute)
		for i := range 30 {
			expectFault(t, "a wrong one", h.fail("olga@sushi.example", fmt.Sprintf("10.0.1.%d", i%6)), "staff.wrong_sign_in")
		}
		_, err := h.signIn(password, h.code(secret), "10.0.0.9")
		expectFault(t, "the right one from another address", err, "common.too_many_requests")
		h.clock.Advance(15 * time.Minute)
		if _, err := h.signIn(password, h.code(secret), "10.0.0.9"); err != nil {
			t.Errorf("a quarter of an hour later: %v", err)
		}
	})
}

func TestSignIn_isClosedForAnAddressAfterSixtyFailuresOfAnyLogins(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		secret, _ := h.join(olga())
		other := house{staff.New(d, h.clock), t, d, h.clock}
		h.clock.Advance(time.Minute)
		if _, err := h.signIn(password, h.code(secret), "10.0.0.1"); err != nil {
			t.Fatalf("a right one, which does not count: %v", err)
		}
		h.clock.Advance(time.Minute)
		for i := range 60 {
			process := []house{h, other}[i%2]
			expectFault(t, "a wrong one", process.fail(fmt.Sprintf("guess%d", i), "10.0.0.1"), "staff.wrong_sign_in")
		}
		rows := h.countRows()
		for _, process := range []house{h, other} {
			// Without a place to hash a password at, only what needs no hash is answered.
			release := process.TakeHashes()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			_, _, _, err := process.SignIn(ctx, staff.SignIn{Login: "another", Password: "wrong", Code: "000000", Address: "10.0.0.1"})
			cancel()
			release()
			expectFault(t, "one more login", err, "common.too_many_requests")
			// The count began with the right one, a minute ago.
			if f, ok := fault.Of(err); !ok || f.RetryAfter != 14*time.Minute {
				t.Errorf("the refusal is %+v", f)
			}
		}
		if got := h.countRows(); got != rows {
			t.Errorf("refused attempts add %d rows", got-rows)
		}
		_, err := h.signIn(password, h.code(secret), "10.0.0.1")
		expectFault(t, "the right one from the address", err, "common.too_many_requests")
		if _, err := h.signIn(password, h.code(secret), "10.0.0.9"); err != nil {
			t.Errorf("from another address: %v", err)
		}
		h.clock.Advance(15 * time.Minute)
		if _, err := h.signIn(password, h.code(secret), "10.0.0.1"); err != nil {
			t.Errorf("a quarter of an hour later: %v", err)
		}
	})
}
