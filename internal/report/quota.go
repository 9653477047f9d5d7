package report

import (
	"sync"
	"time"

	"servery/internal/clock"
)

const (
	// A fault that repeats all evening must not fill the operator's quota, nor hide another one.
	perMinute       = 30
	perMinuteOfKind = 5
)

// quota bounds the reports of a minute. It is safe for concurrent use.
type quota struct {
	clock clock.Clock

	mu     sync.Mutex
	since  time.Time
	all    int
	ofKind map[string]int
}

// reserve counts a report of a kind. It returns false, and counts nothing, when the limit of this
// minute is reached, for reports of the kind or for all reports.
func (q *quota) reserve(kind string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if now := q.clock.Now(); q.ofKind == nil || now.Sub(q.since) >= time.Minute {
		q.since, q.all, q.ofKind = now, 0, map[string]int{}
	}
	if q.all >= perMinute || q.ofKind[kind] >= perMinuteOfKind {
		return false
	}
	q.all++
	q.ofKind[kind]++
	return true
}
