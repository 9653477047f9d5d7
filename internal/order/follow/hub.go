// Package follow hands the events of orders to all in this process that follow them, and bounds how
// many that are. It reads nothing: what an event is and when there is one is for its caller to say.
package follow

import (
	"sync"
	"time"
)

const (
	// maxBacklog is how many events a slow follower may fall behind.
	maxBacklog = 16
	// maxFollowers bounds how many follow at once in one process, maxPerOrder how many of them
	// follow one order, so that one order cannot take the places of all.
	maxFollowers = 10_000
	maxPerOrder  = 20
)

// Follower is one receiver of events E. Its fields below the first are guarded by the [Hub].
type Follower[E, A any] struct {
	orderID int64
	// As is what the caller knows of the receiver. It never changes.
	As A

	events  chan E
	change  int64     // the last change that was sent
	seen    time.Time // when the last position that was sent was reported
	isEnded bool
}

// Events returns the channel of the follower's events. It is closed with the last one.
func (f *Follower[E, A]) Events() <-chan E { return f.events }

// Hub holds the followers of this process. Make it with [NewHub]. It is safe for concurrent use.
type Hub[E, A any] struct {
	mu      sync.Mutex
	byOrder map[int64][]*Follower[E, A]
	count   int
}

// NewHub returns a hub without followers.
func NewHub[E, A any]() *Hub[E, A] { return &Hub[E, A]{byOrder: map[int64][]*Follower[E, A]{}} }

// Add begins to follow an order, and reports false when too many follow already.
func (h *Hub[E, A]) Add(orderID int64, as A) (*Follower[E, A], bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.count >= maxFollowers || len(h.byOrder[orderID]) >= maxPerOrder {
		return nil, false
	}
	f := &Follower[E, A]{orderID: orderID, As: as, events: make(chan E, maxBacklog)}
	h.count++
	h.byOrder[orderID] = append(h.byOrder[orderID], f)
	return f, true
}

// SendChange sends an event with the number of the change that it shows, unless the follower has seen
// that change or a later one. With the last one the follower ends.
func (h *Hub[E, A]) SendChange(f *Follower[E, A], change int64, e E, isLast bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f.isEnded || change <= f.change {
		return
	}
	f.change = change
	h.send(f, e)
	if isLast {
		h.remove(f)
	}
}

// SendPosition sends an event with the instant that it was reported at, unless the follower was sent
// one of that instant or later. It sends nothing before the first change.
func (h *Hub[E, A]) SendPosition(f *Follower[E, A], reportedAt time.Time, e E) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f.isEnded || f.change == 0 || !reportedAt.After(f.seen) {
		return
	}
	f.seen = reportedAt
	h.send(f, e)
}

// send sends an event to a follower. A follower whose backlog is full is ended instead; its client
// reconnects. It must be called under the lock.
func (h *Hub[E, A]) send(f *Follower[E, A], e E) {
	select {
	case f.events <- e:
	default:
		h.remove(f)
	}
}

// End stops following. Ending twice is ending once.
func (h *Hub[E, A]) End(f *Follower[E, A]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.remove(f)
}

// remove closes the channel of a follower and makes room for another. It must be called under the
// lock. Removing twice is removing once.
func (h *Hub[E, A]) remove(f *Follower[E, A]) {
	if f.isEnded {
		return
	}
	f.isEnded = true
	close(f.events)
	h.count--
	list := h.byOrder[f.orderID]
	kept := make([]*Follower[E, A], 0, len(list))
	for _, other := range list {
		if other != f {
			kept = append(kept, other)
		}
	}
	if h.byOrder[f.orderID] = kept; len(kept) == 0 {
		delete(h.byOrder, f.orderID)
	}
}

// IsEmpty reports whether no order is followed.
func (h *Hub[E, A]) IsEmpty() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count == 0
}

// Orders returns the orders that are followed.
func (h *Hub[E, A]) Orders() []int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	ids := make([]int64, 0, len(h.byOrder))
	for id := range h.byOrder {
		ids = append(ids, id)
	}
	return ids
}

// Of returns the followers of an order; the list is the caller's.
func (h *Hub[E, A]) Of(orderID int64) []*Follower[E, A] {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]*Follower[E, A](nil), h.byOrder[orderID]...)
}

// IsBehind reports whether some follower of the order has not seen the change yet.
func (h *Hub[E, A]) IsBehind(orderID, change int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.byOrder[orderID] {
		if f.change < change {
			return true
		}
	}
	return false
}
