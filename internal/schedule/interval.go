package schedule

import (
	"iter"
	"slices"
	"time"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/lang"
)

const (
	// ASAP is the id of the interval 'as soon as possible'.
	ASAP = "asap"
	// DefaultLength is the length of an interval in minutes where content names none.
	DefaultLength = 30
	// DefaultDays is how many days are offered, today being the first.
	DefaultDays = 7
)

const (
	// handoverSlack is what the promised handover of an ASAP order leaves for delays.
	handoverSlack = 10 * time.Minute
	// handoverStep is what the end of the promised handover is rounded up to.
	handoverStep = 5 * time.Minute
)

// Interval is a range of time in which an order is handed over, half open.
type Interval struct {
	// ID is [ASAP] or the start as [IDOf] writes it.
	ID string
	// Day is the day on which the shift of the interval began. After midnight that is the date before.
	Day        clock.Day
	Start, End time.Time
	// Title is what a wall clock shows, "19:30–20:00". That of ASAP is empty.
	Title string
	// Disabled says that it is shown, but cannot be chosen: it is full, or falls in a pause.
	Disabled bool
	// IsPaused says that the kitchen is paused for it.
	IsPaused bool
}

// IsASAP reports whether the interval is 'as soon as possible'.
func (i Interval) IsASAP() bool { return i.ID == ASAP }

// IDOf returns the id of the interval that begins at start: the instant as RFC 3339 in UTC.
func IDOf(start time.Time) string { return start.UTC().Format(time.RFC3339) }

// TextFor returns the time of an interval as a text for a customer who reads the language: its
// hours, after its date when the interval is not of today.
func (p Plan) TextFor(i Interval, now time.Time, l lang.Lang) string {
	if i.Day == p.Today(now) {
		return i.Title
	}
	return lang.T(l, "date.day_at", fault.Args{"day": p.DateOf(i), "time": i.Title})
}

// DateOf returns the date of the city on which the interval begins. After midnight that is the one after its Day.
func (p Plan) DateOf(i Interval) clock.Day { return clock.DayOf(i.Start, p.Zone) }

// Date is a day with at least one interval.
type Date struct {
	Day                 clock.Day
	IsToday, IsTomorrow bool
}

// Plan is all that decides which intervals a shop offers, apart from reservations. The rules are in
// docs/schedule.md.
type Plan struct {
	Hours Hours
	Zone  *time.Location
	// Length of an interval in minutes; 0 means DefaultLength.
	Length int
	// Cooking is how many minutes an order takes in the kitchen, Road how many it then takes
	// to the customer.
	Cooking, Road int
	// Days is how many days are offered, today included; 0 means DefaultDays.
	Days int
	// Kitchen has the pause and the busy times of the kitchen.
	Kitchen Kitchen
}

// At returns the interval that begins at start, whether it is offered now or not. It is for
// intervals that are reserved already.
func (p Plan) At(start time.Time) Interval {
	date := clock.DayOf(start, p.Zone)
	shiftDay := date
	if w, ok := p.Hours.windowFrom(start, p.Zone); ok && w.Day.Before(date) {
		shiftDay = w.Day
	}
	minute := shiftDay.DaysUntil(date)*clock.MinutesPerDay + clock.MinuteOf(start, p.Zone)
	return p.newInterval(shiftDay, minute, start)
}

// Today returns the day that customers order for now: the city's date, or the date before while a
// night shift that began on it has not ended.
func (p Plan) Today(now time.Time) clock.Day {
	day := clock.DayOf(now, p.Zone)
	if night, ok := p.Hours.lastWindowOn(day.Add(-1), p.Zone); ok && now.Before(night.End) {
		return day.Add(-1)
	}
	return day
}

// IsTomorrow reports whether a customer calls the day tomorrow. After midnight, while the shift of the day before still
// runs, no day is: that of the next shift has begun.
func (p Plan) IsTomorrow(day clock.Day, now time.Time) bool {
	today := p.Today(now)
	return day == today.Add(1) && clock.DayOf(now, p.Zone) == today
}

// Dates returns the days that are offered and have an interval, in order. An interval in a pause counts
// too. Today is among them also when only 'as soon as possible' is left.
func (p Plan) Dates(now time.Time) []Date {
	today := p.Today(now)
	dates := []Date{}
	for i := range p.DaysOffered() {
		day := today.Add(i)
		hasInterval := p.withoutPause().hasInterval(day, now)
		if i == 0 && !hasInterval {
			_, hasInterval = p.firstASAP(now)
		}
		if hasInterval {
			dates = append(dates, Date{Day: day, IsToday: i == 0, IsTomorrow: p.IsTomorrow(day, now)})
		}
	}
	return dates
}

