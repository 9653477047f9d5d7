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
	// probeEvery is the least time between two probes of a database that takes writes, probeLostEvery of
	// one that does not.
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

	mu        sync.Mutex
	lostSince time.Time // zero while the database is not known to be away
	probedAt  time.Time // of the last probe
	probeErr  error     // of the last probe
	// probeDone is closed at the end of the probe under way; nil when there is none.
	probeDone chan struct{}
}

// fail counts a call that the database did not answer. The first one marks the database as lost
// and is logged.
func (o *outage) fail(ctx context.Context, err error) {
	o.failed.Inc()
	o.mu.Lock()
	isFirst := o.lostSince.IsZero()
	if isFirst {
		o.lostSince = o.clock.Now()
	}
	o.mu.Unlock()
	if isFirst {
		o.log.ErrorContext(ctx, "database lost", "error", err)
	}
}

// isLost reports whether the database is known to be away: a call to it has failed, and no probe has
// succeeded since.
func (o *outage) isLost() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.lostSince.IsZero()
}

// check returns the error of the last probe. When that is older than five seconds, or one
// second while the database is lost, it starts another probe and waits for it. Calls at the
// same time share one probe, which continues when a caller hangs up.
func (o *outage) check(ctx context.Context) error {
	o.mu.Lock()
	every := probeEvery
	if !o.lostSince.IsZero() || o.probeErr != nil {
		every = probeLostEvery
	}
	if o.probeDone == nil && !o.probedAt.IsZero() && o.clock.Now().Sub(o.probedAt) < every {
		defer o.mu.Unlock()
		return o.probeErr
	}
	if o.probeDone == nil {
		o.probeDone = make(chan struct{})
		go o.probe(context.WithoutCancel(ctx), o.probeDone)
	}
	probeDone := o.probeDone
	o.mu.Unlock()
	select {
	case <-probeDone:
	case <-ctx.Done():
		return ctx.Err()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.probeErr
}

// probe writes to the database once, stores and logs the outcome, and closes done. A failure
// that came after the probe had begun keeps the database lost.
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
	o.probedAt, o.probeErr, o.probeDone = o.clock.Now(), err, nil
	lostSince := o.lostSince
	isBack := err == nil && !lostSince.IsZero() && !begun.Before(lostSince)
	if isBack {
		o.lostSince = time.Time{}
	}
	o.mu.Unlock()
	if isBack {
		o.log.WarnContext(ctx, "database back", "after", o.clock.Now().Sub(lostSince))
	}
}

// CheckDatabase returns the error of a probe of the database that is at most five seconds old. It waits for
// another probe when the last one is older.
func (s *Server) CheckDatabase(ctx context.Context) error { return s.outage.check(ctx) }

// WatchDatabase probes a lost database each second, until ctx ends.
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
