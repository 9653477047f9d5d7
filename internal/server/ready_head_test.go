package server_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// A ready answer has the same headers where its connection adds their lines as where net/http writes them, each
// once, whatever the handler has set itself.
func TestReadyAnswers_haveTheSameHeadersOnEachConnection(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		plain := httptest.NewServer(e.server) // its connections add nothing
		t.Cleanup(plain.Close)
		menu := object{"city_id": 1, "order_type": "delivery"}
		for name, c := range map[string]struct {
			method, path string
			body         any
			header       []string
		}{
			"a page":                    {"GET", "/moscow", nil, nil},
			"a page in brotli":          {"GET", "/moscow", nil, []string{"Accept-Encoding", "br"}},
			"a page that is known":      {"GET", "/moscow", nil, []string{"If-None-Match", "*"}},
			"the head of a page":        {"HEAD", "/moscow", nil, nil},
			"a page with its own rules": {"GET", "/auth/link", nil, nil},
			"a page of no city":         {"GET", "/paris", nil, nil},
			"a menu":                    {"GET", "/api/products?city_id=1&order_type=delivery", nil, []string{"Accept-Encoding", "br"}},
			"a menu in gzip":            {"GET", "/api/products?city_id=1&order_type=delivery", nil, []string{"Accept-Encoding", "gzip"}},
			"a menu by POST":            {"POST", "/api/products", menu, []string{"Accept-Encoding", "identity"}},
			"a file":                    {"GET", "/assets/entry-1.js", nil, nil},
			"a refused call":            {"POST", "/api/products", object{}, nil},
			"an unknown call":           {"GET", "/api/none", nil, nil},
			"an answer without a body":  {"GET", "/healthz", nil, nil},
		} {
			ask := func(base string) http.Header {
				b := e.browser(t)
				b.base = base
				h := b.call(c.method, c.path, c.body, append(c.header, "Host", "localhost")...).header // a page names its host
				if id := h["X-Request-Id"]; len(id) != 1 || len(id[0]) != 16 {
					t.Errorf("%s: the request has the ids %v", name, id)
				}
				h.Del("X-Request-Id")
				h.Del("Date")
				return h
			}
			want := ask(plain.URL)
			for range 2 { // made now, and known
				if got := ask(e.http.URL); !maps.EqualFunc(got, want, slices.Equal) {
					t.Errorf("%s: %v, want %v", name, got, want)
				}
			}
			if want.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s is not protected: %v", name, want)
			}
		}
	})
}

// What a menu was asked for by one method, in one way, is no answer to a call that the contract forbids.
func TestKnownMenu_answersTheSameCallAlone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		b := e.browser(t)
		const query, body = "?city_id=1&order_type=delivery", `{"city_id": 1, "order_type": "delivery"}`
		first := b.call("POST", "/api/products", body)
		b.ok("GET", "/api/products"+query, nil)
		for name, got := range map[string]answer{
			"by POST": b.call("POST", "/api/products", body), "by GET": b.call("GET", "/api/products"+query, nil),
			"written otherwise": b.call("POST", "/api/products", object{"order_type": "delivery", "city_id": 1}),
		} {
			if got.status != http.StatusOK || got.text != first.text {
				t.Errorf("again %s: %d, another menu", name, got.status)
			}
		}
		if other := b.call("POST", "/api/products", object{"city_id": 1, "order_type": "takeaway", "shop_id": carttest.Pokrovka}); other.text == first.text {
			t.Error("takeaway has the menu of delivery")
		}
		for name, got := range map[string]answer{
			"by GET without a query":   b.call("GET", "/api/products", body),
			"by POST without a body":   b.call("POST", "/api/products"+query, nil),
			"with a field of no sense": b.call("POST", "/api/products", `{"city_id": 1, "order_type": "delivery", "Order_type": "takeaway"}`),
		} {
			if got.status != http.StatusBadRequest && got.status != http.StatusUnprocessableEntity {
				t.Errorf("%s: %d", name, got.status)
			}
		}
	})
}
