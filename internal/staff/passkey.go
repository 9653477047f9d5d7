package staff

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"servery/internal/access"
	"servery/internal/audit"
	"servery/internal/db"
	"servery/internal/fault"
)

const (
	// ceremonyPrefix begins the secret that names what a browser is asked.
	ceremonyPrefix = "ceremony_"
	// ceremonyLife is how long a browser may take to answer.
	ceremonyLife = 5 * time.Minute
	// maxPasskeys is how many passkeys an account may have.
	maxPasskeys = 10
	// maxCeremonies bounds the sign-ins by passkey that one address begins in vain.
	maxCeremonies = 60
)

// Passkey is a key of a person's phone, computer or token, by which they sign in.
type Passkey struct {
	ID   int64
	Name string
	// UsedAt is zero before the first sign-in.
	CreatedAt, UsedAt time.Time

	credential webauthn.Credential
}

// Ceremony is a request to a browser.
type Ceremony struct {
	// Secret names the request in the answer.
	Secret string
	// Options are what navigator.credentials is called with, as JSON.
	Options json.RawMessage
}

// owner is an account as passkeys know it.
type owner struct {
	id       int64
	login    string
	name     string
	passkeys []Passkey
}

// WebAuthnID returns the account's id in the passkey.
func (o owner) WebAuthnID() []byte { return []byte(strconv.FormatInt(o.id, 10)) }

// WebAuthnName returns the account's login.
func (o owner) WebAuthnName() string { return o.login }

// WebAuthnDisplayName returns the person's name.
func (o owner) WebAuthnDisplayName() string { return o.name }

// WebAuthnCredentials returns what the account's passkeys are verified with.
func (o owner) WebAuthnCredentials() []webauthn.Credential {
	credentials := make([]webauthn.Credential, len(o.passkeys))
	for i, p := range o.passkeys {
		credentials[i] = p.credential
	}
	return credentials
}

// newVerifier returns what makes and verifies requests to browsers at the origin, such as
// https://sushi.example. A passkey works at the host alone at which it was made.
func newVerifier(origin string) (*webauthn.WebAuthn, error) {
	address, err := url.Parse(origin)
	if err != nil {
		return nil, fmt.Errorf("read the origin of passkeys: %w", err)
	}
	v, err := webauthn.New(&webauthn.Config{
		RPID: address.Hostname(), RPDisplayName: "Servery", RPOrigins: []string{origin},
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("prepare passkeys: %w", err)
	}
	return v, nil
}

// BeginPasskey returns the request by which a browser at the origin makes a passkey for a principal who has
// signed in. It ends an earlier request. Faults: common.forbidden (Forbidden) for a principal
// without a session, staff.passkey_limit (Conflict) when the account has ten.
func (s *Service) BeginPasskey(ctx context.Context, p access.Principal, origin string) (Ceremony, error) {
	if p.Kind != audit.Staff {
		return Ceremony{}, fault.New(fault.Forbidden, "common.forbidden")
	}
	verifier, err := newVerifier(origin)
	if err != nil {
		return Ceremony{}, err
	}
	who, err := findOwner(ctx, s.db.Read(), p)
	if err != nil {
		return Ceremony{}, err
	}
	if len(who.passkeys) >= maxPasskeys {
		return Ceremony{}, passkeyLimit()
	}
	options, asked, err := verifier.BeginRegistration(who, webauthn.WithExclusions(webauthn.Credentials(who.WebAuthnCredentials()).CredentialDescriptors()))
	if err != nil {
		return Ceremony{}, fmt.Errorf("begin a passkey: %w", err)
	}
	return s.storeCeremony(ctx, p.ID, options, asked)
}

// AddPasskey stores the passkey that a browser at the origin has made, under a name by which the person
// knows it again. answer is what the browser returned. Faults: common.forbidden (Forbidden) for a principal
// without a session; common.required (Invalid) at name; staff.passkey_refused (Invalid) at credential when
// the answer is not one to the request, or too late, or the passkey is stored already; staff.passkey_limit (Conflict).
func (s *Service) AddPasskey(ctx context.Context, p access.Principal, origin, secret, name string, answer json.RawMessage) error {
	if p.Kind != audit.Staff {
		return fault.New(fault.Forbidden, "common.forbidden")
	}
	verifier, err := newVerifier(origin)
	if err != nil {
		return err
	}
	if name = strings.TrimSpace(name); name == "" {
		return fault.New(fault.Invalid, "common.invalid", fault.Field("name", "common.required"))
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return passkeyRefused()
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		asked, exists, err := takeChallenge(ctx, tx.Q, hashSecret(secret), p.ID, now)
		if err != nil {
			return err
		}
		if !exists {
			return passkeyRefused()
		}
		who, err := findOwner(ctx, tx.Q, p)
		if err != nil {
			return err
		}
		if len(who.passkeys) >= maxPasskeys {
			return passkeyLimit()
		}
		made, err := verifier.CreateCredential(who, asked, parsed)
		if err != nil {
			return passkeyRefused()
		}
		isNew, err := insertPasskey(ctx, tx.Q, p.ID, Passkey{Name: name, CreatedAt: now, credential: *made})
		if err != nil {
			return err
		}
		if !isNew {
			return passkeyRefused()
		}
		return audit.Record(ctx, tx, audit.Entry{Site: p.Site, Subject: "staff", ID: p.Name, After: audit.Fields{"passkey": "added"}}, now)
	})
}

// Passkeys returns the passkeys of an account, the newest first.
func (s *Service) Passkeys(ctx context.Context, accountID int64) ([]Passkey, error) {
	return listPasskeys(ctx, s.db.Read(), accountID)
}

