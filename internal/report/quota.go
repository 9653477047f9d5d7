package report

import (
	"sync"
	"time"

	"servery/internal/clock"
)

const (
	// A fault that repeats all evening must not fill the operator's quota, nor hide another one.
	perMinute         = 30
	perMinuteLikeness = 5
)

// quota bounds the reports of a minute. It is safe for concurrent use.
type quota struct {
	clock clock.Clock

	mu    sync.Mutex
	since time.Time
	all   int
	of    map[string]int
}

// reserve counts a report. It returns false when the minute has had enough of it, or of all.
func (q *quota) reserve(likeness string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if now := q.clock.Now(); q.of == nil || now.Sub(q.since) >= time.Minute {
		q.since, q.all, q.of = now, 0, map[string]int{}
	}
	if q.all >= perMinute || q.of[likeness] >= perMinuteLikeness {
		return false
	}
	q.all++
	q.of[likeness]++
	return true
}
