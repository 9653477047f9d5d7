package schedule

import (
	"slices"
	"time"

	"servery/internal/clock"
)

// FreeWork finds the intervals of a plan that have room for one order. It is not safe for concurrent
// use.
type FreeWork struct {
	plan            Plan
	now             time.Time
	used            map[string]Minutes
	needs, ceilings Minutes
	isLarge         bool
	// window is the one that canTake has checked last, starts are its [Plan.cookableStarts], and
	// usedAt the minutes that are used in each of them. canTake keeps them for the next interval of
	// the window.
	window Window
	starts []time.Time
	usedAt []Minutes
}

// FreeWork returns the [FreeWork] for an order that is made now and needs the given minutes. used
// are the taken minutes by interval id, as [Used] reads them for the range that [Plan.RangeFor]
// returns.
func (p Plan) FreeWork(now time.Time, used map[string]Minutes, needs, ceilings Minutes) *FreeWork {
	return &FreeWork{plan: p, now: now, used: used, needs: needs, ceilings: ceilings, isLarge: needs.Exceeds(ceilings)}
}

// DisableFull returns a copy of the intervals in which those that cannot take the order are
// disabled. ASAP may stand for several intervals: it gets the times of the first one that takes the
// order, and is disabled when there is none.
func (f *FreeWork) DisableFull(intervals []Interval) []Interval {
	checked := slices.Clone(intervals)
	for n := range checked {
		i := &checked[n]
		if i.IsPaused {
			continue // it is disabled already
		}
		if !i.IsASAP() {
			i.Disabled = !f.canTake(*i)
			continue
		}
		i.Disabled = true
		for soon := range f.plan.asapIntervals(f.now) {
			if f.canTake(soon) {
				i.Disabled, i.Day, i.Start, i.End = false, soon.Day, soon.Start, soon.End
				break
			}
		}
	}
	return checked
}

// FirstThatTakes returns the first ordinary interval that is offered and has room for the order. It
// reports false when there is none.
func (f *FreeWork) FirstThatTakes() (Interval, bool) {
	today := f.plan.Today(f.now)
	for n := range f.plan.DaysOffered() {
		for i := range f.plan.dayIntervals(today.Add(n), f.now) {
			if f.canTake(i) {
				return i, true
			}
		}
	}
	return Interval{}, false
}

// canTake reports whether the interval has room for the order. A large order, which needs more
// minutes than one interval may take, can also use free minutes of earlier intervals.
func (f *FreeWork) canTake(i Interval) bool {
	if !f.isLarge {
		return FitsAll(f.used[IDOf(i.Start)], f.needs, f.ceilings)
	}
	// The starts of the window and what is used of each are read once for all its intervals.
	window, _ := f.plan.Hours.windowFrom(i.Start, f.plan.Zone) // each interval has one
	if !window.Start.Equal(f.window.Start) {
		f.window, f.starts, f.usedAt = window, f.plan.cookableStarts(window, f.now), nil
		for _, start := range f.starts {
			f.usedAt = append(f.usedAt, f.used[IDOf(start)])
		}
	}
	// The interval itself first, then those before it, the latest first.
	slots := []Minutes{f.used[IDOf(i.Start)]}
	index, _ := slices.BinarySearchFunc(f.starts, i.Start, time.Time.Compare)
	for n := index - 1; n >= 0; n-- {
		slots = append(slots, f.usedAt[n])
	}
	_, fits := spreadWork(slots, f.needs, f.ceilings)
	return fits
}

// EarlierStarts returns the starts, in order, of the intervals whose free minutes a large order for i
// may also use. They are the intervals before i, since the shop opened, by whose start an order made
// now can be cooked.
func (p Plan) EarlierStarts(i Interval, now time.Time) []time.Time {
	window, ok := p.Hours.windowFrom(i.Start, p.Zone)
	if !ok {
		return nil
	}
	starts := p.cookableStarts(window, now)
	index, _ := slices.BinarySearchFunc(starts, i.Start, time.Time.Compare)
	return starts[:index]
}

// cookableStarts returns the starts of intervals, in order, by which an order made now can be cooked.
// The intervals are those of w and of the windows that lead up to w without a break. The kitchen begins
// the order at the latest of now, the opening and the end of a pause.
func (p Plan) cookableStarts(w Window, now time.Time) []time.Time {
	windows := []Window{w}
	for windows[0].Start.After(now) {
		previous, ok := p.Hours.windowBefore(windows[0], p.Zone)
		if !ok {
			break
		}
		windows = slices.Insert(windows, 0, previous)
	}
	kitchenStart := windows[0].Start
	if now.After(kitchenStart) {
		kitchenStart = now
	}
	if p.Kitchen.PausedUntil.After(kitchenStart) {
		kitchenStart = p.Kitchen.PausedUntil
	}
	cooked := kitchenStart.Add(time.Duration(p.Cooking)*time.Minute + p.Kitchen.Delay(kitchenStart))
	var starts []time.Time
	for _, w := range windows {
		for _, i := range p.grid(w) {
			if !i.Start.Before(cooked) {
				starts = append(starts, i.Start)
			}
		}
	}
	return starts
}

// RangeFor returns a range of time that contains the starts of all intervals whose free work decides
// whether the given intervals have room for an order: the given intervals, all that ASAP may stand for
// and, for a large order, the intervals before them. The range is half open, and empty when no interval
// is given.
func (p Plan) RangeFor(intervals []Interval, now time.Time, isLarge bool) (from, to time.Time) {
	include := func(start time.Time) {
		if from.IsZero() || start.Before(from) {
			from = start
		}
		if !start.Before(to) {
			to = start.Add(time.Millisecond) // the range is half open and includes start
		}
	}
	for _, i := range intervals {
		if !i.IsASAP() {
			include(i.Start)
			continue
		}
		for soon := range p.asapIntervals(now) {
			include(soon.Start)
		}
	}
	if isLarge && !from.IsZero() {
		if w, ok := p.Hours.windowFrom(from, p.Zone); ok {
			if starts := p.cookableStarts(w, now); len(starts) > 0 {
				include(starts[0])
			}
		}
	}
	return from, to
}

// RangeOfAll returns a range of time, half open, that contains the starts of all intervals that are
// offered now.
func (p Plan) RangeOfAll(now time.Time) (from, to time.Time) {
	today := p.Today(now)
	// One day more: a shift of the last day may end after midnight.
	return clock.At(today, 0, p.Zone), clock.At(today.Add(p.DaysOffered()+1), 0, p.Zone)
}
