package server_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/server"
)

// renderer is a fake renderer of pages.
type renderer struct {
	// made counts the rendered pages.
	made atomic.Int32
	// gate holds up every rendering while it is locked.
	gate  sync.RWMutex
	fails atomic.Bool
}

// render returns HTML with the number of this rendering and the number of stops and alerts in the data.
func (r *renderer) render(_ context.Context, data []byte) (string, error) {
	r.gate.RLock()
	defer r.gate.RUnlock()
	if r.fails.Load() {
		return "", errors.New("no plate")
	}
	stopped := strings.Count(string(data), `"type":"stop","discount"`) + strings.Count(string(data), `"alert":"`)
	return fmt.Sprintf("<h1>rendered %d</h1><p>%d</p>", r.made.Add(1), stopped), nil
}

// newRenderedEdge returns an edge whose pages the returned renderer renders.
func newRenderedEdge(t *testing.T, d *db.DB) (*edge, *renderer) {
	t.Helper()
	e, r := newEdge(t, d), &renderer{}
	e.server.SetRender(r.render)
	return e, r
}

// endedWait returns a wait that has ended.
func endedWait() <-chan time.Time {
	ended := make(chan time.Time)
	close(ended)
	return ended
}

const (
	emptyRoot  = `<div id="root"></div>`
	staleMark  = `id="page-data" data-stale>`
	keptNoMore = "no-store"
)

func TestDocument_isBareWhileTheFirstOneIsMade(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e, r := newRenderedEdge(t, d)
		e.server.SetDocumentWait(endedWait())
		b := e.browser(t)
		r.gate.Lock()
		bare := b.call("GET", "/moscow", nil)
		for _, part := range []string{emptyRoot, `"page":"home"`, `"city":{`, `<link rel="canonical" href="/moscow?lang=en">`, `src="/assets/entry-1.js"`} {
			if !strings.Contains(bare.text, part) {
				t.Errorf("no %s in %s", part, bare.text)
			}
		}
		if bare.status != http.StatusOK || strings.Contains(bare.text, `"menu":`) || strings.Contains(bare.text, staleMark) {
			t.Errorf("%d %s", bare.status, bare.text)
		}
		if bare.header.Get("Cache-Control") != keptNoMore || bare.header.Get("ETag") != "" {
			t.Errorf("it may be kept: %v", bare.header)
		}
		if packed := b.call("GET", "/moscow", nil, "Accept-Encoding", "br, gzip"); packed.header.Get("Content-Encoding") != "gzip" {
			t.Errorf("encoding %q", packed.header.Get("Content-Encoding"))
		}
		r.gate.Unlock()
		e.server.AwaitDocuments()
		whole := b.call("GET", "/moscow", nil)
		if !strings.Contains(whole.text, "rendered 1") || whole.header.Get("Cache-Control") != "no-cache" || whole.header.Get("ETag") == "" {
			t.Errorf("the one that was made: %v %s", whole.header, whole.text)
		}
	})
}

func TestDocument_lastOneIsSentWhileTheNextIsMade(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e, r := newRenderedEdge(t, d)
		b := e.browser(t)
		tag := b.call("GET", "/moscow", nil).header.Get("ETag")
		r.gate.Lock()
		e.Stop(t, catalog.StopProduct, "rice-roll")
		for range 3 {
			last := b.call("GET", "/moscow", nil, "If-None-Match", tag)
			if last.status != http.StatusOK || !strings.Contains(last.text, "rendered 1") || !strings.Contains(last.text, staleMark) {
				t.Errorf("%d %s", last.status, last.text)
			}
			if last.header.Get("Cache-Control") != keptNoMore || last.header.Get("ETag") != "" {
				t.Errorf("it may be kept: %v", last.header)
			}
		}
		r.gate.Unlock()
		e.server.AwaitDocuments()
		next := b.call("GET", "/moscow", nil, "If-None-Match", tag)
		if next.status != http.StatusOK || !strings.Contains(next.text, "rendered 2") || strings.Contains(next.text, staleMark) || next.header.Get("ETag") == "" {
			t.Errorf("the next one: %d %v %s", next.status, next.header, next.text)
		}
	})
}

