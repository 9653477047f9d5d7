package queue

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestLog_repeatsAMessageOnceInAMinute(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	h := newRateLimited(slog.NewTextHandler(&out, nil))
	start := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	say := func(after time.Duration, level slog.Level, message string, attrs ...slog.Attr) {
		if !h.Enabled(t.Context(), level) {
			return
		}
		r := slog.NewRecord(start.Add(after), level, message, 0)
		r.AddAttrs(attrs...)
		if err := h.WithAttrs(nil).Handle(t.Context(), r); err != nil {
			t.Error(err)
		}
	}
	say(0, slog.LevelInfo, "small talk")
	for i := range 100 {
		say(time.Duration(i)*100*time.Millisecond, slog.LevelError, "fetch failed")
		say(0, slog.LevelWarn, "job failed", slog.Int("job_id", i))
	}
	say(time.Second, slog.LevelError, "leader lost")
	say(2*time.Minute, slog.LevelError, "fetch failed")
	for text, want := range map[string]int{"small talk": 0, "fetch failed": 2, "leader lost": 1, "job failed": 100} {
		if got := strings.Count(out.String(), text); got != want {
			t.Errorf("%q stands %d times in the log, want %d", text, got, want)
		}
	}
}
