package server

import (
	"context"
	"errors"

	"servery/internal/customer"
	"servery/internal/fault"
	"servery/internal/guess"
	"servery/internal/server/request"
	"servery/internal/server/wire"
)

// signInLinkPath is where the page waits for a sign-in link's token, which stands after #
// so that no server, log or referrer ever sees it.
const signInLinkPath = "/auth/link#"

// signInLimits bound the ways to sign in whose secrets are too long to be guessed: all they guard
// is the work. Visitors without a session share those of their address.
var signInLimits = guess.Limits{PerSession: 10, PerAddress: 600}

// trySignIn counts a sign-in by a secret as wrong before it is looked at, by the session, or by the
// address of a visitor without one. It returns what takes that back.
func (s *Server) trySignIn(ctx context.Context) (succeed func(), err error) {
	session, err := s.session(ctx)
	if err != nil {
		return nil, err
	}
	g := guess.Guess{SessionID: session.ID}
	if session.ID == 0 {
		g.Address = request.From(ctx).ClientIP
	}
	if wait, by := s.badSignIns.Attempt(g, s.clock.Now()); by != guess.Unbound {
		return nil, fault.New(fault.TooMany, "common.too_many_requests", fault.RetryAfter(wait))
	}
	return func() { s.badSignIns.Succeed(g) }, nil
}

// SignIn is POST /user/sign-in: the visit becomes the customer's, with cart and addresses.
func (s *Server) SignIn(ctx context.Context, req wire.SignInRequestObject) (wire.SignInResponseObject, error) {
	in := request.From(ctx)
	succeed, err := s.trySignIn(ctx)
	if err != nil {
		return nil, err
	}
	var device string
	signed, err := s.Sessions.SignIn(ctx, in.Site.Alias, in.Cookie(request.SessionCookie), req.Body.Token, s.joinKnown(ctx, &device))
	if !errors.Is(err, customer.ErrLinkUnusable) {
		succeed()
	}
	if err != nil {
		return nil, err
	}
	s.keepSession(ctx, signed.Session, signed.Token)
	keepDevice(ctx, device)
	return wire.SignIn200JSONResponse{User: wireUser(signed.Customer)}, nil
}
