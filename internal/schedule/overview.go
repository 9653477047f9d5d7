package schedule

import (
	"slices"
	"time"

	"servery/internal/clock"
)

// ClosedReason is why a time of a shop takes no order now. The set is closed; the empty one is a time
// that takes orders.
type ClosedReason string

// The reasons. A time outside of the working hours is closed by holiday or by hours. Of several reasons
// that hold for a time within the hours, the first in this order counts: past, hours, busy, pause, capacity.
const (
	ClosedByHoliday  ClosedReason = "holiday"  // the shop works then on this day of the week, but not on this date
	ClosedByHours    ClosedReason = "hours"    // the shop does not work then, or has not worked long enough
	ClosedByPast     ClosedReason = "past"     // an order made now would not be ready
	ClosedByPause    ClosedReason = "pause"    // the kitchen is paused
	ClosedByBusy     ClosedReason = "busy"     // an order made now is ready later, because the kitchen is busy
	ClosedByCapacity ClosedReason = "capacity" // no minute of work is left
)

// DayInterval is an interval of a day as the restaurant sees it.
type DayInterval struct {
	Interval

	Used   Minutes
	Closed ClosedReason
}

// Overview returns the intervals of a day for the restaurant, also those outside of the working hours:
// it spans the hours of the date and the usual hours of its weekday. Each interval has the minutes that
// are taken and the reason why it takes no order. used are the taken minutes by interval id, as [Used]
// reads them.
func (p Plan) Overview(day clock.Day, now time.Time, used map[string]Minutes, ceilings Minutes) []DayInterval {
	reasons := p.reasonsInHours(day, now)
	usual := p.Hours.Default[day.Weekday()]
	_, isOtherDate := p.Hours.Custom[day]
	intervals := []DayInterval{}
	for _, whole := range p.grid(p.wholeDay(day)) {
		i := DayInterval{Interval: whole.Interval, Used: used[whole.ID]}
		reason, isInHours := reasons[whole.Start]
		isUsual := slices.ContainsFunc(usual, func(s Span) bool {
			return s.From <= whole.minute && whole.minute+p.intervalLength() <= s.To
		})
		switch {
		case isInHours:
			i.Closed = reason
		case isOtherDate && isUsual:
			i.Closed = ClosedByHoliday
		default:
			i.Closed = ClosedByHours
		}
		if i.Closed == "" && !FitsAll(i.Used, Minutes{AllGroups: 1}, ceilings) { // not one minute is left
			i.Closed = ClosedByCapacity
		}
		intervals = append(intervals, i)
	}
	return intervals
}

// reasonsInHours returns, by its start, each interval within the working hours of a day with the reason
// why it takes no order now. The reason is empty for an interval that takes orders. How much of its
// work is taken does not count.
func (p Plan) reasonsInHours(day clock.Day, now time.Time) map[time.Time]ClosedReason {
	reasons := map[time.Time]ClosedReason{}
	asContent := p
	asContent.Kitchen = Kitchen{} // without pause and busy times
	for w := range p.Hours.WindowsOn(day, p.Zone) {
		byContent := asContent.earliestHandover(w, now)
		whenBusy := p.withoutPause().earliestHandover(w, now)
		afterPause := p.earliestHandover(w, now)
		for _, i := range p.grid(w) {
			switch start := i.Start; {
			case start.Before(now.Add(p.leadTime())):
				reasons[start] = ClosedByPast
			case start.Before(byContent):
				reasons[start] = ClosedByHours
			case start.Before(whenBusy):
				reasons[start] = ClosedByBusy
			case start.Before(afterPause):
				reasons[start] = ClosedByPause
			default:
				reasons[start] = ""
			}
		}
	}
	return reasons
}

// wholeDay returns one window that spans the hours of the day and the usual hours of its weekday. It is
// empty when there are none.
func (p Plan) wholeDay(day clock.Day) Window {
	var whole Span
	for _, spans := range [...][]Span{p.Hours.SpansOn(day), p.Hours.Default[day.Weekday()]} {
		for _, s := range spans {
			if whole.To == 0 { // the first span
				whole = s
			}
			whole = Span{From: min(whole.From, s.From), To: max(whole.To, s.To)}
		}
	}
	return Window{Day: day, Span: whole, Start: clock.At(day, whole.From, p.Zone), End: clock.At(day, whole.To, p.Zone)}
}
