package customer

import (
	"context"
	"errors"
	"strconv"
	"time"

	"servery/internal/audit"
	"servery/internal/db"
	"servery/internal/fault"
)

// LinkLife is how long a sign-in link can be used.
const LinkLife = 15 * time.Minute

// LeastKey is how long a key of the browser must be: a shorter one could be guessed by someone who finds a used link.
const LeastKey = 32

// Link signs a customer in once; its token is the only proof needed.
type Link struct {
	// Token is the secret. Only its hash is stored, so it cannot be read again.
	Token     string
	ExpiresAt time.Time
}

// MakeLink creates a link that signs in a customer of the site, once and within [LinkLife].
func (s *Customers) MakeLink(ctx context.Context, site string, customerID int64) (Link, error) {
	token, key := newToken()
	now := s.clock.Now()
	link := Link{Token: token, ExpiresAt: now.Add(LinkLife)}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := insertLink(ctx, tx.Q, key, site, customerID, now, link.ExpiresAt); err != nil {
			return err
		}
		return audit.Record(ctx, tx, auditEntry(site, customerID, audit.Fields{"sign_in_link_until": link.ExpiresAt}), now)
	})
	return link, err
}

// SignIn signs in the customer of a link and uses the link up. It creates a session in place of the
// one with the token old, which may be empty, and calls join in the same transaction; see
// [Sessions.SignInAs]. It returns [ErrLinkUnusable] (Invalid, at the field token) for a link that
// does not exist, was used, is too old or belongs to another site, without saying which.
//
// key is a secret of the browser, of at least [LeastKey] characters; a shorter one counts as none. A repeated call with
// the link and the key, whose answer was lost, returns the same session and token for as long as the link could be
// used and that session has not ended. It calls join only the first time.
func (s *Sessions) SignIn(
	ctx context.Context, site, old, linkToken, key string, join func(tx *db.Tx, taken Rotated) error,
) (SignedIn, error) {
	linkHash, isToken := hashOf(linkToken)
	if !isToken {
		return SignedIn{}, ErrLinkUnusable
	}
	now := s.clock.Now()
	canRepeat := len(key) >= LeastKey
	token, tokenHash := newToken()
	if canRepeat {
		token, tokenHash = deriveToken(linkToken, key)
	}
	in, err := s.signInUnder(ctx, token, tokenHash, site, old, func(tx *db.Tx) (int64, error) {
		id, isUsable, err := useLink(ctx, tx.Q, linkHash, site, now)
		if err == nil && !isUsable {
			return 0, ErrLinkUnusable
		}
		return id, err
	}, join)
	if canRepeat && errors.Is(err, ErrLinkUnusable) {
		return s.findSignedIn(ctx, site, linkHash, token)
	}
	return in, err
}

// findSignedIn returns the session with the token that a link has begun, and ErrLinkUnusable when there is none, when
// it has ended or when the link is too old.
func (s *Sessions) findSignedIn(ctx context.Context, site string, linkHash hash, token string) (SignedIn, error) {
	in := SignedIn{Token: token}
	var err error
	if in.Session, err = s.Find(ctx, site, token); err != nil {
		return SignedIn{}, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		id, isUsed, err := findUsedLink(ctx, tx.Q, linkHash, site, s.clock.Now())
		if err != nil {
			return err
		}
		if !isUsed || in.Session.CustomerID != id {
			return ErrLinkUnusable
		}
		var exists bool
		if in.Customer, exists, err = lockCustomer(ctx, tx.Q, site, id); err == nil && !exists {
			return ErrLinkUnusable
		}
		return err
	})
	if err != nil {
		return SignedIn{}, err
	}
	return in, nil
}

// ErrLinkUnusable is the one refusal of a link that cannot be used.
var ErrLinkUnusable = fault.New(fault.Invalid, "customer.link_unusable", fault.Field("token", "customer.link_unusable"))

// auditEntry returns a change of what a customer has, for the audit log.
func auditEntry(site string, customerID int64, after audit.Fields) audit.Entry {
	return audit.Entry{Site: site, Subject: "customer", ID: strconv.FormatInt(customerID, 10), After: after}
}
