package content

import (
	"slices"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/schedule"
)

// window reads the fields days and hours; it is nil without both.
func (o *object) window() *catalog.Window {
	days, hasDays := o.get("days")
	hours, hasHours := o.get("hours")
	if !hasDays && !hasHours {
		return nil
	}
	w := &catalog.Window{}
	if hasDays {
		w.Days = days.days()
	}
	if hasHours {
		w.Hours = hours.spans()
		if len(hours.list()) == 0 {
			hours.fault("hours names none; without the field it is the whole day")
		} else if err := (schedule.Hours{Default: map[int][]schedule.Span{1: w.Hours}}).Check(); err != nil {
			hours.fault("the spans of hours must be in order and not overlap")
		}
	}
	return w
}

// days reads weekdays like [1-4, 7], in order and each once.
func (v value) days() []int {
	var days []int
	entries := v.list()
	if len(entries) == 0 {
		v.fault("days names none; without the field it is every day")
	}
	for _, entry := range entries {
		for _, day := range (key{entry, entry.digits()}).weekdays() {
			if slices.Contains(days, day) {
				entry.fault("weekday %d stands here twice", day)
				continue
			}
			days = append(days, day)
		}
	}
	slices.Sort(days)
	return days
}

// day reads a date that may be absent.
func (o *object) day(name string) *clock.Day {
	v, ok := o.get(name)
	if !ok {
		return nil
	}
	d, err := clock.ParseDay(v.text())
	if err != nil {
		v.fault("%v", err)
		return nil
	}
	return &d
}
