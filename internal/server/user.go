package server

import (
	"context"
	"errors"

	"servery/internal/customer"
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
	var device string
	signed, err := s.Sessions.SignIn(ctx, in.site.Alias, s.sessionToken(in.visitor.r), req.Body.Token, s.joinKnown(ctx, &device))
	if err != nil {
		if errors.Is(err, customer.ErrLinkUnusable) {
			s.badLinks.take(in.address, now)
		}
		return nil, err //nolint:wrapcheck // a fault of the area
	}
	s.keepSession(ctx, signed.Session, signed.Token)
	s.keepDevice(ctx, device)
	return wire.SignIn200JSONResponse{User: wireUser(signed.Customer)}, nil
}
