package schedule

import (
	"iter"
	"slices"
	"strconv"
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
	handoverSlack = 10 * time.Minute
	handoverStep  = 5 * time.Minute
)

// Interval is a range of time in which an order is handed over, half open.
type Interval struct {
	// ID is [ASAP] or the start as [IDOf] writes it.
	ID string
	// Day is the day whose shift it belongs to; a night interval's is the day before.
	Day        clock.Day
	Start, End time.Time
	// Title is what a wall clock shows, "19:30–20:00". That of ASAP is empty.
	Title string
	// Disabled says that it is shown, but full.
	Disabled bool
}

// IsASAP reports whether the interval is 'as soon as possible'.
func (i Interval) IsASAP() bool { return i.ID == ASAP }

// IDOf returns the id of the interval that begins at start: RFC 3339 in UTC.
func IDOf(start time.Time) string { return start.UTC().Format(time.RFC3339) }

// Words returns the time of the interval as text: the hours, and on another day than today the date
// before them.
func (i Interval) Words(today clock.Day, l lang.Lang) string {
	if i.Day == today {
		return i.Title
	}
	month := lang.T(l, "date.month_"+strconv.Itoa(int(i.Day.Month)), nil)
	date := lang.T(l, "date.day", fault.Args{"day": i.Day.Day, "month": month})
	return lang.T(l, "date.day_at", fault.Args{"day": date, "time": i.Title})
}

// Date is a day with at least one interval.
type Date struct {
	Day                 clock.Day
	IsToday, IsTomorrow bool
}

// Plan is all that the intervals of a shop follow from, apart from reservations. The rules are in
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
}

// At returns the interval that begins at start and is reserved already, though it may not be
// offered any more.
func (p Plan) At(start time.Time) Interval {
	day := clock.DayOf(start, p.Zone)
	if w, ok := p.Hours.windowFrom(start, p.Zone); ok && w.Day.Before(day) {
		day = w.Day
	}
	return p.newInterval(day, day.DaysUntil(clock.DayOf(start, p.Zone))*clock.MinutesPerDay+clock.MinuteOf(start, p.Zone), start)
}

// Today returns the day that customers order for now: the city's date, or the date before while its
// night shift still runs.
func (p Plan) Today(now time.Time) clock.Day {
	day := clock.DayOf(now, p.Zone)
	night := p.Hours.WindowsOn(day.Add(-1), p.Zone)
	if n := len(night); n > 0 && now.Before(night[n-1].End) {
		return day.Add(-1)
	}
	return day
}

// Dates returns the days that have an interval, in order.
func (p Plan) Dates(now time.Time) []Date {
	today := p.Today(now)
	dates := []Date{}
	for i := range p.daysOffered() {
		day := today.Add(i)
		if p.hasInterval(day, now) || i == 0 && len(p.asapIntervals(now)) > 0 {
			dates = append(dates, Date{Day: day, IsToday: i == 0, IsTomorrow: i == 1})
		}
	}
	return dates
}

// Intervals returns the intervals of the day that an order made now can be ready for, in order, and
// before them ASAP on the day that is today when the shop works now. A day beyond the horizon has
// none.
func (p Plan) Intervals(day clock.Day, now time.Time) []Interval {
	intervals := []Interval{}
	ahead := p.Today(now).DaysUntil(day)
	if ahead < 0 || ahead >= p.daysOffered() {
		return intervals
	}
	if soon := p.asapIntervals(now); ahead == 0 && len(soon) > 0 {
		first := soon[0]
		first.ID, first.Title = ASAP, ""
		intervals = append(intervals, first)
	}
	return slices.AppendSeq(intervals, p.dayIntervals(day, now))
}

// Handover returns when an order made now for the interval is handed over. An ordinary interval is
// its own answer. 'As soon as possible' reserves the work of an interval of the grid, yet it is
// handed over when it is ready, where that is less than an interval before. Its end leaves ten
// minutes for delays and is rounded up to five minutes, but is no later than the end of work. Only
// an order that was ready too late for that, because its time was held while the customer checked
// out, ends after it.
func (p Plan) Handover(i Interval, now time.Time) (from, to time.Time) {
	length := time.Duration(p.intervalLength()) * time.Minute
	ready := now.Add(p.leadTime())
	if !i.IsASAP() || i.Start.Sub(ready) >= length {
		return i.Start, i.Start.Add(length)
	}
	to = ready.Add(handoverSlack + handoverStep - 1).Truncate(handoverStep)
	if end, ends := p.workEnd(now); ends && !ready.After(end) && to.After(end) {
		to = end
	}
	return ready, to
}

