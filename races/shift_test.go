package races_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
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
	// answeredWithin is how long a call may take, and how soon orders must go on after the end of a fault.
	answeredWithin = 15 * time.Second
	// stopWithin is how soon a stop must hold on all processes.
	stopWithin = 10 * time.Second
	// allowance is added to these times, because the machine may be busy with other tests.
	allowance = 2 * time.Second
	// patience is how long a test waits for a condition before it fails.
	patience = 3 * time.Minute
	// dinersPerServer is how many customers order at a time through each process.
	dinersPerServer = 4
)

// shift is a period in which customers place one order after the other and the kitchen follows, while a test makes
// faults. It records the answers.
type shift struct {
	*house

	name    string
	client  *http.Client
	kitchen *kitchen
	// perServer is how many customers order at a time through each process, pause how long each waits after an order or
	// when it is another than they saw.
	perServer int
	pause     time.Duration
	// shown are the processes that must show a stop: those that take orders, or those behind their proxy.
	shown []*process
	// books are what the test knows of payments, for the audit at the end.
	books  audittest.Books
	stop   context.CancelFunc
	diners sync.WaitGroup
	phones atomic.Int64 // counts the customers

	mu       sync.Mutex
	orders   []placed
	longest  time.Duration
	slowest  string // the call that took longest
	answers  map[int]int
	noAnswer int
	failed   []time.Time // when calls had no answer, or one of 500 and more
	faults   []error
	absences []absence
}

// placed is an order that a server confirmed to a customer.
type placed struct {
	id     int64
	server int
	begun  time.Time // when the answered call was sent
	at     time.Time // when it was answered
	// isPaidOnline says that the kitchen sees the order only once it is paid.
	isPaidOnline bool
}

// now returns the time of the machine.
func now() time.Time { return clock.System{}.Now() }

// openShift returns a shift of dinersPerServer customers at each server, who order until the shift is closed.
func openShift(t *testing.T, h *house) *shift {
	t.Helper()
	s := newShift(h)
	s.open(t)
	return s
}

// newShift returns a shift that has not begun.
func newShift(h *house) *shift {
	s := &shift{house: h, perServer: dinersPerServer, shown: h.servers, answers: map[int]int{}}
	s.client = &http.Client{
		// Longer than any call may take. A call that takes longer counts as not answered.
		Timeout:   answeredWithin + 10*time.Second,
		Transport: stopwatch{&http.Transport{MaxIdleConns: 200, MaxIdleConnsPerHost: 50}, s},
	}
	s.kitchen = &kitchen{house: h, client: s.client, isPatient: true}
	return s
}

// open lets the kitchen follow and the customers order until the shift is closed. It returns a context that ends then.
func (s *shift) open(t *testing.T) context.Context {
	t.Helper()
	s.kitchen.start(t)
	ctx, stop := context.WithCancel(t.Context())
	s.stop = stop
	for n := range s.perServer * len(s.servers) {
		s.repeat(ctx, func() {
			d := &diner{shift: s, server: n % len(s.servers), number: s.phones.Add(1)}
			// Not with ctx: an order that was begun is completed.
			d.dine(t.Context())
		})
	}
	return ctx
}

// repeat calls do again and again, with the pause of the shift after each time, until ctx ends. It does not wait; close
// does.
func (s *shift) repeat(ctx context.Context, do func()) {
	s.diners.Go(func() {
		for ctx.Err() == nil {
			do()
			select {
			case <-ctx.Done():
			case <-time.After(s.pause):
			}
		}
	})
}

// stopwatch records the status and the time of each call in the shift.
type stopwatch struct {
	http.RoundTripper

	shift *shift
}

// RoundTrip makes the call and records it. Slow or lost calls to an absent process do not count.
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
			s.failed = append(s.failed, begun)
		}
		return nil, err
	}
	s.answers[response.StatusCode]++
	if response.StatusCode >= http.StatusInternalServerError {
		s.failed = append(s.failed, begun)
	}
	return response, nil
}

// fail records a fault. It is safe for concurrent use.
func (s *shift) fail(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fmt.Errorf(format, args...))
}

// countOrders returns how many orders were confirmed so far.
func (s *shift) countOrders() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.orders)
}

// awaitOrders waits until more orders than now were confirmed, by the number more.
func (s *shift) awaitOrders(t *testing.T, more int) {
	t.Helper()
	want := s.countOrders() + more
	s.await(t, fmt.Sprintf("%d orders", want), func() bool { return s.countOrders() >= want })
}

// await waits until the condition holds, and fails the test after patience. condition describes it in the message.
func (s *shift) await(t *testing.T, condition string, holds func() bool) {
	t.Helper()
	for limit := now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if now().After(limit) {
			t.Fatalf("%s: in vain waited for %s", s.name, condition)
		}
	}
}

// firstAfter waits until each process has confirmed an order after the instant at, and returns how long each took.
func (s *shift) firstAfter(t *testing.T, at time.Time) []time.Duration {
	t.Helper()
	return s.firstOrders(t, at, s.numbers())
}

// firstOrders waits until each process in servers has confirmed an order after at, and returns how long each took.
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

// standstill returns the longest time without a confirmed order since the instant.
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

// answeredSince returns how many confirmed orders were sent after the instant at.
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

// close waits until the customers have finished. It checks that the database has each confirmed order once and no
// other, the kitchen has got all of them, all calls were answered in time, and the books balance.
func (s *shift) close(t *testing.T, d *db.DB) {
	t.Helper()
	s.stop()
	s.diners.Wait()
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
		if !seen[o.id] && !o.isPaidOnline {
			missed++
		}
	}
	twice := len(stored) - (len(answered) - lost) // a repeated call has placed a second order
	twice += len(s.orders) - len(answered)        // an order was confirmed to two customers
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
	s.books.Now = now()
	audittest.Check(t, d, s.books)
	t.Logf("%d orders: %d lost, %d twice, %d missed by the kitchen in %d polls; the longest call, %s, took %s; answers %v",
		len(s.orders), lost, twice, missed, s.kitchen.polls, s.slowest, s.longest.Round(time.Millisecond), s.answers)
}

// setStop stops the dessert through the first process, or cancels the stop, and repeats the call until it succeeds. It
// returns the time until all processes show the change.
func (s *shift) setStop(t *testing.T, isStopped bool) time.Duration {
	t.Helper()
	begun := now()
	body := object{"site": "races", "kind": "product", "alias": "dessert", "off": !isStopped}
	s.await(t, "the stop", func() bool {
		status, _ := s.operateAt(t, s.servers[0], http.MethodPost, "/stops", body)
		return status == http.StatusOK
	})
	for i, server := range s.shown {
		s.await(t, fmt.Sprintf("the stop on process %d", i), func() bool {
			status, text := s.operateAt(t, server, http.MethodGet, "/stops?site=races", nil)
			return status == http.StatusOK && bytes.Contains(text, []byte(`"dessert"`)) == isStopped
		})
	}
	return now().Sub(begun)
}

// operateAt makes a call of the operator to a server and returns status and text of the answer; 0 for no answer.
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
		return 0, nil // the stopwatch has counted the lost call
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	if err != nil {
		return 0, nil
	}
	return response.StatusCode, text
}

// get requests a path without a session, and returns the answer, whose body it has read and closed.
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
