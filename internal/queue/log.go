package queue

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// logAgainAfter is after how long the same message is logged again.
const logAgainAfter = time.Minute

// rateLimited is a handler that logs each warning and error of the driver once in a minute, and
// drops the rest of the driver's log. While the database is away, each of the driver's loops fails
// several times a second.
type rateLimited struct {
	slog.Handler

	last *lastLogged
}

// lastLogged stores when each message was logged last; messages are the driver's own, and few.
type lastLogged struct {
	mu sync.Mutex
	at map[string]time.Time
}

func newRateLimited(h slog.Handler) rateLimited {
	return rateLimited{h, &lastLogged{at: map[string]time.Time{}}}
}

// Enabled reports whether records of the level are logged.
func (h rateLimited) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

// Handle logs the record unless its message was logged within the last minute. Records about a job
// are always logged.
func (h rateLimited) Handle(ctx context.Context, r slog.Record) error {
	isOfJob := false
	r.Attrs(func(a slog.Attr) bool {
		isOfJob = a.Key == "job_id"
		return !isOfJob // false ends the loop
	})
	if !isOfJob && !h.last.isDue(r.Message, r.Time) {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

// isDue reports whether the message was not logged within logAgainAfter, and stores now as the last
// time if so.
func (s *lastLogged) isDue(message string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last, ok := s.at[message]; ok && now.Sub(last) < logAgainAfter {
		return false
	}
	s.at[message] = now
	return true
}

// WithAttrs returns the handler with attributes, with the same rate limit.
func (h rateLimited) WithAttrs(attrs []slog.Attr) slog.Handler {
	return rateLimited{h.Handler.WithAttrs(attrs), h.last}
}

// WithGroup returns the handler with a group, with the same rate limit.
func (h rateLimited) WithGroup(name string) slog.Handler {
	return rateLimited{h.Handler.WithGroup(name), h.last}
}
