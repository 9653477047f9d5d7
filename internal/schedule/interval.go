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
	soonSlack = 10 * time.Minute
	saidStep  = 5 * time.Minute
)

// Interval is a stretch of time in which an order is handed over, half open.
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

// IDOf gives the id of the interval that begins at start: RFC 3339 in UTC.
func IDOf(start time.Time) string { return start.UTC().Format(time.RFC3339) }

// Words returns when the interval is in words: what a clock shows, on another day than today
// after the date.
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

// Plan is all that the intervals of a shop follow from, apart from what is taken. The rules
// are in docs/schedule.md.
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

// At returns the interval that begins at start and is held already, though it may not be
// offered any more.
func (p Plan) At(start time.Time) Interval {
	day := clock.DayOf(start, p.Zone)
	if w, ok := p.Hours.windowFrom(start, p.Zone); ok && w.Day.Before(day) {
		day = w.Day
	}
	return p.interval(day, day.DaysUntil(clock.DayOf(start, p.Zone))*clock.MinutesPerDay+clock.MinuteOf(start, p.Zone), start)
}

// Today gives the day that customers order for now: the city's date, or the date
// before while its night shift still runs.
func (p Plan) Today(now time.Time) clock.Day {
	day := clock.DayOf(now, p.Zone)
	night := p.Hours.WindowsOn(day.Add(-1), p.Zone)
	if n := len(night); n > 0 && now.Before(night[n-1].End) {
		return day.Add(-1)
	}
	return day
}

// Dates gives the days that have an interval, in order.
func (p Plan) Dates(now time.Time) []Date {
	today := p.Today(now)
	dates := []Date{}
	for i := range p.days() {
		day := today.Add(i)
		if p.any(day, now) || i == 0 && len(p.soon(now)) > 0 {
			dates = append(dates, Date{Day: day, IsToday: i == 0, IsTomorrow: i == 1})
		}
	}
	return dates
}

// Intervals gives the intervals of the day that can still be kept, in order, and
// before them ASAP on the day that is today when the shop works now. A day beyond
// the horizon has none.
func (p Plan) Intervals(day clock.Day, now time.Time) []Interval {
	intervals := []Interval{}
	ahead := p.Today(now).DaysUntil(day)
	if ahead < 0 || ahead >= p.days() {
		return intervals
	}
	if soon := p.soon(now); ahead == 0 && len(soon) > 0 {
		first := soon[0]
		first.ID, first.Title = ASAP, ""
		intervals = append(intervals, first)
	}
	return slices.AppendSeq(intervals, p.ordinary(day, now))
}

// Handover returns when an order made now for the interval is handed over. An ordinary
// interval is its own answer. 'As soon as possible' takes the work of an interval of the
// grid, yet it is handed over when it is ready, where that is less than an interval before.
// Its end leaves ten minutes for what goes wrong and is a time that people say, a whole five
// minutes, but no later than the end of work. Only an order that was ready too late for that,
// because its time was held while the customer checked out, ends after it.
func (p Plan) Handover(i Interval, now time.Time) (from, to time.Time) {
	length := time.Duration(p.length()) * time.Minute
	ready := now.Add(p.lead())
	if !i.IsASAP() || i.Start.Sub(ready) >= length {
		return i.Start, i.Start.Add(length)
	}
	to = ready.Add(soonSlack + saidStep - 1).Truncate(saidStep)
	if end, ends := p.workEnd(now); ends && !ready.After(end) && to.After(end) {
		to = end
	}
	return ready, to
}

// LastHour reports whether the instant falls within the hour before the last order time of
// the shift: the last instant at which 'as soon as possible' can be ordered. A break in the
// middle of the day ends no shift, and work around the clock has no last hour.
func (p Plan) LastHour(now time.Time) bool {
	current, open := p.Hours.windowAt(now, p.Zone)
	if !open {
		return false
	}
	last, ends := p.Hours.runEnd(current, p.Zone)
	if !ends {
		return false
	}
	left := last.End.Add(-p.lead()).Sub(now)
	if left < 0 || left > LastHourWindow {
		return false
	}
	shift := p.Hours.WindowsOn(last.Day, p.Zone)
	return shift[len(shift)-1].End.Equal(last.End)
}

