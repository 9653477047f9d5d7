package customer

import (
	"context"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
)

// LinkLife is how long a sign-in link can be used.
const LinkLife = 15 * time.Minute

// Link signs a customer in once, for whoever has its token.
type Link struct {
	// Token is the secret. Only its hash is stored: it cannot be told again.
	Token     string
	ExpiresAt time.Time
}

// MakeLink makes a sign-in link for a customer of the site.
func (s *Customers) MakeLink(ctx context.Context, site string, customerID int64) (Link, error) {
	token, key := newToken()
	now := s.clock.Now()
	link := Link{Token: token, ExpiresAt: now.Add(LinkLife)}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		return insertLink(ctx, tx.Q, key, site, customerID, now, link.ExpiresAt)
	})
	return link, err
}

// SignedIn is what came of a sign-in.
type SignedIn struct {
	Session  Session
	Customer Customer
	// Token is the session's from now on; the one before is dead.
	Token string
}

// SignIn makes the session with the token old, empty for none, the session of the
// customer whom the link was made for, under a new token. The session stays the same one,
// so that what was begun in it goes on. One that belongs to another customer is ended, and
// a new one begun: nothing of his is passed on.
//
// join runs in the same transaction and moves what the guest had to the customer; it may
// run twice and must have no effect outside of the transaction. When it fails nothing has
// happened, and the link can be used again.
//
// Fault: [ErrLinkUnusable] (Invalid) at token for a link that was never made, was
// used, is too old or belongs to another site: the same for all.
func (s *Sessions) SignIn(
	ctx context.Context, site, old, link string, join func(tx *db.Tx, session Session) error,
) (SignedIn, error) {
	linkHash, ok := hashOf(link)
	if !ok {
		return SignedIn{}, ErrLinkUnusable
	}
	oldHash, hadSession := hashOf(old)
	token, newHash := newToken()
	now := s.clock.Now()
	in := SignedIn{Token: token}
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		id, ok, err := useLink(ctx, tx.Q, linkHash, site, now)
		if err != nil {
			return err
		}
		if !ok {
			return ErrLinkUnusable
		}
		if in.Customer, err = getCustomer(ctx, tx.Q, id); err != nil {
			return err
		}
		in.Session = Session{CustomerID: id, Phone: in.Customer.Phone}
		if in.Session.ID, err = takeSession(ctx, tx.Q, sessionKey{site, oldHash}, newHash, id, now); err != nil {
			return err
		}
		return join(tx, in.Session)
	})
	if err != nil {
		return SignedIn{}, err
	}
	if hadSession {
		s.known.Invalidate(sessionKey{site, oldHash})
	}
	s.known.Set(sessionKey{site, newHash}, in.Session)
	return in, nil
}

// ErrLinkUnusable is the one refusal of a link that signs nobody in.
var ErrLinkUnusable = fault.New(fault.Invalid, "customer.link_unusable", fault.Field("token", "customer.link_unusable"))