// IsLastHour reports whether the instant falls within the hour before the last order time of the
// shift: the last instant at which 'as soon as possible' can be ordered. A break in the middle of
// the day ends no shift, and work around the clock has no last hour.
func (p Plan) IsLastHour(now time.Time) bool {
	current, open := p.Hours.windowAt(now, p.Zone)
	if !open {
		return false
	}
	last, ends := p.Hours.runEnd(current, p.Zone)
	if !ends {
		return false
	}
	left := last.End.Add(-p.leadTime()).Sub(now)
	if left < 0 || left > LastHourWindow {
		return false
	}
	shift := p.Hours.WindowsOn(last.Day, p.Zone)
	return shift[len(shift)-1].End.Equal(last.End)
}

// Resolve returns the intervals of the grid that the id may stand for, the preferred one first: for
// ASAP those of [Plan.asapIntervals], else just that one. Faults: schedule.unknown_interval
// (NotFound) when no grid has it, schedule.closed, schedule.past and schedule.too_soon (Conflict)
// when it is not or no longer available.
func (p Plan) Resolve(id string, now time.Time) ([]Interval, error) {
	if id == ASAP {
		if soon := p.asapIntervals(now); len(soon) > 0 {
			return soon, nil
		}
		if p.Hours.StateAt(now, p.Zone).Open {
			return nil, fault.New(fault.Conflict, "schedule.not_ready_today")
		}
		return nil, fault.New(fault.Conflict, "schedule.closed")
	}
	start, err := time.Parse(time.RFC3339, id)
	if err != nil || IDOf(start) != id || !p.isOnGrid(start) {
		return nil, fault.New(fault.NotFound, "schedule.unknown_interval")
	}
	if start.Before(now.Add(p.leadTime())) {
		return nil, fault.New(fault.Conflict, "schedule.past")
	}
	date := clock.DayOf(start, p.Zone)
	today := p.Today(now)
	for _, day := range [...]clock.Day{date.Add(-1), date} {
		if ahead := today.DaysUntil(day); ahead < 0 || ahead >= p.daysOffered() {
			continue
		}
		for _, w := range p.Hours.WindowsOn(day, p.Zone) {
			for minute, begins := range p.gridStarts(w) {
				switch {
				case !begins.Equal(start):
				case start.Before(p.earliestHandover(w, now)):
					return nil, fault.New(fault.Conflict, "schedule.too_soon")
				default:
					return []Interval{p.newInterval(day, minute, start)}, nil
				}
			}
		}
	}
	if today.DaysUntil(date) >= p.daysOffered() {
		return nil, fault.New(fault.NotFound, "schedule.unknown_interval")
	}
	return nil, fault.New(fault.Conflict, "schedule.closed")
}

// isOnGrid reports whether an interval may begin at the instant, seen from its own date or
// from a night shift of the date before.
func (p Plan) isOnGrid(start time.Time) bool {
	minute := clock.MinuteOf(start, p.Zone)
	return start.Second() == 0 && (minute%p.intervalLength() == 0 || (minute+clock.MinutesPerDay)%p.intervalLength() == 0)
}

// asapIntervals returns the intervals whose work 'as soon as possible' may reserve, in order: those
// that are left of the unbroken work running now (around the clock those are today's, and
// tomorrow's when today has none left), and when no whole one is left, the one in which an order
// made now is ready. There is none when that is after the end of work.
func (p Plan) asapIntervals(now time.Time) []Interval {
	w, open := p.Hours.windowAt(now, p.Zone)
	if !open {
		return nil
	}
	last, ends := p.Hours.runEnd(w, p.Zone)
	ready := now.Add(p.leadTime())
	if ends && ready.After(last.End) {
		return nil
	}
	beyond := func(i Interval) bool { return ends && i.End.After(last.End) }
	for _, day := range [...]clock.Day{w.Day, w.Day.Add(1)} {
		if soon := slices.DeleteFunc(slices.Collect(p.dayIntervals(day, now)), beyond); len(soon) > 0 {
			return soon
		}
	}
	if !ends {
		return nil
	}
	return []Interval{p.lastInterval(ready, last.End)}
}