// Resolve returns the intervals of the grid that the id may stand for, the preferred one
// first: for ASAP those of [Plan.soon], else just that one. Faults:
// schedule.unknown_interval (NotFound) when no grid has it, schedule.closed,
// schedule.past and schedule.too_soon (Conflict) when it cannot be had or no longer.
func (p Plan) Resolve(id string, now time.Time) ([]Interval, error) {
	if id == ASAP {
		if soon := p.soon(now); len(soon) > 0 {
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
	if start.Before(now.Add(p.lead())) {
		return nil, fault.New(fault.Conflict, "schedule.past")
	}
	date := clock.DayOf(start, p.Zone)
	today := p.Today(now)
	for _, day := range [...]clock.Day{date.Add(-1), date} {
		if ahead := today.DaysUntil(day); ahead < 0 || ahead >= p.days() {
			continue
		}
		for _, w := range p.Hours.WindowsOn(day, p.Zone) {
			for minute, begins := range p.grid(w) {
				switch {
				case !begins.Equal(start):
				case start.Before(p.earliest(w, now)):
					return nil, fault.New(fault.Conflict, "schedule.too_soon")
				default:
					return []Interval{p.interval(day, minute, start)}, nil
				}
			}
		}
	}
	if today.DaysUntil(date) >= p.days() {
		return nil, fault.New(fault.NotFound, "schedule.unknown_interval")
	}
	return nil, fault.New(fault.Conflict, "schedule.closed")
}

// isOnGrid reports whether an interval may begin at the instant, seen from its own date or
// from a night shift of the date before.
func (p Plan) isOnGrid(start time.Time) bool {
	minute := clock.MinuteOf(start, p.Zone)
	return start.Second() == 0 && (minute%p.length() == 0 || (minute+clock.MinutesPerDay)%p.length() == 0)
}

// soon returns the intervals whose work 'as soon as possible' may take, in order: those that
// are left of the unbroken work running now (around the clock those are today's, and
// tomorrow's when today has none left), and when no whole one is left, the one in which an
// order made now is ready. There is none when that is after the end of work.
func (p Plan) soon(now time.Time) []Interval {
	w, open := p.Hours.windowAt(now, p.Zone)
	if !open {
		return nil
	}
	last, ends := p.Hours.runEnd(w, p.Zone)
	ready := now.Add(p.lead())
	if ends && ready.After(last.End) {
		return nil
	}
	beyond := func(i Interval) bool { return ends && i.End.After(last.End) }
	for _, day := range [...]clock.Day{w.Day, w.Day.Add(1)} {
		if soon := slices.DeleteFunc(slices.Collect(p.ordinary(day, now)), beyond); len(soon) > 0 {
			return soon
		}
	}
	if !ends {
		return nil
	}
	return []Interval{p.tail(ready, last.End)}
}

// tail returns the interval that the instant lies in, cut off at the end of work.
func (p Plan) tail(ready time.Time, end time.Time) Interval {
	if !ready.Before(end) {
		ready = end.Add(-1)
	}
	day := clock.DayOf(ready, p.Zone)
	minute := clock.MinuteOf(ready, p.Zone)
	if w, ok := p.Hours.windowAt(ready, p.Zone); ok && w.Day.Before(day) {
		day, minute = w.Day, minute+clock.MinutesPerDay
	}
	minute = minute / p.length() * p.length()
	i := p.interval(day, minute, clock.At(day, minute, p.Zone))
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

// any reports whether the day has an ordinary interval that can still be kept.
func (p Plan) any(day clock.Day, now time.Time) bool {
	for range p.starts(day, now) {
		return true
	}
	return false
}

// ordinary yields the intervals of the day, in order, that an order made now can be ready
// for.
func (p Plan) ordinary(day clock.Day, now time.Time) iter.Seq[Interval] {
	return func(yield func(Interval) bool) {
		for minute, start := range p.starts(day, now) {
			if !yield(p.interval(day, minute, start)) {
				return
			}
		}
	}
}

// starts yields when the ordinary intervals of the day begin, by the minute on the wall clock
// and as an instant.
func (p Plan) starts(day clock.Day, now time.Time) iter.Seq2[int, time.Time] {
	return func(yield func(int, time.Time) bool) {
		for _, w := range p.Hours.WindowsOn(day, p.Zone) {
			earliest := p.earliest(w, now)
			for minute, start := range p.grid(w) {
				if !start.Before(earliest) && !yield(minute, start) {
					return
				}
			}
		}
	}
}

// earliest returns when the first order of the window can be handed over: the kitchen begins
// with it now, or when the unbroken work begins that the window belongs to.
func (p Plan) earliest(w Window, now time.Time) time.Time {
	since := w.Start.Add(-p.lead()) // what began earlier than that delays nothing in the window
	if now.After(since) {
		since = now
	}
	return p.Hours.runStart(w, p.Zone, since).Add(p.lead())
}

// interval returns the interval of the day that begins at the minute, which is start.
func (p Plan) interval(day clock.Day, minute int, start time.Time) Interval {
	end := start.Add(time.Duration(p.length()) * time.Minute)
	title := Span{From: minute, To: minute + p.length()}.String()
	return Interval{ID: IDOf(start), Day: day, Start: start, End: end, Title: title}
}

// grid yields when the intervals of a window begin, by the minute on the wall clock and as an
// instant. They begin at whole multiples of the length on the wall clock and end within the
// window. A clock change neither repeats one nor makes one that no clock shows: of an hour
// that comes twice only the first is offered.
func (p Plan) grid(w Window) iter.Seq2[int, time.Time] {
	length := p.length()
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

// lead is how long it takes from the kitchen's start until an order is handed over.
func (p Plan) lead() time.Duration { return time.Duration(p.Cooking+p.Road) * time.Minute }

func (p Plan) length() int {
	if p.Length > 0 {
		return p.Length
	}
	return DefaultLength
}

func (p Plan) days() int {
	if p.Days > 0 {
		return p.Days
	}
	return DefaultDays
}
