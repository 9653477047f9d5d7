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
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// releasesVariable has the programs of two releases, with a comma between: scripts/second-release.sh
// builds the second one.
const releasesVariable = "SERVERY_RELEASES"

// Three processes are replaced one after another by those of another release and back again, behind
// a balancer, while customers order, follow their orders and open pages.
func TestUpgrade_failsNoCallAndNoPage(t *testing.T) {
	a, b, ok := strings.Cut(os.Getenv(releasesVariable), ",")
	if !ok {
		t.Skipf("SKIPPED: %s does not name the programs of two releases; make upgrade builds them", releasesVariable)
	}
	u := newUpgrade(t)
	for range 3 {
		u.backends = append(u.backends, u.launch(t, a, freeAddress(t)))
	}
	ctx, stop := context.WithCancel(t.Context())
	var load sync.WaitGroup
	load.Go(func() { u.check(ctx) })
	for u.ready() == nil {
		time.Sleep(50 * time.Millisecond)
	}
	opened := u.openPage(ctx)
	if len(opened) < 20 {
		t.Fatalf("a page names only %d files", len(opened))
	}
	for i := range 6 {
		load.Go(func() { u.buy(ctx, i) })
	}
	for range 2 {
		load.Go(func() { u.openPages(ctx) })
	}
	for _, release := range []string{b, a} {
		for i := range u.backends {
			time.Sleep(3 * time.Second)
			u.replace(t, i, release)
		}
		// A page that was opened before the upgrade opens its dialogs after it.
		for _, file := range u.filesOf(t, a, b) {
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
	where    db.Config
	content  string
	balancer *httptest.Server
	next     atomic.Int64

	mu       sync.Mutex
	backends []*backend
	failures []string

	orders, calls, pages, files, streams atomic.Int64
}

// backend is one process, as the balancer knows it.
type backend struct {
	address string
	cmd     *exec.Cmd
	log     *bytes.Buffer
	proxy   *httputil.ReverseProxy
	isReady atomic.Bool
}

// newUpgrade returns a balancer without processes; a call that no process can take is a failure.
func newUpgrade(t *testing.T) *upgrade {
	t.Helper()
	content, err := filepath.Abs("../content/demo")
	if err != nil {
		t.Fatal(err)
	}
	u := &upgrade{where: dbtest.Config(t, db.Postgres), content: content}
	u.balancer = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := u.ready()
		if b == nil {
			u.fail("no process is ready")
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		// Read as a whole: Go's server closes a body as soon as its answer begins, and its proxy
		// would give up the answer of a process that is quicker than the last read of the body.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		b.proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(u.balancer.Close)
	return u
}

func (u *upgrade) fail(format string, args ...any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.failures) < 20 {
		u.failures = append(u.failures, fmt.Sprintf(format, args...))
	}
}

// ready returns the processes that are ready, one after another; nil when none is.
func (u *upgrade) ready() *backend {
	u.mu.Lock()
	defer u.mu.Unlock()
	for range u.backends {
		b := u.backends[int(u.next.Add(1))%len(u.backends)]
		if b.isReady.Load() {
			return b
		}
	}
	return nil
}

// check asks each process three times a second whether it is ready, as balancers do.
func (u *upgrade) check(ctx context.Context) {
	client := &http.Client{Timeout: time.Second}
	for ctx.Err() == nil {
		u.mu.Lock()
		all := slices.Clone(u.backends)
		u.mu.Unlock()
		for _, b := range all {
			res, err := client.Get("http://" + b.address + "/readyz")
			b.isReady.Store(err == nil && res.StatusCode == http.StatusOK)
			if err == nil {
				_ = res.Body.Close()
			}
		}
		time.Sleep(300 * time.Millisecond)
	}
}

// launch starts a process of a release.
func (u *upgrade) launch(t *testing.T, program, address string) *backend {
	t.Helper()
	target := &url.URL{Scheme: "http", Host: address}
	b := &backend{address: address, log: &bytes.Buffer{}, proxy: httputil.NewSingleHostReverseProxy(target)}
	b.proxy.FlushInterval = -1
	b.proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 64} // as balancers keep connections, of this process alone
	b.proxy.ErrorHandler = func(w http.ResponseWriter, r *http.Request, err error) {
		if r.Context().Err() == nil {
			u.fail("%s %s: %v", r.Method, r.URL.Path, err)
		}
		w.WriteHeader(http.StatusBadGateway)
	}
	b.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), program, "serve")
	b.cmd.Env = append(os.Environ(), "SERVERY_ADDR="+address, "DATABASE_URL="+u.where.URL, "SERVERY_CONTENT="+u.content,
		"SERVERY_LIMITS=off", "SERVERY_CALLS_PER_SECOND=10000", "SERVERY_SIMULATE=off", "SERVERY_LAME_DUCK=2s", "SERVERY_TRUSTED_PROXIES=127.0.0.0/8", "SERVERY_LOG_LEVEL=error")
	b.cmd.Stderr = b.log
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return b
}

// end lets a process end as a service manager does; it must end well.
func (b *backend) end(t *testing.T) {
	t.Helper()
	if err := b.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if err := b.cmd.Wait(); err != nil {
		t.Errorf("a process ended with %v: %s", err, b.log)
	}
}

// replace ends a process and starts one of another release in its place, and waits for it.
func (u *upgrade) replace(t *testing.T, i int, release string) {
	t.Helper()
	u.backends[i].end(t)
	fresh := u.launch(t, release, u.backends[i].address)
	u.mu.Lock()
	u.backends[i] = fresh
	u.mu.Unlock()
	for deadline := time.Now().Add(time.Minute); !fresh.isReady.Load(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the new process is not ready: %s", fresh.log)
		}
	}
}

// get asks for a file of the page and returns it; one that is not there is a failure.
func (u *upgrade) get(ctx context.Context, path string) string {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.balancer.URL+path, nil)
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

// openPage opens a page with all files that its document names, and returns their addresses.
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

func (u *upgrade) openPages(ctx context.Context) {
	for ctx.Err() == nil {
		u.openPage(ctx)
	}
}

// filesOf returns all files of the pages of the releases, whatever dialog they belong to.
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

// buy orders again and again, as a new visitor each time, and follows each order for a while.
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

// call makes a call that must be answered, and reads it into a value.
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
	r, err := http.NewRequestWithContext(ctx, method, u.balancer.URL+path, sent)
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
	isFull := res.StatusCode == http.StatusConflict || res.StatusCode == http.StatusUnprocessableEntity // a time that is taken by now
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

// order places an order to be fetched, and returns its number; 0 when its time was taken.
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
		all := object{}
		for _, part := range []object{at, more} {
			for name, value := range part {
				all[name] = value
			}
		}
		return all
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

// follow follows an order by push for some seconds, in streams side by side. One that is ended by
// its process is opened again.
func (u *upgrade) follow(ctx context.Context, client *http.Client, id int64) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	var streams sync.WaitGroup
	for range 2 {
		streams.Go(func() {
			for ctx.Err() == nil {
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/api/order/%d/events", u.balancer.URL, id), nil)
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
				_, _ = io.Copy(io.Discard, res.Body) // until it is ended by either side
				_ = res.Body.Close()
			}
		})
	}
	streams.Wait()
}
