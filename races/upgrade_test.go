package races_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// releasesVariable has the paths of the programs of two releases, with a comma between. scripts/second-release.sh
// builds the second program.
const releasesVariable = "SERVERY_RELEASES"

// Behind a balancer three processes are replaced one after another by processes of another release, and back again. At
// the same time customers order, follow their orders and open pages.
func TestUpgrade_failsNoCallAndNoPage(t *testing.T) {
	older, newer, ok := strings.Cut(os.Getenv(releasesVariable), ",")
	if !ok {
		t.Skipf("SKIPPED: %s does not name the programs of two releases; make upgrade builds them", releasesVariable)
	}
	u := newUpgrade(t)
	u.add(t, older, 3)
	ctx, stop := context.WithCancel(t.Context())
	var load sync.WaitGroup
	load.Go(func() { u.watchReady(ctx) })
	u.backends[0].awaitReady(t)
	opened := u.openPage(ctx)
	if len(opened) < 3 { // script, style and font
		t.Fatalf("a page names only %d files", len(opened))
	}
	for i := range 6 {
		load.Go(func() { u.buy(ctx, i) })
	}
	for range 2 {
		load.Go(func() { u.openPages(ctx) })
	}
	for _, release := range []string{newer, older} {
		for i := range u.backends {
			time.Sleep(3 * time.Second)
			u.replace(t, i, release)
		}
		// A page that was opened before the upgrade opens its dialogs after it.
		for _, file := range u.filesOf(t, older, newer) {
			u.get(ctx, file)
		}
	}
	time.Sleep(time.Second)
	stop()
	load.Wait()
	for _, backend := range u.backends {
		backend.end(t)
	}
	t.Logf("%d orders, %d calls, %d pages, %d files, %d streams were opened", u.orders.Load(), u.calls.Load(), u.pages.Load(), u.files.Load(), u.streams.Load())
	for _, failure := range u.failures {
		t.Error(failure)
	}
	if u.orders.Load() == 0 || u.pages.Load() == 0 || u.streams.Load() < 10 {
		t.Error("too little was done to prove anything")
	}
}

// upgrade is a shop of several processes behind a balancer, and its customers.
type upgrade struct {
	*balancer

	where db.Config

	orders, calls, pages, files, streams atomic.Int64
}

// newUpgrade starts a balancer without processes, on a new database.
func newUpgrade(t *testing.T) *upgrade {
	t.Helper()
	content, err := filepath.Abs("../content/demo")
	if err != nil {
		t.Fatal(err)
	}
	where := dbtest.Config(t, db.Postgres)
	return &upgrade{where: where, balancer: newBalancer(t, "DATABASE_URL="+where.URL, "SERVERY_CONTENT="+content, "SERVERY_LAME_DUCK=2s")}
}

// get requests a path through the balancer and returns the body. Any answer but 200 is a failure.
func (u *upgrade) get(ctx context.Context, path string) string {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.front.URL+path, nil)
	if err != nil {
		u.fail("%s: %v", path, err)
		return ""
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		if ctx.Err() == nil {
			u.fail("%s: %v", path, err)
		}
		return ""
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if (err != nil || res.StatusCode != http.StatusOK) && ctx.Err() == nil {
		u.fail("%s: %d, %v", path, res.StatusCode, err)
	}
	u.files.Add(1)
	return string(text)
}

var fileOfPage = regexp.MustCompile(`/assets/[\w.-]+`)

// openPage requests a page and all files that its document names, and returns the paths of the files.
func (u *upgrade) openPage(ctx context.Context) []string {
	document := u.get(ctx, "/moscow")
	if ctx.Err() != nil {
		return nil
	}
	files := fileOfPage.FindAllString(document, -1)
	slices.Sort(files)
	files = slices.Compact(files)
	for _, file := range files {
		u.get(ctx, file)
	}
	u.pages.Add(1)
	return files
}

// openPages opens pages until ctx ends.
func (u *upgrade) openPages(ctx context.Context) {
	for ctx.Err() == nil {
		u.openPage(ctx)
	}
}

// filesOf returns the paths of all files of the pages of the releases, those of dialogs too. programs says how many to
// expect.
func (u *upgrade) filesOf(t *testing.T, programs ...string) []string {
	t.Helper()
	d, err := db.Open(t.Context(), u.where)
	if err != nil {
		t.Fatal(err)
	}
	names, err := d.Read().ListAssets(t.Context())
	if err = errors.Join(err, d.Close()); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, name := range names {
		if !strings.HasSuffix(name, ".br") && !strings.HasSuffix(name, ".gz") {
			files = append(files, "/assets/"+name)
		}
	}
	if len(files) < 100*len(programs) {
		t.Fatalf("only %d files of %d releases", len(files), len(programs))
	}
	return files
}

