package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestServer_answersWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		b.call("GET", "/moscow", nil)
		mend := e.failWrites(t)
		if a := b.call("GET", "/readyz", nil); a.status != http.StatusServiceUnavailable {
			t.Errorf("readyz: %d", a.status)
		}
		for range 3 {
			a := b.call("PUT", "/api/cart/add", moscow(object{"product_key": "1-1002", "delivery_zone_id": carttest.Free}))
			if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") != "5" {
				t.Errorf("a write: %d, Retry-After %q", a.status, a.header.Get("Retry-After"))
			}
		}
		for _, path := range []string{"/readyz/pages", "/", "/moscow", "/moscow/cart", "/api/cities", "/api/products?city_id=1&order_type=delivery"} {
			if a := b.call("GET", path, nil); a.status != http.StatusOK {
				t.Errorf("%s: %d", path, a.status)
			}
		}
		if n := strings.Count(e.log.String(), "database lost"); n != 1 {
			t.Errorf("the outage is logged %d times", n)
		}
		mend()
		e.Clock.Advance(time.Second)
		if a := b.call("GET", "/readyz", nil); a.status != http.StatusOK {
			t.Errorf("readyz afterwards: %d", a.status)
		}
		if !strings.Contains(e.log.String(), "database back") {
			t.Error("the end of the outage is not logged")
		}
	})
}

func TestServer_readyz_failsWhenContentIsNotRefreshed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		e.Clock.Advance(11 * time.Second)
		if a := b.call("GET", "/readyz", nil); a.status != http.StatusServiceUnavailable {
			t.Errorf("after 11 s without a look: %d", a.status)
		}
		if a := b.call("GET", "/readyz/pages", nil); a.status != http.StatusOK {
			t.Errorf("pages: %d", a.status)
		}
		if _, err := e.Catalog.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if a := b.call("GET", "/readyz", nil); a.status != http.StatusOK {
			t.Errorf("after a look: %d", a.status)
		}
	})
}

// failWrites makes the database refuse writes, like a standby or a database on a read-only disk. The
// returned function ends that.
func (e *edge) failWrites(t *testing.T) func() {
	t.Helper()
	conns, on, off := 1, "PRAGMA query_only = 1", "PRAGMA query_only = 0"
	if e.DB.Engine() == db.Postgres {
		conns, on, off = 6, "SET SESSION default_transaction_read_only = on", "SET SESSION default_transaction_read_only = off"
	}
	e.execOnConnections(t, conns, on)
	return func() { e.execOnConnections(t, conns, off) }
}

// execOnConnections runs a statement on each of so many connections that write.
func (e *edge) execOnConnections(t *testing.T, count int, text string) {
	t.Helper()
	var closers []func() error
	for range count {
		conn, err := e.DB.Writer().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		closers = append(closers, conn.Close)
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	for _, end := range closers {
		if err := end(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestServer_answers503WhenTheTimeOfACallIsOver(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		e.server.SetCallTimeout(100 * time.Millisecond)
		b := e.browser(t)
		// A transaction of somebody else's that does not end holds up whatever is written.
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if tx.Engine == db.Postgres {
				if _, err := tx.SQL.ExecContext(t.Context(), "LOCK TABLE session, cart"); err != nil {
					return err
				}
			}
			a := b.call("PUT", "/api/cart/add", moscow(object{"product_key": "1-1002", "delivery_zone_id": carttest.Free}))
			if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") != "5" || !strings.Contains(a.text, "We cannot take orders right now") {
				t.Errorf("a call that takes too long: %d, Retry-After %q, %s", a.status, a.header.Get("Retry-After"), a.text)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
