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

// patience is how long a call of a class waits at most; a beginning one does not wait.
var patience = [classes]time.Duration{underway: 2 * time.Second, ordering: 5 * time.Second}

// gate bounds the calls at work. Calls that find no seat wait, ordering ones before all others;
// beginning ones are refused at once. So a visitor who was let in gets through, and to refuse the
// others costs little. It is safe for concurrent use.
type gate struct {
	mu      sync.Mutex
	free    int // seats
	room    [classes]int
	waiting [classes]*list.List // of chan struct{}, closed when a seat is theirs
}

// newGate returns a gate with so many seats.
func newGate(seats int) *gate {
	g := &gate{free: seats}
	for c := range g.waiting {
		g.waiting[c], g.room[c] = list.New(), waitingPerSeat*seats
	}
	g.room[beginning] = 0 // the first that finds no seat is refused already
	return g
}

// enter waits for a seat and reports whether there is one; leave frees it.
func (g *gate) enter(ctx context.Context, c class) bool {
	g.mu.Lock()
	if g.free > 0 {
		g.free--
		g.mu.Unlock()
		return true
	}
	if g.waiting[c].Len() >= g.room[c] {
		g.mu.Unlock()
		return false
	}
	seat := make(chan struct{})
	place := g.waiting[c].PushBack(seat)
	g.mu.Unlock()
	timer := time.NewTimer(patience[c])
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
	case <-seat: // it came in the same moment
		return true
	default:
		g.waiting[c].Remove(place)
		return false
	}
}

// leave passes a seat to the call that waits longest in the first class, or frees it.
func (g *gate) leave() {
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

// String names the class in a metric.
func (c class) String() string {
	return [classes]string{"beginning", "underway", "ordering"}[c]
}
