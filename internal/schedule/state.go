package schedule

import (
	"time"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/site"
)

const (
	// closingSoon is the greatest number of minutes for which 'closes in' is shown.
	closingSoon = 59
	// neverCloses is how many days of unbroken work count as work around the clock.
	neverCloses = 8
	// aDay is how long before the end of work its hour alone names it.
	aDay = 24 * time.Hour
	// longestShift is longer than any one shift: one of a whole day has 25 hours in autumn.
	longestShift = 26 * time.Hour
	// opensWithin is how many days ahead the next opening is searched for.
	opensWithin = 60

	// LastHourWindow is how long before the last order time the last work hour begins.
	LastHourWindow = time.Hour
)

// Reason is why a shop is closed. There are no other values than those below.
type Reason uint8

// The reasons. They are about the shift day: before 04:00 that is the previous date.
const (
	Works       Reason = iota // it is not closed
	ClosedToday               // no shift on this day
	NotYet                    // a shift of this day is still to begin
	NoLonger                  // the last shift of this day is over
	Paused                    // it would work, but its kitchen takes no orders for a while
)

// State says whether a shop works at an instant.
type State struct {
	Open   bool
	Reason Reason
	// ClosesAt is the end of unbroken work, zero when closed or open around the clock.
	ClosesAt time.Time
	// isAllDay says that ClosesAt is more than a day away, so that its hour alone names another time.
	isAllDay bool
	// ClosesIn is how many minutes are left, rounded up: 1 to 59, else 0.
	ClosesIn int
	// OpensAt is the next opening, zero when open or when none is within 60 days.
	OpensAt time.Time
	// opensToday says that it is on the date of the state, which before 04:00 is not that of the shift day.
	opensToday bool
	// since is the instant for which a paused state was made. pauseEnds is when that state ends.
	since, pauseEnds time.Time
}

// StateAt returns the state at the instant: whether the shop works, and until when, or why not and
// from when.
func (h Hours) StateAt(now time.Time, loc *time.Location) State {
	window, isOpen := h.windowAt(now, loc)
	if !isOpen {
		opens := h.nextOpening(now, loc)
		return State{Reason: h.closedReason(now, loc), OpensAt: opens, opensToday: clock.DayOf(opens, loc) == clock.DayOf(now, loc)}
	}
	s := State{Open: true}
	if last, hasEnd := h.lastOfSpell(window, loc); hasEnd {
		s.ClosesAt, s.isAllDay = last.End, last.End.Sub(now) > aDay
		minutesLeft := int((last.End.Sub(now) + time.Minute - 1) / time.Minute) // rounded up
		if minutesLeft <= closingSoon {
			s.ClosesIn = minutesLeft
		}
	}
	return s
}

// ValidUntil returns until when the state and its message stay the same; now must be the instant of the
// state. That is the next opening, the next change of ClosesIn, the end of a pause, midnight, after which the opening is
// of that day, or 04:00, when the shift day ends. It is zero for a shop that is open around the clock.
func (s State) ValidUntil(now time.Time, loc *time.Location) time.Time {
	switch {
	case s.Reason == Paused:
		midnight := clock.At(clock.DayOf(now, loc).Add(1), 0, loc) // the message names the date of another day
		if midnight.Before(s.pauseEnds) {
			return midnight
		}
		return s.pauseEnds
	case s.Open && s.ClosesAt.IsZero():
		return time.Time{}
	case s.ClosesIn > 0:
		return s.ClosesAt.Add(-time.Duration(s.ClosesIn-1) * time.Minute)
	case s.isAllDay:
		return s.ClosesAt.Add(-aDay)
	case s.Open:
		return s.ClosesAt.Add(-closingSoon * time.Minute)
	}
	until := clock.At(ShiftDay(now, loc).Add(1), nightEnds, loc)
	if midnight := clock.At(clock.DayOf(now, loc).Add(1), 0, loc); midnight.Before(until) {
		until = midnight
	}
	if !s.OpensAt.IsZero() && s.OpensAt.Before(until) {
		until = s.OpensAt
	}
	return until
}

// closedReason returns why the shop is closed, by the shifts of the shift day. It must be called
// only while it is closed.
func (h Hours) closedReason(now time.Time, loc *time.Location) Reason {
	last, worksToday := h.lastWindowOn(ShiftDay(now, loc), loc)
	switch {
	case !worksToday:
		return ClosedToday
	case now.Before(last.Start):
		return NotYet
	default:
		return NoLonger
	}
}

// lastOfSpell returns the last window that follows w without a break, w itself when a break
// follows. It reports false when there is no break within eight days, which counts as work
// around the clock.
func (h Hours) lastOfSpell(w Window, loc *time.Location) (Window, bool) {
	for limit := w.Day.Add(neverCloses); w.Day.Before(limit); {
		next, ok := h.windowAfter(w, loc)
		if !ok {
			return w, true
		}
		w = next
	}
	return Window{}, false
}

