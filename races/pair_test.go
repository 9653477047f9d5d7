package races_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/relaytest"
)

// pairVariable is the number of orders of the test of a pair of PostgreSQL servers. Without it only the loss of the
// primary is tested.
const pairVariable = "SERVERY_PAIR_ORDERS"

// Three processes use a primary and a standby of PostgreSQL. When the primary fails, orders go on once the standby has
// taken its place. No order is lost or placed twice, and no process sells what is stopped.
func TestPair_switchesOverWithoutLosingAnOrder(t *testing.T) {
	t.Parallel()
	requirePage(t)
	p := newPair(t)
	if text := os.Getenv(pairVariable); text != "" {
		orders, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		p.each, p.unnoticed = orders/10, 20*time.Second
		t.Run("standby away", p.loseStandby)
		t.Run("primary frozen", p.freezePrimary)
		t.Run("switch-over", p.switchOver)
		t.Run("primary killed", p.killPrimary)
	} else {
		p.each = 20
	}
	t.Run("primary vanished", p.losePrimary)
	d, err := db.Open(t.Context(), db.Config{URL: p.primary.url("servery")})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	p.close(t, d)
}

// pair is two servers of PostgreSQL, and the processes over them.
type pair struct {
	*shift

	primary, standby *cluster
	relays           map[*cluster]*relaytest.Relay
	// each is the number of orders to wait for before and after each fault.
	each int
	// unnoticed is how long a primary is gone before the standby is promoted.
	unnoticed time.Duration
	// promoted is when a standby was promoted last.
	promoted time.Time
}

// newPair starts a pair of servers, three processes that use them, and a shift of customers.
func newPair(t *testing.T) *pair {
	t.Helper()
	p := newServers(t)
	h := &house{}
	with := settings{Content: newContent(t, 1), DatabaseURL: p.url()}
	for range 3 {
		h.servers = append(h.servers, start(t, with))
	}
	p.shift = openShift(t, h)
	return p
}

// newServers starts a primary and its synchronous standby, each behind a relay.
func newServers(t *testing.T) *pair {
	t.Helper()
	p := &pair{primary: newCluster(t), standby: newCluster(t), relays: map[*cluster]*relaytest.Relay{}}
	p.primary.create(t)
	p.standby.copyFrom(t, p.primary)
	p.primary.requireStandby(t, true)
	for _, c := range []*cluster{p.primary, p.standby} {
		p.relays[c] = relaytest.New(t, c.address)
	}
	return p
}

// url returns the address of the database, which names both servers.
func (p *pair) url() string {
	return "postgres://servery@" + p.relays[p.primary].Addr() + "," + p.relays[p.standby].Addr() + "/servery?sslmode=disable&target_session_attrs=read-write"
}

// changeOver promotes the standby, swaps primary and standby, and checks that orders go on and stops hold within the
// promised times. since is the time of the fault.
func (p *pair) changeOver(t *testing.T, since time.Time) {
	t.Helper()
	p.standby.promote(t)
	promoted := now()
	p.promoted = promoted
	p.primary, p.standby = p.standby, p.primary
	p.setStop(t, true)
	stopped := now().Sub(promoted)
	first := p.firstAfter(t, promoted)
	for i, delay := range first {
		if delay > answeredWithin+allowance {
			t.Errorf("process %d took no order for %s after the promotion", i, delay)
		}
	}
	if stopped > stopWithin+allowance {
		t.Errorf("a stop held everywhere only %s after the promotion", stopped)
	}
	p.setStop(t, false)
	p.awaitOrders(t, p.each)
	t.Logf("promoted %s after the fault; then the processes took orders after %v, a stop held everywhere after %s; orders stood still for %s",
		promoted.Sub(since).Round(time.Millisecond), first, stopped.Round(time.Millisecond), p.standstill(since).Round(time.Millisecond))
}

// rejoin makes the other machine a synchronous standby of the primary again, from a new copy.
func (p *pair) rejoin(t *testing.T) {
	t.Helper()
	p.standby.copyFrom(t, p.primary)
	p.relays[p.standby].SetState(relaytest.Open)
	p.primary.requireStandby(t, true)
	p.awaitOrders(t, p.each)
}

// loseStandby kills the synchronous standby. It checks that no order is answered, because it would be on one machine
// only, until the primary is set to do without a standby, and that orders go on then.
func (p *pair) loseStandby(t *testing.T) {
	p.name = t.Name()
	p.awaitOrders(t, p.each)
	p.standby.kill(t)
	since := now()
	time.Sleep(answeredWithin + 5*time.Second) // as long as no operator looks at it
	if n := p.answeredSince(since); n > 0 {
		t.Errorf("%d orders were answered that are on one machine only", n)
	}
	p.primary.requireStandby(t, false)
	alone := now()
	first := p.firstAfter(t, alone)
	for i, delay := range first {
		if delay > answeredWithin+allowance {
			t.Errorf("process %d took no order for %s after the standby was taken out", i, delay)
		}
	}
	p.awaitOrders(t, p.each)
	t.Logf("taken out after %s; then the processes took orders after %v; orders stood still for %s",
		alone.Sub(since).Round(time.Millisecond), first, p.standstill(since).Round(time.Millisecond))
	p.rejoin(t)
}

// freezePrimary freezes the primary for frozenFor and promotes nothing. It checks that no order is answered meanwhile,
// and that orders go on and stops hold after the thaw.
func (p *pair) freezePrimary(t *testing.T) {
	p.name = t.Name()
	p.awaitOrders(t, p.each)
	p.primary.freeze(t)
	defer p.primary.thaw(t)
	since := now()
	time.Sleep(frozenFor)
	if n := p.answeredSince(since); n > 0 {
		t.Errorf("%d orders were answered without the primary", n)
	}
	p.primary.thaw(t)
	woken := now()
	first := p.checkOrdersGoOn(t, woken, p.numbers())
	p.setStop(t, true)
	stopped := now().Sub(woken)
	if stopped > stopWithin+allowance {
		t.Errorf("a stop held everywhere only %s after the end", stopped)
	}
	p.setStop(t, false)
	p.awaitOrders(t, p.each)
	t.Logf("frozen for %s; then the processes took orders after %v, a stop held everywhere after %s; orders stood still for %s",
		woken.Sub(since).Round(time.Millisecond), first, stopped.Round(time.Millisecond), p.standstill(since).Round(time.Millisecond))
}

// switchOver shuts the primary down cleanly and changes over to the standby.
func (p *pair) switchOver(t *testing.T) {
	p.name = t.Name()
	since := now()
	p.primary.shutDown(t)
	p.changeOver(t, since)
	p.rejoin(t)
}

// killPrimary kills the primary, as a power failure does, and changes over to the standby.
func (p *pair) killPrimary(t *testing.T) {
	p.name = t.Name()
	since := now()
	p.primary.kill(t)
	time.Sleep(p.unnoticed)
	p.changeOver(t, since)
	p.rejoin(t)
}

// losePrimary makes the primary unreachable without closing connections, and changes over to the standby.
func (p *pair) losePrimary(t *testing.T) {
	p.name = t.Name()
	p.awaitOrders(t, p.each)
	since := now()
	p.relays[p.primary].SetState(relaytest.Silent)
	time.Sleep(p.unnoticed)
	p.changeOver(t, since)
	p.standby.kill(t) // it must not come back as a primary
}
