package queue

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// sayAgain is after how long the same is logged again.
const sayAgain = time.Minute

// seldom passes on what goes wrong, the same once in a minute, and leaves out the driver's small
// talk: while the database is away, each of its loops fails several times a second.
type seldom struct {
	slog.Handler

	said *said
}

// said has when each message was logged last; messages are the driver's own, and few.
type said struct {
	mu sync.Mutex
	at map[string]time.Time
}

func newSeldom(h slog.Handler) seldom { return seldom{h, &said{at: map[string]time.Time{}}} }

// Enabled reports whether records of the level are wanted.
func (h seldom) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

// Handle passes on the record unless its message was logged within the last minute. What a job
// ended with is always logged.
func (h seldom) Handle(ctx context.Context, r slog.Record) error {
	isJobs := false
	r.Attrs(func(a slog.Attr) bool {
		isJobs = a.Key == "job_id"
		return !isJobs
	})
	if !isJobs && !h.said.isDue(r.Message, r.Time) {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

func (s *said) isDue(message string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last, ok := s.at[message]; ok && now.Sub(last) < sayAgain {
		return false
	}
	s.at[message] = now
	return true
}

// WithAttrs keeps the filter on the handler with attributes.
func (h seldom) WithAttrs(attrs []slog.Attr) slog.Handler {
	return seldom{h.Handler.WithAttrs(attrs), h.said}
}

// WithGroup keeps the filter on the handler with a group.
func (h seldom) WithGroup(name string) slog.Handler { return seldom{h.Handler.WithGroup(name), h.said} }
