package server_test

import (
	"net/http"
	"testing"
	"time"

	"servery/internal/cart/carttest"
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

func TestSession_beginsWithTheFirstCartThatIsSaved(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		count := func() (n int) {
			if err := d.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM session").Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		b := e.browser(t)
		refused := b.call("PUT", "/api/cart/add", moscow(object{"product_key": "no such product", "delivery_zone_id": carttest.Free}))
		if refused.status < http.StatusBadRequest || count() != 0 || cookiesOf(refused)["session"] != nil {
			t.Errorf("a refused change: %d, %d sessions", refused.status, count())
		}
		body := moscow(object{"product_key": "1-1002", "delivery_zone_id": carttest.Free})
		const key = "first-of-the-visitor"
		if added := b.call("PUT", "/api/cart/add", body, "Idempotency-Key", key); added.status != http.StatusOK || cookiesOf(added)["session"] == nil || count() != 1 {
			t.Errorf("the first change: %d, %d sessions", added.status, count())
		}
		again := b.ok("PUT", "/api/cart/add", body, "Idempotency-Key", key)
		if got := dig(again, "cart", "count"); got != 1.0 || count() != 1 {
			t.Errorf("the same change again: %v dishes, %d sessions", got, count())
		}
	})
}
