package customer

import (
	"context"
	"strconv"
	"time"

	"servery/internal/audit"
	"servery/internal/db"
	"servery/internal/fault"
)

// LinkLife is how long a sign-in link can be used.
const LinkLife = 15 * time.Minute

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
func (s *Sessions) SignIn(
	ctx context.Context, site, old, linkToken string, join func(tx *db.Tx, taken Rotated) error,
) (SignedIn, error) {
	linkHash, isToken := hashOf(linkToken)
	if !isToken {
		return SignedIn{}, ErrLinkUnusable
	}
	now := s.clock.Now()
	return s.SignInAs(ctx, site, old, func(tx *db.Tx) (int64, error) {
		id, isUsable, err := useLink(ctx, tx.Q, linkHash, site, now)
		if err == nil && !isUsable {
			return 0, ErrLinkUnusable
		}
		return id, err
	}, join)
}

// ErrLinkUnusable is the one refusal of a link that cannot be used.
var ErrLinkUnusable = fault.New(fault.Invalid, "customer.link_unusable", fault.Field("token", "customer.link_unusable"))

// auditEntry returns a change of what a customer has, for the audit log.
func auditEntry(site string, customerID int64, after audit.Fields) audit.Entry {
	return audit.Entry{Site: site, Subject: "customer", ID: strconv.FormatInt(customerID, 10), After: after}
}
