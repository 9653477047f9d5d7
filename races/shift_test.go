package races_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/order/audittest"
)

const (
	// answeredWithin is how long a call may take, and how long orders may stand still once
	// there is a primary again.
	answeredWithin = 15 * time.Second
	// stopWithin is after how long a stop holds on all processes.
	stopWithin = 10 * time.Second
	// allowance is for a machine that is busy with other tests.
	allowance = 2 * time.Second
	// patience is how long the test waits before it fails.
	patience = 3 * time.Minute
	// dinersPerServer is how many customers order at a time through each process.
	dinersPerServer = 4
)

// shift is a time in which customers place one order after the other, the kitchen follows, and
// the database breaks. All that is answered is written down.
type shift struct {
	*house

	name    string
	client  *http.Client
	kitchen *kitchen
	stop    context.CancelFunc
	all     sync.WaitGroup
	phones  atomic.Int64

	mu       sync.Mutex
	orders   []placed
	longest  time.Duration
	slowest  string // the call that took longest
	answers  map[int]int
	noAnswer int
	faults   []error
	absences []absence
}

// placed is an order that a customer was answered.
type placed struct {
	id     int64
	server int
	begun  time.Time // when the call was sent that was answered
	at     time.Time
}

func now() time.Time { return clock.System{}.Now() }

// openShift lets customers order through the servers until it is closed.
func openShift(t *testing.T, h *house) *shift {
	t.Helper()
	s := &shift{house: h, answers: map[int]int{}}
	s.client = &http.Client{
		// Longer than any call may take: one that takes longer has no answer.
		Timeout:   answeredWithin + 10*time.Second,
		Transport: stopwatch{&http.Transport{MaxIdleConns: 200, MaxIdleConnsPerHost: 50}, s},
	}
	s.kitchen = &kitchen{house: h, client: s.client, isPatient: true}
	s.kitchen.start(t)
	ctx, stop := context.WithCancel(t.Context())
	s.stop = stop
	for n := range dinersPerServer * len(h.servers) {
		s.all.Go(func() {
			for ctx.Err() == nil {
				d := &diner{shift: s, server: n % len(h.servers), number: s.phones.Add(1)}
				// An order that was begun is brought to its end.
				d.dine(t.Context())
			}
		})
	}
	return s
}

// stopwatch writes down how each call ended.
type stopwatch struct {
	http.RoundTripper

	shift *shift
}

// RoundTrip makes the call.
func (w stopwatch) RoundTrip(r *http.Request) (*http.Response, error) {
	begun := now()
	response, err := w.RoundTripper.RoundTrip(r)
	took := now().Sub(begun)
	s := w.shift
	s.mu.Lock()
	defer s.mu.Unlock()
	isExcused := s.wasAbsent(r.URL.Host, begun)
	if took > s.longest && !isExcused {
		s.longest, s.slowest = took, r.Method+" "+r.URL.Path
	}
	if err != nil {
		if !isExcused {
			s.noAnswer++
		}
		return nil, err
	}
	s.answers[response.StatusCode]++
	return response, nil
}

func (s *shift) fail(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fmt.Errorf(format, args...))
}

// count returns how many orders were answered.
func (s *shift) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.orders)
}

// awaitOrders waits until so many more orders were answered.
func (s *shift) awaitOrders(t *testing.T, more int) {
	t.Helper()
	want := s.count() + more
	s.await(t, fmt.Sprintf("%d orders", want), func() bool { return s.count() >= want })
}

// await waits until the condition holds.
func (s *shift) await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for limit := now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if now().After(limit) {
			t.Fatalf("%s: in vain waited for %s", s.name, what)
		}
	}
}

// firstAfter returns after how long each process has answered an order after the instant, once all
// have.
func (s *shift) firstAfter(t *testing.T, at time.Time) []time.Duration {
	t.Helper()
	return s.firstOrders(t, at, s.numbers())
}

// firstOrders is firstAfter for some of the processes.
func (s *shift) firstOrders(t *testing.T, at time.Time, servers []int) []time.Duration {
	t.Helper()
	first := make([]time.Duration, len(servers))
	s.await(t, "an order through each process", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		clear(first)
		for _, o := range slices.Backward(s.orders) {
			if i := slices.Index(servers, o.server); i >= 0 && o.at.After(at) {
				first[i] = o.at.Sub(at)
			}
		}
		return !slices.Contains(first, 0)
	})
	return first
}

