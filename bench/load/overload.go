package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// maxReturns is how often a visitor who is not let in calls again before leaving.
const maxReturns = 3

// rampUp is how long visitors arrive before orders are counted. The first visitors need that time for the calls
// before their orders.
const rampUp = 2 * time.Second

// capacityDivisor divides the time of a work: the capacity is measured for half of it.
const capacityDivisor = 2

// outcomes counts how the visits ended in a run at one rate of arrivals. Its methods are safe for concurrent
// use.
type outcomes struct {
	mu sync.Mutex
	// ordered visitors placed an order, turnedAway ones were not let in, and lost ones were let in but
	// could not order.
	arrived, ordered, turnedAway, lost int
	// inTime visitors ordered between begin and end, while others still arrived.
	inTime            int
	begin, end        time.Time
	creates, refusals []time.Duration
	sentBack          int // refused calls of visitors who were let in; they repeat them
	firstErr          error
}

// measureOverload measures how many orders are placed when visitors arrive at multiples of the capacity. It
// measures the capacity before and after each multiple, because the speed of the machine varies, and compares
// the orders with the mean of both. The capacity after also shows whether the program recovers.
func (b bench) measureOverload(ctx context.Context) error {
	before, err := b.measureCapacity(ctx)
	if err != nil {
		return err
	}
	for _, times := range b.times {
		o := b.runAtRate(ctx, before*times, b.seconds)
		if o.firstErr != nil {
			return o.firstErr
		}
		after, err := b.measureCapacity(ctx)
		if err != nil {
			return err
		}
		const both = 2
		fmt.Fprintf(os.Stderr, "%s: capacity %.0f orders/s before, %.0f after\n", b.engine.name, before, after)
		b.printOutcomes(ctx, o, times, (before+after)/both)
		before = after
	}
	return nil
}

// measureCapacity returns the orders per second that visitors place on a fixed number of connections: on each,
// one visitor after another. They make the same calls as visitors of the overload.
func (b bench) measureCapacity(ctx context.Context) (float64, error) {
	steps := make([]step, b.connections)
	for i := range steps {
		n := i * 1000 // so that visitors of two connections have different numbers
		steps[i] = func() error {
			n++
			g := &guest{line: b.newLine()}
			defer g.line.leave()
			return b.placeOrder(ctx, g, n, &outcomes{}) // these outcomes are not used
		}
	}
	s := runSteps(ctx, steps, b.seconds/capacityDivisor)
	return s.perSecond(), s.firstErr
}

// runAtRate starts visitors at a rate, in visitors per second, for the ramp-up and the duration d. It waits for
// all of them and returns their outcomes.
func (b bench) runAtRate(ctx context.Context, rate float64, d time.Duration) *outcomes {
	begin := time.Now().Add(rampUp)
	o := &outcomes{begin: begin, end: begin.Add(d)}
	ready := make(chan struct{})
	go b.watchReady(ctx, ready, o)
	var visitors sync.WaitGroup
	start := time.Now()
	for n := 0; time.Since(start) < rampUp+d && ctx.Err() == nil; n++ {
		if wait := time.Duration(float64(n)/rate*float64(time.Second)) - time.Since(start); wait > 0 {
			time.Sleep(wait)
		}
		o.arrived++
		visitors.Go(func() { b.runVisitor(ctx, n, o) })
	}
	visitors.Wait()
	close(ready)
	return o
}

// watchReady checks each second that the program is ready, until done is closed. The first failure ends it and
// is stored in o.
func (b bench) watchReady(ctx context.Context, done <-chan struct{}, o *outcomes) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
		}
		c, err := dial(ctx, b.program.addr)
		if err == nil {
			_, err = c.expect(request("GET", "/readyz", nil))
			err = errors.Join(err, c.Close())
		}
		if err != nil {
			o.storeError(fmt.Errorf("readiness: %w", err))
			return
		}
	}
}

// storeError stores an error, unless there was one before.
func (o *outcomes) storeError(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.firstErr == nil {
		o.firstErr = err
	}
}

var errTurnedAway = errors.New("not let in")

// runVisitor makes the calls of visitor n, from the first product to the order, and counts the outcome in o.
func (b bench) runVisitor(ctx context.Context, n int, o *outcomes) {
	g := &guest{line: b.newLine()}
	err := b.placeOrder(ctx, g, n, o)
	g.line.leave()
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case err == nil:
		o.ordered++
		if now := time.Now(); now.After(o.begin) && now.Before(o.end) {
			o.inTime++
		}
	case errors.Is(err, errTurnedAway):
		o.turnedAway++
	default:
		o.lost++
		if o.lost == 1 {
			fmt.Fprintln(os.Stderr, "  lost:", err)
		}
	}
}

