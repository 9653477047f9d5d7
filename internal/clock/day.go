package clock

import (
	"fmt"
	"time"
)

// MinutesPerDay is how many minutes a wall clock shows from midnight to midnight,
// on the days of a clock change too.
const MinutesPerDay = 24 * 60

// Day is a calendar date in some city. Days compare with ==; the zero Day is no
// date at all.
type Day struct {
	Year  int
	Month time.Month
	Day   int
}

// DayOf returns the date in loc at the instant t.
func DayOf(t time.Time, loc *time.Location) Day {
	y, m, d := t.In(loc).Date()
	return Day{y, m, d}
}

// ParseDay returns the date of a text like 2006-01-02. It returns an error for any other text
// and for a date that does not exist.
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return Day{}, fmt.Errorf("%q is not a date like 2026-01-31", text)
	}
	return DayOf(t, time.UTC), nil
}

// String returns the date as 2006-01-02.
func (d Day) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// IsZero reports whether d is the zero Day, which stands for no date.
func (d Day) IsZero() bool { return d == Day{} }

// Add returns the date n days later, or earlier when n is negative.
func (d Day) Add(n int) Day {
	return DayOf(time.Date(d.Year, d.Month, d.Day+n, 0, 0, 0, 0, time.UTC), time.UTC)
}

// Compare returns -1 when d is before other, 0 when they are the same date, and 1 when d is after.
func (d Day) Compare(other Day) int { return d.utcMidnight().Compare(other.utcMidnight()) }

// Before reports whether d is an earlier date than other.
func (d Day) Before(other Day) bool { return d.Compare(other) < 0 }

// DaysUntil returns the number of days from d to other, negative when other is earlier.
func (d Day) DaysUntil(other Day) int {
	return int(other.utcMidnight().Sub(d.utcMidnight()) / (24 * time.Hour))
}

// Weekday returns the day of the week: Monday is 1 and Sunday is 7.
func (d Day) Weekday() int {
	if w := d.utcMidnight().Weekday(); w != time.Sunday {
		return int(w)
	}
	return 7
}

// MarshalText returns the date as 2006-01-02, for the zero Day an empty text.
func (d Day) MarshalText() ([]byte, error) {
	if d.IsZero() {
		return nil, nil
	}
	return []byte(d.String()), nil
}

// UnmarshalText reads a date like 2006-01-02. It returns an error for any other text, also for
// an empty one.
func (d *Day) UnmarshalText(text []byte) error {
	parsed, err := ParseDay(string(text))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// utcMidnight returns the beginning of the date in UTC, for counting days.
func (d Day) utcMidnight() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// At returns the instant at which a wall clock in loc shows minutes from midnight of day. Minutes
// may be 1440 and more: 1500 is 01:00 of the next day. A time that a clock change skips is moved
// forward by the length of the gap: 02:30 becomes 03:30. Of a time that comes twice, the first is
// returned.
func At(day Day, minutes int, loc *time.Location) time.Time {
	// wall is the wall-clock time as if it were UTC; the instant is wall less the offset that is in
	// force then. 26 hours are more than any offset, so that before and after are the offsets on both
	// sides of a change.
	wall := time.Date(day.Year, day.Month, day.Day, 0, minutes, 0, 0, time.UTC)
	before := utcOffset(wall.Add(-26*time.Hour), loc)
	after := utcOffset(wall.Add(26*time.Hour), loc)
	earlier := wall.Add(-max(before, after))
	later := wall.Add(-min(before, after))
	for _, t := range [...]time.Time{earlier, later} {
		if utcOffset(t, loc) == wall.Sub(t) {
			return t
		}
	}
	// The time is in a gap. With the offset from before the change it moves forward by the gap's length.
	return wall.Add(-before)
}

// MinuteOf returns the minutes from midnight that a wall clock in loc shows at the instant t, 0 to
// 1439.
func MinuteOf(t time.Time, loc *time.Location) int {
	h, m, _ := t.In(loc).Clock()
	return h*60 + m
}

// utcOffset returns how far the clocks in loc are ahead of UTC at the instant.
func utcOffset(t time.Time, loc *time.Location) time.Duration {
	_, seconds := t.In(loc).Zone()
	return time.Duration(seconds) * time.Second
}
