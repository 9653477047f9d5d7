// Package clock is the only place that reads the machine's time.
//
// Instants are UTC, cut to milliseconds, so that both databases return exactly what was stored. A
// city lives by its own wall clock: [Day] is a date there, and "minutes" count from its midnight as
// its wall clock shows them.
//
// The main program imports time/tzdata, so zones are known on any machine.
package clock

import (
	"sync"
	"time"
)

// Clock returns the time. There are two: [System] and [Fake].
type Clock interface {
	// Now returns the present instant in UTC, cut to milliseconds.
	Now() time.Time
}

// System is the machine's clock.
type System struct{}

// Now returns the present instant in UTC, cut to milliseconds.
func (System) Now() time.Time { return Cut(time.Now()) }

// Cut returns an instant in the form in which it is stored and compared: UTC, whole milliseconds,
// no monotonic part.
func Cut(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Fake is a clock for tests that moves only by Set and Advance. It is safe for concurrent use.
type Fake struct {
	mu  sync.Mutex
	now time.Time
}

// NewFake returns a clock that stands at t.
func NewFake(t time.Time) *Fake { return &Fake{now: Cut(t)} }

// Now returns the instant at which the clock stands.
func (f *Fake) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// Set moves the clock to t, forwards or back.
func (f *Fake) Set(t time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = Cut(t)
}

// Advance moves the clock by d and returns the new instant.
func (f *Fake) Advance(d time.Duration) time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = Cut(f.now.Add(d))
	return f.now
}
