package server

import (
	"context"
	"net/http"

	"servery/internal/customer"
)

const sessionCookie = "session"

// visitor is who makes the request. His session is looked up when a handler first
// asks, and begun when there is first something to remember, so that reading pages
// writes nothing.
type visitor struct {
	w      http.ResponseWriter
	r      *http.Request
	looked bool
	id     int64
}

// session gives the visitor's session, 0 when he has none.
func (s *Server) session(ctx context.Context) (int64, error) {
	in := from(ctx)
	v := in.visitor
	if v.looked {
		return v.id, nil
	}
	if c, err := v.r.Cookie(s.cookieName(v.r)); err == nil {
		id, err := s.Sessions.Find(ctx, in.site.Alias, c.Value)
		if err != nil {
			return 0, err //nolint:wrapcheck // the area named the operation
		}
		v.id = id
	}
	v.looked = true
	return v.id, nil
}

// ensureSession gives the visitor's session and begins one when he has none.
func (s *Server) ensureSession(ctx context.Context) (int64, error) {
	id, err := s.session(ctx)
	if err != nil || id != 0 {
		return id, err
	}
	in := from(ctx)
	v := in.visitor
	id, token, err := s.Sessions.Begin(ctx, in.site.Alias)
	if err != nil {
		return 0, err //nolint:wrapcheck // the area named the operation
	}
	v.id = id
	http.SetCookie(v.w, &http.Cookie{ //nolint:gosec // Secure on https; the demo runs on plain http
		Name: s.cookieName(v.r), Value: token, Path: "/", MaxAge: int(customer.SessionLife.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.proxies.secure(v.r),
	})
	return id, nil
}

// cookieName carries the __Host- prefix on https, where browsers then keep it from
// other hosts and plain connections.
func (s *Server) cookieName(r *http.Request) string {
	if s.proxies.secure(r) {
		return "__Host-" + sessionCookie
	}
	return sessionCookie
}
