package customer

import (
	"context"
	"errors"
	"fmt"

	"servery/internal/db"
)

// SignedIn is the result of a sign-in.
type SignedIn struct {
	Session  Session
	Customer Customer
	// Token is the session's from now on; the one before is invalid.
	Token string
}

// Rotated is a session that a sign-in has assigned to a customer.
type Rotated struct {
	Session

	// GuestID is the guest's session that ends with it, 0 for none.
	GuestID int64
}

// SignInAs is the one way to sign in, whatever the proof is: a link, a code or an account of
// another service. It creates a session with a new token for the customer of the site, in place of
// the session with the token old, which may be empty. When the old session is the customer's already,
// it stays and gets the new token. A guest's session ends, and join moves what the guest had to the
// customer and the new session. Another customer's session ends, and nothing of it is passed on.
//
// useProof uses up the proof and returns the customer. It runs in one transaction with join; both
// may run twice and must have no effect outside of it. When one of them fails nothing is changed,
// its error is returned as it is, and the proof can be used again.
//
// When the customer was erased at the same time, useProof is called once more: the phone then belongs
// to a new customer. SignInAs returns [ErrSignInFirst] when the customer still does not exist.
func (s *Sessions) SignInAs(
	ctx context.Context, site, old string, useProof func(tx *db.Tx) (customerID int64, err error), join func(tx *db.Tx, taken Rotated) error,
) (SignedIn, error) {
	token, tokenHash := newToken()
	return s.signInUnder(ctx, token, tokenHash, site, old, useProof, join)
}

// signInUnder does what [Sessions.SignInAs] does, with a token for the session that no other session has.
func (s *Sessions) signInUnder(
	ctx context.Context, token string, tokenHash hash, site, old string,
	useProof func(tx *db.Tx) (customerID int64, err error), join func(tx *db.Tx, taken Rotated) error,
) (SignedIn, error) {
	in, err := s.trySignIn(ctx, tokenHash, site, old, useProof, join)
	if errors.Is(err, errErased) {
		in, err = s.trySignIn(ctx, tokenHash, site, old, useProof, join)
	}
	if errors.Is(err, errErased) {
		err = ErrSignInFirst
	}
	if err != nil {
		return SignedIn{}, err
	}
	in.Token = token
	return in, nil
}

// errErased says that the customer was erased during the sign-in.
var errErased = errors.New("the customer is erased")

// trySignIn signs in the customer that useProof returns, in place of the session with the token old, under a token with
// the hash. old may be empty. useProof and join run in its transaction; join moves what the guest had, as in
// [Sessions.SignInAs]. Afterwards the session of old is no longer remembered as a guest's. trySignIn
// returns errErased when the customer was erased.
func (s *Sessions) trySignIn(
	ctx context.Context, newHash hash, site, old string, useProof func(tx *db.Tx) (customerID int64, err error), join func(tx *db.Tx, taken Rotated) error,
) (SignedIn, error) {
	oldHash, hasOld := hashOf(old)
	now := s.clock.Now()
	var in SignedIn
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		id, err := useProof(tx)
		if err != nil {
			return err
		}
		// The lock makes an erasure wait, which then finds the new session.
		var exists bool
		if in.Customer, exists, err = lockCustomer(ctx, tx.Q, site, id); err != nil {
			return err
		}
		if !exists {
			return errErased
		}
		taken, err := rotateSession(ctx, tx.Q, sessionKey{site, oldHash}, newHash, id, now)
		if err != nil {
			return err
		}
		taken.Phone = in.Customer.Phone
		in.Session = taken.Session
		return join(tx, taken)
	})
	if err != nil {
		return SignedIn{}, err
	}
	if hasOld {
		s.guests.Remove(sessionKey{site, oldHash})
	}
	return in, nil
}

// FindOrCreate returns the customer of a site with that phone, and creates them when there is none.
// It must be called in a transaction. A name that is not empty is stored when the customer has none
// yet.
func (s *Customers) FindOrCreate(ctx context.Context, tx *db.Tx, site, phone, name string) (Customer, error) {
	if err := insertCustomer(ctx, tx.Q, site, phone, s.clock.Now()); err != nil {
		return Customer{}, err
	}
	found, exists, err := findCustomer(ctx, tx.Q, site, phone)
	if err != nil {
		return Customer{}, err
	}
	if !exists {
		return Customer{}, fmt.Errorf("the customer that was just made at %s is gone", site)
	}
	if found.Name != "" || name == "" {
		return found, nil
	}
	found.Name = name
	return found, SetNameIfEmpty(ctx, tx, found.ID, name)
}
