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

// Cookie returns the value of one of our cookies, empty when the browser sent none.
func (in *Info) Cookie(name string) string {
	if c, err := in.Request.Cookie(in.hostCookie(name)); err == nil {
		return c.Value
	}
	return ""
}

// LanguageParam is the query parameter that chooses the language of a page.
const LanguageParam = "lang"

// SetCookie sets one of our cookies in the browser. No script can read it.
func (in *Info) SetCookie(name, value string, life time.Duration) {
	http.SetCookie(in.Writer, &http.Cookie{ //nolint:gosec // Secure on https; the demo runs on plain http
		Name: in.hostCookie(name), Value: value, Path: "/", MaxAge: int(life.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: in.IsSecure,
	})
}

// DeleteCookie deletes one of our cookies in the browser.
func (in *Info) DeleteCookie(name string) {
	http.SetCookie(in.Writer, &http.Cookie{ //nolint:gosec // Secure on https; the demo runs on plain http
		Name: in.hostCookie(name), Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: in.IsSecure,
	})
}

// hostCookie returns the name of a cookie in the browser. On https it has the prefix __Host-,
// which makes browsers protect it from other hosts and plain connections.
func (in *Info) hostCookie(name string) string {
	if in.IsSecure {
		return "__Host-" + name
	}
	return name
}
