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

// handler is the program's own, over the demo's content or the folder that
// SERVERY_CONTENT names.
func handler(b *testing.B, engine db.Engine) http.Handler {
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
	sessions, err := customer.NewSessions(d, now)
	if err != nil {
		b.Fatal(err)
	}
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

// each runs a benchmark on both engines.
func each(b *testing.B, run func(b *testing.B, h http.Handler)) {
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		b.Run(string(engine), func(b *testing.B) { run(b, handler(b, engine)) })
	}
}

// blank takes an answer and keeps nothing but its status and head.
type blank struct {
	header http.Header
	status int
	bytes  int
}

// Header returns the headers of the answer.
func (w *blank) Header() http.Header { return w.header }

// WriteHeader keeps the status.
func (w *blank) WriteHeader(status int) { w.status = status }

// Write counts the bytes.
func (w *blank) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	w.bytes += len(p)
	return len(p), nil
}

// do makes one call that must succeed.
func do(b *testing.B, h http.Handler, r *http.Request) *blank {
	w := &blank{header: make(http.Header, 8)}
	h.ServeHTTP(w, r)
	if w.status != http.StatusOK {
		b.Fatalf("%s %s: %d", r.Method, r.URL, w.status)
	}
	return w
}

func get(path string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept-Encoding", "br, gzip")
	r.Header.Set("Accept-Language", "ru")
	return r
}

func BenchmarkMenu(b *testing.B) {
	each(b, func(b *testing.B, h http.Handler) {
		r := get("/api/products?city_id=1&order_type=delivery")
		b.SetBytes(int64(do(b, h, r).bytes))
		b.ReportAllocs()
		for b.Loop() {
			do(b, h, r)
		}
	})
}

func BenchmarkMenuByPost(b *testing.B) {
	each(b, func(b *testing.B, h http.Handler) {
		b.ReportAllocs()
		for b.Loop() {
			r := httptest.NewRequest(http.MethodPost, "/api/products", strings.NewReader(`{"city_id":1,"order_type":"delivery"}`))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept-Encoding", "br, gzip")
			do(b, h, r)
		}
	})
}

func BenchmarkPage(b *testing.B) {
	each(b, func(b *testing.B, h http.Handler) {
		r := get("/moscow")
		b.SetBytes(int64(do(b, h, r).bytes))
		b.ReportAllocs()
		for b.Loop() {
			do(b, h, r)
		}
	})
}

// bareBytes is about what a packed menu has.
const bareBytes = 30 << 10

// BenchmarkBare is the limit of the two above: a handler that only writes.
func BenchmarkBare(b *testing.B) {
	body := bytes.Repeat([]byte("x"), bareBytes)
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body) // blank takes everything
	})
	r := get("/")
	b.SetBytes(bareBytes)
	b.ReportAllocs()
	for b.Loop() {
		do(b, h, r)
	}
}

// visitor keeps the cookie of one browser.
type visitor struct {
	b      *testing.B
	h      http.Handler
	cookie string
}

// call makes a call that has to succeed, and returns its answer.
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

// product returns the key of a dish without questions.
func (v *visitor) product() string {
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

func place(more ...any) map[string]any {
	p := map[string]any{"city_id": 1, "order_type": "takeaway", "shop_id": 101}
	for i := 0; i+1 < len(more); i += 2 {
		p[more[i].(string)] = more[i+1]
	}
	return p
}

func BenchmarkCartAdd(b *testing.B) {
	each(b, func(b *testing.B, h http.Handler) {
		v := &visitor{b: b, h: h}
		add := place("product_key", v.product(), "count", 1)
		v.call(http.MethodPut, "/api/cart/add", add)
		b.ReportAllocs()
		n := 1
		for b.Loop() {
			if n++; n%100 == 0 { // a line holds no more
				v.call(http.MethodDelete, "/api/cart/clear?city_id=1", nil)
			}
			text, _ := json.Marshal(add)
			r := httptest.NewRequest(http.MethodPut, "/api/cart/add", bytes.NewReader(text))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Cookie", v.cookie)
			r.Header.Set("Idempotency-Key", fmt.Sprintf("%032d", n))
			do(b, h, r)
		}
	})
}

// inTurns measures two calls of a visitor one after the other; every one of them
// changes the cart.
func (v *visitor) inTurns(b *testing.B, paths [2]string, bodies [2]map[string]any) {
	request := v.turns(paths, bodies)
	b.ReportAllocs()
	for n := 1; b.Loop(); n++ {
		do(b, v.h, request(n))
	}
}

// earn fills the visitor's cart until a gift can be taken, and returns the gift.
func (v *visitor) earn() any {
	add := place("product_key", v.product(), "count", 10)
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
	each(b, func(b *testing.B, h http.Handler) {
		v := &visitor{b: b, h: h}
		v.earn()
		v.inTurns(b, [2]string{applyPath, applyPath}, codes)
	})
}

// BenchmarkGift takes a gift and returns it in turns.
func BenchmarkGift(b *testing.B) {
	each(b, func(b *testing.B, h http.Handler) {
		v := &visitor{b: b, h: h}
		gift := place("gift_id", v.earn())
		v.inTurns(b, giftPaths, [2]map[string]any{gift, gift})
	})
}

// intervals returns the free times of the coming days, today's left out: they run away.
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
	each(b, func(b *testing.B, h http.Handler) {
		v := &visitor{b: b, h: h}
		add, times := place("product_key", v.product(), "count", 1), v.intervals()
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
			do(b, h, r)
		}
	})
}
