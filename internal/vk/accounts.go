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

// SignInLife is how long a visitor may stay at VK, and how long an account without a phone stays
// pending until a code has verified one.
const SignInLife = 10 * time.Minute

// Accounts holds the customers of VK accounts at each brand, and the sign-ins that are under way.
// It is safe for concurrent use.
type Accounts struct {
	db    *db.DB
	clock clock.Clock
}

// NewAccounts returns the accounts in the database.
func NewAccounts(d *db.DB, c clock.Clock) *Accounts { return &Accounts{db: d, clock: c} }

// BeginSignIn stores a sign-in of the session and returns the address of VK's page for the browser.
// VK sends the browser back to redirect. An earlier sign-in of the session ends, and the session's
// pending account is deleted.
func (a *Accounts) BeginSignIn(ctx context.Context, client *Client, sessionID int64, redirect string, l lang.Lang) (string, error) {
	state, verifier := newSecret(), newSecret()
	begun := signIn{sessionID: sessionID, stateHash: sha256.Sum256([]byte(state)), verifier: verifier, redirect: redirect}
	err := a.db.InTx(ctx, func(tx *db.Tx) error {
		return insertSignIn(ctx, tx, begun, a.clock.Now().Add(SignInLife))
	})
	if err != nil {
		return "", err
	}
	return client.AuthorizeURL(state, verifier, redirect, l), nil
}

// CompleteSignIn returns the VK user who has come back to the session. The sign-in is used up,
// whatever VK answers.
//
// Faults: vk.refused (Invalid) for a return that is not of this session, comes twice or too
// late, or that VK refuses; vk.unavailable (Unavailable) when VK does not answer. Their causes
// contain neither person nor secret.
func (a *Accounts) CompleteSignIn(ctx context.Context, client *Client, sessionID int64, back Return) (User, error) {
	begun := signIn{sessionID: sessionID, stateHash: sha256.Sum256([]byte(back.State))}
	found := false
	err := a.db.InTx(ctx, func(tx *db.Tx) (err error) {
		begun, found, err = useSignIn(ctx, tx, begun, a.clock.Now())
		return err
	})
	if err != nil {
		return User{}, err
	}
	if !found {
		return User{}, fault.New(fault.Invalid, "vk.refused")
	}
	user, err := client.FetchUser(ctx, back, begun.verifier, begun.redirect)
	var refused *Refused
	switch {
	case errors.As(err, &refused):
		return User{}, fault.New(fault.Invalid, "vk.refused", fault.Because(err))
	case err != nil:
		return User{}, fault.New(fault.Unavailable, "vk.unavailable", fault.Because(err))
	}
	return user, nil
}

// FindCustomer returns the customer of the account at the site, and false when there is none.
func (a *Accounts) FindCustomer(ctx context.Context, tx *db.Tx, site string, user User) (int64, bool, error) {
	return findCustomer(ctx, tx, site, user.ID)
}

// LinkAccount links the account to the customer at the site, in place of an earlier customer.
func (a *Accounts) LinkAccount(ctx context.Context, tx *db.Tx, site string, user User, customerID int64) error {
	return linkAccount(ctx, tx, site, user.ID, customerID, a.clock.Now())
}

// StorePending stores an account as the session's pending one, until a code has verified a phone.
func (a *Accounts) StorePending(ctx context.Context, site string, sessionID int64, user User) error {
	return a.db.InTx(ctx, func(tx *db.Tx) error {
		return storePending(ctx, tx, site, sessionID, user.ID, a.clock.Now().Add(SignInLife))
	})
}

// DropPending deletes the session's pending account, if there is one: a later sign-in of the session
// may be another person's.
func (a *Accounts) DropPending(ctx context.Context, sessionID int64) error {
	return a.db.InTx(ctx, func(tx *db.Tx) error { return dropPending(ctx, tx, sessionID) })
}

// LinkPending links the session's pending account, if there is one, to the customer who has just
// verified their phone in the session. It must be called in the transaction of the sign-in.
func (a *Accounts) LinkPending(ctx context.Context, tx *db.Tx, sessionID, customerID int64) error {
	site, id, found, err := takePending(ctx, tx, sessionID, a.clock.Now())
	if err != nil || !found {
		return err
	}
	return linkAccount(ctx, tx, site, id, customerID, a.clock.Now())
}

// EraseAccounts deletes the accounts of a customer.
func (a *Accounts) EraseAccounts(ctx context.Context, tx *db.Tx, customerID int64) error {
	return deleteAccounts(ctx, tx, customerID)
}

// Sweep deletes expired sign-ins and pending accounts.
func (a *Accounts) Sweep(ctx context.Context) error {
	return deleteExpired(ctx, a.db, a.clock.Now())
}

// Account is one that signs a customer in.
type Account struct {
	// ID is VK's.
	ID       int64
	JoinedAt time.Time
}

// ListAccounts returns the accounts of a customer at the site.
func (a *Accounts) ListAccounts(ctx context.Context, site string, customerID int64) ([]Account, error) {
	return listAccounts(ctx, a.db.Read(), site, customerID)
}