// RemovePasskey removes a passkey of the principal's account. It returns common.not_found (NotFound) for
// one of another account, and for a principal without a session.
func (s *Service) RemovePasskey(ctx context.Context, p access.Principal, id int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		existed := false
		if p.Kind == audit.Staff {
			var err error
			if existed, err = deletePasskey(ctx, tx.Q, id, p.ID); err != nil {
				return err
			}
		}
		if !existed {
			return fault.New(fault.NotFound, "common.not_found", fault.Field("id", "common.not_found"))
		}
		return audit.Record(ctx, tx, audit.Entry{Site: p.Site, Subject: "staff", ID: p.Name, Before: audit.Fields{"passkey": id}}, s.clock.Now())
	})
}

// BeginPasskeySignIn returns the request that a browser at the origin signs; the browser's answer names the
// account. It returns common.too_many_requests (TooMany) for an address that has begun too many sign-ins in a
// quarter of an hour without completing them.
func (s *Service) BeginPasskeySignIn(ctx context.Context, origin, address string) (Ceremony, error) {
	if err := s.countFailure(ctx, ceremoniesOf(address)); err != nil {
		return Ceremony{}, err
	}
	verifier, err := newVerifier(origin)
	if err != nil {
		return Ceremony{}, err
	}
	options, asked, err := verifier.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return Ceremony{}, fmt.Errorf("begin a sign-in by passkey: %w", err)
	}
	return s.storeCeremony(ctx, noAccount, options, asked)
}

// noAccount is the account of a request for a sign-in: the answer names it.
const noAccount = 0

// SignInWithPasskey begins a session by what a browser at the origin has signed, and returns it as SignIn
// does. in has address and browser alone. Whatever is wrong is refused with staff.wrong_sign_in (Invalid):
// an answer to another request, a second time or too late; a passkey that is removed, of a removed
// account, or used less often than before, so that there is a copy of it.
func (s *Service) SignInWithPasskey(ctx context.Context, origin, secret string, answer json.RawMessage, in SignIn) (token string, begun Session, who access.Principal, err error) {
	verifier, err := newVerifier(origin)
	if err != nil {
		return "", Session{}, access.Principal{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return "", Session{}, access.Principal{}, wrongSignIn()
	}
	token = newSecret(sessionPrefix)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		now := s.clock.Now()
		asked, exists, err := takeChallenge(ctx, tx.Q, hashSecret(secret), noAccount, now)
		if err != nil {
			return err
		}
		if !exists {
			return wrongSignIn()
		}
		a, used, err := verifyPasskey(ctx, tx, verifier, asked, parsed, now)
		if err != nil {
			return err
		}
		if err := usePasskey(ctx, tx.Q, used, now); err != nil {
			return err
		}
		begun, err = beginSession(ctx, tx, a, token, in.Browser, now)
		who = a.principal(begun.ID)
		return err
	})
	if err != nil {
		return "", Session{}, access.Principal{}, err
	}
	return token, begun, who, s.uncountFailure(ctx, ceremoniesOf(in.Address))
}

// verifyPasskey returns the account whose passkey has signed the answer, and the credential with which that
// passkey is verified from now on. It returns staff.wrong_sign_in (Invalid) for a wrong signature, for a copied
// passkey, and when there is no such account or passkey.
func verifyPasskey(
	ctx context.Context, tx *db.Tx, verifier *webauthn.WebAuthn, asked webauthn.SessionData, answer *protocol.ParsedCredentialAssertionData, now time.Time,
) (Account, webauthn.Credential, error) {
	var a Account
	var failed error // of the database, which the library would hide
	find := func(_, handle []byte) (webauthn.User, error) {
		id, err := strconv.ParseInt(string(handle), 10, 64)
		if err != nil {
			return nil, errors.New("no id of an account")
		}
		var exists bool
		if a, exists, failed = getAccount(ctx, tx.Q, id, now); failed != nil || !exists {
			return nil, errors.New("no account")
		}
		const noSession = 0 // it begins after the signature was verified
		var who owner
		who, failed = findOwner(ctx, tx.Q, a.principal(noSession))
		return who, failed
	}
	_, used, err := verifier.ValidatePasskeyLogin(find, asked, answer)
	switch {
	case failed != nil:
		return Account{}, webauthn.Credential{}, failed
	case err != nil || used.Authenticator.CloneWarning:
		return Account{}, webauthn.Credential{}, wrongSignIn()
	}
	return a, *used, nil
}

// storeCeremony stores a WebAuthn request to a browser and returns it. An earlier request of the same account
// ends. accountID is noAccount for a sign-in, where only the answer names the account and earlier requests stay.
func (s *Service) storeCeremony(ctx context.Context, accountID int64, options any, asked *webauthn.SessionData) (Ceremony, error) {
	encoded, err := json.Marshal(options)
	if err != nil {
		return Ceremony{}, fmt.Errorf("write the options of a passkey: %w", err)
	}
	secret := newSecret(ceremonyPrefix)
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		return insertChallenge(ctx, tx.Q, hashSecret(secret), accountID, asked, s.clock.Now().Add(ceremonyLife))
	})
	return Ceremony{Secret: secret, Options: encoded}, err
}

// ceremoniesOf returns the count of sign-ins by passkey that an address has begun in vain.
func ceremoniesOf(address string) counters { return counters{{"passkey " + address, maxCeremonies}} }

// passkeyRefused returns staff.passkey_refused (Invalid) at credential.
func passkeyRefused() error {
	return fault.New(fault.Invalid, "staff.passkey_refused", fault.Field("credential", "staff.passkey_refused"))
}

// passkeyLimit returns staff.passkey_limit (Conflict).
func passkeyLimit() error {
	return fault.New(fault.Conflict, "staff.passkey_limit", fault.With(fault.Args{"max": maxPasskeys}))
}
