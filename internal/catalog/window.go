package catalog

import (
	"slices"
	"time"

	"servery/internal/clock"
	"servery/internal/schedule"
)

// Window is when an offer holds, by the clock of the city: on certain weekdays, within
// certain hours. Hours past 24:00 belong to the day on which they began.
type Window struct {
	// Days are weekdays, 1 is Monday; none means every day.
	Days []int `json:"days,omitempty"`
	// Hours are half open; none means the whole day.
	Hours []schedule.Span `json:"hours,omitempty"`
}

// Holds reports whether the instant lies in the window, as the clock of loc shows it.
func (w Window) Holds(now time.Time, loc *time.Location) bool {
	today := clock.DayOf(now, loc)
	if len(w.Hours) == 0 {
		return w.names(today)
	}
	for back := range 2 { // a stretch that began yesterday may still last
		day := today.Add(-back)
		if !w.names(day) {
			continue
		}
		for _, span := range w.Hours {
			if !now.Before(clock.At(day, span.From, loc)) && now.Before(clock.At(day, span.To, loc)) {
				return true
			}
		}
	}
	return false
}

func (w Window) names(d clock.Day) bool {
	return len(w.Days) == 0 || slices.Contains(w.Days, d.Weekday())
}
