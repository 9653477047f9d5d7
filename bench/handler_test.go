// Package bench measures the calls that matter through the whole handler, without a
// network: time and allocations of one call. bench/load measures the running program.
package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	demo "servery/content"
	"servery/internal/bonus"
	"servery/internal/cart/carts"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/content"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/feedback"
	"servery/internal/geo"
	"servery/internal/order/follow"
	"servery/internal/order/history"
	"servery/internal/order/orders"
	"servery/internal/payment/payments"
	"servery/internal/queue"
	"servery/internal/server"
	"servery/internal/server/api"
)

// newHandler returns the program's whole handler over a new database. The content is the demo's, or that of
// the folder SERVERY_CONTENT. The benchmark is skipped when the page is not built.
func newHandler(b *testing.B, engine db.Engine) http.Handler {
	b.Helper()
	d := dbtest.Open(b, engine)
	folder := fs.FS(demo.Demo())
	if name := os.Getenv("SERVERY_CONTENT"); name != "" {
		folder = os.DirFS(name)
	}
	now := clock.NewFake(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)) // no shop is in its last hour
	if _, err := content.Import(b.Context(), d, folder, content.Options{Now: now.Now()}); err != nil {
		b.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	cat, err := catalog.Open(b.Context(), d, now, quiet, nil)
	if err != nil {
		b.Fatal(err)
	}
	q, err := queue.New(d, queue.Options{Logger: quiet})
	if err != nil {
		b.Fatal(err)
	}
	sessions := customer.NewSessions(d, now)
	page, err := server.BuiltPage()
	if err != nil {
		b.Skip(err)
	}
	carts, addresses := carts.New(d), geo.NewAddresses(d, now)
	payments := payments.New(d, q, now, payments.Options{})
	orders := orders.New(d, carts, addresses, payments, q, now, orders.Options{})
	s, err := server.New(server.Areas{Areas: api.Areas{
		Catalog: cat, Sessions: sessions, Customers: customer.NewCustomers(d, now), Bonuses: bonus.New(d, now),
		Carts: carts, Addresses: addresses, Orders: orders, History: history.New(d, now), Follow: follow.New(d, orders, now), Payments: payments, Feedback: feedback.New(feedback.Options{DB: d, Queue: q, Clock: now, Log: quiet}),
	}}, server.Options{Log: quiet, Clock: now, Probe: d.Ping, CallsPerSecond: 1 << 30, Page: page})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// runOnEngines runs a benchmark on both engines.
func runOnEngines(b *testing.B, run func(b *testing.B, h http.Handler)) {
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		b.Run(string(engine), func(b *testing.B) { run(b, newHandler(b, engine)) })
	}
}

// discardingWriter is a ResponseWriter that counts the bytes of the body and does not keep them.
type discardingWriter struct {
	header http.Header
	status int
	bytes  int
}

// Header returns the headers of the answer.
func (w *discardingWriter) Header() http.Header { return w.header }

// WriteHeader keeps the status.
func (w *discardingWriter) WriteHeader(status int) { w.status = status }

// Write counts the bytes.
func (w *discardingWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.bytes += len(p)
	return len(p), nil
}

// serve makes one call and fails the benchmark unless its status is 200.
func serve(b *testing.B, h http.Handler, r *http.Request) *discardingWriter {
	w := &discardingWriter{header: make(http.Header, 8)}
	h.ServeHTTP(w, r)
	if w.status != http.StatusOK {
		b.Fatalf("%s %s: %d", r.Method, r.URL, w.status)
	}
	return w
}

// newGet returns a GET request of a browser in Russian that accepts compressed answers.
func newGet(path string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept-Encoding", "br, gzip")
	r.Header.Set("Accept-Language", "ru")
	return r
}