// standstill returns the longest time without an answered order since the instant.
func (s *shift) standstill(since time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	longest, last := time.Duration(0), since
	for _, o := range s.orders {
		if o.at.After(since) {
			longest, last = max(longest, o.at.Sub(last)), o.at
		}
	}
	return max(longest, now().Sub(last))
}

// answeredSince counts the orders whose last call was sent after the instant.
func (s *shift) answeredSince(at time.Time) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, o := range s.orders {
		if o.begun.After(at) {
			n++
		}
	}
	return n
}

// close lets the customers who are there finish, and checks the books: each order that was
// answered is there once, nothing else is, and the kitchen has got all of them.
func (s *shift) close(t *testing.T, d *db.DB) {
	t.Helper()
	s.stop()
	s.all.Wait()
	seen := s.kitchen.end(t)
	for _, err := range s.faults {
		t.Error(err)
	}
	s.db = d
	stored := map[string]bool{}
	for _, id := range s.texts(t, "SELECT id FROM orders") {
		stored[id] = true
	}
	lost, missed := 0, 0
	answered := map[int64]bool{}
	for _, o := range s.orders {
		answered[o.id] = true
		if !stored[fmt.Sprint(o.id)] {
			lost++
		}
		if !seen[o.id] {
			missed++
		}
	}
	twice := len(stored) - (len(answered) - lost)
	twice += len(s.orders) - len(answered)
	if lost > 0 || twice > 0 || missed > 0 {
		t.Errorf("%d orders lost, %d twice, %d missed by the kitchen", lost, twice, missed)
	}
	if n := s.kitchen.countDifferences(t, s.house); n > 0 {
		t.Errorf("by the changes that the kitchen has read %d orders stand otherwise than in the database", n)
	}
	if s.longest > answeredWithin+allowance || s.noAnswer > 0 {
		t.Errorf("the longest call, %s, took %s; %d were not answered", s.slowest, s.longest, s.noAnswer)
	}
	for status := range s.answers {
		if status >= 500 && status != http.StatusServiceUnavailable {
			t.Errorf("%d calls were answered %d", s.answers[status], status)
		}
	}
	audittest.Check(t, d, audittest.Books{Now: now()})
	t.Logf("%d orders: %d lost, %d twice, %d missed by the kitchen in %d polls; the longest call, %s, took %s; answers %v",
		len(s.orders), lost, twice, missed, s.kitchen.polls, s.slowest, s.longest.Round(time.Millisecond), s.answers)
}

// setStop stops the dessert through one process, or takes the stop back, and repeats that until
// it is answered; it returns after how long the others have it.
func (s *shift) setStop(t *testing.T, isStopped bool) time.Duration {
	t.Helper()
	begun := now()
	body := object{"site": "races", "kind": "product", "alias": "dessert", "off": !isStopped}
	s.await(t, "the stop", func() bool {
		status, _ := s.operateAt(t, s.servers[0], http.MethodPost, "/stops", body)
		return status == http.StatusOK
	})
	for i, server := range s.servers {
		s.await(t, fmt.Sprintf("the stop on process %d", i), func() bool {
			status, text := s.operateAt(t, server, http.MethodGet, "/stops?site=races", nil)
			return status == http.StatusOK && bytes.Contains(text, []byte(`"dessert"`)) == isStopped
		})
	}
	return now().Sub(begun)
}

// operateAt makes a call as the kitchen's system and returns the answer, 0 for none.
func (s *shift) operateAt(t *testing.T, server *process, method, path string, body any) (int, []byte) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, server.url+"/api/operator"+path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+operatorToken)
	response, err := s.client.Do(r)
	if err != nil {
		return 0, nil // it is counted
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	if err != nil {
		return 0, nil
	}
	return response.StatusCode, text
}

// get makes a call of a customer without a session.
func (s *shift) get(t *testing.T, server *process, path, language string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Language", language)
	response, err := s.client.Do(r)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Errorf("%s: %v", path, err)
	}
	if err := response.Body.Close(); err != nil {
		t.Error(err)
	}
	return response
}

// diner is a customer who orders one dish in cash through one of the processes, and sends each
// call again, with the same body and key, until it is answered.
type diner struct {
	shift  *shift
	server int
	number int64
	cookie string
	cart   cart
	key    string    // of the checkout
	begun  time.Time // when the last call was sent
}

