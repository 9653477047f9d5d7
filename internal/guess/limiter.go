// Package guess bounds how often a stranger may guess what only customers know: the phone
// and number of an order, a promocode.
package guess

import (
	"strconv"
	"sync"
	"time"
)

const (
	// window is the time in which wrong guesses are counted.
	window = 10 * time.Minute
	// perSession and perAddress are how many may be wrong in it. Behind one address there
	// may be a whole house.
	perSession = 10
	perAddress = 30
	// maxCounted bounds the memory that strangers can fill.
	maxCounted = 100_000
)

// Limiter counts the wrong guesses of each session and each network address. It lives in
// memory: each process counts for itself, and a restart forgets. It is safe for
// concurrent use.
type Limiter struct {
	mu     sync.Mutex
	counts map[string]tally
}

// tally is how many were wrong since.
type tally struct {
	since time.Time
	count int
}

// NewLimiter makes a limiter for one kind of guess.
func NewLimiter() *Limiter { return &Limiter{counts: map[string]tally{}} }

// Take counts one guess as wrong before it is looked at, so that those side by side are
// all counted; one that is right is given back by Right. When too many were wrong it
// counts nothing, reports false and tells how long to wait. sessionID is 0 for a visitor
// without a session.
func (l *Limiter) Take(sessionID int64, address string, now time.Time) (time.Duration, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	limits := limits(sessionID, address)
	var wait time.Duration
	for key, most := range limits {
		if t := l.counts[key]; t.count >= most {
			wait = max(wait, t.since.Add(window).Sub(now))
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
		if !t.since.Add(window).After(now) {
			t = tally{since: now}
		}
		t.count++
		l.counts[key] = t
	}
	return 0, true
}

// Right takes back the count of a guess that was right.
func (l *Limiter) Right(sessionID int64, address string) {
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
func (l *Limiter) forgetOld(now time.Time) {
	for key, t := range l.counts {
		if !t.since.Add(window).After(now) {
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