func BenchmarkMenu(b *testing.B) {
	runOnEngines(b, func(b *testing.B, h http.Handler) {
		r := newGet("/api/products?city_id=1&order_type=delivery")
		b.SetBytes(int64(serve(b, h, r).bytes))
		b.ReportAllocs()
		for b.Loop() {
			serve(b, h, r)
		}
	})
}

func BenchmarkMenuByPost(b *testing.B) {
	runOnEngines(b, func(b *testing.B, h http.Handler) {
		b.ReportAllocs()
		for b.Loop() {
			r := httptest.NewRequest(http.MethodPost, "/api/products", strings.NewReader(`{"city_id":1,"order_type":"delivery"}`))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept-Encoding", "br, gzip")
			serve(b, h, r)
		}
	})
}

func BenchmarkPage(b *testing.B) {
	runOnEngines(b, func(b *testing.B, h http.Handler) {
		r := newGet("/moscow")
		b.SetBytes(int64(serve(b, h, r).bytes))
		b.ReportAllocs()
		for b.Loop() {
			serve(b, h, r)
		}
	})
}

// bareBytes is about the size of a compressed menu.
const bareBytes = 30 << 10

// BenchmarkBare measures a handler that only writes: no handler of the menu or the page can be faster.
func BenchmarkBare(b *testing.B) {
	body := bytes.Repeat([]byte("x"), bareBytes)
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body) // discardingWriter takes everything
	})
	r := newGet("/")
	b.SetBytes(bareBytes)
	b.ReportAllocs()
	for b.Loop() {
		serve(b, h, r)
	}
}

// visitor keeps the cookie of one browser.
type visitor struct {
	b      *testing.B
	h      http.Handler
	cookie string
}

// call makes a call with the visitor's cookie and returns the JSON of the answer. It stores the cookie that the
// answer sets, and fails the benchmark unless the status is 200. header has pairs of name and value.
func (v *visitor) call(method, path string, body map[string]any, header ...string) map[string]any {
	v.b.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		v.b.Fatal(err)
	}
	r := httptest.NewRequest(method, path, bytes.NewReader(text))
	r.Header.Set("Content-Type", "application/json")
	if v.cookie != "" {
		r.Header.Set("Cookie", v.cookie)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	v.h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		v.b.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	if set := w.Header().Get("Set-Cookie"); set != "" {
		v.cookie, _, _ = strings.Cut(set, ";")
	}
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		v.b.Fatal(err)
	}
	return answer
}

// simpleProduct returns the key of a dish without modifiers that is sold by the piece.
func (v *visitor) simpleProduct() string {
	menu := v.call(http.MethodPost, "/api/products", place())
	for _, group := range menu["product_groups"].([]any) {
		for _, p := range group.(map[string]any)["products"].([]any) {
			p := p.(map[string]any)
			if p["type"] == "default" && p["sale_multiplicity"] == 1.0 && len(p["modifiers"].(map[string]any)["groups"].([]any)) == 0 {
				return p["key"].(string)
			}
		}
	}
	v.b.Fatal("the menu has no simple product")
	return ""
}

// place returns the body of a call: a shop to fetch from, with more fields as pairs of name and value.
func place(more ...any) map[string]any {
	p := map[string]any{"city_id": 1, "order_type": "takeaway", "shop_id": 101}
	for i := 0; i+1 < len(more); i += 2 {
		p[more[i].(string)] = more[i+1]
	}
	return p
}

func BenchmarkCartAdd(b *testing.B) {
	runOnEngines(b, func(b *testing.B, h http.Handler) {
		v := &visitor{b: b, h: h}
		add := place("product_key", v.simpleProduct(), "count", 1)
		v.call(http.MethodPut, "/api/cart/add", add)
		b.ReportAllocs()
		n := 1
		for b.Loop() {
			if n++; n%100 == 0 { // a line holds at most 100 portions
				v.call(http.MethodDelete, "/api/cart/clear?city_id=1", nil)
			}
			text, _ := json.Marshal(add)
			r := httptest.NewRequest(http.MethodPut, "/api/cart/add", bytes.NewReader(text))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Cookie", v.cookie)
			r.Header.Set("Idempotency-Key", fmt.Sprintf("%032d", n))
			serve(b, h, r)
		}
	})
}

