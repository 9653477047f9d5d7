package races_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// balancer starts processes of the real program, watches them, and passes calls on by the rule of deploy/haproxy.cfg:
// reads to those that can serve pages, all else to those that can take orders, or while none can to those of pages.
type balancer struct {
	front   *httptest.Server
	environ []string     // settings of all processes
	next    atomic.Int64 // counts the calls of nextReady

	mu       sync.Mutex // protects backends and failures
	backends []*backend
	failures []string
}

// backend is one process, as the balancer knows it.
type backend struct {
	address, ops string // of customers, and of readiness alone
	cmd          *exec.Cmd
	log          *bytes.Buffer
	proxy        *httputil.ReverseProxy

	takesOrders, servesPages atomic.Bool
}

// newBalancer starts a balancer without processes. environ has the settings of all processes. A call is a failure when
// no process is ready.
func newBalancer(t *testing.T, environ ...string) *balancer {
	t.Helper()
	b := &balancer{environ: environ}
	b.front = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ready := b.nextReady(r.Method)
		if ready == nil {
			b.fail("no process is ready")
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		// Read the whole body first. Go's server closes it when the answer begins, and its proxy then drops the
		// answer of a process that answers before it has read the body.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		ready.proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(b.front.Close)
	return b
}

// fail records a failure, the first twenty only. It is safe for concurrent use.
func (b *balancer) fail(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.failures) < 20 {
		b.failures = append(b.failures, fmt.Sprintf(format, args...))
	}
}

// nextReady returns the next process for a call of the method, in turns; nil when none is ready.
func (b *balancer) nextReady(method string) *backend {
	b.mu.Lock()
	defer b.mu.Unlock()
	var other *backend
	for range b.backends {
		next := b.backends[int(b.next.Add(1))%len(b.backends)]
		switch isRead := method == http.MethodGet || method == http.MethodHead; {
		case isRead && next.servesPages.Load(), !isRead && next.takesOrders.Load():
			return next
		case next.servesPages.Load():
			other = next
		}
	}
	return other
}

// watchReady asks each process three times a second whether it is ready, as balancers do, until ctx ends.
func (b *balancer) watchReady(ctx context.Context) {
	client := &http.Client{Timeout: time.Second}
	isReady := func(address string) bool {
		res, err := client.Get("http://" + address)
		if err == nil {
			_ = res.Body.Close()
		}
		return err == nil && res.StatusCode == http.StatusOK
	}
	for ctx.Err() == nil {
		b.mu.Lock()
		backends := slices.Clone(b.backends)
		b.mu.Unlock()
		for _, one := range backends {
			one.takesOrders.Store(isReady(one.ops + "/readyz"))
			one.servesPages.Store(isReady(one.ops + "/readyz/pages"))
		}
		time.Sleep(300 * time.Millisecond)
	}
}

// launch starts a process of a release at the addresses, and does not wait for it. A call that its proxy cannot pass on
// is a failure. The end of the test kills it if it still runs.
func (b *balancer) launch(t *testing.T, program, address, ops string) *backend {
	t.Helper()
	target := &url.URL{Scheme: "http", Host: address}
	launched := &backend{address: address, ops: ops, log: &bytes.Buffer{}, proxy: httputil.NewSingleHostReverseProxy(target)}
	launched.proxy.FlushInterval = -1
	launched.proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 64} // keeps connections to this process, as balancers do
	launched.proxy.ErrorHandler = func(w http.ResponseWriter, r *http.Request, err error) {
		if r.Context().Err() == nil {
			b.fail("%s %s: %v", r.Method, r.URL.Path, err)
		}
		w.WriteHeader(http.StatusBadGateway)
	}
	launched.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), program, "serve")
	launched.cmd.Env = append(os.Environ(), "SERVERY_ADDR="+address, "SERVERY_OPS_ADDR="+ops,
		"SERVERY_LIMITS=off", "SERVERY_CALLS_PER_SECOND=10000", "SERVERY_SIMULATE=off", "SERVERY_TRUSTED_PROXIES=127.0.0.0/8", "SERVERY_LOG_LEVEL=error")
	launched.cmd.Env = append(launched.cmd.Env, b.environ...)
	launched.cmd.Stderr = launched.log
	if err := launched.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if launched.cmd.ProcessState == nil {
			_ = launched.cmd.Process.Kill()
			_ = launched.cmd.Wait() // its error is that it was killed
		}
	})
	return launched
}

// add launches processes of a release at free addresses.
func (b *balancer) add(t *testing.T, program string, count int) {
	t.Helper()
	for range count {
		added := b.launch(t, program, freeAddress(t), freeAddress(t))
		b.mu.Lock()
		b.backends = append(b.backends, added)
		b.mu.Unlock()
	}
}

// end sends SIGTERM, as a service manager does, and waits. The process must end without an error.
func (b *backend) end(t *testing.T) {
	t.Helper()
	if err := b.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if err := b.cmd.Wait(); err != nil {
		t.Errorf("a process ended with %v: %s", err, b.log)
	}
}

// awaitReady waits until the process can take orders, as watchReady has seen it.
func (b *backend) awaitReady(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !b.takesOrders.Load(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("a process is not ready: %s", b.log)
		}
	}
}

// replace ends process i, starts one of the release at the same addresses, and waits until it is ready.
func (b *balancer) replace(t *testing.T, i int, release string) {
	t.Helper()
	former := b.backends[i]
	former.end(t)
	fresh := b.launch(t, release, former.address, former.ops)
	b.mu.Lock()
	b.backends[i] = fresh
	b.mu.Unlock()
	fresh.awaitReady(t)
}
