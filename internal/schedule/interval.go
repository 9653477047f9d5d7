package schedule

import (
	"iter"
	"slices"
	"time"

	"servery/internal/clock"
	"servery/internal/fault"
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

// Date is a day with at least one interval.
type Date struct {
	Day                 clock.Day
	IsToday, IsTomorrow bool
}

// Plan is all that the intervals of a shop follow from, apart from what is taken.
type Plan struct {
	Hours Hours
	Zone  *time.Location
	// Length of an interval in minutes; 0 means DefaultLength.
	Length int
	// Lead is how many minutes an order needs from now: cooking, and for delivery the
	// way.
	Lead int
	// Days is how many days are offered, today included; 0 means DefaultDays.
	Days int
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

// Handover gives when an order made now for the interval is handed over. An ordinary
// interval is its own answer. 'As soon as possible' takes the work of the first
// interval of the grid, yet it is handed over when it is ready, where that is less than
// an interval before; its end leaves ten minutes for what goes wrong and is a time that
// people say, a whole five minutes.
func (p Plan) Handover(i Interval, now time.Time) (from, to time.Time) {
	length := time.Duration(p.length()) * time.Minute
	ready := now.Add(time.Duration(p.Lead) * time.Minute)
	if !i.IsASAP() || i.Start.Sub(ready) >= length {
		return i.Start, i.Start.Add(length)
	}
	return ready, ready.Add(soonSlack + saidStep - 1).Truncate(saidStep)
}

// Resolve gives the ordinary intervals that the id may stand for, the preferred one
// first: for ASAP all that are left of the running shift, else just that one. Faults:
// schedule.unknown_interval (NotFound) when no grid has it, schedule.closed and
// schedule.past (Conflict) when it cannot be had or no longer.
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
	if err != nil || IDOf(start) != id || clock.MinuteOf(start, p.Zone)%p.length() != 0 || start.Second() != 0 {
		return nil, fault.New(fault.NotFound, "schedule.unknown_interval")
	}
	if start.Before(now.Add(time.Duration(p.Lead) * time.Minute)) {
		return nil, fault.New(fault.Conflict, "schedule.past")
	}
	date := clock.DayOf(start, p.Zone)
	today := p.Today(now)
	for _, day := range [...]clock.Day{date.Add(-1), date} {
		if ahead := today.DaysUntil(day); ahead < 0 || ahead >= p.days() {
			continue
		}
		for m, at := range p.starts(day, now) {
			if at.Equal(start) {
				return []Interval{p.interval(day, m, at)}, nil
			}
		}
	}
	if today.DaysUntil(date) >= p.days() {
		return nil, fault.New(fault.NotFound, "schedule.unknown_interval")
	}
	return nil, fault.New(fault.Conflict, "schedule.closed")
}

// soon gives the ordinary intervals that are left of the unbroken work running now.
// Around the clock those are today's, and tomorrow's when today has none left.
func (p Plan) soon(now time.Time) []Interval {
	w, open := p.Hours.windowAt(now, p.Zone)
	if !open {
		return nil
	}
	last, ends := p.Hours.runEnd(w, p.Zone)
	beyond := func(i Interval) bool { return ends && i.End.After(last.End) }
	if soon := slices.DeleteFunc(slices.Collect(p.ordinary(w.Day, now)), beyond); len(soon) > 0 {
		return soon
	}
	return slices.DeleteFunc(slices.Collect(p.ordinary(w.Day.Add(1), now)), beyond)
}

// any reports whether the day has an ordinary interval that can still be kept.
func (p Plan) any(day clock.Day, now time.Time) bool {
	for range p.starts(day, now) {
		return true
	}
	return false
}

// ordinary gives the intervals of the day, in order, that begin no earlier than an
// order made now can be ready.
func (p Plan) ordinary(day clock.Day, now time.Time) iter.Seq[Interval] {
	return func(yield func(Interval) bool) {
		for m, start := range p.starts(day, now) {
			if !yield(p.interval(day, m, start)) {
				return
			}
		}
	}
}

// interval gives the interval of the day that begins at the minute, which is start.
func (p Plan) interval(day clock.Day, minute int, start time.Time) Interval {
	end := start.Add(time.Duration(p.length()) * time.Minute)
	title := Span{From: minute, To: minute + p.length()}.String()
	return Interval{ID: IDOf(start), Day: day, Start: start, End: end, Title: title}
}

// starts gives when the ordinary intervals of the day begin, by the minute on the wall
// clock and as an instant. They begin at whole multiples of the length on the
// wall clock and end within one window. A clock change neither repeats one nor makes
// one that no clock shows: of an hour that comes twice only the first is offered.
func (p Plan) starts(day clock.Day, now time.Time) iter.Seq2[int, time.Time] {
	length := p.length()
	earliest := now.Add(time.Duration(p.Lead) * time.Minute)
	return func(yield func(int, time.Time) bool) {
		for _, w := range p.Hours.WindowsOn(day, p.Zone) {
			for m := (w.Span.From + length - 1) / length * length; m+length <= w.Span.To; m += length {
				start := clock.At(day, m, p.Zone)
				end := start.Add(time.Duration(length) * time.Minute)
				skipped := clock.MinuteOf(start, p.Zone) != m%clock.MinutesPerDay
				if skipped || start.Before(earliest) || end.After(w.End) {
					continue
				}
				if !yield(m, start) {
					return
				}
			}
		}
	}
}

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
