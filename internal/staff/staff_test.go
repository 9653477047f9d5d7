package staff_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"servery/internal/access"
	"servery/internal/audit"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/staff"
)

var evening = time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)

const password = "salmon-on-tuesdays"

// house is the service of one process with its clock.
type house struct {
	*staff.Service

	t     *testing.T
	db    *db.DB
	clock *clock.Fake
}

func newHouse(t *testing.T, d *db.DB) house {
	t.Helper()
	c := clock.NewFake(evening)
	return house{staff.New(d, c), t, d, c}
}

// olga is an account that can be added.
func olga() staff.Account {
	return staff.Account{Scope: access.Scope{Site: "sushi", Shops: []int64{11}}, Login: "Olga@sushi.example", Name: "Olga P.", Role: access.Manager}
}

// code returns the code that the app with the secret shows now.
func (h house) code(secret string) string {
	h.t.Helper()
	code, err := totp.GenerateCode(secret, h.clock.Now())
	if err != nil {
		h.t.Fatal(err)
	}
	return code
}

// join adds an account, accepts its invitation and returns the secret of its app and its recovery codes.
func (h house) join(a staff.Account) (secret string, recovery []string) {
	h.t.Helper()
	invitation, err := h.Add(h.t.Context(), a)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.accept(invitation)
}

// accept accepts an invitation and returns the secret of the app and the recovery codes of its account.
func (h house) accept(invitation string) (secret string, recovery []string) {
	h.t.Helper()
	offer, err := h.OpenInvitation(h.t.Context(), invitation)
	if err != nil {
		h.t.Fatal(err)
	}
	recovery, err = h.AcceptInvitation(h.t.Context(), invitation, password, h.code(offer.Secret))
	if err != nil {
		h.t.Fatal(err)
	}
	return offer.Secret, recovery
}

// signIn signs Olga in from an address.
func (h house) signIn(password, code, address string) (token string, err error) {
	token, _, _, err = h.SignIn(h.t.Context(), staff.SignIn{Login: " olga@sushi.example", Password: password, Code: code, Address: address, Browser: "Firefox"})
	return token, err
}

// expectFault fails the test unless the error is a fault with the key message. what is named in the failure.
func expectFault(t *testing.T, what string, err error, message string) {
	t.Helper()
	if f, ok := fault.Of(err); !ok || f.Message.Key != message {
		t.Errorf("%s: %v, want %s", what, err, message)
	}
}

func TestInvitation_isAcceptedOnceWithinItsTime(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		invitation, err := h.Add(t.Context(), olga())
		if err != nil {
			t.Fatal(err)
		}
		first, err := h.OpenInvitation(t.Context(), invitation)
		if err != nil || first.Login != "olga@sushi.example" || !strings.Contains(first.URL, first.Secret) {
			t.Fatalf("%+v, %v", first, err)
		}
		second, err := h.OpenInvitation(t.Context(), invitation)
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.AcceptInvitation(t.Context(), invitation, "short", h.code(second.Secret))
		expectFault(t, "a short password", err, "common.invalid")
		_, err = h.AcceptInvitation(t.Context(), invitation, password, h.code(first.Secret))
		expectFault(t, "the code of the secret that was shown before", err, "common.invalid")
		if _, err := h.signIn("", "", "10.0.0.1"); err == nil {
			t.Error("an account without a password signs in")
		}
		var done sync.WaitGroup
		accepted := make(chan bool, 2)
		for range 2 {
			done.Go(func() {
				_, err := h.AcceptInvitation(t.Context(), invitation, password, h.code(second.Secret))
				accepted <- err == nil
			})
		}
		done.Wait()
		if a, b := <-accepted, <-accepted; a == b {
			t.Errorf("of two at once both or none have accepted: %v", a)
		}
		_, err = h.OpenInvitation(t.Context(), invitation)
		expectFault(t, "a used invitation", err, "staff.invitation_over")
		again, err := h.Invite(t.Context(), "olga@sushi.example")
		if err != nil {
			t.Fatal(err)
		}
		h.clock.Advance(staff.InvitationLife)
		_, err = h.OpenInvitation(t.Context(), again)
		expectFault(t, "an old invitation", err, "staff.invitation_over")
	})
}

