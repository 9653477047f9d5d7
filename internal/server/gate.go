package server

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// class says how a call is treated when more come than can be answered at once; the later
// ones go first.
type class int

const (
	// beginning calls are those of visitors who were not let in yet.
	beginning class = iota
	// underway calls are those of visitors who were let in.
	underway
	// ordering calls place an order, pay for it, or work it.
	ordering
	classes
)

// waitingPerSeat is how many calls of each class may wait for each that is at work: about half a
// second of work.
const waitingPerSeat = 8

// maxWait is how long a call of a class waits at most; a beginning one does not wait.
var maxWait = [classes]time.Duration{underway: 2 * time.Second, ordering: 5 * time.Second}

// gate bounds the calls at work. Calls that find no seat wait, ordering ones before all others;
// beginning ones are refused at once. So a visitor who was let in gets through, and to refuse the
// others costs little. It is safe for concurrent use.
type gate struct {
	mu         sync.Mutex
	free       int // seats
	maxWaiting [classes]int
	waiting    [classes]*list.List // of chan struct{}, closed when a seat is theirs
}

// newGate returns a gate with the given number of seats.
func newGate(seats int) *gate {
	g := &gate{free: seats}
	for c := range g.waiting {
		g.waiting[c], g.maxWaiting[c] = list.New(), waitingPerSeat*seats
	}
	g.maxWaiting[beginning] = 0 // the first that finds no seat is refused already
	return g
}

// takeSeat waits for a seat, as long as calls of the class may, and reports whether the caller has a
// seat. When too many of the class wait already, it returns false at once. A caller with a seat must call
// freeSeat.
func (g *gate) takeSeat(ctx context.Context, c class) bool {
	g.mu.Lock()
	if g.free > 0 {
		g.free--
		g.mu.Unlock()
		return true
	}
	if g.waiting[c].Len() >= g.maxWaiting[c] {
		g.mu.Unlock()
		return false
	}
	seat := make(chan struct{})
	place := g.waiting[c].PushBack(seat)
	g.mu.Unlock()
	timer := time.NewTimer(maxWait[c])
	defer timer.Stop()
	select {
	case <-seat:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-seat: // it came just as the wait ended
		return true
	default:
		g.waiting[c].Remove(place)
		return false
	}
}

// freeSeat passes the seat to the call that has waited longest in the most important class. When none
// waits, the seat is free.
func (g *gate) freeSeat() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for c := classes - 1; c >= 0; c-- {
		if first := g.waiting[c].Front(); first != nil {
			close(g.waiting[c].Remove(first).(chan struct{}))
			return
		}
	}
	g.free++
}

// String returns the class as it is named in a metric.
func (c class) String() string {
	return [classes]string{"beginning", "underway", "ordering"}[c]
}
