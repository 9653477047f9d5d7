// Package catalog holds what the brands sell: groups, products, modifiers, packages,
// promotions, what is stopped for now, and what else is set over the content.
//
// A content revision is read from the database once and kept in memory. Readers take
// the current [Snapshot] and ask it for menus; nothing in a snapshot ever changes, a
// new revision or whatever is set over it makes another one.
package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"servery/internal/cache"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/live"
)

const (
	// pollEvery is how often new revisions, and what is set over them, are polled for.
	pollEvery = time.Second
	// refreshTimeout is how long one refresh may take.
	refreshTimeout = 5 * time.Second
	// mediaMemory is how many bytes of pictures are kept in memory.
	mediaMemory = 64 << 20
)

// ErrEmpty is returned by [Open] when no content was ever imported.
var ErrEmpty = errors.New("no content has been imported yet")

// Catalog holds the current snapshot. It is safe for concurrent use.
type Catalog struct {
	db          *db.DB
	clock       clock.Clock
	log         *slog.Logger
	ordered     MostOrdered
	current     atomic.Pointer[Snapshot]
	swap        sync.Mutex // over comparing and storing current, never over a query
	refreshedAt atomic.Pointer[time.Time]
	popular     popularProducts
	media       *cache.Cache[string, Media]
}

// Open returns the catalog with the newest revision in memory. ordered returns the products that
// are ordered most, and is nil where that is not available. It returns [ErrEmpty] when no content
// was ever imported.
func Open(ctx context.Context, d *db.DB, c clock.Clock, log *slog.Logger, ordered MostOrdered) (*Catalog, error) {
	cat := &Catalog{db: d, clock: c, log: log, ordered: ordered, media: newMediaCache()}
	cat.popular.cities = map[popularKey]*popularEntry{}
	if _, err := cat.Refresh(ctx); err != nil {
		return nil, err
	}
	return cat, nil
}

// Current returns the snapshot to answer from.
func (c *Catalog) Current() *Snapshot { return c.current.Load() }

// Watch refreshes the catalog every second until ctx ends. A failure is logged, once for each new
// error, and the old snapshot stays in use.
func (c *Catalog) Watch(ctx context.Context) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	loggedError := ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		limited, cancel := context.WithTimeout(ctx, refreshTimeout)
		_, err := c.Refresh(limited)
		cancel()
		switch {
		case err == nil:
			loggedError = ""
		case ctx.Err() != nil:
			return
		case err.Error() != loggedError:
			loggedError = err.Error()
			c.log.ErrorContext(ctx, "content refresh failed", "error", err)
		}
	}
}

// Refresh makes a new snapshot current when the database has other content or other things are set
// over it, when the day that the content was resolved for is over, or when an alert has ended. It
// reports whether it did. On an error the old snapshot stays current; the error is [ErrEmpty] when
// no content was ever imported.
func (c *Catalog) Refresh(ctx context.Context) (bool, error) {
	now := c.clock.Now()
	version, err := c.db.Read().ContentVersion(ctx)
	if err != nil {
		return false, fmt.Errorf("read the content's version: %w", err)
	}
	if version.Revision == 0 {
		return false, ErrEmpty
	}
	old := c.current.Load()
	if old != nil && old.Revision == version.Revision && old.LiveVersion == version.Live && now.Before(old.content.until) && !old.hasAlertEnded(now) {
		c.refreshedAt.Store(&now)
		return false, nil
	}
	next := &Snapshot{Revision: version.Revision, LiveVersion: version.Live, madeAt: now}
	if old != nil && old.Revision == version.Revision && now.Before(old.content.until) {
		next.content, next.Source, next.Hash, next.ImportedAt = old.content, old.Source, old.Hash, old.ImportedAt
	} else if err := c.readContent(ctx, next, now); err != nil {
		return false, err
	}
	if next.stops, err = c.readStops(ctx, now); err != nil {
		return false, err
	}
	if next.live, err = live.Read(ctx, c.db.Read(), now); err != nil {
		return false, err
	}
	next.applyLive()
	c.refreshedAt.Store(&now)
	return c.storeSnapshot(next), nil
}

// storeSnapshot makes the snapshot current, unless another call has stored a newer one, and reports
// whether it did.
func (c *Catalog) storeSnapshot(next *Snapshot) bool {
	c.swap.Lock()
	defer c.swap.Unlock()
	if old := c.current.Load(); old != nil && next.compareAge(old) < 0 {
		return false
	}
	c.current.Store(next)
	return true
}

// LastRefresh returns when [Catalog.Refresh] last succeeded, whether anything had changed or
// not.
func (c *Catalog) LastRefresh() time.Time { return *c.refreshedAt.Load() }

// hasAlertEnded reports whether an alert that the snapshot shows has ended by now.
func (s *Snapshot) hasAlertEnded(now time.Time) bool {
	return !s.alertsUntil.IsZero() && !now.Before(s.alertsUntil)
}

// compareAge returns -1 when the snapshot is older than another one, 1 when it is newer: by its revision,
// then by what is set over it, then by when it was made.
func (s *Snapshot) compareAge(other *Snapshot) int {
	return cmp.Or(cmp.Compare(s.Revision, other.Revision), cmp.Compare(s.LiveVersion, other.LiveVersion), s.madeAt.Compare(other.madeAt))
}
