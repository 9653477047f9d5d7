package vk

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
)

// SignInLife is how long a visitor may stay at VK, and how long an account that brought no
// phone waits for the code that gives it one.
const SignInLife = 10 * time.Minute

// Accounts know who a VK account is at a brand, and the sign-ins that are under way. It is
// safe for concurrent use.
type Accounts struct {
	db    *db.DB
	clock clock.Clock
}

// NewAccounts keeps accounts in the database.
func NewAccounts(d *db.DB, c clock.Clock) *Accounts { return &Accounts{db: d, clock: c} }

// Begin gives the page of VK to which a session's browser goes, and which sends it back to
// redirect. An earlier sign-in of the session is over.
func (a *Accounts) Begin(ctx context.Context, client *Client, sessionID int64, redirect string, l lang.Lang) (string, error) {
	state, verifier := newSecret(), newSecret()
	begun := signIn{sessionID: sessionID, stateHash: sha256.Sum256([]byte(state)), verifier: verifier, redirect: redirect}
	err := a.db.InTx(ctx, func(tx *db.Tx) error {
		return begin(ctx, tx, begun, a.clock.Now().Add(SignInLife))
	})
	if err != nil {
		return "", err
	}
	return client.AuthorizeURL(state, verifier, redirect, l), nil
}

// Return gives who has come back to the session. Whatever VK then says, the sign-in is used
// up.
//
// Faults: vk.refused (Invalid) for a return that is not of this session, comes a second
// time or too late, or that VK does not take; vk.unavailable (Unavailable) when VK cannot
// be asked. Their causes hold neither person nor secret.
func (a *Accounts) Return(ctx context.Context, client *Client, sessionID int64, back Return) (User, error) {
	begun := signIn{sessionID: sessionID, stateHash: sha256.Sum256([]byte(back.State))}
	found := false
	err := a.db.InTx(ctx, func(tx *db.Tx) (err error) {
		begun, found, err = use(ctx, tx, begun, a.clock.Now())
		return err
	})
	if err != nil {
		return User{}, err
	}
	if !found {
		return User{}, fault.New(fault.Invalid, "vk.refused")
	}
	user, err := client.User(ctx, back, begun.verifier, begun.redirect)
	var refused *Refused
	switch {
	case errors.As(err, &refused):
		return User{}, fault.New(fault.Invalid, "vk.refused", fault.Because(err))
	case err != nil:
		return User{}, fault.New(fault.Unavailable, "vk.unavailable", fault.Because(err))
	}
	return user, nil
}

// Customer gives who the account is at the site; false when it never signed in there.
func (a *Accounts) Customer(ctx context.Context, tx *db.Tx, site string, user User) (int64, bool, error) {
	return findCustomer(ctx, tx, site, user.ID)
}

// Give makes the account the customer's from now on.
func (a *Accounts) Give(ctx context.Context, tx *db.Tx, site string, user User, customerID int64) error {
	return join(ctx, tx, site, user.ID, customerID, a.clock.Now())
}

// Wait keeps an account until the session has proved a phone by a code.
func (a *Accounts) Wait(ctx context.Context, site string, sessionID int64, user User) error {
	return a.db.InTx(ctx, func(tx *db.Tx) error {
		return keepPending(ctx, tx, site, sessionID, user.ID, a.clock.Now().Add(SignInLife))
	})
}

// Forget drops the account that waits in the session: whoever signs in there next for
// another reason may be another person.
func (a *Accounts) Forget(ctx context.Context, sessionID int64) error {
	return a.db.InTx(ctx, func(tx *db.Tx) error { return dropPending(ctx, tx, sessionID) })
}

// Join makes the account that waits in the session, if one does, that of the customer who
// has just proved his phone there. It belongs into the transaction of his sign-in.
func (a *Accounts) Join(ctx context.Context, tx *db.Tx, sessionID, customerID int64) error {
	site, id, found, err := usePending(ctx, tx, sessionID, a.clock.Now())
	if err != nil || !found {
		return err
	}
	return join(ctx, tx, site, id, customerID, a.clock.Now())
}

// Erase forgets the accounts of a customer, who is a stranger to VK from then on.
func (a *Accounts) Erase(ctx context.Context, tx *db.Tx, customerID int64) error {
	return deleteAccounts(ctx, tx, customerID)
}

// Sweep removes sign-ins that were never finished.
func (a *Accounts) Sweep(ctx context.Context) error {
	return sweep(ctx, a.db, a.clock.Now())
}

// Account is one that signs a customer in.
type Account struct {
	// ID is VK's.
	ID       int64
	JoinedAt time.Time
}

// List gives the accounts of a customer at the site.
func (a *Accounts) List(ctx context.Context, site string, customerID int64) ([]Account, error) {
	return listAccounts(ctx, a.db.Read(), site, customerID)
}
