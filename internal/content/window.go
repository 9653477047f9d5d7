package content

import (
	"slices"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/schedule"
)

// readWindow returns the days and hours in which something holds; nil without both, which means always.
func readWindow(days daysValue, hours spansValue) *catalog.Window {
	if days.isNull() && hours.isNull() {
		return nil
	}
	const anyDay = 1 // the spans of one weekday are checked like those of any other
	w := &catalog.Window{}
	if !days.isNull() {
		w.Days = days.readDays()
	}
	if !hours.isNull() {
		w.Hours = hours.readSpans()
		if len(hours.toList()) == 0 {
			hours.addFault("hours names none; without the field it is the whole day")
		} else if err := (schedule.Hours{Default: map[int][]schedule.Span{anyDay: w.Hours}}).Check(); err != nil {
			hours.addFault("the spans of hours must be in order and not overlap")
		}
	}
	return w
}

// readDays reads weekdays like [1-4, 7], in order and each once.
func (v daysValue) readDays() []int {
	var days []int
	entries := v.toList()
	if len(entries) == 0 {
		v.addFault("days names none; without the field it is every day")
	}
	for _, entry := range entries {
		for _, day := range (key{entry, entry.asWritten()}).readWeekdays() {
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

// toDay returns a date. It returns nil and adds a fault when the value is no date.
func (v value) toDay() *clock.Day {
	d, err := clock.ParseDay(v.toText())
	if err != nil {
		v.addFault("%v", err)
		return nil
	}
	return &d
}
