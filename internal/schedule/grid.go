package schedule

import (
	"time"

	"servery/internal/cache"
	"servery/internal/clock"
)

// gridKey is all that the intervals of a window depend on.
type gridKey struct {
	zone   string // its name, which stays the same from one import of content to the next
	day    clock.Day
	span   Span
	length int // of an interval, in minutes
}

// grids has the intervals of the windows that were asked for last. They are the same for all visitors and at any
// time, so they are computed once. A window of a whole day takes 7 KB.
var grids = cache.OfSize[gridKey, []gridInterval](2000, cache.Life{})

// gridInterval is an ordinary interval with its start as a wall clock shows it, in minutes counted from the midnight of
// the window's day.
type gridInterval struct {
	Interval

	minute int
}

// grid returns the intervals of a window, in order. The list is shared and must not be changed. Intervals begin at whole
// multiples of the length and end within the window.
//
// A clock change adds no interval: one at a time that the clock skips is left out, and of an hour
// that comes twice only the first is offered.
func (p Plan) grid(w Window) []gridInterval {
	key := gridKey{p.Zone.String(), w.Day, w.Span, p.intervalLength()}
	if known, ok := grids.Get(key); ok {
		return known
	}
	length := key.length
	var grid []gridInterval
	for minute := (w.Span.From + length - 1) / length * length; minute+length <= w.Span.To; minute += length {
		start := clock.At(w.Day, minute, p.Zone)
		skipped := clock.MinuteOf(start, p.Zone) != minute%clock.MinutesPerDay
		if skipped || start.Add(time.Duration(length)*time.Minute).After(w.End) {
			continue
		}
		grid = append(grid, gridInterval{p.newInterval(w.Day, minute, start), minute})
	}
	grids.Set(key, grid)
	return grid
}
