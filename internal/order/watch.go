package order

import (
	"context"
	"fmt"
	"sync"
	"time"

	"servery/internal/fault"
	"servery/internal/visit"
)

const (
	// pollEvery is how often changes are looked for while somebody watches.
	pollEvery = 500 * time.Millisecond
	// lag is how far back each look for couriers reaches: a position becomes visible with its
	// commit, some time after it was reported.
	lag = 5 * time.Second
	// waiting is how many events a slow watcher may fall behind.
	maxBacklog = 16
	// maxWatchers bounds how many watch at once in one process, maxPerOrder how many of
	// them watch one order, so that one order cannot take the places of all.
	maxWatchers = 10_000
	maxPerOrder = 20
)

// Event is a change of a watched order: exactly one of the two is set.
type Event struct {
	// Order is the order in its new state.
	Order *Order
	// Courier is where the courier is now.
	Courier *Position
}

// Watch follows an order that the visitor may see. The first event is the order as it
// is now; the channel is closed after a final state, when ctx ends, or when the
// receiver falls far behind. Events come while [Service.Run] runs. Faults:
// order.not_found (NotFound), common.unavailable (Unavailable) with too many watchers.
func (s *Service) Watch(ctx context.Context, v visit.Context, id int64) (<-chan Event, error) {
	seen, err := s.Get(ctx, v, id)
	if err != nil {
		return nil, err
	}
	isCourierSeen := seen.View != BriefView && v.Site.Settings.CourierTracking
	w := &watcher{orderID: id, view: seen.View, courier: isCourierSeen, events: make(chan Event, maxBacklog)}
	// Watching begins before the state is read, so that no change falls between the two.
	if !s.watchers.add(w) {
		return nil, fault.New(fault.Unavailable, "common.unavailable", fault.RetryAfter(30*time.Second))
	}
	o, err := loadOrder(ctx, s.db.Read(), id)
	if err != nil {
		s.watchers.end(w)
		return nil, hideNotFound(err)
	}
	s.watchers.sendState(w, &o)
	if o.State == Sent && w.courier {
		at, known, err := findPosition(ctx, s.db.Read(), id)
		if err != nil {
			s.watchers.end(w)
			return nil, err
		}
		if known {
			s.watchers.sendPosition(w, at)
		}
	}
	context.AfterFunc(ctx, func() { s.watchers.end(w) })
	return w.events, nil
}

// Run looks for changes while somebody watches, until ctx ends. It sees those that
// other processes on the same database make too. fail hears of looks that failed;
// the next look makes up for them.
func (s *Service) Run(ctx context.Context, fail func(error)) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	var p poll
	said := "" // so that an outage is one line
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if s.watchers.isEmpty() {
			p = poll{}
			continue
		}
		look, cancel := context.WithTimeout(ctx, pollTimeout)
		err := s.pollChanges(look, &p)
		cancel()
		switch {
		case err == nil:
			said = ""
		case ctx.Err() != nil:
			return
		case err.Error() != said:
			said = err.Error()
			fail(err)
		}
	}
}

// lookTimeout bounds one look: a database that does not answer must not end the looking.
const pollTimeout = 5 * time.Second

// poll remembers how far the looks have come.
type poll struct {
	begun bool
	// after is the number up to which all changes have been seen.
	after int64
}

// pollChanges sends the watchers what has changed since the last poll.
func (s *Service) pollChanges(ctx context.Context, p *poll) error {
	last, err := lastVisibleChange(ctx, s.db)
	if err != nil {
		return err
	}
	if !p.begun {
		for _, id := range s.watchers.orders() { // what changed before the first look
			if err := s.sendChange(ctx, id); err != nil {
				return err
			}
		}
		*p = poll{begun: true, after: last}
	}
	// Changes above last are shown at once too. The next look reaches back to them, because
	// others below them may appear until then.
	changes, err := s.db.Read().ListStatusChanges(ctx, p.after)
	if err != nil {
		return fmt.Errorf("look for changes: %w", err)
	}
	sent := map[int64]bool{}
	for _, c := range changes {
		if !sent[c.OrderID] && s.watchers.behind(c.OrderID, c.ID) {
			sent[c.OrderID] = true
			if err := s.sendChange(ctx, c.OrderID); err != nil {
				return err
			}
		}
	}
	p.after = max(p.after, last)
	return s.pollCouriers(ctx, s.clock.Now())
}

