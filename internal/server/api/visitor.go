package api

import (
	"context"
	"strings"

	"servery/internal/customer"
	"servery/internal/fault"
	"servery/internal/login"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/visit"
)

// visit returns the context of the request for the areas. The session is left out: a handler that
// needs it calls [Server.readOnly] or [Server.withSession].
func (s *Server) visit(ctx context.Context) visit.Context {
	in := request.From(ctx)
	v := visit.Context{Snapshot: s.Catalog.Current(), Site: in.Site, Lang: in.Lang, Now: s.clock.Now(), Marks: s.Marks}
	// The snapshot may have been swapped since the middleware chose the site.
	if current, ok := v.Snapshot.Sites.ByAlias(in.Site.Alias); ok {
		v.Site = current
	}
	return v
}

// readOnly returns the context of a call that changes nothing, with the visitor's session if there
// is one; none is begun.
func (s *Server) readOnly(ctx context.Context) (visit.Context, error) {
	v := s.visit(ctx)
	found, err := s.session(ctx)
	return withCustomer(v, found), err
}

// withSession returns the context of a call that changes something: with a session, which is begun
// if need be, and with the key that makes the change happen once. It returns the faults of
// [Server.ensureSession], and Invalid for a key that the contract forbids.
func (s *Server) withSession(ctx context.Context, key *wire.IdempotencyKey) (visit.Context, error) {
	v := s.visit(ctx)
	var err error
	if v.IdempotencyKey, err = keyOf(key); err != nil {
		return v, err
	}
	found, err := s.ensureSession(ctx)
	return withCustomer(v, found), err
}

// signedIn returns the context of a call of a customer who has signed in. It returns
// [customer.ErrSignInFirst] for any other visitor.
func (s *Server) signedIn(ctx context.Context) (visit.Context, error) {
	v, err := s.readOnly(ctx)
	if err == nil && v.CustomerID == 0 {
		err = customer.ErrSignInFirst
	}
	return v, err
}

// withCustomer returns the context with the session and, where somebody has signed in, with the
// customer.
func withCustomer(v visit.Context, session customer.Session) visit.Context {
	v.SessionID, v.CustomerID, v.CustomerPhone = session.ID, session.CustomerID, session.Phone
	return v
}

// Bounds of an Idempotency-Key, as the contract has them.
const shortestKey, longestKey = 8, 64

// keyOf reads an Idempotency-Key, empty when there is none.
func keyOf(key *wire.IdempotencyKey) (string, error) {
	if key == nil {
		return "", nil
	}
	strange := func(r rune) bool { return r <= ' ' || r > '~' }
	if n := len(*key); n < shortestKey || n > longestKey || strings.ContainsFunc(*key, strange) {
		return "", fault.New(fault.Invalid, "common.invalid", fault.Field("Idempotency-Key", "common.not_allowed"))
	}
	return *key, nil
}

// session returns the visitor's session, the zero one when there is none. It is looked up when a
// handler first asks for it, once for a request.
func (s *Server) session(ctx context.Context) (customer.Session, error) {
	in := request.From(ctx)
	if in.Session != nil {
		return *in.Session, nil
	}
	found, err := s.Sessions.Find(ctx, in.Site.Alias, in.Cookie(request.SessionCookie))
	if err != nil {
		return customer.Session{}, err
	}
	in.Session = &found
	return found, nil
}

// ensureSession returns the visitor's session and begins one when there is none, so that reading
// pages writes nothing. It refuses a call that a sign-in has overtaken, and keeps no cookie then.
// It returns common.too_many_requests (TooMany) when too many were begun by the address: a visitor
// with a session goes on, and reading needs none.
func (s *Server) ensureSession(ctx context.Context) (customer.Session, error) {
	found, err := s.session(ctx)
	if err != nil || found.ID != 0 {
		return found, err
	}
	in := request.From(ctx)
	if wait := s.newSessions.CountCall(in.ClientIP, s.clock.Now()); wait > 0 {
		return customer.Session{}, fault.New(fault.TooMany, "common.too_many_requests", fault.RetryAfter(wait))
	}
	begun, token, err := s.Sessions.Begin(ctx, in.Site.Alias, in.Cookie(request.SessionCookie))
	if err != nil {
		return customer.Session{}, err
	}
	s.keepSession(ctx, begun, token)
	return begun, nil
}

// keepSession makes the session the visitor's, in this request and in the browser.
func (s *Server) keepSession(ctx context.Context, session customer.Session, token string) {
	in := request.From(ctx)
	in.Session = &session
	s.admit(token)
	in.SetCookie(request.SessionCookie, token, customer.SessionLife)
}

// dropSession leaves the visitor without a session, in this request and in the browser.
func (s *Server) dropSession(ctx context.Context) {
	in := request.From(ctx)
	in.Session = &customer.Session{}
	in.DeleteCookie(request.SessionCookie)
}

// keepDevice makes the browser one that has signed in before, which it stays after a logout.
func keepDevice(ctx context.Context, secret string) {
	request.From(ctx).SetCookie(request.DeviceCookie, secret, login.DeviceLife)
}
