package server

import (
	"sync"
	"time"
)

const (
	// soonestReturn and latestReturn bound when a caller who was refused may come again.
	soonestReturn = 2 * time.Second
	latestReturn  = 20 * time.Second
	// doorPeriod is how long visitors at the door are counted together.
	doorPeriod = 5 * time.Second
	// returnSteps is in how many steps the waits of refused visitors grow up to twice the least one,
	// so that they do not all come back at once.
	returnSteps = 16
	// fewLetIn is the least number that refused visitors are divided by: fewer visitors let in say
	// nothing of the load yet.
	fewLetIn = 10
)

// door counts the visitors who are let in and who are refused, to say when to come again: the later,
// the greater the ratio of refused visitors to those let in. It is safe for concurrent use; its
// zero value is ready.
type door struct {
	mu sync.Mutex
	// since is when the current period began; in and refused are counted over it.
	since               time.Time
	in, refused         int
	lastIn, lastRefused int // of the period before
}

// countLetIn counts a visitor who is let in.
func (d *door) countLetIn(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.beginPeriod(now)
	d.in++
}

// countRefused counts a visitor who is refused, and returns how long they should wait. The wait grows
// with the ratio of refused visitors to those let in. From one refused visitor to the next it also
// grows by a step, up to twice as long, so that they do not all return at once.
func (d *door) countRefused(now time.Time) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.beginPeriod(now)
	step := time.Duration(d.refused % returnSteps)
	d.refused++
	refusedPerLetIn := (d.refused + d.lastRefused) / max(d.in+d.lastIn, fewLetIn)
	wait := min(max(time.Duration(refusedPerLetIn)*soonestReturn, soonestReturn), latestReturn)
	return wait + wait*step/returnSteps
}

// beginPeriod begins another period when the current one is over. It keeps the counts of the
// period just before.
func (d *door) beginPeriod(now time.Time) {
	past := now.Sub(d.since)
	switch {
	case past < doorPeriod:
		return
	case past < 2*doorPeriod:
		d.lastIn, d.lastRefused = d.in, d.refused
	default:
		d.lastIn, d.lastRefused = 0, 0
	}
	d.since, d.in, d.refused = now, 0, 0
}
