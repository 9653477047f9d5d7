package deploy_test

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// process stands for one of two programs behind a proxy. Its answers are its name.
type process struct {
	*httptest.Server

	name          string
	takesOrders   atomic.Bool
	forwardedAs   atomic.Value // X-Forwarded-Proto of the last request
	requestedHost atomic.Value // Host of the last request
	received      atomic.Int64 // bytes of the last request's body
}

// newProcess starts a process that takes orders, until the end of the test. While takesOrders is false, /readyz
// answers 503. It records the scheme, the host and the size of all other requests.
func newProcess(t *testing.T, name string) *process {
	t.Helper()
	p := &process{name: name}
	p.takesOrders.Store(true)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" && !p.takesOrders.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if !strings.HasPrefix(r.URL.Path, "/readyz") {
			p.forwardedAs.Store(r.Header.Get("X-Forwarded-Proto"))
			p.requestedHost.Store(r.Host)
			size, _ := io.Copy(io.Discard, r.Body)
			p.received.Store(size)
		}
		fmt.Fprint(w, name)
	}))
	t.Cleanup(p.Close)
	return p
}

// address returns the address that the process listens at.
func (p *process) address() string { return p.Listener.Addr().String() }

// port returns the port of an address.
func port(address string) string {
	_, number, _ := net.SplitHostPort(address)
	return number
}

// freeAddress returns an address that no program listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}

// freeAddress6 is freeAddress for IPv6. On a machine without IPv6 the address is one of IPv4.
func freeAddress6(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "[::1]:0")
	if err != nil {
		return freeAddress(t)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}

// customer calls the shop through a proxy.
type customer struct {
	t    *testing.T
	base string
	http *http.Client
	// listens are the addresses where the proxy takes requests with TLS, of IPv4 and of IPv6.
	listens [2]string
}

// reach makes a call and returns the name of the process that answers it, and the status; 0 when none answers.
func (c customer) reach(method, path string) (string, int) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, http.NoBody)
	if err != nil {
		c.t.Fatal(err)
	}
	r.Host = "sushi.example"
	response, err := c.http.Do(r)
	if err != nil {
		return "", 0
	}
	var body bytes.Buffer
	_, _ = body.ReadFrom(response.Body)
	_ = response.Body.Close()
	return body.String(), response.StatusCode
}

// await repeats the call until accept returns true for the name of the answering process and the status. It fails
// the test after ten seconds.
func (c customer) await(method, path string, accept func(who string, status int) bool) {
	c.t.Helper()
	end := time.Now().Add(10 * time.Second)
	for {
		who, status := c.reach(method, path)
		if accept(who, status) {
			return
		}
		if time.Now().After(end) {
			c.t.Fatalf("%s %s is answered %d by %q", method, path, status, who)
		}
	}
}

// runProxy starts a proxy, waits until it serves, and returns a customer of the shop behind it. listens are the
// addresses where the proxy takes requests with TLS. The end of the test kills the proxy.
func runProxy(t *testing.T, listens [2]string, program string, args ...string) customer {
	t.Helper()
	proxy := exec.CommandContext(t.Context(), program, args...)
	var output bytes.Buffer
	proxy.Stdout, proxy.Stderr = &output, &output
	if err := proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = proxy.Process.Kill()
		_ = proxy.Wait()
		if t.Failed() {
			t.Log(output.String())
		}
	})
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	c := customer{t, "https://" + listens[0], &http.Client{Transport: transport}, listens}
	c.await(http.MethodGet, "/moscow", func(_ string, status int) bool { return status == http.StatusOK })
	return c
}

// writeFile writes a text into a new folder under the name, and returns the path.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// runHAProxy starts HAProxy with its file before two processes, and returns a customer.
func runHAProxy(t *testing.T, one, two *process) customer {
	t.Helper()
	haproxy, listens := findTool(t, "haproxy"), [2]string{freeAddress(t), freeAddress6(t)}
	text := strings.NewReplacer(
		"bind :80\n", "bind "+freeAddress(t)+"\n", "bind :::80 ", "bind "+freeAddress6(t)+" ",
		"bind :443", "bind "+listens[0], "bind :::443", "bind "+listens[1], "/etc/servery/tls/shop.pem", writeCertificate(t),
		"127.0.0.1:8081", one.address(), "127.0.0.1:8082", two.address(), "port 9091", "port "+port(one.address()), "port 9092", "port "+port(two.address()),
	).Replace(readFile(t, "haproxy.cfg"))
	if os.Geteuid() != 0 {
		text = strings.NewReplacer("    user haproxy\n", "", "    group haproxy\n", "").Replace(text) // only root changes to another user
	}
	return runProxy(t, listens, haproxy, "-db", "-f", writeFile(t, "haproxy.cfg", text))
}

// nginxServers returns the file of nginx with a certificate, other addresses to listen at, and two processes.
func nginxServers(t *testing.T, plain string, listens [2]string, one, two string) string {
	t.Helper()
	certificate := writeCertificate(t)
	return strings.NewReplacer(
		"listen 80", "listen "+plain, "listen [::]:80", "listen "+freeAddress6(t), "listen 443", "listen "+listens[0], "listen [::]:443", "listen "+listens[1],
		"/etc/servery/tls/certificate.pem", certificate, "/etc/servery/tls/key.pem", certificate,
		"127.0.0.1:8081", one, "127.0.0.1:8082", two,
	).Replace(readFile(t, "nginx.conf"))
}