func (s *Service) sendChange(ctx context.Context, id int64) error {
	o, err := loadOrder(ctx, s.db.Read(), id)
	if err != nil {
		return err
	}
	for _, w := range s.watchers.of(id) {
		s.watchers.sendState(w, &o)
	}
	return nil
}

func (s *Service) pollCouriers(ctx context.Context, now time.Time) error {
	positions, err := listPositions(ctx, s.db.Read(), now.Add(-lag))
	if err != nil {
		return err
	}
	for _, at := range positions {
		for _, w := range s.watchers.of(at.OrderID) {
			if w.courier {
				s.watchers.sendPosition(w, at)
			}
		}
	}
	return nil
}

// watcher is one receiver. Its fields but the first three are guarded by watchers.
type watcher struct {
	orderID int64
	view    View
	courier bool // the brand shows couriers, and the view does
	events  chan Event
	change  int64     // the last change that was sent
	seen    time.Time // when the last position it was shown was reported
	ended   bool
}

// watchers are those of this process.
type watchers struct {
	mu      sync.Mutex
	byOrder map[int64][]*watcher
	count   int
}

func newWatchers() *watchers { return &watchers{byOrder: map[int64][]*watcher{}} }

func (all *watchers) add(w *watcher) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.count >= maxWatchers || len(all.byOrder[w.orderID]) >= maxPerOrder {
		return false
	}
	all.count++
	all.byOrder[w.orderID] = append(all.byOrder[w.orderID], w)
	return true
}

// sendState sends the order if the watcher does not know its state yet, and ends with a
// final one.
func (all *watchers) sendState(w *watcher, o *Order) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if w.ended || o.ChangeID <= w.change {
		return
	}
	w.change = o.ChangeID
	seen := o.viewedAs(w.view)
	all.send(w, Event{Order: &seen})
	if o.State.IsFinal() {
		all.remove(w)
	}
}

// sendPosition sends a position if it is newer than the last one that was sent.
func (all *watchers) sendPosition(w *watcher, at Position) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if w.ended || w.change == 0 || !at.ReportedAt.After(w.seen) {
		return
	}
	w.seen = at.ReportedAt
	all.send(w, Event{Courier: &at})
}

// send ends a watcher that does not receive; its client reconnects.
func (all *watchers) send(w *watcher, e Event) {
	select {
	case w.events <- e:
	default:
		all.remove(w)
	}
}

func (all *watchers) end(w *watcher) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.remove(w)
}

// remove must be called under the lock. Twice is once.
func (all *watchers) remove(w *watcher) {
	if w.ended {
		return
	}
	w.ended = true
	close(w.events)
	all.count--
	list := all.byOrder[w.orderID]
	kept := make([]*watcher, 0, len(list))
	for _, other := range list {
		if other != w {
			kept = append(kept, other)
		}
	}
	if all.byOrder[w.orderID] = kept; len(kept) == 0 {
		delete(all.byOrder, w.orderID)
	}
}

func (all *watchers) isEmpty() bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.count == 0
}

func (all *watchers) orders() []int64 {
	all.mu.Lock()
	defer all.mu.Unlock()
	ids := make([]int64, 0, len(all.byOrder))
	for id := range all.byOrder {
		ids = append(ids, id)
	}
	return ids
}

// of returns the watchers of an order; the list is never changed.
func (all *watchers) of(id int64) []*watcher {
	all.mu.Lock()
	defer all.mu.Unlock()
	return append([]*watcher(nil), all.byOrder[id]...)
}

// behind reports whether some watcher of the order does not know the change yet.
func (all *watchers) behind(id, change int64) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, w := range all.byOrder[id] {
		if w.change < change {
			return true
		}
	}
	return false
}