// windowAfter returns the window that begins at the instant at which w ends; false when there is a
// break.
func (h Hours) windowAfter(w Window, loc *time.Location) (Window, bool) {
	days := []clock.Day{w.Day, w.Day.Add(1)}
	if h.lastShiftEnd(w.Day) <= w.Span.To { // instants are costly to compute, and this day has none later
		days = days[1:]
	}
	for _, d := range days {
		for next := range h.WindowsOn(d, loc) {
			if next.Start.Equal(w.End) {
				return next, true
			}
		}
	}
	return Window{}, false
}

// windowBefore returns the window that ends at the instant at which w begins; false when there is a
// break.
func (h Hours) windowBefore(w Window, loc *time.Location) (Window, bool) {
	for _, d := range [...]clock.Day{w.Day.Add(-1), w.Day} {
		for previous := range h.WindowsOn(d, loc) {
			if previous.End.Equal(w.Start) {
				return previous, true
			}
		}
	}
	return Window{}, false
}

// startOfSpell returns the start of the work that leads up to w without a break. It does not look
// further back than since, and returns since for work that began earlier.
func (h Hours) startOfSpell(w Window, loc *time.Location, since time.Time) time.Time {
	for w.Start.After(since) {
		previous, ok := h.windowBefore(w, loc)
		if !ok {
			return w.Start
		}
		w = previous
	}
	return since
}

// nextOpening returns when the next window begins; the zero time when none does within opensWithin
// days.
func (h Hours) nextOpening(now time.Time, loc *time.Location) time.Time {
	today := clock.DayOf(now, loc)
	for i := range opensWithin {
		for w := range h.WindowsOn(today.Add(i), loc) {
			if w.Start.After(now) {
				return w.Start
			}
		}
	}
	return time.Time{}
}

// ShiftEnd returns when the shift ends that is running at the instant; false while the shop is closed. Work that goes
// on for longer than longestShift is of several shifts: each ends at midnight, the last one at closing time.
func (h Hours) ShiftEnd(now time.Time, loc *time.Location) (time.Time, bool) {
	window, isOpen := h.windowAt(now, loc)
	if !isOpen {
		return time.Time{}, false
	}
	last, hasEnd := h.lastOfSpell(window, loc)
	since := last.End.Add(-longestShift)
	if hasEnd && h.startOfSpell(window, loc, since).After(since) {
		return last.End, true
	}
	midnight := clock.At(clock.DayOf(now, loc).Add(1), 0, loc)
	if hasEnd && last.End.Before(midnight) {
		return last.End, true
	}
	return midnight, true
}

// OpenFrom returns t while the shop works, else when it next opens. It is zero when it does not
// open within 60 days.
func (h Hours) OpenFrom(t time.Time, loc *time.Location) time.Time {
	if _, isOpen := h.windowAt(t, loc); isOpen {
		return t
	}
	return h.nextOpening(t, loc)
}

// ShiftDay returns the day whose shift the instant belongs to: the date in loc, and before 04:00
// the date before it.
func ShiftDay(now time.Time, loc *time.Location) clock.Day {
	day := clock.DayOf(now, loc)
	if clock.MinuteOf(now, loc) < nightEnds {
		return day.Add(-1)
	}
	return day
}

// Message returns the message for the customer: until when the shop is open, or why it is
// closed. For delivery the reason has other words than for takeaway. A shop that opens on the date of the state is said
// to be still closed, also in the night after the last shift: an order for tomorrow would come a day late.
func (s State) Message(orderType site.OrderType, loc *time.Location) fault.Message {
	switch {
	case s.ClosesIn > 0:
		return fault.Message{Key: "schedule.closes_in", Args: fault.Args{"count": s.ClosesIn}}
	case s.Open && (s.ClosesAt.IsZero() || s.isAllDay):
		return fault.Message{Key: "schedule.open_always"}
	case s.Open:
		end := FormatClock(clock.MinuteOf(s.ClosesAt, loc))
		return fault.Message{Key: "schedule.open_until", Args: fault.Args{"time": end}}
	}
	delivery := orderType == site.Delivery
	switch {
	case s.Reason == Paused:
		return pausedMessage(s.OpensAt, s.since, loc)
	case (s.Reason == NotYet || s.opensToday) && delivery:
		return fault.Message{Key: "schedule.delivery_not_yet"}
	case s.Reason == NotYet || s.opensToday:
		return fault.Message{Key: "schedule.shop_not_yet"}
	case s.Reason == NoLonger && delivery:
		return fault.Message{Key: "schedule.delivery_no_longer"}
	case s.Reason == NoLonger:
		return fault.Message{Key: "schedule.shop_no_longer"}
	case delivery:
		return fault.Message{Key: "schedule.delivery_closed_today"}
	}
	return fault.Message{Key: "schedule.shop_closed_today"}
}