// placeOrder fills a cart, chooses an interval and orders. n decides the shop and the interval. The first call
// decides whether the visitor is let in; placeOrder returns errTurnedAway when the visitor is not.
func (b bench) placeOrder(ctx context.Context, g *guest, n int, o *outcomes) error {
	shop := b.menu.shops[n%len(b.menu.shops)]
	interval := shop.intervals[n%len(shop.intervals)]
	var answer struct {
		Cart struct{ Prices struct{ Total json.Number } }
	}
	for i, key := range b.menu.products[:orderLines] {
		if err := b.callUntilDone(ctx, g, i > 0, "PUT", "/api/cart/add", b.menu.place(shop.id, "product_key", key, "count", 2), &answer, o); err != nil {
			return err
		}
	}
	if err := b.callUntilDone(ctx, g, true, "PUT", "/api/cart/set-interval", place{"city_id": b.menu.city, "interval": interval}, &answer, o); err != nil {
		return err
	}
	var checkout struct {
		Key string `json:"order_cache_key"`
	}
	if err := b.callUntilDone(ctx, g, true, "POST", "/api/order/create-order-cache", b.menu.place(shop.id), &checkout, o); err != nil {
		return err
	}
	return b.callUntilDone(ctx, g, true, "POST", "/api/order/create", b.menu.place(shop.id,
		"order_cache_key", checkout.Key, "phone", nextPhone(), "username", "Load", "payment_type", "cash",
		"interval_id", interval, "cart", place{"prices": place{"total": answer.Cart.Prices.Total}}), nil, o)
}

// callUntilDone makes a call. After an answer 503 it closes the visitor's own connection, waits as long as the
// answer says, and repeats the call: for a visitor who is let in until ctx ends; for another one it returns
// errTurnedAway after maxReturns repeats. It decodes the answer into the value into unless that is nil, and
// counts times and refusals in o.
func (b bench) callUntilDone(ctx context.Context, g *guest, isLetIn bool, method, path string, body, into any, o *outcomes) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	for try := 0; ctx.Err() == nil; try++ {
		start := time.Now()
		a, err := g.send(ctx, method, path, text)
		took := time.Since(start)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		switch {
		case a.status == 200:
			if path == "/api/order/create" {
				o.addTime(&o.creates, took)
			}
			if into == nil {
				return nil
			}
			return json.Unmarshal(a.body, into)
		case a.status != 503:
			return fmt.Errorf("%s: %d %.200s", path, a.status, a.body)
		case !isLetIn:
			o.addTime(&o.refusals, took)
			if try == maxReturns {
				return errTurnedAway
			}
		default:
			o.countSentBack()
		}
		g.line.leave()
		time.Sleep(a.retryAfter)
	}
	return ctx.Err()
}

// addTime adds a time to creates or refusals.
func (o *outcomes) addTime(to *[]time.Duration, took time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	*to = append(*to, took)
}

// countSentBack counts a refused call of a visitor who was let in.
func (o *outcomes) countSentBack() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sentBack++
}

// percentile returns the p-th percentile of the times, 0 when there are none. It sorts the times.
func percentile(times []time.Duration, p int) time.Duration {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[min(len(times)*p/100, len(times)-1)]
}

// printOutcomes adds the outcomes at a multiple of the capacity to the report and prints them.
func (b bench) printOutcomes(ctx context.Context, o *outcomes, times, capacity float64) {
	b.report.Figures = append(b.report.Figures, figure{
		Engine: b.engine.name, Work: fmt.Sprintf("orders at %.0f times the capacity", times), PerSecond: float64(o.inTime) / b.seconds.Seconds(),
		P50: percentile(o.creates, 50), P99: percentile(o.creates, 99), Wrong: o.lost,
		Limit: "the capacity", LimitPerSecond: capacity, Ratio: float64(o.inTime) / b.seconds.Seconds() / capacity,
	})
	fmt.Fprintf(os.Stderr, "%s: %.0f times: %d arrived, %d ordered, %d left, %d lost, %d calls of those let in were repeated; order/create p50 %v p99 %v; refusals %d, p50 %v p99 %v as the visitor sees them, within 50 ms by the program's histogram: %s\n",
		b.engine.name, times, o.arrived, o.ordered, o.turnedAway, o.lost, o.sentBack, percentile(o.creates, 50), percentile(o.creates, 99),
		len(o.refusals), percentile(o.refusals, 50), percentile(o.refusals, 99), b.refusedInTime(ctx))
}

// refusedInTime returns a text: the share of all refusals that the program answered within 50 ms, by its
// metrics, or the error of reading them.
func (b bench) refusedInTime(ctx context.Context) string {
	c, err := dial(ctx, b.program.addr)
	if err != nil {
		return err.Error()
	}
	defer c.Close() //nolint:errcheck // only read
	a, err := c.expect(request("GET", "/metrics", nil))
	if err != nil {
		return err.Error()
	}
	var within, all float64
	for line := range bytes.Lines(a.body) {
		text := strings.TrimSpace(string(line))
		name, value, _ := strings.Cut(text, "} ")
		if !strings.Contains(name, `status="503"`) {
			continue
		}
		n, err := strconv.ParseFloat(value, 64)
		switch {
		case err != nil: // not a line of a number
		case strings.Contains(name, `servery_request_seconds_bucket`) && strings.Contains(name, `le="0.05"`):
			within += n
		case strings.HasPrefix(name, "servery_request_seconds_count"):
			all += n
		}
	}
	if all == 0 {
		return "none"
	}
	return fmt.Sprintf("%.2f %% of %.0f", 100*within/all, all)
}
