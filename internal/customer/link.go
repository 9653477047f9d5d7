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

// SignIn signs in the customer whom the link was made for, as [Sessions.SignInAs] says.
//
// Fault: [ErrLinkUnusable] (Invalid) at token for a link that was never made, was
// used, is too old or belongs to another site: the same for all.
func (s *Sessions) SignIn(
	ctx context.Context, site, old, link string, join func(tx *db.Tx, taken Taken) error,
) (SignedIn, error) {
	linkHash, ok := hashOf(link)
	if !ok {
		return SignedIn{}, ErrLinkUnusable
	}
	now := s.clock.Now()
	return s.SignInAs(ctx, site, old, func(tx *db.Tx) (int64, error) {
		id, ok, err := useLink(ctx, tx.Q, linkHash, site, now)
		if err == nil && !ok {
			return 0, ErrLinkUnusable
		}
		return id, err
	}, join)
}

// ErrLinkUnusable is the one refusal of a link that signs nobody in.
var ErrLinkUnusable = fault.New(fault.Invalid, "customer.link_unusable", fault.Field("token", "customer.link_unusable"))