// measureAlternately measures two calls of a visitor in turns, so that each of them changes the cart.
func (v *visitor) measureAlternately(b *testing.B, paths [2]string, bodies [2]map[string]any) {
	request := v.alternate(paths, bodies)
	b.ReportAllocs()
	for n := 1; b.Loop(); n++ {
		serve(b, v.h, request(n))
	}
}

// earnGift fills the visitor's cart until a gift can be taken, and returns the id of the gift.
func (v *visitor) earnGift() any {
	add := place("product_key", v.simpleProduct(), "count", 10)
	for range 10 {
		cart := v.call(http.MethodPut, "/api/cart/add", add)["cart"].(map[string]any)
		for _, gift := range cart["gifts"].([]any) {
			if gift := gift.(map[string]any); gift["is_available"] == true {
				return gift["id"]
			}
		}
	}
	v.b.Fatal("no cart earns a gift")
	return nil
}

const applyPath = "/api/cart/gift/apply-promocode"

var (
	codes     = [2]map[string]any{place("promocode", "UMIKO10"), place("promocode", "MOSCOW15")}
	giftPaths = [2]string{"/api/cart/gift/remove", "/api/cart/gift/add"}
)

func BenchmarkApplyPromocode(b *testing.B) {
	runOnEngines(b, func(b *testing.B, h http.Handler) {
		v := &visitor{b: b, h: h}
		v.earnGift()
		v.measureAlternately(b, [2]string{applyPath, applyPath}, codes)
	})
}

// BenchmarkGift measures removing a gift from the cart and adding it again, in turns.
func BenchmarkGift(b *testing.B) {
	runOnEngines(b, func(b *testing.B, h http.Handler) {
		v := &visitor{b: b, h: h}
		gift := place("gift_id", v.earnGift())
		v.measureAlternately(b, giftPaths, [2]map[string]any{gift, gift})
	})
}

// intervals returns the ids of the intervals of the coming days. It leaves out today's, which expire during the run.
func (v *visitor) intervals() []string {
	var ids []string
	dates := v.call(http.MethodPost, "/api/schedule/intervals", place())["dates"].([]any)
	for _, d := range dates[1:] {
		day := v.call(http.MethodPost, "/api/schedule/intervals", place("date", d.(map[string]any)["date_string"]))
		for _, i := range day["intervals"].([]any) {
			ids = append(ids, i.(map[string]any)["id"].(string))
		}
	}
	return ids
}

// BenchmarkOrderCreate is the creating call alone; filling the cart and starting the
// checkout are not counted.
func BenchmarkOrderCreate(b *testing.B) {
	runOnEngines(b, func(b *testing.B, h http.Handler) {
		v := &visitor{b: b, h: h}
		add, times := place("product_key", v.simpleProduct(), "count", 1), v.intervals()
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			b.StopTimer()
			n++
			at := times[n%len(times)]
			v.call(http.MethodPut, "/api/cart/add", add)
			cart := v.call(http.MethodPut, "/api/cart/set-interval", map[string]any{"city_id": 1, "interval": at})["cart"].(map[string]any)
			key := v.call(http.MethodPost, "/api/order/create-order-cache", place())["order_cache_key"]
			total := cart["prices"].(map[string]any)["total"]
			text, _ := json.Marshal(place("order_cache_key", key, "phone", "79161234567", "username", "Anna", "payment_type", "cash",
				"interval_id", at, "cart", map[string]any{"prices": map[string]any{"total": total}}))
			r := httptest.NewRequest(http.MethodPost, "/api/order/create", bytes.NewReader(text))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Cookie", v.cookie)
			b.StartTimer()
			serve(b, h, r)
		}
	})
}
