package asset

import (
	"context"
	"sync"
	"time"

	"servery/internal/clock"
)

// listEvery is the least time between two listings, however many unknown names are requested.
const listEvery = 250 * time.Millisecond

// lister reads the names of all files that the database has. Callers share a reading, and none gets
// one that was begun before its call, because a release may have been added since.
type lister struct {
	clock clock.Clock
	names func(ctx context.Context) ([]string, error)

	mu    sync.Mutex
	last  time.Time // when the last listing was begun
	known map[string]bool
	next  *listing // not begun yet; nil when no call waits for one
}

// listing is one reading of the names, shared by the calls that have joined it. names and err may be
// read once done is closed.
type listing struct {
	done  chan struct{}
	names map[string]bool
	err   error
}

// latestNames returns the names of the last listing; nil before the first.
func (l *lister) latestNames() map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known
}

// readNames returns the names, read after this call.
func (l *lister) readNames(ctx context.Context) (map[string]bool, error) {
	next := l.joinListing(ctx)
	select {
	case <-next.done:
		return next.names, next.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// joinListing returns the next listing, which begins after this call.
func (l *lister) joinListing(ctx context.Context) *listing {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next != nil {
		return l.next
	}
	next := &listing{done: make(chan struct{})}
	l.next = next
	ctx = context.WithoutCancel(ctx)
	wait := l.last.Add(listEvery).Sub(l.clock.Now()) // when negative it begins at once
	time.AfterFunc(wait, func() { l.runListing(ctx, next) })
	return next
}

// runListing reads the names for a listing that calls have joined, stores the result in it and
// closes its channel. Calls that come after its beginning join another listing.
func (l *lister) runListing(ctx context.Context, next *listing) {
	l.mu.Lock()
	l.next, l.last = nil, l.clock.Now()
	l.mu.Unlock()
	names, err := l.names(ctx)
	next.names, next.err = make(map[string]bool, len(names)), err
	for _, name := range names {
		next.names[name] = true
	}
	if err == nil {
		l.mu.Lock()
		l.known = next.names
		l.mu.Unlock()
	}
	close(next.done)
}
