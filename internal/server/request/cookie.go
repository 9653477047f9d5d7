package request

import (
	"net/http"
	"time"
)

// Names of our cookies.
const (
	// SessionCookie holds the token of a session.
	SessionCookie = "session"
	// DeviceCookie holds the secret of a browser that has signed in before.
	DeviceCookie = "device"
	// LanguageCookie holds the language that the visitor chose; the page sets it.
	LanguageCookie = "language"
)

// Cookie returns the value of a cookie of ours, empty when the browser sent none.
func (in *Info) Cookie(name string) string {
	if c, err := in.Request.Cookie(in.hostCookie(name)); err == nil {
		return c.Value
	}
	return ""
}

// SetCookie has the browser keep a cookie of ours that no script can read.
func (in *Info) SetCookie(name, value string, life time.Duration) {
	http.SetCookie(in.Writer, &http.Cookie{ //nolint:gosec // Secure on https; the demo runs on plain http
		Name: in.hostCookie(name), Value: value, Path: "/", MaxAge: int(life.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: in.IsSecure,
	})
}

// DropCookie has the browser forget a cookie of ours.
func (in *Info) DropCookie(name string) {
	http.SetCookie(in.Writer, &http.Cookie{ //nolint:gosec // Secure on https; the demo runs on plain http
		Name: in.hostCookie(name), Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: in.IsSecure,
	})
}

// hostCookie returns the name of a cookie as the browser has it. It carries the __Host- prefix on
// https, where browsers then keep it from other hosts and plain connections.
func (in *Info) hostCookie(name string) string {
	if in.IsSecure {
		return "__Host-" + name
	}
	return name
}