// runNginx starts nginx with its file before two processes, and returns a customer.
func runNginx(t *testing.T, one, two *process) customer {
	t.Helper()
	nginx, dir, listens := findTool(t, "nginx"), t.TempDir(), [2]string{freeAddress(t), freeAddress6(t)}
	whole := "daemon off; master_process off; pid " + dir + "/pid; error_log stderr; events {} http { access_log off;\n" +
		"client_body_temp_path " + dir + "/body; proxy_temp_path " + dir + "/proxy;\n" +
		nginxServers(t, freeAddress(t), listens, one.address(), two.address()) + "}\n"
	return runProxy(t, listens, nginx, "-p", dir, "-e", "stderr", "-c", writeFile(t, "nginx.conf", whole))
}

// Reads go to processes that can serve pages, all other requests to processes that can take orders. While none can, a
// process says so and not the proxy, which has neither the customer's language nor Retry-After. The process learns that
// the customer's request was encrypted.
func TestHAProxy_sendsOrdersToWhoCanTakeThem(t *testing.T) {
	t.Parallel()
	one, two := newProcess(t, "one"), newProcess(t, "two")
	c := runHAProxy(t, one, two)
	// runProxy has made the first request, to one of them.
	if one.forwardedAs.Load() != "https" && two.forwardedAs.Load() != "https" {
		t.Errorf("the scheme is passed as %v and %v", one.forwardedAs.Load(), two.forwardedAs.Load())
	}
	one.takesOrders.Store(false)
	seen := map[string]int{}
	c.await(http.MethodPost, "/api/order/create", func(who string, _ int) bool {
		if seen[who]++; who == "one" {
			clear(seen)
		}
		return seen["two"] == 10
	})
	clear(seen)
	c.await(http.MethodGet, "/moscow", func(who string, status int) bool {
		if status != http.StatusOK {
			t.Errorf("a page is answered %d", status)
		}
		seen[who]++
		return seen["one"] > 0 && seen["two"] > 0
	})
	two.takesOrders.Store(false)
	c.await(http.MethodPost, "/api/order/create", func(who string, _ int) bool { return who == "one" })
}

// When a process is gone, requests go to the other one at once, and no customer has an error.
func TestNginx_asksTheOtherProcessAtOnce(t *testing.T) {
	t.Parallel()
	one, two := newProcess(t, "one"), newProcess(t, "two")
	c := runNginx(t, one, two)
	if host := one.requestedHost.Load(); host != nil && host != "sushi.example" {
		t.Errorf("the host is passed as %v", host)
	}
	one.CloseClientConnections()
	one.Close()
	for range 20 {
		if who, status := c.reach(http.MethodPost, "/api/order/create"); who != "two" || status != http.StatusOK {
			t.Errorf("an order is answered %d by %q", status, who)
		}
	}
}

// A browser opens few connections to a host by HTTP/1.1, and each page of an order keeps one for its events. Phones of
// some networks reach a shop by IPv6 alone.
func TestProxies_speakHTTP2OverIPv4AndIPv6(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(*testing.T, *process, *process) customer{"nginx": runNginx, "HAProxy": runHAProxy} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := run(t, newProcess(t, "one"), newProcess(t, "two"))
			for _, listen := range c.listens {
				transport := &http.Transport{DisableKeepAlives: true, ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
				request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+listen+"/moscow", http.NoBody)
				if err != nil {
					t.Fatal(err)
				}
				response, err := transport.RoundTrip(request)
				if err != nil {
					t.Error(err)
					continue
				}
				if err := response.Body.Close(); err != nil || response.ProtoMajor != 2 || response.StatusCode != http.StatusOK {
					t.Errorf("%s answers %d by %s: %v", listen, response.StatusCode, response.Proto, err)
				}
			}
		})
	}
}

// The program refuses a body that is too large in the caller's language; nginx would send a page of its own.
func TestNginx_leavesItToTheProgramToRefuseABody(t *testing.T) {
	t.Parallel()
	one, two := newProcess(t, "one"), newProcess(t, "two")
	c := runNginx(t, one, two)
	const size = 100 << 10
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.base+"/api/feedback", strings.NewReader(strings.Repeat("x", size)))
	if err != nil {
		t.Fatal(err)
	}
	response, err := c.http.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusOK || max(one.received.Load(), two.received.Load()) != size {
		t.Errorf("answered %d: %v", response.StatusCode, err)
	}
}

// Debian's nginx comes with a server that takes port 80. Beside it nginx must not start: the calls of customers
// without TLS would get Debian's page in place of the shop.
func TestNginx_doesNotStartBesideAnotherServerForAllHosts(t *testing.T) {
	t.Parallel()
	nginx, dir, shared := findTool(t, "nginx"), t.TempDir(), freeAddress(t)
	text := nginxServers(t, shared, [2]string{freeAddress(t), freeAddress6(t)}, freeAddress(t), freeAddress(t))
	whole := "pid " + dir + "/pid; events {} http { access_log off; server { listen " + shared + " default_server; server_name _; }\n" + text + "}\n"
	output, err := exec.CommandContext(t.Context(), nginx, "-t", "-p", dir, "-e", "stderr", "-c", writeFile(t, "nginx.conf", whole)).CombinedOutput()
	if err == nil || !strings.Contains(string(output), "duplicate default server") {
		t.Errorf("nginx starts: %v\n%s", err, output)
	}
}

// HAProxy opens its ports as root, and must not stay root to read what anybody sends.
func TestHAProxy_doesNotStayRoot(t *testing.T) {
	t.Parallel()
	if text := readFile(t, "haproxy.cfg"); !strings.Contains(text, "\n    user haproxy\n    group haproxy\n") {
		t.Error("the file names no user")
	}
}
