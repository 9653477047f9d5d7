package server

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// callsForgotten is how long after its last call nothing is known of an address.
const callsForgotten = 10 * time.Minute

// limits bounds the calls of each address. It lives in this process: behind several
// processes an address may make as many calls to each.
type limits struct {
	refill      rate.Limit
	atOnce      int
	forgetAfter time.Duration

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
	return &limits{refill: rate.Limit(perSecond), atOnce: 4 * perSecond, forgetAfter: callsForgotten, callers: map[string]*caller{}}
}

// newHourlyLimits lets each address have so many an hour, all of them at once where it had none
// for an hour; 0 bounds nothing.
func newHourlyLimits(perHour int) *limits {
	if perHour == 0 {
		return &limits{refill: rate.Inf, forgetAfter: time.Hour, callers: map[string]*caller{}}
	}
	return &limits{refill: rate.Every(time.Hour / time.Duration(perHour)), atOnce: perHour, forgetAfter: time.Hour, callers: map[string]*caller{}}
}

// take asks for one call and answers how long to wait; zero means go.
func (l *limits) take(address string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.swept) > l.forgetAfter {
		for a, c := range l.callers {
			if now.Sub(c.seen) > l.forgetAfter {
				delete(l.callers, a)
			}
		}
		l.swept = now
	}
	c := l.callers[address]
	if c == nil {
		c = &caller{bucket: rate.NewLimiter(l.refill, l.atOnce)}
		l.callers[address] = c
	}
	c.seen = now
	if c.bucket.AllowN(now, 1) {
		return 0
	}
	next := c.bucket.ReserveN(now, 1)
	defer next.CancelAt(now)
	return max(time.Second, next.DelayFrom(now))
}