func TestDocument_isMadeAgainOnlyWhereItShowsSomethingElse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e, r := newRenderedEdge(t, d)
		b := e.browser(t)
		paths := []string{"/", "/moscow", "/moscow/promotions", "/moscow/cart", "/ankara", "/ankara/shops"}
		renders := func(when string, want int32) {
			t.Helper()
			before := r.made.Load()
			for range 2 { // the first has them made, the second sees what was made
				for _, path := range paths {
					b.call("GET", path, nil)
				}
				e.server.AwaitDocuments()
			}
			if got := r.made.Load() - before; got != want {
				t.Errorf("%s: %d made, want %d", when, got, want)
			}
			for _, path := range paths {
				if a := b.call("GET", path, nil); strings.Contains(a.text, staleMark) || a.header.Get("ETag") == "" {
					t.Errorf("%s: %s is not current", when, path)
				}
			}
		}
		renders("at first", int32(len(paths)))
		change := catalog.StopChange{StopEntry: catalog.StopEntry{Site: "sushi", Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: 11}}
		if _, err := e.Catalog.SetStop(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		renders("after a stop in a shop of Moscow", 1)
		e.Clock.Advance(24 * time.Hour)
		renders("after midnight", 1) // the shops have the hours of the coming month
		e.Import(t, map[string]string{"sushi/packages.yaml": "- {id: 1, alias: paket, name: Пакет, price: 12, rule: per_order, can_refuse: true, order_types: [delivery, takeaway]}\n"})
		renders("after an import that no page shows", 0)
	})
}

// Before the first document is made, more documents are requested than may wait: each request is answered at
// once, without the HTML of the components.
func TestDocument_allOfAColdStartAreAnswered(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e, r := newRenderedEdge(t, d)
		e.server.SetDocumentWait(endedWait())
		r.gate.Lock()
		open := sync.OnceFunc(r.gate.Unlock)
		defer open()
		own := strings.TrimPrefix(e.http.URL, "http://127.0.0.1")
		b := e.browser(t)
		asked := 0
		for _, lang := range []string{"ru", "en"} {
			for _, host := range []string{"localhost", "localhost" + own} {
				for _, city := range []string{"moscow", "ankara"} {
					for _, page := range []string{"", "/bonus", "/cart", "/delivery", "/profile", "/promotions", "/shops", "/back-to-home", "/order/1/tracking", "/order/payment/x", "/no"} {
						a := b.call("GET", "/"+city+page, nil, "Host", host, "Cookie", "language="+lang)
						if a.status != http.StatusOK && a.status != http.StatusNotFound || !strings.Contains(a.text, emptyRoot) {
							t.Errorf("%s%s: %d %s", city, page, a.status, a.text)
						}
						asked++
					}
				}
			}
		}
		open()
		e.server.AwaitDocuments()
		if made := int(r.made.Load()); made < 64 || made >= asked {
			t.Errorf("%d of %d were made: the queue was not full", made, asked)
		}
	})
}

func TestDocument_thatCannotBeRenderedIsBareAndTriedAgainLater(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e, r := newRenderedEdge(t, d)
		b := e.browser(t)
		r.fails.Store(true)
		for range 3 {
			if a := b.call("GET", "/moscow", nil); a.status != http.StatusOK || !strings.Contains(a.text, emptyRoot) {
				t.Errorf("%d %s", a.status, a.text)
			}
		}
		if n := strings.Count(e.log.String(), "a page could not be rendered"); n != 1 {
			t.Errorf("the log says so %d times", n)
		}
		r.fails.Store(false)
		e.Clock.Advance(time.Minute)
		if a := b.call("GET", "/moscow", nil); !strings.Contains(a.text, "rendered 1") {
			t.Errorf("%d %s", a.status, a.text)
		}
	})
}

func TestDocument_namesTheAddressOfItsOwnBrand(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdgeWith(t, d, nil, func(o *server.Options) { o.PublicURL = "https://sushi.example:8443" })
		b := e.browser(t)
		for _, c := range []struct{ host, path, want string }{
			{"localhost", "/moscow", "https://sushi.example:8443/moscow?lang=en"},
			{"127.0.0.1", "/", "https://sushi.example:8443/?lang=en"},
			{"pizza.localhost", "/berlin", "https://pizza.localhost:8443/berlin"},
		} {
			text := b.call("GET", c.path, nil, "Host", c.host).text
			for _, part := range []string{`<link rel="canonical" href="` + c.want + `">`, `<meta property="og:url" content="` + c.want + `">`} {
				if !strings.Contains(text, part) {
					t.Errorf("%s%s: no %s", c.host, c.path, part)
				}
			}
		}
	})
}