func TestSignIn_needsLoginPasswordAndACodeThatWasNotUsed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		secret, recovery := h.join(olga())
		if _, err := h.signIn(password, h.code(secret), "10.0.0.1"); err == nil {
			t.Error("the code that opened the account was used again")
		}
		h.clock.Advance(time.Minute)
		for what, try := range map[string][2]string{
			"a wrong password": {password + "!", h.code(secret)}, "a wrong code": {password, "000000"}, "no code": {password, ""},
		} {
			_, err := h.signIn(try[0], try[1], "10.0.0.2")
			expectFault(t, what, err, "staff.wrong_sign_in")
		}
		_, _, _, err := h.SignIn(t.Context(), staff.SignIn{Login: "nobody", Password: password, Code: h.code(secret), Address: "10.0.0.3"})
		expectFault(t, "an unknown login", err, "staff.wrong_sign_in")
		token, err := h.signIn(password, h.code(secret), "10.0.0.1")
		if err != nil {
			t.Fatal(err)
		}
		p, found, err := h.Find(t.Context(), token)
		if err != nil || !found || p.Name != "olga@sushi.example" || p.Person != "Olga P." || p.Kind != audit.Staff || !p.May(access.MakeRefunds) || p.May(access.SignInCustomers) || !p.HasShop("sushi", 11) || p.HasShop("sushi", 12) {
			t.Errorf("%+v, %v, %v", p, found, err)
		}
		_, err = h.signIn(password, h.code(secret), "10.0.0.1")
		expectFault(t, "the same code again", err, "staff.wrong_sign_in")
		if _, err := h.signIn(password, strings.ToUpper(recovery[3]), "10.0.0.1"); err != nil {
			t.Errorf("a recovery code: %v", err)
		}
		_, err = h.signIn(password, recovery[3], "10.0.0.1")
		expectFault(t, "the same recovery code again", err, "staff.wrong_sign_in")
	})
}

// The count of failures is in the database: another process refuses too, and a login that nobody has looks
// like one that exists.
func TestSignIn_isClosedAfterFailuresInEveryProcess(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		secret, _ := h.join(olga())
		h.clock.Advance(time.Minute)
		other := house{staff.New(d, h.clock), t, d, h.clock}
		for i := range 5 {
			process := []house{h, other}[i%2]
			_, err := process.signIn("wrong", "000000", "10.0.0.1")
			expectFault(t, "a wrong one", err, "staff.wrong_sign_in")
			_, _, _, err = process.SignIn(t.Context(), staff.SignIn{Login: "nobody", Password: "wrong", Code: "000000", Address: "10.0.0.1"})
			expectFault(t, "an unknown one", err, "staff.wrong_sign_in")
		}
		for _, process := range []house{h, other} {
			_, err := process.signIn(password, process.code(secret), "10.0.0.1")
			expectFault(t, "the right one, too late", err, "common.too_many_requests")
			_, _, _, err = process.SignIn(t.Context(), staff.SignIn{Login: "nobody", Password: "wrong", Code: "000000", Address: "10.0.0.1"})
			expectFault(t, "the unknown one", err, "common.too_many_requests")
		}
		if _, err := other.signIn(password, other.code(secret), "10.0.0.9"); err != nil {
			t.Errorf("from another address: %v", err)
		}
		h.clock.Advance(15 * time.Minute)
		if _, err := h.signIn(password, h.code(secret), "10.0.0.1"); err != nil {
			t.Errorf("a quarter of an hour later: %v", err)
		}
	})
}

func TestSession_endsByItselfByHandAndWithTheAccount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		secret, _ := h.join(olga())
		begin := func() (string, access.Principal) {
			h.clock.Advance(time.Minute)
			token, err := h.signIn(password, h.code(secret), "10.0.0.1")
			if err != nil {
				t.Fatal(err)
			}
			p, found, err := h.Find(t.Context(), token)
			if err != nil || !found {
				t.Fatal(found, err)
			}
			return token, p
		}
		expectOver := func(what, token string, p access.Principal) {
			t.Helper()
			_, found, err := h.Find(t.Context(), token)
			valid, errValid := h.IsValid(t.Context(), p)
			if found || valid || err != nil || errValid != nil {
				t.Errorf("%s the session goes on: %v, %v, %v, %v", what, found, valid, err, errValid)
			}
		}
		first, p := begin()
		second, q := begin()
		if list, err := h.Sessions(t.Context(), p.ID); err != nil || len(list) != 2 || list[0].ID != q.SessionID || list[0].Browser != "Firefox" {
			t.Errorf("the sessions are %+v, %v", list, err)
		}
		if err := h.EndSession(t.Context(), p, p.SessionID); err != nil {
			t.Fatal(err)
		}
		expectOver("ended by hand", first, p)
		expectFault(t, "ending it again", h.EndSession(t.Context(), q, p.SessionID), "common.not_found")
		stranger := q
		stranger.ID++
		expectFault(t, "another's", h.EndSession(t.Context(), stranger, q.SessionID), "common.not_found")
		h.clock.Advance(11 * time.Hour)
		if _, found, err := h.Find(t.Context(), second); !found || err != nil {
			t.Errorf("within twelve hours: %v, %v", found, err)
		}
		h.clock.Advance(12 * time.Hour)
		expectOver("idle", second, q)
		third, r := begin()
		if sessions, shifts, err := h.SignOut(t.Context(), "olga@sushi.example"); err != nil || sessions == 0 || shifts != 0 {
			t.Errorf("%d, %d, %v", sessions, shifts, err)
		}
		expectOver("signed out", third, r)
		fourth, s := begin()
		if err := h.Remove(t.Context(), "olga@sushi.example"); err != nil {
			t.Fatal(err)
		}
		expectOver("removed", fourth, s)
		_, err := h.signIn(password, h.code(secret), "10.0.0.1")
		expectFault(t, "a removed account", err, "staff.wrong_sign_in")
		if _, err := h.Add(t.Context(), olga()); err != nil {
			t.Errorf("the login of a removed account: %v", err)
		}
	})
}

