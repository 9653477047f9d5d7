package server

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const forgetAfter = 10 * time.Minute

// limits bounds the calls of each address. It lives in this process: behind several
// processes an address may make as many calls to each.
type limits struct {
	perSecond rate.Limit
	atOnce    int

	mu      sync.Mutex
	callers map[string]*caller
	swept   time.Time
}

type caller struct {
	bucket *rate.Limiter
	seen   time.Time
}

// newLimits lets each address make so many calls a second, and four times as many at
// once: a page that opens makes several.
func newLimits(perSecond int) *limits {
	return &limits{perSecond: rate.Limit(perSecond), atOnce: 4 * perSecond, callers: map[string]*caller{}}
}

// take asks for one call and answers how long to wait; zero means go.
func (l *limits) take(address string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.swept) > forgetAfter {
		for a, c := range l.callers {
			if now.Sub(c.seen) > forgetAfter {
				delete(l.callers, a)
			}
		}
		l.swept = now
	}
	c := l.callers[address]
	if c == nil {
		c = &caller{bucket: rate.NewLimiter(l.perSecond, l.atOnce)}
		l.callers[address] = c
	}
	c.seen = now
	if c.bucket.AllowN(now, 1) {
		return 0
	}
	return time.Second
}
