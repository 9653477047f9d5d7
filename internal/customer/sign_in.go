package customer

import (
	"context"
	"errors"
	"fmt"

	"servery/internal/db"
)

// SignedIn is what came of a sign-in.
type SignedIn struct {
	Session  Session
	Customer Customer
	// Token is the session's from now on; the one before is dead.
	Token string
}

// Taken is a session that becomes a customer's.
type Taken struct {
	Session

	// GuestID is the guest's session that ends with it, 0 for none.
	GuestID int64
}

// SignInAs is the one way in, whatever proved who it is: a link, a code or another
// service's account. It makes a session, under a new token, of the customer of the site
// whom who names, in place of the one with the token old, empty for none. A guest's session
// ends with it, and join moves what the guest had to the customer and the new session. One that is
// the customer's already stays the same. One that belongs to another customer is ended: nothing
// of theirs is passed on.
//
// who uses up the proof. Both run in
// the same transaction, may run twice and must have no effect outside of it. When one of
// them fails nothing has happened, its error comes back as it is, and the proof can be
// used again. Where an erasure was first, who is asked once more: a phone proved then is a
// new customer's. Fault: [ErrSignInFirst] for one who is still named and is not there.
func (s *Sessions) SignInAs(
	ctx context.Context, site, old string, who func(tx *db.Tx) (customerID int64, err error), join func(tx *db.Tx, taken Taken) error,
) (SignedIn, error) {
	in, err := s.signInAs(ctx, site, old, who, join)
	if errors.Is(err, errOvertaken) {
		in, err = s.signInAs(ctx, site, old, who, join)
	}
	if errors.Is(err, errOvertaken) {
		err = ErrSignInFirst
	}
	return in, err
}

// errOvertaken says that the customer was erased while he signed in.
var errOvertaken = errors.New("the customer is erased")

func (s *Sessions) signInAs(
	ctx context.Context, site, old string, who func(tx *db.Tx) (customerID int64, err error), join func(tx *db.Tx, taken Taken) error,
) (SignedIn, error) {
	oldHash, hadSession := hashOf(old)
	token, newHash := newToken()
	now := s.clock.Now()
	in := SignedIn{Token: token}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		id, err := who(tx)
		if err != nil {
			return err
		}
		// From here on an erasure waits, and finds what is his by now.
		var ok bool
		if in.Customer, ok, err = lockCustomer(ctx, tx.Q, site, id); err != nil {
			return err
		}
		if !ok {
			return errOvertaken
		}
		taken, err := takeSession(ctx, tx.Q, sessionKey{site, oldHash}, newHash, id, now)
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
	if hadSession {
		s.known.Invalidate(sessionKey{site, oldHash})
	}
	return in, nil
}

// Arrive gives the customer of a site with that phone inside a transaction, and makes him
// when there is none. The name is his when he has told none yet; empty changes nothing.
func (s *Customers) Arrive(ctx context.Context, tx *db.Tx, site, phone, name string) (Customer, error) {
	if err := insertCustomer(ctx, tx.Q, site, phone, s.clock.Now()); err != nil {
		return Customer{}, err
	}
	found, ok, err := findCustomer(ctx, tx.Q, site, phone)
	if err != nil {
		return Customer{}, err
	}
	if !ok {
		return Customer{}, fmt.Errorf("the customer that was just made at %s is gone", site)
	}
	if found.Name != "" || name == "" {
		return found, nil
	}
	found.Name = name
	return found, NameIfNew(ctx, tx, found.ID, name)
}