// atPlace returns the body of a call with the place of all diners.
func atPlace(more object) object {
	body := object{"city_id": endless.city, "order_type": "takeaway", "shop_id": endless.shop}
	maps.Copy(body, more)
	return body
}

// dine places one order.
func (d *diner) dine(ctx context.Context) {
	if a := d.call(ctx, http.MethodPut, "/cart/add", atPlace(object{"product_key": "1-101", "count": 1})); !a.ok() {
		d.shift.fail("a dish cannot be added: %s", a)
		return
	}
	if a := d.checkOut(ctx); !a.ok() {
		d.shift.fail("no checkout: %s", a)
		return
	}
	var a answer
	for range 5 {
		a = d.orderOnce(ctx)
		if a.ok() {
			d.shift.mu.Lock()
			d.shift.orders = append(d.shift.orders, placed{a.body.OrderID, d.server, d.begun, now()})
			d.shift.mu.Unlock()
			return
		}
		if a.status != http.StatusConflict { // the time may have moved on: the answer has the fresh cart
			break
		}
	}
	d.shift.fail("no order: %s", a)
}

// checkOut goes to the checkout.
func (d *diner) checkOut(ctx context.Context) answer {
	a := d.call(ctx, http.MethodPost, "/order/create-order-cache", atPlace(nil))
	d.key = a.body.OrderCacheKey
	return a
}

// orderOnce sends the order with the cart as it was shown last.
func (d *diner) orderOnce(ctx context.Context) answer {
	return d.call(ctx, http.MethodPost, "/order/create", atPlace(object{
		"order_cache_key": d.key, "phone": fmt.Sprintf("7903%07d", d.number), "username": "Diner",
		"payment_type": "cash", "interval_id": "asap",
		"cart": object{"fingerprint": d.cart.Fingerprint, "prices": object{"total": d.cart.Prices.Total}},
	}))
}

// addDessert adds the dish that is stopped now and then.
func (d *diner) addDessert(ctx context.Context) answer {
	return d.call(ctx, http.MethodPut, "/cart/add", atPlace(object{"product_key": "1-102", "count": 1}))
}

// chooseDessert goes to the checkout with a dessert.
func (d *diner) chooseDessert(t *testing.T) {
	t.Helper()
	if a := d.addDessert(t.Context()); !a.ok() {
		t.Fatalf("a dessert cannot be added: %s", a)
	}
	if a := d.checkOut(t.Context()); !a.ok() {
		t.Fatalf("no checkout: %s", a)
	}
}

// call sends until there is an answer that is not the server's failure.
func (d *diner) call(ctx context.Context, method, path string, body object) answer {
	key := fmt.Sprintf("key-%016x", rand.Uint64())
	text, err := json.Marshal(body)
	if err != nil {
		d.shift.fail("%s: %v", path, err)
		return answer{}
	}
	for {
		a, err := d.send(ctx, method, path, key, text)
		if err == nil && a.status < http.StatusInternalServerError {
			if a.body.Cart != nil {
				d.cart = *a.body.Cart
			}
			return a
		}
		select {
		case <-ctx.Done():
			return answer{}
		case <-time.After(time.Duration(100+rand.IntN(200)) * time.Millisecond):
		}
	}
}

// send sends a call once. A 503 without a time to come again is a fault.
func (d *diner) send(ctx context.Context, method, path, key string, text []byte) (a answer, err error) {
	r, err := http.NewRequestWithContext(ctx, method, d.shift.servers[d.server].url+"/api"+path, bytes.NewReader(text))
	if err != nil {
		return a, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", key)
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.9.%d.%d", d.number/250%250, d.number%250+1))
	if d.cookie != "" {
		r.Header.Set("Cookie", d.cookie)
	}
	d.begun = now()
	response, err := d.shift.client.Do(r)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	answered, err := io.ReadAll(response.Body)
	if err != nil {
		return a, err
	}
	for _, c := range response.Cookies() {
		if c.Name == "session" {
			d.cookie = c.Name + "=" + c.Value
		}
	}
	a.status, a.text = response.StatusCode, string(answered)
	if a.status == http.StatusServiceUnavailable && response.Header.Get("Retry-After") == "" {
		d.shift.fail("%s: 503 without Retry-After", path)
	}
	return a, json.Unmarshal(answered, &a.body)
}
