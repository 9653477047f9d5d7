package catalog

import (
	"slices"
	"time"

	"servery/internal/clock"
	"servery/internal/schedule"
)

// Window is when an offer applies, by the clock of the city: on certain weekdays, within certain
// hours. Hours past 24:00 belong to the day on which they began.
type Window struct {
	// Days are weekdays, 1 is Monday; none means every day.
	Days []int `json:"days,omitempty"`
	// Hours are half open; none means the whole day.
	Hours []schedule.Span `json:"hours,omitempty"`
}

// Holds reports whether the clock of loc shows a time in the window at the instant. An hour that
// the clock shows twice, in autumn, counts twice; one that it skips, in spring, not at all.
func (w Window) Holds(now time.Time, loc *time.Location) bool {
	_, isIn := w.DayAt(now, loc)
	return isIn
}

// DayAt returns the day to which the window counts the instant: the day before the date where hours past 24:00
// still last. Outside of the window it returns false, with the date.
func (w Window) DayAt(now time.Time, loc *time.Location) (clock.Day, bool) {
	today := clock.DayOf(now, loc)
	if len(w.Hours) == 0 {
		return today, w.includesDay(today)
	}
	minute := clock.MinuteOf(now, loc)
	for back := range 2 { // a span that began yesterday may still last
		day := today.Add(-back)
		if !w.includesDay(day) {
			continue
		}
		for _, span := range w.Hours {
			if at := minute + back*clock.MinutesPerDay; span.From <= at && at < span.To {
				return day, true
			}
		}
	}
	return today, false
}

// includesDay reports whether the window applies on the weekday of d. A window without days
// applies on all.
func (w Window) includesDay(d clock.Day) bool {
	return len(w.Days) == 0 || slices.Contains(w.Days, d.Weekday())
}
