package server_test

import (
	"net/http"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/server"
)

func TestSessions_ofAnAddressAreBoundedAndReadingGoesOn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdgeWith(t, d, nil, func(o *server.Options) { o.Limits.SessionsPerAddress = 60 })
		first := e.browser(t)
		first.fill()
		for range 59 {
			e.browser(t).fill()
		}
		late := e.browser(t)
		a := late.call("PUT", "/api/cart/add", moscow(object{"product_key": "1-1001"}))
		if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") != "60" || a.header.Get("Set-Cookie") != "" {
			t.Errorf("one more: %d, to wait %q", a.status, a.header.Get("Retry-After"))
		}
		for _, path := range []string{"/moscow", "/robots.txt"} {
			if a := late.call("GET", path, nil); a.status == http.StatusTooManyRequests {
				t.Errorf("%s cannot be read: %d", path, a.status)
			}
		}
		first.fill() // who has a session goes on
		e.Clock.Advance(time.Minute)
		late.fill()
		var sessions int
		if err := d.Reader().QueryRowContext(t.Context(), "SELECT count(*) FROM session").Scan(&sessions); err != nil || sessions != 61 {
			t.Errorf("%d sessions, %v", sessions, err)
		}
	})
}
