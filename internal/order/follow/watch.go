// Package follow shows an order's changes of state and its courier to all that follow it, as they
// happen, and takes the positions that couriers report.
package follow

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/order/orders"
	"servery/internal/visit"
)

const (
	// pollEvery is how often changes are looked for while somebody watches.
	pollEvery = 500 * time.Millisecond
	// courierLookback is how far back each poll reads positions of couriers: a position becomes visible
	// with its commit, some time after it was reported.
	courierLookback = 5 * time.Second
)

// Event is a change of a watched order: exactly one of the two is set.
type Event struct {
	// Order is the order in its new state.
	Order *order.Order
	// Courier is where the courier is now.
	Courier *Position
}

// Service follows orders. It is safe for concurrent use.
type Service struct {
	orders *orders.Service
	db     *db.DB
	clock  clock.Clock
	hub    *hub
	// lastPoll is when [Service.Run] last had nothing left to send, in nanoseconds since 1970; 0 before.
	lastPoll atomic.Int64
}

// LastPoll returns when Run last had nothing left to send; zero before.
func (s *Service) LastPoll() time.Time {
	if at := s.lastPoll.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// New returns the service on a migrated database; orders decides who may see an order.
func New(d *db.DB, orders *orders.Service, c clock.Clock) *Service {
	return &Service{orders: orders, db: d, clock: c, hub: newHub()}
}

// seenAs is how much of an order a follower sees.
type seenAs struct {
	view order.View
	// seesCourier says that the brand shows couriers, and the view does.
	seesCourier bool
}

// Watch follows an order that the visitor may see. The first event is the order as it is now;
// the courier's last position follows where it is known and the visitor sees it.
// The channel is closed after a final state, when ctx ends, or when the receiver falls far
// behind. Events come only while [Service.Run] runs. Faults: order.not_found (NotFound),
// common.unavailable (Unavailable) with too many watchers.
func (s *Service) Watch(ctx context.Context, v visit.Context, id int64) (<-chan Event, error) {
	seen, err := s.orders.Get(ctx, v, id)
	if err != nil {
		return nil, err
	}
	as := seenAs{view: seen.View, seesCourier: seen.View != order.BriefView && v.Site.Settings.CourierTracking}
	// Watching begins before the state is read, so that no change falls between the two.
	w, ok := s.hub.add(id, as)
	if !ok {
		return nil, fault.New(fault.Unavailable, "common.unavailable", fault.RetryAfter(30*time.Second))
	}
	o, err := orders.Load(ctx, s.db.Read(), id)
	if errors.Is(err, db.ErrNotFound) {
		err = order.NotFound()
	}
	if err != nil {
		s.hub.end(w)
		return nil, err
	}
	s.sendState(w, o)
	if o.State == order.Sent && as.seesCourier {
		at, known, err := findPosition(ctx, s.db.Read(), id)
		if err != nil {
			s.hub.end(w)
			return nil, err
		}
		if known {
			s.sendPosition(w, at)
		}
	}
	context.AfterFunc(ctx, func() { s.hub.end(w) })
	return w.events, nil
}

// Run polls for changes while somebody watches, until ctx ends. It also finds changes that other
// processes have made in the same database. It calls fail with the error of a poll, once as long as
// the error stays the same; the next poll sends what was missed.
func (s *Service) Run(ctx context.Context, fail func(error)) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	var p Progress
	reported := "" // so that an outage is one line
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if s.hub.isEmpty() {
			p = Progress{}
			s.lastPoll.Store(s.clock.Now().UnixNano())
			continue
		}
		pollCtx, cancel := context.WithTimeout(ctx, pollTimeout)
		err := s.PollChanges(pollCtx, &p)
		cancel()
		switch {
		case err == nil:
			reported = ""
			s.lastPoll.Store(s.clock.Now().UnixNano())
		case ctx.Err() != nil:
			return
		case err.Error() != reported:
			reported = err.Error()
			fail(err)
		}
	}
}

// pollTimeout bounds one poll, so that a database that does not answer does not end the polling.
const pollTimeout = 5 * time.Second

// Progress is how far the polls of a process have come.
type Progress struct {
	begun bool
	// after is the number up to which all changes have been seen.
	after int64
}

// PollChanges sends the followers what has changed since the last poll, and stores in p how far
// it has come. The first call sends each watched order as it is now. It must not be called
// concurrently with the same progress. After an error the next call sends what was missed.
func (s *Service) PollChanges(ctx context.Context, p *Progress) error {
	last, err := orders.LastVisibleChange(ctx, s.db)
	if err != nil {
		return err
	}
	if !p.begun {
		for _, id := range s.hub.orders() { // they may have changed before the first poll
			if err := s.sendChange(ctx, id); err != nil {
				return err
			}
		}
		*p = Progress{begun: true, after: last}
	}
	// Changes above last are sent at once too. The next poll reads them again, because others with
	// lower numbers may appear until then.
	changes, err := s.db.Read().ListStatusChanges(ctx, p.after)
	if err != nil {
		return fmt.Errorf("look for changes: %w", err)
	}
	sent := map[int64]bool{}
	for _, c := range changes {
		if !sent[c.OrderID] && s.hub.isBehind(c.OrderID, c.ID) {
			sent[c.OrderID] = true
			if err := s.sendChange(ctx, c.OrderID); err != nil {
				return err
			}
		}
	}
	p.after = max(p.after, last)
	return s.pollCouriers(ctx, s.clock.Now())
}

// sendChange reads an order and sends it to all its followers.
func (s *Service) sendChange(ctx context.Context, id int64) error {
	o, err := orders.Load(ctx, s.db.Read(), id)
	if err != nil {
		return err
	}
	for _, w := range s.hub.followersOf(id) {
		s.sendState(w, o)
	}
	return nil
}

// sendState sends the order as the follower may see it, unless this change or a later one was
// sent before. After a final state it ends the follower.
func (s *Service) sendState(w *follower, o order.Order) {
	seen := o.ViewedAs(w.as.view)
	s.hub.sendChange(w, o.ChangeID, Event{Order: &seen}, o.State.IsFinal())
}

// sendPosition sends a position to the follower, unless the same one or a later one was sent before, or
// no state of the order yet.
func (s *Service) sendPosition(w *follower, at Position) {
	s.hub.sendPosition(w, at.ReportedAt, Event{Courier: &at})
}

// pollCouriers sends new positions of couriers to the followers that may see them. Each poll
// reads those since courierLookback ago, because a position becomes visible some time after it
// was reported; a follower gets each once.
func (s *Service) pollCouriers(ctx context.Context, now time.Time) error {
	positions, err := listPositions(ctx, s.db.Read(), now.Add(-courierLookback))
	if err != nil {
		return err
	}
	for _, at := range positions {
		for _, w := range s.hub.followersOf(at.OrderID) {
			if w.as.seesCourier {
				s.sendPosition(w, at)
			}
		}
	}
	return nil
}