// buy orders until ctx ends, each time as a new visitor, and follows each order for a while. n decides the shop.
func (u *upgrade) buy(ctx context.Context, n int) {
	for ctx.Err() == nil {
		jar, err := cookiejar.New(nil)
		if err != nil {
			u.fail("%v", err)
			return
		}
		client := &http.Client{Jar: jar}
		if id := u.order(ctx, client, n); id != 0 {
			u.orders.Add(1)
			u.follow(ctx, client, id)
		}
	}
}

// call makes a call through the balancer, decodes its answer into into, and reports whether it succeeded. A conflict
// or an invalid order, because its interval is full, is no failure; any other answer but 200 is.
func (u *upgrade) call(ctx context.Context, client *http.Client, method, path string, body object, into any) bool {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			u.fail("%v", err)
			return false
		}
		sent = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, u.front.URL+path, sent)
	if err != nil {
		u.fail("%v", err)
		return false
	}
	r.Header.Set("Content-Type", "application/json")
	res, err := client.Do(r)
	if err != nil {
		if ctx.Err() == nil {
			u.fail("%s: %v", path, err)
		}
		return false
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	u.calls.Add(1)
	isFull := res.StatusCode == http.StatusConflict || res.StatusCode == http.StatusUnprocessableEntity // the interval is full by now
	if (err != nil || res.StatusCode != http.StatusOK) && !isFull && ctx.Err() == nil {
		u.fail("%s: %d %.200s, %v", path, res.StatusCode, answer, err)
	}
	if err != nil || res.StatusCode != http.StatusOK {
		return false
	}
	if err := json.Unmarshal(answer, into); err != nil {
		u.fail("%s: %v", path, err)
		return false
	}
	return true
}

// order places an order to be fetched, and returns its number; 0 when a call did not succeed.
func (u *upgrade) order(ctx context.Context, client *http.Client, n int) int64 {
	var cities struct{ List []struct{ ID int64 } }
	var shops struct{ Shops []struct{ ID int64 } }
	var menu struct {
		Groups []struct {
			Products []struct{ Key string }
		} `json:"product_groups"`
	}
	var times struct{ Intervals []struct{ ID string } }
	var priced struct {
		Cart struct{ Prices struct{ Total json.Number } }
	}
	var checkout struct {
		Key string `json:"order_cache_key"`
	}
	var created struct {
		ID int64 `json:"order_id"`
	}
	if !u.call(ctx, client, http.MethodGet, "/api/cities", nil, &cities) ||
		!u.call(ctx, client, http.MethodGet, fmt.Sprintf("/api/shops?city_id=%d", cities.List[0].ID), nil, &shops) {
		return 0
	}
	city := cities.List[0].ID
	at := object{"city_id": city, "order_type": "takeaway", "shop_id": shops.Shops[n%len(shops.Shops)].ID}
	with := func(more object) object {
		body := object{}
		for _, part := range []object{at, more} {
			for name, value := range part {
				body[name] = value
			}
		}
		return body
	}
	if !u.call(ctx, client, http.MethodPost, "/api/products", at, &menu) {
		return 0
	}
	product := menu.Groups[0].Products[0].Key
	if !u.call(ctx, client, http.MethodPut, "/api/cart/add", with(object{"product_key": product, "count": 2}), &priced) ||
		!u.call(ctx, client, http.MethodPost, "/api/schedule/intervals", at, &times) || len(times.Intervals) == 0 {
		return 0
	}
	interval := times.Intervals[int(u.orders.Load())%len(times.Intervals)].ID
	if !u.call(ctx, client, http.MethodPut, "/api/cart/set-interval", object{"city_id": city, "interval": interval}, &priced) ||
		!u.call(ctx, client, http.MethodPost, "/api/order/create-order-cache", at, &checkout) ||
		!u.call(ctx, client, http.MethodPost, "/api/order/create", with(object{
			"order_cache_key": checkout.Key, "phone": "79161234567", "username": "Anna", "payment_type": "cash",
			"interval_id": interval, "cart": object{"prices": object{"total": priced.Cart.Prices.Total}},
		}), &created) {
		return 0
	}
	return created.ID
}

// follow follows an order by push for two seconds, in two streams at once. It opens a stream again when the process
// ends it.
func (u *upgrade) follow(ctx context.Context, client *http.Client, id int64) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	var streams sync.WaitGroup
	for range 2 {
		streams.Go(func() {
			for ctx.Err() == nil {
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/api/order/%d/events", u.front.URL, id), nil)
				if err != nil {
					u.fail("%v", err)
					return
				}
				res, err := client.Do(r)
				if err != nil {
					if ctx.Err() == nil {
						u.fail("stream: %v", err)
					}
					return
				}
				if res.StatusCode != http.StatusOK {
					u.fail("stream: %d", res.StatusCode)
				}
				u.streams.Add(1)
				_, _ = io.Copy(io.Discard, res.Body) // until either side ends the stream
				_ = res.Body.Close()
			}
		})
	}
	streams.Wait()
}
