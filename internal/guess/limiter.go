// Package guess limits how often secrets of customers are guessed: the phone and
// number of an order, a promocode, a link that signs in.
package guess

import (
	"strconv"
	"sync"
	"time"
)

const (
	// window is the time in which wrong guesses are counted.
	window = 10 * time.Minute
	// maxCounted bounds the memory that callers can fill.
	maxCounted = 100_000
)

// Limits are how many guesses may be wrong in ten minutes. 0 is no limit.
type Limits struct {
	// PerSession bounds a session, or a customer in all sessions.
	PerSession int
	// PerAddress bounds a network address, which many visitors may share.
	PerAddress int
	// PerSite bounds all addresses of a site together.
	PerSite int
}

// Default returns the limits of most secrets.
func Default() Limits { return Limits{PerSession: 10, PerAddress: 30} }

// Guess is one guess of a secret.
type Guess struct {
	// CustomerID or SessionID identify the visitor; 0 where unknown.
	CustomerID, SessionID int64
	// Site and Address say where. Customers are not counted by them.
	Site, Address string
	// PassesShared says that guesses of others, behind the same address or at the same site, do not
	// count against this one.
	PassesShared bool
}

// Bound is a kind of limit on guesses: the one that a guess is refused by.
type Bound int

// The bounds. Where both refuse a guess, Own is returned.
const (
	Unbound Bound = iota // no limit refuses the guess
	Shared               // too many guesses of others too, behind the address or at the site
	Own                  // too many guesses of the same session or customer
)

// Limiter is a rate limit of wrong guesses by session, network address and site. It lives in
// memory: each process counts for itself, from its start. It is safe for concurrent use.
type Limiter struct {
	limits Limits
	mu     sync.Mutex
	counts map[string]tally // by the key of a counter
}

// tally is how many guesses were counted as wrong since an instant.
type tally struct {
	since time.Time
	count int
}

// NewLimiter returns a limiter that has counted nothing yet.
func NewLimiter(l Limits) *Limiter { return &Limiter{limits: l, counts: map[string]tally{}} }

// Attempt must be called before a guess is checked. It counts the guess as wrong, so that
// concurrent guesses are all counted. Afterwards Succeed must be called for a guess that was right,
// or Fail for one that was wrong. The count of the site is left to Fail, because at a site many
// guess rightly at once.
//
// When too many guesses were wrong already, it counts nothing. It returns the bound that refuses
// the guess and how long the caller has to wait; else Unbound.
func (l *Limiter) Attempt(g Guess, now time.Time) (time.Duration, Bound) {
	l.mu.Lock()
	defer l.mu.Unlock()
	counters := l.countersOf(g)
	var wait time.Duration
	refusedBy := Unbound
	for _, c := range counters {
		t := l.counts[c.key]
		left := t.since.Add(window).Sub(now)
		if t.count < c.limit || left <= 0 || c.bound == Shared && g.PassesShared {
			continue // below the limit, expired, or a limit that does not apply
		}
		wait, refusedBy = max(wait, left), max(refusedBy, c.bound)
	}
	if refusedBy != Unbound {
		return wait, refusedBy
	}
	if len(l.counts) >= maxCounted {
		l.dropExpired(now)
	}
	for _, c := range counters {
		if !c.countedByFail {
			l.increment(c.key, now)
		}
	}
	return 0, Unbound
}

// increment adds 1 to the count of a key. The count begins again at 0 when its ten minutes are
// over. The caller must hold l.mu.
func (l *Limiter) increment(key string, now time.Time) {
	t := l.counts[key]
	if !t.since.Add(window).After(now) {
		t = tally{since: now}
	}
	t.count++
	l.counts[key] = t
}

// Fail counts a wrong guess against its site. It must be called after Attempt, which has counted
// the guess against session, address and customer.
func (l *Limiter) Fail(g Guess, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.countersOf(g) {
		if c.countedByFail {
			l.increment(c.key, now)
		}
	}
}

// Succeed removes the counts that Attempt has added for the guess, which was right. The count of
// the site stays: Attempt does not add to it.
func (l *Limiter) Succeed(g Guess) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.countersOf(g) {
		if t, ok := l.counts[c.key]; ok && t.count > 0 && !c.countedByFail {
			t.count--
			l.counts[c.key] = t
		}
	}
}

// dropExpired deletes the counts whose ten minutes are over, or all counts when that does not
// make room. The caller must hold l.mu.
func (l *Limiter) dropExpired(now time.Time) {
	for key, t := range l.counts {
		if !t.since.Add(window).After(now) {
			delete(l.counts, key)
		}
	}
	if len(l.counts) >= maxCounted {
		clear(l.counts)
	}
}

// counter is one of the counts that a guess is bounded by.
type counter struct {
	key   string
	limit int
	bound Bound
	// countedByFail says that Fail counts a guess here, and Attempt does not.
	countedByFail bool
}

// countersOf returns the counters that limit a guess: the counter of the customer or, for a guest,
// the counters of session, address and site. A limit of 0 has no counter.
func (l *Limiter) countersOf(g Guess) []counter {
	if g.CustomerID != 0 && l.limits.PerSession > 0 {
		return []counter{{key: "customer " + strconv.FormatInt(g.CustomerID, 10), limit: l.limits.PerSession, bound: Own}}
	}
	var counters []counter
	if g.SessionID != 0 && l.limits.PerSession > 0 {
		counters = append(counters, counter{key: "session " + strconv.FormatInt(g.SessionID, 10), limit: l.limits.PerSession, bound: Own})
	}
	if g.Address != "" && l.limits.PerAddress > 0 {
		counters = append(counters, counter{key: "address " + g.Address, limit: l.limits.PerAddress, bound: Shared})
	}
	if g.Site != "" && l.limits.PerSite > 0 {
		counters = append(counters, counter{key: "site " + g.Site, limit: l.limits.PerSite, bound: Shared, countedByFail: true})
	}
	return counters
}
