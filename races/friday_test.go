package races_test

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/db"
)

// fridayVariable is how many minutes of a Friday evening are tried; below ten they are a short form.
const fridayVariable = "SERVERY_FRIDAY"

// Four processes behind one proxy use a pair of PostgreSQL servers for an evening: customers order and pay, cooks work,
// dishes are stopped, content is imported, all processes are replaced by those of another release, the primary is
// killed. At the end no order is lost or placed twice, the kitchen has all of them, and the books of the shop and of
// the bank agree. Apart from the failover no call fails.
func TestFriday_fourProcessesAndAPairAgree(t *testing.T) {
	older, newer, ok := strings.Cut(os.Getenv(releasesVariable), ",")
	if !ok || os.Getenv(fridayVariable) == "" {
		t.Skipf("SKIPPED: %s has no minutes, or %s does not name the programs of two releases; make friday-servers sets them", fridayVariable, releasesVariable)
	}
	minutes, err := strconv.ParseFloat(os.Getenv(fridayVariable), 64)
	if err != nil {
		t.Fatal(err)
	}
	f := newFriday(t, older)
	third := time.Duration(minutes * float64(time.Minute) / 3)
	if minutes >= 10 {
		f.unnoticed = 20 * time.Second
	}
	begun := now()
	f.work(t, begun.Add(third))
	f.upgrade(t, newer)
	f.work(t, begun.Add(2*third))
	failed := now()
	f.killPrimary(t)
	f.work(t, begun.Add(3*third))
	f.close(t, failed)
}

// friday is a pair of servers, four processes over them behind a proxy, and the people of an evening.
type friday struct {
	*pair
	*balancer

	content string
	program string // of the release that serves
	price   int    // of the dish
	// stops and imports count what was done; slowestStop and slowestImport are how long the slowest of them took to be
	// seen everywhere.
	stops, imports             int
	slowestStop, slowestImport time.Duration

	cooks  sync.WaitGroup
	ovens  chan struct{} // bounds how many cooks work at once
	pages  int
	people sync.Mutex // protects payers and pages
	payers []*payer
}

// newFriday starts the servers, imports content, starts the processes of a release and the proxy, and opens the shop.
func newFriday(t *testing.T, release string) *friday {
	t.Helper()
	f := &friday{pair: newServers(t), content: newPayingContent(t), program: release, price: 200, ovens: make(chan struct{}, 4)}
	f.each = 20
	f.balancer = newBalancer(t, "DATABASE_URL="+f.url(), "SERVERY_OPERATOR_TOKEN="+operatorToken, "SERVERY_LAME_DUCK=5s")
	proxy := f.findProxy(t)
	f.environ = append(f.environ, "SERVERY_PUBLIC_URL="+proxy)
	f.runImport(t, "-create")
	f.add(t, release, 4)
	go f.watchReady(t.Context())
	for _, b := range f.backends {
		b.awaitReady(t)
	}
	if proxy != f.front.URL {
		f.runHAProxy(t, proxy)
	}
	f.shift = newShift(&house{servers: []*process{{url: proxy}}})
	f.name, f.perServer, f.pause, f.shown = t.Name(), 8, time.Second, nil
	for _, b := range f.backends {
		f.shown = append(f.shown, &process{url: "http://" + b.address})
	}
	f.openDoors(t)
	return f
}

// findProxy returns the address of the proxy: where HAProxy will listen, if it is installed, otherwise that of the
// balancer, which has the same rule. It prints which.
func (f *friday) findProxy(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("haproxy"); err != nil {
		t.Log("the proxy is the balancer of the tests, because HAProxy is not installed")
		return f.front.URL
	}
	t.Log("the proxy is HAProxy with deploy/haproxy.cfg, without TLS")
	return "http://" + freeAddress(t)
}

