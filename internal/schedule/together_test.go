package schedule_test

import (
	"slices"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/schedule"
)

// Spans of two shops that touch are merged, those apart stay. On a date on which one shop is
// closed, the hours are those of the other.
func TestTogether_mergesTheHoursOfShops(t *testing.T) {
	t.Parallel()
	holiday := clock.Day{Year: 2026, Month: 12, Day: 31}
	union := schedule.Together([]schedule.Hours{
		{Default: map[int][]schedule.Span{1: {{From: 600, To: 900}, {From: 1000, To: 1200}}}, Custom: map[clock.Day][]schedule.Span{holiday: {}}},
		{Default: map[int][]schedule.Span{1: {{From: 900, To: 960}}, 4: {{From: 480, To: 1560}}}},
	})
	for weekday, want := range map[int][]schedule.Span{1: {{From: 600, To: 960}, {From: 1000, To: 1200}}, 4: {{From: 480, To: 1560}}} {
		if got := union.Default[weekday]; !slices.Equal(got, want) {
			t.Errorf("on weekday %d %v, want %v", weekday, got, want)
		}
	}
	// A Thursday: one shop is closed on that date, the other works as always.
	if got := union.SpansOn(holiday); !slices.Equal(got, []schedule.Span{{From: 480, To: 1560}}) {
		t.Errorf("on the holiday %v", got)
	}
}

// The shop works on Mondays. OpenFrom returns the instant while it works, the next Monday's
// opening at closing time, and zero for a shop that never works.
func TestOpenFrom_isTheInstantItselfOrTheNextOpening(t *testing.T) {
	t.Parallel()
	hours := schedule.Hours{Default: map[int][]schedule.Span{1: {{From: 600, To: 1320}}}}
	monday := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct{ at, want time.Time }{
		"while it works":  {monday.Add(12 * time.Hour), monday.Add(12 * time.Hour)},
		"at the opening":  {monday.Add(10 * time.Hour), monday.Add(10 * time.Hour)},
		"at closing time": {monday.Add(22 * time.Hour), monday.Add((7*24 + 10) * time.Hour)},
	} {
		if got := hours.OpenFrom(c.at, time.UTC); !got.Equal(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := (schedule.Hours{}).OpenFrom(monday, time.UTC); !got.IsZero() {
		t.Errorf("a shop that never works opens at %v", got)
	}
}
