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

// follower is one receiver of events. Its change, seen and isEnded are guarded by the mutex of the [hub].
type follower struct {
	orderID int64
	as      seenAs
	events  chan Event // closed after the last event
	change  int64      // the last change that was sent
	seen    time.Time  // when the last position that was sent had been reported
	isEnded bool
}

// hub holds the followers of this process and bounds their number. Make it with [newHub]. It is safe for
// concurrent use.
type hub struct {
	mu      sync.Mutex
	byOrder map[int64][]*follower
	count   int
}

// newHub returns a hub without followers.
func newHub() *hub { return &hub{byOrder: map[int64][]*follower{}} }

// add adds a follower of an order. It reports false when the order or the process has too many.
func (h *hub) add(orderID int64, as seenAs) (*follower, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.count >= maxFollowers || len(h.byOrder[orderID]) >= maxPerOrder {
		return nil, false
	}
	f := &follower{orderID: orderID, as: as, events: make(chan Event, maxBacklog)}
	h.count++
	h.byOrder[orderID] = append(h.byOrder[orderID], f)
	return f, true
}

// sendChange sends an event to the follower; change is the number of the change that it shows.
// It does nothing when the follower was sent that change or a later one, or has ended. With isLast it
// ends the follower after the event.
func (h *hub) sendChange(f *follower, change int64, e Event, isLast bool) {
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

// sendPosition sends an event to the follower; reportedAt is when the position in it was
// reported. It does nothing before the first change of the order was sent, and when a position that
// was reported at reportedAt or later was sent already.
func (h *hub) sendPosition(f *follower, reportedAt time.Time, e Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f.isEnded || f.change == 0 || !reportedAt.After(f.seen) {
		return
	}
	f.seen = reportedAt
	h.send(f, e)
}

// send sends an event to a follower. A follower whose backlog is full is ended instead; its
// client reconnects. The caller must hold h.mu.
func (h *hub) send(f *follower, e Event) {
	select {
	case f.events <- e:
	default:
		h.remove(f)
	}
}

// end closes the channel of a follower and forgets it. A second call does nothing.
func (h *hub) end(f *follower) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.remove(f)
}

// remove closes the channel of a follower and makes room for another. A second call does
// nothing. The caller must hold h.mu.
func (h *hub) remove(f *follower) {
	if f.isEnded {
		return
	}
	f.isEnded = true
	close(f.events)
	h.count--
	list := h.byOrder[f.orderID]
	kept := make([]*follower, 0, len(list))
	for _, other := range list {
		if other != f {
			kept = append(kept, other)
		}
	}
	if h.byOrder[f.orderID] = kept; len(kept) == 0 {
		delete(h.byOrder, f.orderID)
	}
}

// isEmpty reports whether no order is followed.
func (h *hub) isEmpty() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.count == 0
}

// orders returns the ids of the orders that are followed.
func (h *hub) orders() []int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	ids := make([]int64, 0, len(h.byOrder))
	for id := range h.byOrder {
		ids = append(ids, id)
	}
	return ids
}

// followersOf returns a new list of the followers of an order.
func (h *hub) followersOf(orderID int64) []*follower {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]*follower(nil), h.byOrder[orderID]...)
}

// isBehind reports whether some follower of the order was not yet sent the change with that number.
func (h *hub) isBehind(orderID, change int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.byOrder[orderID] {
		if f.change < change {
			return true
		}
	}
	return false
}
