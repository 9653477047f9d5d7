package schedule

import (
	"slices"
	"time"

	"servery/internal/clock"
)

// ClosedReason is why a time of a shop takes no order now. The set is closed; the empty one is a time
// that takes orders.
type ClosedReason string

// The reasons. Of several that hold, the first counts.
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

// Overview returns all intervals of a day for the restaurant: from the first hour in which the shop
// works on that date, or on other dates of that day of the week, to the last. used are the taken minutes
// by interval id, as [Used] reads them.
func (p Plan) Overview(day clock.Day, now time.Time, used map[string]Minutes, ceilings Minutes) []DayInterval {
	closed := p.closedInWindows(day, now)
	usual := p.Hours.Default[day.Weekday()]
	_, isOtherDate := p.Hours.Custom[day]
	all := []DayInterval{}
	for minute, start := range p.gridStarts(p.wholeDay(day)) {
		i := DayInterval{Interval: p.newInterval(day, minute, start), Used: used[IDOf(start)]}
		reason, isWorking := closed[start]
		isUsual := slices.ContainsFunc(usual, func(s Span) bool { return s.From <= minute && minute+p.intervalLength() <= s.To })
		switch {
		case isWorking:
			i.Closed = reason
		case isOtherDate && isUsual:
			i.Closed = ClosedByHoliday
		default:
			i.Closed = ClosedByHours
		}
		if i.Closed == "" && !FitsAll(i.Used, Minutes{AllGroups: 1}, ceilings) {
			i.Closed = ClosedByCapacity
		}
		all = append(all, i)
	}
	return all
}

// closedInWindows returns for each interval that lies in the work of a day why it takes no order now,
// whatever its work is; empty for one that does.
func (p Plan) closedInWindows(day clock.Day, now time.Time) map[time.Time]ClosedReason {
	closed := map[time.Time]ClosedReason{}
	asContent := p
	asContent.Kitchen = Kitchen{}
	for w := range p.Hours.WindowsOn(day, p.Zone) {
		usual, busy, all := asContent.earliestHandover(w, now), p.withoutPause().earliestHandover(w, now), p.earliestHandover(w, now)
		for _, start := range p.gridStarts(w) {
			switch {
			case start.Before(now.Add(p.leadTime())):
				closed[start] = ClosedByPast
			case start.Before(usual):
				closed[start] = ClosedByHours
			case start.Before(busy):
				closed[start] = ClosedByBusy
			case start.Before(all):
				closed[start] = ClosedByPause
			default:
				closed[start] = ""
			}
		}
	}
	return closed
}

// wholeDay returns a window from the first minute in which the shop works on the day, or on other dates
// of that day of the week, to the last.
func (p Plan) wholeDay(day clock.Day) Window {
	var whole Span
	for _, spans := range [...][]Span{p.Hours.SpansOn(day), p.Hours.Default[day.Weekday()]} {
		for _, s := range spans {
			if whole.To == 0 {
				whole = s
			}
			whole = Span{From: min(whole.From, s.From), To: max(whole.To, s.To)}
		}
	}
	return Window{Day: day, Span: whole, Start: clock.At(day, whole.From, p.Zone), End: clock.At(day, whole.To, p.Zone)}
}
