package content

import (
	"slices"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/schedule"
)

// readWindow reads the fields days and hours; it is nil without both.
func (o *object) readWindow() *catalog.Window {
	days, hasDays := o.optional("days")
	hours, hasHours := o.optional("hours")
	if !hasDays && !hasHours {
		return nil
	}
	w := &catalog.Window{}
	if hasDays {
		w.Days = days.readDays()
	}
	if hasHours {
		w.Hours = hours.readSpans()
		if len(hours.toList()) == 0 {
			hours.addFault("hours names none; without the field it is the whole day")
		} else if err := (schedule.Hours{Default: map[int][]schedule.Span{1: w.Hours}}).Check(); err != nil {
			hours.addFault("the spans of hours must be in order and not overlap")
		}
	}
	return w
}

// readDays reads weekdays like [1-4, 7], in order and each once.
func (v value) readDays() []int {
	var days []int
	entries := v.toList()
	if len(entries) == 0 {
		v.addFault("days names none; without the field it is every day")
	}
	for _, entry := range entries {
		for _, day := range (key{entry, entry.toDigits()}).readWeekdays() {
			if slices.Contains(days, day) {
				entry.addFault("weekday %d stands here twice", day)
				continue
			}
			days = append(days, day)
		}
	}
	slices.Sort(days)
	return days
}

// readDay reads a date that may be absent.
func (o *object) readDay(name string) *clock.Day {
	v, ok := o.optional(name)
	if !ok {
		return nil
	}
	d, err := clock.ParseDay(v.toText())
	if err != nil {
		v.addFault("%v", err)
		return nil
	}
	return &d
}
