package server

import (
	"context"
	"errors"

	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/server/wire"
)

// signInLinkPath is where the page waits for a sign-in link's token, which stands after #
// so that no server, log or referrer ever sees it.
const signInLinkPath = "/auth/link#"

// SignIn is POST /user/sign-in: the visit becomes the customer's, with cart and addresses.
func (s *Server) SignIn(ctx context.Context, req wire.SignInRequestObject) (wire.SignInResponseObject, error) {
	in := from(ctx)
	now := s.clock.Now()
	if wait := s.badLinks.wait(in.address, now); wait > 0 {
		return nil, fault.New(fault.TooMany, "common.too_many_requests", fault.RetryAfter(wait))
	}
	visit := s.visit(ctx)
	signed, err := s.Sessions.SignIn(ctx, in.site.Alias, s.sessionToken(in.visitor.r), req.Body.Token,
		func(tx *db.Tx, session customer.Session) error {
			v := known(visit, session)
			if err := s.Addresses.Join(ctx, tx, owner(v)); err != nil {
				return err //nolint:wrapcheck // the area named the operation
			}
			return s.Carts.Merge(ctx, tx, v)
		})
	if err != nil {
		if errors.Is(err, customer.ErrLinkUnusable) {
			s.badLinks.take(in.address, now)
		}
		return nil, err //nolint:wrapcheck // a fault of the area
	}
	s.keepSession(ctx, signed.Session, signed.Token)
	c := signed.Customer
	return wire.SignIn200JSONResponse{User: wire.UserBrief{ID: c.ID, Phone: c.Phone, Name: c.Name}}, nil
}