// lastInterval returns the interval that the instant lies in, cut off at the end of work.
func (p Plan) lastInterval(ready time.Time, end time.Time) Interval {
	if !ready.Before(end) {
		ready = end.Add(-1)
	}
	day := clock.DayOf(ready, p.Zone)
	minute := clock.MinuteOf(ready, p.Zone)
	if w, ok := p.Hours.windowAt(ready, p.Zone); ok && w.Day.Before(day) {
		day, minute = w.Day, minute+clock.MinutesPerDay
	}
	minute = minute / p.intervalLength() * p.intervalLength()
	i := p.newInterval(day, minute, clock.At(day, minute, p.Zone))
	i.End = end
	return i
}

// workEnd returns when the unbroken work running now ends, and false when it never does or
// the shop is closed.
func (p Plan) workEnd(now time.Time) (time.Time, bool) {
	w, open := p.Hours.windowAt(now, p.Zone)
	if !open {
		return time.Time{}, false
	}
	last, ends := p.Hours.runEnd(w, p.Zone)
	return last.End, ends
}

// hasInterval reports whether the day has an ordinary interval that an order made now can be ready
// for.
func (p Plan) hasInterval(day clock.Day, now time.Time) bool {
	for range p.dayStarts(day, now) {
		return true
	}
	return false
}

// dayIntervals yields the intervals of the day, in order, that an order made now can be ready for.
func (p Plan) dayIntervals(day clock.Day, now time.Time) iter.Seq[Interval] {
	return func(yield func(Interval) bool) {
		for minute, start := range p.dayStarts(day, now) {
			if !yield(p.newInterval(day, minute, start)) {
				return
			}
		}
	}
}

// dayStarts yields when the ordinary intervals of the day begin, by the minute on the wall clock
// and as an instant.
func (p Plan) dayStarts(day clock.Day, now time.Time) iter.Seq2[int, time.Time] {
	return func(yield func(int, time.Time) bool) {
		for _, w := range p.Hours.WindowsOn(day, p.Zone) {
			earliest := p.earliestHandover(w, now)
			for minute, start := range p.gridStarts(w) {
				if !start.Before(earliest) && !yield(minute, start) {
					return
				}
			}
		}
	}
}

// earliestHandover returns when the first order of the window can be handed over: the kitchen
// begins with it now, or when the unbroken work begins that the window belongs to.
func (p Plan) earliestHandover(w Window, now time.Time) time.Time {
	since := w.Start.Add(-p.leadTime()) // work that began earlier than that delays nothing in the window
	if now.After(since) {
		since = now
	}
	return p.Hours.runStart(w, p.Zone, since).Add(p.leadTime())
}

// newInterval returns the interval of the day that begins at the minute, which is start.
func (p Plan) newInterval(day clock.Day, minute int, start time.Time) Interval {
	end := start.Add(time.Duration(p.intervalLength()) * time.Minute)
	title := Span{From: minute, To: minute + p.intervalLength()}.String()
	return Interval{ID: IDOf(start), Day: day, Start: start, End: end, Title: title}
}

// gridStarts yields when the intervals of a window begin, by the minute on the wall clock and as an
// instant. They begin at whole multiples of the length on the wall clock and end within the window.
// A clock change neither repeats one nor makes one that no clock shows: of an hour that comes twice
// only the first is offered.
func (p Plan) gridStarts(w Window) iter.Seq2[int, time.Time] {
	length := p.intervalLength()
	return func(yield func(int, time.Time) bool) {
		for m := (w.Span.From + length - 1) / length * length; m+length <= w.Span.To; m += length {
			start := clock.At(w.Day, m, p.Zone)
			skipped := clock.MinuteOf(start, p.Zone) != m%clock.MinutesPerDay
			if skipped || start.Add(time.Duration(length)*time.Minute).After(w.End) {
				continue
			}
			if !yield(m, start) {
				return
			}
		}
	}
}

// leadTime returns how long it takes from the kitchen's start until an order is handed over.
func (p Plan) leadTime() time.Duration { return time.Duration(p.Cooking+p.Road) * time.Minute }

func (p Plan) intervalLength() int {
	if p.Length > 0 {
		return p.Length
	}
	return DefaultLength
}

func (p Plan) daysOffered() int {
	if p.Days > 0 {
		return p.Days
	}
	return DefaultDays
}
