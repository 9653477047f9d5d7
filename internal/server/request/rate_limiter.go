package request

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// forgetCallsAfter is how long after its last call an address is forgotten.
const forgetCallsAfter = 10 * time.Minute

// RateLimiter bounds the calls of each address. It lives in this process: behind several
// processes an address may make as many calls to each. It is safe for concurrent use.
type RateLimiter struct {
	refill      rate.Limit
	burst       int
	forgetAfter time.Duration

	mu      sync.Mutex
	callers map[string]*caller
	swept   time.Time
}

type caller struct {
	bucket *rate.Limiter
	seen   time.Time
}

// NewRateLimiter returns a limiter of calls per second for each address. It allows four times
// as many at once, because a page that opens makes several.
func NewRateLimiter(perSecond int) *RateLimiter {
	return &RateLimiter{refill: rate.Limit(perSecond), burst: 4 * perSecond, forgetAfter: forgetCallsAfter, callers: map[string]*caller{}}
}

// NewHourlyRateLimiter returns a limiter of calls per hour for each address, which may all come
// at once. With 0 it limits nothing.
func NewHourlyRateLimiter(perHour int) *RateLimiter {
	if perHour == 0 {
		return &RateLimiter{refill: rate.Inf, forgetAfter: time.Hour, callers: map[string]*caller{}}
	}
	return &RateLimiter{refill: rate.Every(time.Hour / time.Duration(perHour)), burst: perHour, forgetAfter: time.Hour, callers: map[string]*caller{}}
}

// CountCall counts one call of an address. It returns 0 when the call may be made, and otherwise how long
// to wait, at least a second. From time to time it also forgets the addresses that have not called for
// long.
func (l *RateLimiter) CountCall(address string, now time.Time) time.Duration {
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
		c = &caller{bucket: rate.NewLimiter(l.refill, l.burst)}
		l.callers[address] = c
	}
	c.seen = now
	if c.bucket.AllowN(now, 1) {
		return 0
	}
	next := c.bucket.ReserveN(now, 1)
	defer next.CancelAt(now) // reserved only to learn the wait
	return max(time.Second, next.DelayFrom(now))
}
