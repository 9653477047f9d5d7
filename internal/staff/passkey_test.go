package staff_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/descope/virtualwebauthn"

	"servery/internal/access"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/staff"
)

const origin = "https://sushi.example"

// phone is a person's phone, which makes passkeys and signs with them.
type phone struct {
	house

	virtualwebauthn.Authenticator

	site       virtualwebauthn.RelyingParty
	credential virtualwebauthn.Credential
}

// newPhone returns a phone of the principal with a passkey that is not registered yet.
func newPhone(h house, p access.Principal) *phone {
	return &phone{
		house: h, site: virtualwebauthn.RelyingParty{Name: "Servery", ID: "sushi.example", Origin: origin},
		Authenticator: virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{UserHandle: []byte(strconv.FormatInt(p.ID, 10))}),
		credential:    newCredential(),
	}
}

// newCredential returns a passkey with both coordinates of its key whole: the library encodes one that begins with a
// zero too short, which no browser does.
func newCredential() virtualwebauthn.Credential {
	const whole = 77
	for {
		if c := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2); len(c.Key.AttestationData()) == whole {
			return c
		}
	}
}

// make returns the answer to a request to make a passkey.
func (p *phone) make(begun staff.Ceremony) json.RawMessage {
	p.t.Helper()
	options, err := virtualwebauthn.ParseAttestationOptions(string(begun.Options))
	if err != nil {
		p.t.Fatal(err)
	}
	return json.RawMessage(virtualwebauthn.CreateAttestationResponse(p.site, p.Authenticator, p.credential, *options))
}

// addPasskey makes a passkey for a principal and stores it.
func (p *phone) addPasskey(who access.Principal) {
	p.t.Helper()
	begun, err := p.BeginPasskey(p.t.Context(), who, origin)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.AddPasskey(p.t.Context(), who, origin, begun.Secret, "phone", p.make(begun)); err != nil {
		p.t.Fatal(err)
	}
	p.AddCredential(p.credential)
}

// sign returns the answer to a request for a sign-in.
func (p *phone) sign(begun staff.Ceremony) json.RawMessage {
	p.t.Helper()
	options, err := virtualwebauthn.ParseAssertionOptions(string(begun.Options))
	if err != nil {
		p.t.Fatal(err)
	}
	p.credential.Counter++
	return json.RawMessage(virtualwebauthn.CreateAssertionResponse(p.site, p.Authenticator, p.credential, *options))
}

// begin begins a sign-in from an address.
func (p *phone) begin(address string) staff.Ceremony {
	p.t.Helper()
	begun, err := p.BeginPasskeySignIn(p.t.Context(), origin, address)
	if err != nil {
		p.t.Fatal(err)
	}
	return begun
}

// enter sends the answer to a request for a sign-in, and returns the token of the session.
func (p *phone) enter(begun staff.Ceremony, answer json.RawMessage) (token string, err error) {
	token, _, _, err = p.SignInWithPasskey(p.t.Context(), origin, begun.Secret, answer, staff.SignIn{Address: "10.0.0.1", Browser: "Firefox"})
	return token, err
}

// signInOlga adds Olga's account, signs in by its password and returns the principal.
func (h house) signInOlga() access.Principal {
	h.t.Helper()
	secret, _ := h.join(olga())
	h.clock.Advance(time.Minute)
	token, err := h.signIn(password, h.code(secret), "10.0.0.1")
	if err != nil {
		h.t.Fatal(err)
	}
	p, isValid, err := h.Find(h.t.Context(), token)
	if err != nil || !isValid {
		h.t.Fatal(isValid, err)
	}
	return p
}

