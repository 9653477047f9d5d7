package server

import (
	"context"
	"net/http"

	"servery/internal/customer"
	"servery/internal/fault"
	"servery/internal/visit"
)

const sessionCookie = "session"

// visitor is who makes the request. His session is looked up when a handler first
// asks, and begun when there is first something to remember, so that reading pages
// writes nothing.
type visitor struct {
	w       http.ResponseWriter
	r       *http.Request
	looked  bool
	session customer.Session
}

// session returns the visitor's session, the zero one when he has none.
func (s *Server) session(ctx context.Context) (customer.Session, error) {
	in := from(ctx)
	v := in.visitor
	if v.looked {
		return v.session, nil
	}
	found, err := s.Sessions.Find(ctx, in.site.Alias, s.sessionToken(v.r))
	if err != nil {
		return customer.Session{}, err
	}
	v.session, v.looked = found, true
	return found, nil
}

// ensureSession returns the visitor's session and begins one when there is none. It refuses a
// call that a sign-in has overtaken, and keeps no cookie then. It returns common.too_many_requests
// (TooMany) when too many were begun by the address: who has a session goes on, and reading needs
// none.
func (s *Server) ensureSession(ctx context.Context) (customer.Session, error) {
	found, err := s.session(ctx)
	if err != nil || found.ID != 0 {
		return found, err
	}
	in := from(ctx)
	if wait := s.newSessions.take(in.address, s.clock.Now()); wait > 0 {
		return customer.Session{}, fault.New(fault.TooMany, "common.too_many_requests", fault.RetryAfter(wait))
	}
	begun, token, err := s.Sessions.Begin(ctx, in.site.Alias, s.sessionToken(in.visitor.r))
	if err != nil {
		return customer.Session{}, err
	}
	s.keepSession(ctx, begun, token)
	return begun, nil
}

// keepSession makes the session the visitor's, now and in his browser.
func (s *Server) keepSession(ctx context.Context, session customer.Session, token string) {
	v := from(ctx).visitor
	v.session, v.looked = session, true
	s.admission.admit(token)
	http.SetCookie(v.w, &http.Cookie{ //nolint:gosec // Secure on https; the demo runs on plain http
		Name: s.hostCookie(v.r, sessionCookie), Value: token, Path: "/", MaxAge: int(customer.SessionLife.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.proxies.secure(v.r),
	})
}

// sessionToken returns the token that the browser sent, empty when it sent none.
func (s *Server) sessionToken(r *http.Request) string {
	if c, err := r.Cookie(s.hostCookie(r, sessionCookie)); err == nil {
		return c.Value
	}
	return ""
}

// dropSession leaves the visitor without a session, now and in his browser.
func (s *Server) dropSession(ctx context.Context) {
	v := from(ctx).visitor
	v.session, v.looked = customer.Session{}, true
	http.SetCookie(v.w, &http.Cookie{ //nolint:gosec // Secure on https; the demo runs on plain http
		Name: s.hostCookie(v.r, sessionCookie), Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.proxies.secure(v.r),
	})
}

// hostCookie names a cookie of ours. It carries the __Host- prefix on https, where browsers
// then keep it from other hosts and plain connections.
func (s *Server) hostCookie(r *http.Request, name string) string {
	if s.proxies.secure(r) {
		return "__Host-" + name
	}
	return name
}

// withCustomer returns the visitor with his session and, once he has signed in, as the customer
// that he is.
func withCustomer(v visit.Context, session customer.Session) visit.Context {
	v.SessionID, v.CustomerID, v.CustomerPhone = session.ID, session.CustomerID, session.Phone
	return v
}
