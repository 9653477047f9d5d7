package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"servery/internal/clock"
)

const (
	// probeEvery is how often readiness writes to the database at most, while it takes writes;
	// while it does not, each second.
	probeEvery     = 5 * time.Second
	probeLostEvery = time.Second
	probeTimeout   = 2 * time.Second
)

// outage says whether the database can be written. Its log has one line for the first
// failure and one for the end; the others are counted.
type outage struct {
	log    *slog.Logger
	clock  clock.Clock
	write  func(ctx context.Context) error
	failed prometheus.Counter

	mu    sync.Mutex
	since time.Time // zero while the database is not known to be away
	at    time.Time // of the last probe
	err   error     // of the last probe
	// running is closed at the end of the probe under way; nil when there is none.
	running chan struct{}
}

// fail counts a call that the database did not answer.
func (o *outage) fail(ctx context.Context, err error) {
	o.failed.Inc()
	o.mu.Lock()
	first := o.since.IsZero()
	if first {
		o.since = o.clock.Now()
	}
	o.mu.Unlock()
	if first {
		o.log.ErrorContext(ctx, "database lost", "err", err)
	}
}

// isLost reports whether a call has failed and no probe has passed since.
func (o *outage) isLost() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.since.IsZero()
}

// check returns why the database could not be written when that was last tried. Calls share
// one probe, which does not end with any of them.
func (o *outage) check(ctx context.Context) error {
	o.mu.Lock()
	every := probeEvery
	if !o.since.IsZero() || o.err != nil {
		every = probeLostEvery
	}
	if o.running == nil && !o.at.IsZero() && o.clock.Now().Sub(o.at) < every {
		defer o.mu.Unlock()
		return o.err
	}
	if o.running == nil {
		o.running = make(chan struct{})
		go o.probe(context.WithoutCancel(ctx), o.running)
	}
	running := o.running
	o.mu.Unlock()
	select {
	case <-running:
	case <-ctx.Done():
		return ctx.Err()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// probe writes to the database once, notes and logs the outcome, and closes done.
func (o *outage) probe(ctx context.Context, done chan struct{}) {
	defer close(done)
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	begun := o.clock.Now()
	err := o.write(ctx)
	if err != nil {
		o.fail(ctx, err)
	}
	o.mu.Lock()
	o.at, o.err, o.running = o.clock.Now(), err, nil
	since := o.since
	back := err == nil && !since.IsZero() && !begun.Before(since)
	if back {
		o.since = time.Time{}
	}
	o.mu.Unlock()
	if back {
		o.log.WarnContext(ctx, "database back", "after", o.clock.Now().Sub(since))
	}
}

// WatchDatabase finds out when a database that was lost is back, until ctx ends.
func (s *Server) WatchDatabase(ctx context.Context) {
	ticker := time.NewTicker(probeLostEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if s.outage.isLost() {
			_ = s.outage.check(ctx) // it is logged and counted there
		}
	}
}