// A person who has signed in adds the passkey of a phone, and signs in with it alone: each answer once, the
// same rights, a session that is in the log. A removed passkey opens nothing.
func TestPasskey_signsItsOwnerInOncePerRequest(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		who := h.signInOlga()
		p := newPhone(h, who)
		p.addPasskey(who)
		begun := p.begin("10.0.0.1")
		answer := p.sign(begun)
		token, err := p.enter(begun, answer)
		if err != nil {
			t.Fatal(err)
		}
		got, isValid, err := h.Find(t.Context(), token)
		if err != nil || !isValid || got.ID != who.ID || got.Name != who.Name || got.Role != who.Role || got.SessionID == who.SessionID {
			t.Errorf("signed in as %+v, %t, %v", got, isValid, err)
		}
		if _, err := p.enter(begun, answer); fault.KeyOf(err) != "staff.wrong_sign_in" {
			t.Errorf("the same answer again: %v", err)
		}
		stored, err := h.Passkeys(t.Context(), who.ID)
		if err != nil || len(stored) != 1 || stored[0].Name != "phone" || !stored[0].UsedAt.Equal(h.clock.Now()) {
			t.Fatalf("stored %+v, %v", stored, err)
		}
		if err := h.RemovePasskey(t.Context(), access.Principal{Kind: who.Kind, ID: who.ID + 1}, stored[0].ID); fault.KeyOf(err) != "common.not_found" {
			t.Errorf("somebody else removes it: %v", err)
		}
		waiting := p.begin("10.0.0.1")
		if err := h.RemovePasskey(t.Context(), who, stored[0].ID); err != nil {
			t.Fatal(err)
		}
		if _, err := p.enter(waiting, p.sign(waiting)); fault.KeyOf(err) != "staff.wrong_sign_in" {
			t.Errorf("a removed passkey: %v", err)
		}
	})
}

// An answer is refused when it is of another origin or request, of another key, too late, without a check of the
// person, from a copy of the passkey, of a removed account, or no answer at all.
func TestPasskey_refusesEveryOtherAnswer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		who := h.signInOlga()
		p := newPhone(h, who)
		p.addPasskey(who)
		refuse := func(what string, begun staff.Ceremony, answer json.RawMessage) {
			t.Helper()
			if _, err := p.enter(begun, answer); fault.KeyOf(err) != "staff.wrong_sign_in" {
				t.Errorf("%s: %v", what, err)
			}
		}
		begun := p.begin("10.0.0.1")
		elsewhere := *p
		elsewhere.site.Origin = "https://sushi.example.evil"
		refuse("of another origin", begun, elsewhere.sign(begun))
		refuse("of another request", p.begin("10.0.0.1"), p.sign(p.begin("10.0.0.1")))
		begun = p.begin("10.0.0.1")
		other := *p
		other.credential = newCredential()
		other.credential.ID = p.credential.ID
		refuse("with another key", begun, other.sign(begun))
		begun = p.begin("10.0.0.1")
		careless := *p
		careless.Options.UserNotVerified = true
		refuse("without a check of the person", begun, careless.sign(begun))
		begun = p.begin("10.0.0.1")
		refuse("no answer", begun, json.RawMessage(`{"id":"x"}`))
		begun = p.begin("10.0.0.1")
		h.clock.Advance(5 * time.Minute)
		refuse("too late", begun, p.sign(begun))

		begun = p.begin("10.0.0.1")
		p.credential.Counter = 40
		if _, err := p.enter(begun, p.sign(begun)); err != nil {
			t.Fatal(err)
		}
		begun = p.begin("10.0.0.1")
		p.credential.Counter = 7
		refuse("of a copy", begun, p.sign(begun))
		p.credential.Counter = 50
		begun = p.begin("10.0.0.1")
		if err := h.Remove(t.Context(), who.Name); err != nil {
			t.Fatal(err)
		}
		refuse("of a removed account", begun, p.sign(begun))
	})
}