// runHAProxy starts HAProxy at the address with the file of deploy, and waits until it listens. The end of the test kills
// it.
func (f *friday) runHAProxy(t *testing.T, address string) {
	t.Helper()
	text, err := os.ReadFile("../deploy/haproxy.cfg")
	if err != nil {
		t.Fatal(err)
	}
	var servers strings.Builder
	for i, b := range f.backends {
		_, port, _ := strings.Cut(b.ops, ":")
		fmt.Fprintf(&servers, "    server servery-%d %s check port %s\n", i+1, b.address, port)
	}
	listen := strings.TrimPrefix(address, "http://")
	// Customers come without TLS, which the tests of deploy try.
	changed := strings.NewReplacer(
		"    server servery-1 127.0.0.1:8081 check port 9091\n    server servery-2 127.0.0.1:8082 check port 9092\n", servers.String(),
		"    bind :443 ssl crt /etc/servery/tls/shop.pem alpn h2,http/1.1\n", "", "bind :80\n", "bind "+listen+"\n",
		"    http-request redirect scheme https unless { ssl_fc }\n", "", "X-Forwarded-Proto https", "X-Forwarded-Proto http",
		"    user haproxy\n", "", "    group haproxy\n", "",
	).Replace(string(text))
	if strings.Count(changed, listen) != 1 || strings.Count(changed, "server servery-4 ") != 3 {
		t.Fatalf("deploy/haproxy.cfg has other lines than the test expects:\n%s", changed)
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	proxy := exec.CommandContext(t.Context(), "haproxy", "-db", "-f", file)
	var output bytes.Buffer
	proxy.Stdout, proxy.Stderr = &output, &output
	if err := proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = proxy.Process.Kill()
		_ = proxy.Wait() // its error is that it was killed
		if t.Failed() {
			t.Log(output.String())
		}
	})
	for range 200 {
		if c, err := new(net.Dialer).DialContext(t.Context(), "tcp", listen); err == nil {
			_ = c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("HAProxy does not listen: %s", output.String())
}

// runImport imports the content by the command of the release that serves.
func (f *friday) runImport(t *testing.T, flags ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), f.program, append(append([]string{"import"}, flags...), f.content)...)
	command.Env = append(os.Environ(), f.environ...)
	if text, err := command.CombinedOutput(); err != nil {
		t.Fatalf("import: %v: %s", err, text)
	}
}

// work stops and starts the dessert again and again until the instant, and imports another price of the dish after each
// fifth time, at least once each.
func (f *friday) work(t *testing.T, until time.Time) {
	t.Helper()
	for n := 0; n == 0 || now().Before(until); n++ {
		for _, isStopped := range []bool{true, false} {
			f.slowestStop = max(f.slowestStop, f.setStop(t, isStopped))
			f.stops++
		}
		if n%5 == 0 {
			f.changePrice(t)
		}
		time.Sleep(min(4*time.Second, max(0, until.Sub(now()))))
	}
	if f.slowestStop > stopWithin+allowance || f.slowestImport > stopWithin+allowance {
		t.Errorf("a stop was seen everywhere after %s, an import after %s", f.slowestStop, f.slowestImport)
	}
}

// changePrice imports another price of the dish and waits until all processes show it.
func (f *friday) changePrice(t *testing.T) {
	t.Helper()
	former := f.price
	f.price = 200 + (f.price+10)%100
	editFile(t, filepath.Join(f.content, "races", "menu", "01-dishes.yaml"), fmt.Sprintf("price: %d", former), fmt.Sprintf("price: %d", f.price))
	f.runImport(t)
	begun := now()
	for i, server := range f.shown {
		f.await(t, fmt.Sprintf("the price on process %d", i), func() bool {
			body, err := f.read(t.Context(), server.url+"/api/products?city_id=1&order_type=takeaway")
			return err == nil && bytes.Contains(body, fmt.Appendf(nil, `"price":%d`, f.price))
		})
	}
	f.slowestImport = max(f.slowestImport, now().Sub(begun))
	f.imports++
}

// upgrade replaces each process by one of another release, while customers order. After each replacement the staff
// works on.
func (f *friday) upgrade(t *testing.T, release string) {
	t.Helper()
	begun := now()
	for i := range f.backends {
		f.replace(t, i, release)
		f.work(t, now())
		f.awaitOrders(t, f.each)
	}
	f.program = release
	t.Logf("four processes were replaced in %s", now().Sub(begun).Round(time.Second))
}

// close waits until all customers and cooks are done, and checks the books. A call may have failed only between the
// instant failed, when the primary was killed, and the time that is promised after the promotion.
func (f *friday) close(t *testing.T, failed time.Time) {
	t.Helper()
	f.stop()
	f.diners.Wait()
	f.await(t, "the last order to be cooked", func() bool {
		status, text := f.operateAt(t, f.servers[0], http.MethodGet, "/orders?limit=1", nil)
		return status == http.StatusOK && bytes.Contains(text, []byte(`"orders":[]`))
	})
	d, err := db.Open(t.Context(), db.Config{URL: f.primary.url("servery")})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	books := &house{db: d}
	f.await(t, "payments, refunds and receipts", func() bool {
		return books.number(t, unsettled) == 0
	})
	f.checkPayers(t, d)
	f.shift.close(t, d)
	f.cooks.Wait()
	early, within := 0, 0
	for _, at := range f.failed {
		if at.Before(failed.Add(-answeredWithin)) || at.After(f.promoted.Add(answeredWithin+allowance)) {
			early++
		} else {
			within++
		}
	}
	if early > 0 {
		t.Errorf("%d calls failed apart from the failover", early)
	}
	for _, failure := range f.failures {
		t.Error(failure)
	}
	for _, b := range f.backends {
		b.end(t)
	}
	t.Logf("%d stops, the slowest seen everywhere after %s; %d imports, the slowest after %s; %d pages; %d payers; %d calls were refused during the failover",
		f.stops, f.slowestStop.Round(time.Millisecond), f.imports, f.slowestImport.Round(time.Millisecond), f.pages, len(f.payers), within)
}