// Intervals returns the intervals of the day for which an order made now can be ready, in order.
// Before those of today it puts 'as soon as possible', while that is offered. Those that a pause of the
// kitchen takes away are among them, disabled. A day that is not offered has none.
func (p Plan) Intervals(day clock.Day, now time.Time) []Interval {
	intervals := []Interval{}
	ahead := p.Today(now).DaysUntil(day)
	if ahead < 0 || ahead >= p.DaysOffered() {
		return intervals
	}
	if first, isOffered := p.firstASAP(now); ahead == 0 && isOffered {
		first.ID, first.Title = ASAP, ""
		intervals = append(intervals, first)
	}
	if p.Kitchen.IsPaused(now) {
		return append(intervals, p.markPaused(day, now)...)
	}
	return slices.AppendSeq(intervals, p.dayIntervals(day, now))
}

// Handover returns when an order made now for the interval is handed over. For an ordinary
// interval that is the interval itself.
//
// An order 'as soon as possible' reserves the work of an ordinary interval, but it is handed
// over when it is ready. Only when the reserved interval begins a whole length or more after that,
// because earlier intervals were full, the order is handed over in the reserved interval.
//
// The end leaves ten minutes for delays, is rounded up to five minutes, and is no later than the
// end of work. Only an order that is ready after the end of work has a later end; its time was
// reserved before, while the customer checked out.
func (p Plan) Handover(i Interval, now time.Time) (from, to time.Time) {
	length := time.Duration(p.intervalLength()) * time.Minute
	ready := now.Add(p.leadAt(now))
	if !i.IsASAP() || i.Start.Sub(ready) >= length {
		return i.Start, i.Start.Add(length)
	}
	to = ready.Add(handoverSlack + handoverStep - 1).Truncate(handoverStep) // rounded up
	if workEnd, hasEnd := p.workEnd(now); hasEnd && !ready.After(workEnd) && to.After(workEnd) {
		to = workEnd
	}
	return ready, to
}

// OnHandoverDay returns the interval with the day on which it is handed over. An order 'as soon as possible' may be
// promised for the day before the one whose work it reserves; its interval then begins when the order is ready.
func (p Plan) OnHandoverDay(i Interval, now time.Time) Interval {
	from, to := p.Handover(i, now)
	if day := p.At(to.Add(-1)).Day; i.IsASAP() && day.Before(i.Day) {
		i.Day, i.Start = day, from
	}
	return i
}

// LastHourUntil returns the last order time of the shift while the instant is within the hour before
// it, else the zero time. The last order time is the last instant at which 'as soon as possible' can
// be ordered. A break in the middle of the day ends no shift, and work around the clock has no last
// hour. Pauses and busy times do not count, because steps of sale depend on content alone.
func (p Plan) LastHourUntil(now time.Time) time.Time {
	current, open := p.Hours.windowAt(now, p.Zone)
	if !open || current.End.Add(-p.leadTime()).Sub(now) > LastHourWindow { // the spell ends with current or later
		return time.Time{}
	}
	last, hasEnd := p.Hours.lastOfSpell(current, p.Zone)
	if !hasEnd {
		return time.Time{}
	}
	until := last.End.Add(-p.leadTime())
	if left := until.Sub(now); left < 0 || left > LastHourWindow {
		return time.Time{}
	}
	if shift, ok := p.Hours.lastWindowOn(last.Day, p.Zone); !ok || !shift.End.Equal(last.End) { // a break follows
		return time.Time{}
	}
	return until
}

// asapIntervals yields the intervals whose work 'as soon as possible' may reserve, in order:
// those of today and tomorrow that are left before the shop next closes. When no whole interval is
// left, it yields the one in which an order made now is ready, cut off at closing time. It yields
// none when such an order is ready after closing, or while the shop is closed or its kitchen paused.
func (p Plan) asapIntervals(now time.Time) iter.Seq[Interval] {
	return func(yield func(Interval) bool) {
		window, isOpen := p.Hours.windowAt(now, p.Zone)
		if !isOpen || p.Kitchen.IsPaused(now) {
			return
		}
		last, hasEnd := p.Hours.lastOfSpell(window, p.Zone)
		ready := now.Add(p.leadAt(now))
		if hasEnd && ready.After(last.End) {
			return
		}
		days := 2
		if hasEnd && last.Day == window.Day {
			days = 1 // tomorrow has nothing of the spell
		}
		isWhole := false // whether a whole interval is left
		for ahead := range days {
			for i := range p.dayIntervals(window.Day.Add(ahead), now) {
				if hasEnd && i.End.After(last.End) {
					continue
				}
				isWhole = true
				if !yield(i) {
					return
				}
			}
		}
		if !isWhole && hasEnd {
			yield(p.lastInterval(ready, last.End))
		}
	}
}

