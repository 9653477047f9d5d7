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

// Limits are how many guesses may be wrong in ten minutes. 0 bounds nothing.
type Limits struct {
	// PerSession bounds a session, or a customer in all sessions.
	PerSession int
	// PerAddress bounds a network address, behind which there may be a whole house.
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
	// PassesShared says that the guess is not bounded by what others guess behind the same
	// address or at the same site.
	PassesShared bool
}

// Bound is what a guess is refused by.
type Bound int

// The bounds: by the guesses of the same session or customer, or by those of others too.
const (
	Unbound Bound = iota
	Shared
	Own
)

// Limiter is a rate limit of wrong guesses by session, network address and site. It lives in
// memory: each process counts for itself, from its start. It is safe for concurrent use.
type Limiter struct {
	limits Limits
	mu     sync.Mutex
	counts map[string]tally
}

// tally is how many were wrong since an instant.
type tally struct {
	since time.Time
	count int
}

// NewLimiter returns a limiter for one kind of guess.
func NewLimiter(l Limits) *Limiter { return &Limiter{limits: l, counts: map[string]tally{}} }

// Attempt counts a guess as wrong before it is checked, so that concurrent guesses are all counted;
// Succeed removes the count of one that was right, Fail must be called for one that was wrong. Only
// the count of a site is left to Fail, because at a site many guess rightly at once. When too many
// were wrong it counts nothing and returns the bound that refuses the guess and how long to wait.
func (l *Limiter) Attempt(g Guess, now time.Time) (time.Duration, Bound) {
	l.mu.Lock()
	defer l.mu.Unlock()
	bounds := l.boundsOf(g)
	var wait time.Duration
	by := Unbound
	for _, b := range bounds {
		t := l.counts[b.key]
		left := t.since.Add(window).Sub(now)
		if t.count < b.most || left <= 0 || b.by == Shared && g.PassesShared {
			continue
		}
		wait, by = max(wait, left), max(by, b.by)
	}
	if by != Unbound {
		return wait, by
	}
	if len(l.counts) >= maxCounted {
		l.dropExpired(now)
	}
	l.countGuess(bounds, false, now)
	return 0, Unbound
}

// countGuess counts a guess by the bounds that wait for Fail, or by the others.
func (l *Limiter) countGuess(bounds []bound, waitForFail bool, now time.Time) {
	for _, b := range bounds {
		if b.waitsForFail != waitForFail {
			continue
		}
		t := l.counts[b.key]
		if !t.since.Add(window).After(now) {
			t = tally{since: now}
		}
		t.count++
		l.counts[b.key] = t
	}
}

// Fail counts a guess that was wrong where Attempt has not.
func (l *Limiter) Fail(g Guess, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.countGuess(l.boundsOf(g), true, now)
}

// Succeed removes the count of a guess that was right.
func (l *Limiter) Succeed(g Guess) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.boundsOf(g) {
		if t, ok := l.counts[b.key]; ok && t.count > 0 && !b.waitsForFail {
			t.count--
			l.counts[b.key] = t
		}
	}
}

// dropExpired deletes the counts that are over, and all counts when that does not make room.
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

// bound is one count of a guess.
type bound struct {
	key          string
	most         int
	by           Bound
	waitsForFail bool
}

// boundsOf returns the counts that bound a guess: that of the customer, or those of session,
// address and site.
func (l *Limiter) boundsOf(g Guess) []bound {
	if g.CustomerID != 0 && l.limits.PerSession > 0 {
		return []bound{{key: "customer " + strconv.FormatInt(g.CustomerID, 10), most: l.limits.PerSession, by: Own}}
	}
	var all []bound
	add := func(isKnown bool, key string, most int, by Bound) {
		if isKnown && most > 0 {
			all = append(all, bound{key: key, most: most, by: by})
		}
	}
	add(g.SessionID != 0, "session "+strconv.FormatInt(g.SessionID, 10), l.limits.PerSession, Own)
	add(g.Address != "", "address "+g.Address, l.limits.PerAddress, Shared)
	if g.Site != "" && l.limits.PerSite > 0 {
		all = append(all, bound{key: "site " + g.Site, most: l.limits.PerSite, by: Shared, waitsForFail: true})
	}
	return all
}
