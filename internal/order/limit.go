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

// take counts one look-up as failed before it is made, so that those side by side are
// all counted; one that matches is given back by matched. When too many have failed it
// counts nothing, reports false and tells how long to wait.
func (l *limiter) take(sessionID int64, address string, now time.Time) (time.Duration, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	limits := limits(sessionID, address)
	var wait time.Duration
	for key, most := range limits {
		if t := l.counts[key]; t.count >= most {
			wait = max(wait, t.since.Add(lookupWindow).Sub(now))
		}
	}
	if wait > 0 {
		return wait, false
	}
	if len(l.counts) >= maxCounted {
		l.forgetOld(now)
	}
	for key := range limits {
		t := l.counts[key]
		if !t.since.Add(lookupWindow).After(now) {
			t = tally{since: now}
		}
		t.count++
		l.counts[key] = t
	}
	return 0, true
}

// matched takes back the count of a look-up that did match.
func (l *limiter) matched(sessionID int64, address string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key := range limits(sessionID, address) {
		if t, ok := l.counts[key]; ok && t.count > 0 {
			t.count--
			l.counts[key] = t
		}
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