// firstASAP returns the first of [Plan.asapIntervals]; false when there is none.
func (p Plan) firstASAP(now time.Time) (Interval, bool) {
	for i := range p.asapIntervals(now) {
		return i, true
	}
	return Interval{}, false
}

// lastInterval returns the interval in which an order that is ready at the instant is handed over,
// cut off at the end of work. The instant may be the end of work itself.
func (p Plan) lastInterval(ready time.Time, workEnd time.Time) Interval {
	if !ready.Before(workEnd) {
		ready = workEnd.Add(-1) // at workEnd the shop is closed, so the last instant before it counts
	}
	day := clock.DayOf(ready, p.Zone)
	minute := clock.MinuteOf(ready, p.Zone)
	if w, ok := p.Hours.windowAt(ready, p.Zone); ok && w.Day.Before(day) {
		day, minute = w.Day, minute+clock.MinutesPerDay
	}
	minute = minute / p.intervalLength() * p.intervalLength()
	interval := p.newInterval(day, minute, clock.At(day, minute, p.Zone))
	interval.End = workEnd
	return interval
}

// workEnd returns when the work that is going on now ends. It reports false when it never ends,
// or while the shop is closed.
func (p Plan) workEnd(now time.Time) (time.Time, bool) {
	window, isOpen := p.Hours.windowAt(now, p.Zone)
	if !isOpen {
		return time.Time{}, false
	}
	last, hasEnd := p.Hours.lastOfSpell(window, p.Zone)
	return last.End, hasEnd
}

// hasInterval reports whether the day has an ordinary interval for which an order made now can be
// ready.
func (p Plan) hasInterval(day clock.Day, now time.Time) bool {
	for range p.dayIntervals(day, now) {
		return true
	}
	return false
}

// dayIntervals yields the ordinary intervals of the day, in order, for which an order made now can
// be ready.
func (p Plan) dayIntervals(day clock.Day, now time.Time) iter.Seq[Interval] {
	return func(yield func(Interval) bool) {
		for w := range p.Hours.WindowsOn(day, p.Zone) {
			earliest := p.earliestHandover(w, now)
			for _, i := range p.grid(w) {
				if !i.Start.Before(earliest) && !yield(i.Interval) {
					return
				}
			}
		}
	}
}

// earliestHandover returns from when on an order made now can be handed over in the window. The
// kitchen begins the order at the latest of now, the opening and the end of a pause; the order then
// takes as long as [Plan.leadAt] returns.
func (p Plan) earliestHandover(w Window, now time.Time) time.Time {
	since := w.Start.Add(-p.leadAt(now)) // an opening before that delays nothing in the window
	if now.After(since) {
		since = now
	}
	kitchenStart := p.Hours.startOfSpell(w, p.Zone, since) // since itself for an earlier opening
	if p.Kitchen.PausedUntil.After(kitchenStart) {
		kitchenStart = p.Kitchen.PausedUntil
	}
	return kitchenStart.Add(p.leadAt(kitchenStart))
}

// newInterval returns the ordinary interval of the day that begins at start. minute is the same
// moment counted from the midnight of the day, 1440 or more for one of the next date.
func (p Plan) newInterval(day clock.Day, minute int, start time.Time) Interval {
	end := start.Add(time.Duration(p.intervalLength()) * time.Minute)
	title := Span{From: minute, To: minute + p.intervalLength()}.String()
	return Interval{ID: IDOf(start), Day: day, Start: start, End: end, Title: title}
}

// leadTime returns how long an order takes until it is handed over: cooking and road.
func (p Plan) leadTime() time.Duration { return time.Duration(p.Cooking+p.Road) * time.Minute }

// leadAt returns how long an order takes until it is handed over when the kitchen begins it at start:
// the lead time and the delay of a busy kitchen.
func (p Plan) leadAt(start time.Time) time.Duration { return p.leadTime() + p.Kitchen.Delay(start) }

// intervalLength returns the length of an interval in minutes.
func (p Plan) intervalLength() int {
	if p.Length > 0 {
		return p.Length
	}
	return DefaultLength
}

// DaysOffered returns for how many days orders are taken, today included.
func (p Plan) DaysOffered() int {
	if p.Days > 0 {
		return p.Days
	}
	return DefaultDays
}