// Another invitation replaces password, codes and sessions, but not before it is accepted.
func TestInvite_replacesWhatIsLost(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		secret, recovery := h.join(olga())
		invitation, err := h.Invite(t.Context(), "olga@sushi.example")
		if err != nil {
			t.Fatal(err)
		}
		offer, err := h.OpenInvitation(t.Context(), invitation)
		if err != nil {
			t.Fatal(err)
		}
		h.clock.Advance(time.Minute)
		token, err := h.signIn(password, h.code(secret), "10.0.0.1")
		if err != nil {
			t.Fatalf("before it is accepted: %v", err)
		}
		h.clock.Advance(time.Minute)
		if _, err := h.AcceptInvitation(t.Context(), invitation, password+"2", h.code(offer.Secret)); err != nil {
			t.Fatal(err)
		}
		if _, found, _ := h.Find(t.Context(), token); found {
			t.Error("a session from before goes on")
		}
		h.clock.Advance(time.Minute)
		for _, try := range [][2]string{{password, h.code(offer.Secret)}, {password + "2", h.code(secret)}, {password + "2", recovery[0]}} {
			_, err := h.signIn(try[0], try[1], "10.0.0.2")
			expectFault(t, "what was lost", err, "staff.wrong_sign_in")
		}
		if _, err := h.signIn(password+"2", h.code(offer.Secret), "10.0.0.1"); err != nil {
			t.Error(err)
		}
	})
}

func TestAdd_refusesWhatCannotBeAnAccount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		for _, wrong := range []struct {
			want   error
			change func(*staff.Account)
		}{
			{staff.ErrLogin, func(a *staff.Account) { a.Login = "o p" }},
			{staff.ErrName, func(a *staff.Account) { a.Name = " " }},
			{staff.ErrRole, func(a *staff.Account) { a.Role = "admin" }},
			{staff.ErrScope, func(a *staff.Account) { a.Site = "" }},
			{staff.ErrScope, func(a *staff.Account) { a.Site, a.Shops = "", nil }},
		} {
			a := olga()
			wrong.change(&a)
			if _, err := h.Add(t.Context(), a); !errors.Is(err, wrong.want) {
				t.Errorf("%+v: %v, want %v", a, err, wrong.want)
			}
		}
		h.join(olga())
		if _, err := h.Add(t.Context(), olga()); !errors.Is(err, staff.ErrExists) {
			t.Errorf("the same login again: %v", err)
		}
		if list, err := h.List(t.Context()); err != nil || len(list) != 1 || !list[0].HasPassword || list[0].IsInvited {
			t.Errorf("%+v, %v", list, err)
		}
		_, errInvite := h.Invite(t.Context(), "nobody")
		if err := h.Remove(t.Context(), "nobody"); !errors.Is(err, staff.ErrNone) || !errors.Is(errInvite, staff.ErrNone) {
			t.Errorf("an unknown login: %v, %v", err, errInvite)
		}
	})
}

// What stands in the database signs nobody in.
func TestStaff_storesHashesAlone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		secret, recovery := h.join(olga())
		h.clock.Advance(time.Minute)
		token, err := h.signIn(password, h.code(secret), "10.0.0.1")
		if err != nil {
			t.Fatal(err)
		}
		var stored, codes string
		var hash []byte
		err = errors.Join(
			d.Reader().QueryRowContext(t.Context(), "SELECT password, recovery FROM staff_account").Scan(&stored, &codes),
			d.Reader().QueryRowContext(t.Context(), "SELECT hash FROM staff_session").Scan(&hash),
		)
		if err != nil || !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") || strings.Contains(codes, recovery[0]) || strings.Contains(string(hash), token) {
			t.Errorf("%s, %s, %x, %v", stored, codes, hash, err)
		}
	})
}

func TestSweep_deletesRemovedAccountsAndOldSessions(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		secret, _ := h.join(olga())
		h.clock.Advance(time.Minute)
		if _, err := h.signIn(password, h.code(secret), "10.0.0.1"); err != nil {
			t.Fatal(err)
		}
		left := func() (rows [3]int) {
			for i, table := range []string{"staff_account", "staff_session", "staff_failure"} {
				if err := d.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&rows[i]); err != nil {
					t.Fatal(err)
				}
			}
			return rows
		}
		h.clock.Advance(25 * time.Hour)
		if err := h.Sweep(t.Context()); err != nil || left() != [3]int{1, 0, 0} {
			t.Errorf("after a day %v are left, %v", left(), err)
		}
		if err := h.Remove(t.Context(), "olga@sushi.example"); err != nil {
			t.Fatal(err)
		}
		h.clock.Advance(366 * 24 * time.Hour)
		if err := h.Sweep(t.Context()); err != nil || left() != [3]int{} {
			t.Errorf("a year later %v are left, %v", left(), err)
		}
	})
}
