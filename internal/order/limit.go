package order

import (
	"strconv"
	"sync"
	"time"
)

const (
	// lookupWindow is the time in which failed look-ups are counted.
	lookupWindow = 10 * time.Minute
	// perSession and perAddress are how many may fail in it.
	perSession = 10
	perAddress = 30
	// maxCounted bounds the memory that strangers can fill.
	maxCounted = 100_000
)

// limiter counts failed look-ups of each session and each network address. It lives
// in memory: each process counts for itself, and a restart forgets.
type limiter struct {
	mu     sync.Mutex
	counts map[string]tally
}

// tally is how many have failed since.
type tally struct {
	since time.Time
	count int
}

func newLimiter() *limiter { return &limiter{counts: map[string]tally{}} }

// allow reports whether one more may be tried, and if not, how long to wait.
func (l *limiter) allow(sessionID int64, address string, now time.Time) (time.Duration, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var wait time.Duration
	for key, most := range limits(sessionID, address) {
		if t := l.counts[key]; t.count >= most {
			wait = max(wait, t.since.Add(lookupWindow).Sub(now))
		}
	}
	return wait, wait <= 0
}

// failed counts one that did not match.
func (l *limiter) failed(sessionID int64, address string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.counts) >= maxCounted {
		l.forgetOld(now)
	}
	for key := range limits(sessionID, address) {
		t := l.counts[key]
		if !t.since.Add(lookupWindow).After(now) {
			t = tally{since: now}
		}
		t.count++
		l.counts[key] = t
	}
}

// forgetOld makes room: what is over goes, and everything when that is not enough.
func (l *limiter) forgetOld(now time.Time) {
	for key, t := range l.counts {
		if !t.since.Add(lookupWindow).After(now) {
			delete(l.counts, key)
		}
	}
	if len(l.counts) >= maxCounted {
		clear(l.counts)
	}
}

func limits(sessionID int64, address string) map[string]int {
	most := map[string]int{"address " + address: perAddress}
	if sessionID != 0 {
		most["session "+strconv.FormatInt(sessionID, 10)] = perSession
	}
	return most
}