// A passkey is stored only for the principal that has requested it. It is refused without a session, for another
// request, a second time, of another origin, without a name, and as the eleventh. A new invitation removes all.
func TestAddPasskey_takesOnlyTheAnswerToItsRequest(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		who := h.signInOlga()
		p := newPhone(h, who)
		add := func(who access.Principal, secret, name string, answer json.RawMessage) string {
			return fault.KeyOf(h.AddPasskey(t.Context(), who, origin, secret, name, answer))
		}
		begin := func() staff.Ceremony {
			t.Helper()
			begun, err := h.BeginPasskey(t.Context(), who, origin)
			if err != nil {
				t.Fatal(err)
			}
			return begun
		}
		if _, err := h.BeginPasskey(t.Context(), access.Principal{ID: who.ID}, origin); fault.KeyOf(err) != "common.forbidden" {
			t.Errorf("without a session: %v", err)
		}
		old, begun := begin(), begin()
		if got := add(who, old.Secret, "phone", p.make(old)); got != "staff.passkey_refused" {
			t.Errorf("of an earlier request: %q", got)
		}
		answer := p.make(begun)
		if got := add(who, begun.Secret, "  ", answer); got != "common.invalid" {
			t.Errorf("without a name: %q", got)
		}
		if got := add(access.Principal{Kind: who.Kind, ID: who.ID + 1}, begun.Secret, "phone", answer); got != "staff.passkey_refused" {
			t.Errorf("of somebody else: %q", got)
		}
		if got := add(who, begun.Secret, "phone", bytes.ReplaceAll(answer, []byte("a"), []byte("b"))); got != "staff.passkey_refused" {
			t.Errorf("spoiled: %q", got)
		}
		begun = begin()
		elsewhere := *p
		elsewhere.site.Origin = "https://evil.example"
		if got := add(who, begun.Secret, "phone", elsewhere.make(begun)); got != "staff.passkey_refused" {
			t.Errorf("of another origin: %q", got)
		}
		for range 9 {
			next := newPhone(h, who)
			next.addPasskey(who)
		}
		var both sync.WaitGroup
		for range 4 { // of those that ask at once the last request counts, and one passkey is stored
			both.Go(func() {
				next := newPhone(h, who)
				begun, err := h.BeginPasskey(t.Context(), who, origin)
				if err == nil {
					err = h.AddPasskey(t.Context(), who, origin, begun.Secret, "phone", next.make(begun))
				}
				if key := fault.KeyOf(err); err != nil && key != "staff.passkey_refused" && key != "staff.passkey_limit" {
					t.Error(err)
				}
			})
		}
		both.Wait()
		if stored, err := h.Passkeys(t.Context(), who.ID); err != nil || len(stored) != 10 {
			t.Errorf("%d passkeys, %v", len(stored), err)
		}
		if _, err := h.BeginPasskey(t.Context(), who, origin); fault.KeyOf(err) != "staff.passkey_limit" {
			t.Errorf("the eleventh: %v", err)
		}
		invitation, err := h.Invite(t.Context(), who.Name)
		if err != nil {
			t.Fatal(err)
		}
		offer, err := h.OpenInvitation(t.Context(), invitation)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.AcceptInvitation(t.Context(), invitation, password, h.code(offer.Secret)); err != nil {
			t.Fatal(err)
		}
		if left, err := h.Passkeys(t.Context(), who.ID); err != nil || len(left) != 0 {
			t.Errorf("after an invitation %d are left, %v", len(left), err)
		}
	})
}

// Of two processes that get the same answer at once one begins a session, and an address that begins sign-ins
// without end is refused.
func TestPasskey_ofOneAnswerOneSessionBegins(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		who := h.signInOlga()
		p := newPhone(h, who)
		p.addPasskey(who)
		begun := p.begin("10.0.0.1")
		answer := p.sign(begun)
		var both sync.WaitGroup
		keys := make([]string, 2)
		for i := range keys {
			both.Go(func() {
				_, err := p.enter(begun, answer)
				keys[i] = fault.KeyOf(err)
			})
		}
		both.Wait()
		if (keys[0] == "") == (keys[1] == "") {
			t.Errorf("got %q", keys)
		}
		for range 60 {
			p.begin("10.0.0.2")
		}
		if _, err := h.BeginPasskeySignIn(t.Context(), origin, "10.0.0.2"); fault.KeyOf(err) != "common.too_many_requests" {
			t.Errorf("the sixty-first: %v", err)
		}
		h.clock.Advance(6 * time.Minute)
		if err := h.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		var left int
		if err := d.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM staff_challenge").Scan(&left); err != nil || left != 0 {
			t.Errorf("%d requests are left, %v", left, err)
		}
	})
}
