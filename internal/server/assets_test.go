package server_test

import (
	"net/http"
	"testing"
	"testing/fstest"

	"servery/internal/asset"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestAssets_ofAnotherReleaseAreServed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		if a := b.call("GET", "/assets/dialog-2.js", nil); a.status != http.StatusNotFound || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("a file of no release: %d, %q", a.status, a.header.Get("Cache-Control"))
		}
		other, err := asset.New(d, e.Clock, fstest.MapFS{"dialog-2.js": {Data: []byte("plain")}, "dialog-2.js.br": {Data: []byte("brotli")}})
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Publish(t.Context()); err != nil {
			t.Fatal(err)
		}
		for accepted, want := range map[string]string{"br, gzip": "brotli", "identity": "plain"} {
			a := b.call("GET", "/assets/dialog-2.js", nil, "Accept-Encoding", accepted)
			if a.status != http.StatusOK || a.text != want || a.header.Get("Content-Type") != "text/javascript; charset=utf-8" ||
				(a.header.Get("Content-Encoding") == "br") != (want == "brotli") || a.header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
				t.Errorf("%s: %d %q %v", accepted, a.status, a.text, a.header)
			}
		}
	})
}

// A process that cannot look for a file must not answer that the file is gone, since caches would store it.
func TestAssets_thatCannotBeLookedForAreUnavailable(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	b := newEdge(t, d).browser(t)
	if _, err := d.Writer().ExecContext(t.Context(), "DROP TABLE page_asset"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Writer().ExecContext(t.Context(), "DROP TABLE asset"); err != nil {
		t.Fatal(err)
	}
	if a := b.call("GET", "/assets/dialog-2.js", nil); a.status < 500 {
		t.Errorf("answered %d", a.status)
	}
	if a := b.call("GET", "/assets/entry-1.js", nil); a.status != http.StatusOK {
		t.Errorf("its own file: %d", a.status)
	}
}
