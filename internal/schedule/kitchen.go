package schedule

import (
	"slices"
	"time"

	"servery/internal/clock"
)

// Kitchen is the free work of the intervals of a plan, for one order.
type Kitchen struct {
	plan            Plan
	now             time.Time
	used            map[string]Minutes
	needs, ceilings Minutes
	isLarge         bool
	// starts are those of the window that was asked about last, and usedAt what is used there.
	window Window
	// starts are those of the window that was checked last, and usedAt what is used there.
	starts []time.Time
	usedAt []Minutes
}

// Kitchen returns the free work of the intervals for an order made now. Used is by interval id, as
// [Used] reads it for the range that [Plan.Reach] returns.
func (p Plan) Kitchen(now time.Time, used map[string]Minutes, needs, ceilings Minutes) *Kitchen {
	return &Kitchen{plan: p, now: now, used: used, needs: needs, ceilings: ceilings, isLarge: needs.Exceeds(ceilings)}
}

// DisableFull returns the intervals with those disabled that cannot take the order. ASAP moves to
// the first interval that it may stand for and that takes the order; it is disabled when there is
// none.
func (k *Kitchen) DisableFull(intervals []Interval) []Interval {
	checked := slices.Clone(intervals)
	for n := range checked {
		i := &checked[n]
		if !i.IsASAP() {
			i.Disabled = !k.canTake(*i)
			continue
		}
		soon := k.plan.asapIntervals(k.now)
		at := slices.IndexFunc(soon, k.canTake)
		if i.Disabled = at < 0; !i.Disabled {
			i.Start, i.End = soon[at].Start, soon[at].End
		}
	}
	return checked
}

// First returns the first ordinary interval that takes the order, and false when none does.
func (k *Kitchen) First() (Interval, bool) {
	today := k.plan.Today(k.now)
	for n := range k.plan.daysOffered() {
		for i := range k.plan.dayIntervals(today.Add(n), k.now) {
			if k.canTake(i) {
				return i, true
			}
		}
	}
	return Interval{}, false
}

// canTake reports whether the interval takes the order, a large one together with the intervals
// before it.
func (k *Kitchen) canTake(i Interval) bool {
	if !k.isLarge {
		return FitsAll(k.used[IDOf(i.Start)], k.needs, k.ceilings)
	}
	w, _ := k.plan.Hours.windowFrom(i.Start, k.plan.Zone)
	if !w.Start.Equal(k.window.Start) {
		k.window, k.starts, k.usedAt = w, k.plan.cookableStarts(w, k.now), nil
		for _, start := range k.starts {
			k.usedAt = append(k.usedAt, k.used[IDOf(start)])
		}
	}
	slots := []Minutes{k.used[IDOf(i.Start)]}
	before, _ := slices.BinarySearchFunc(k.starts, i.Start, time.Time.Compare)
	for n := before - 1; n >= 0; n-- {
		slots = append(slots, k.usedAt[n])
	}
	_, fits := spreadWork(slots, k.needs, k.ceilings)
	return fits
}

// EarlierStarts returns when the intervals begin whose free minutes a large order for an interval
// may take besides, in order: those before it in the same unbroken work that begin no earlier than
// now plus cooking, and no earlier than its opening plus cooking.
func (p Plan) EarlierStarts(i Interval, now time.Time) []time.Time {
	w, ok := p.Hours.windowFrom(i.Start, p.Zone)
	if !ok {
		return nil
	}
	starts := p.cookableStarts(w, now)
	before, _ := slices.BinarySearchFunc(starts, i.Start, time.Time.Compare)
	return starts[:before]
}

// cookableStarts returns when the intervals of the unbroken work up to the end of w begin, as far
// as an order made now can be cooked by then.
func (p Plan) cookableStarts(w Window, now time.Time) []time.Time {
	windows := []Window{w}
	for windows[0].Start.After(now) {
		previous, ok := p.Hours.previousTo(windows[0], p.Zone)
		if !ok {
			break
		}
		windows = slices.Insert(windows, 0, previous)
	}
	earliest := windows[0].Start
	if now.After(earliest) {
		earliest = now
	}
	earliest = earliest.Add(time.Duration(p.Cooking) * time.Minute)
	var starts []time.Time
	for _, w := range windows {
		for _, start := range p.gridStarts(w) {
			if !start.Before(earliest) {
				starts = append(starts, start)
			}
		}
	}
	return starts
}

// Reach returns the range of time, half open, in which the intervals begin that decide whether the
// given ones take an order: those that ASAP may stand for among them, and for a large order those
// before. It is empty when none is given.
func (p Plan) Reach(intervals []Interval, now time.Time, large bool) (from, to time.Time) {
	include := func(start time.Time) {
		if from.IsZero() || start.Before(from) {
			from = start
		}
		if !start.Before(to) {
			to = start.Add(time.Millisecond)
		}
	}
	for _, i := range intervals {
		if !i.IsASAP() {
			include(i.Start)
			continue
		}
		for _, soon := range p.asapIntervals(now) {
			include(soon.Start)
		}
	}
	if large && !from.IsZero() {
		if w, ok := p.Hours.windowFrom(from, p.Zone); ok {
			if starts := p.cookableStarts(w, now); len(starts) > 0 {
				include(starts[0])
			}
		}
	}
	return from, to
}

// ReachOfAll is Reach of all intervals that are offered.
func (p Plan) ReachOfAll(now time.Time) (from, to time.Time) {
	today := p.Today(now)
	return clock.At(today, 0, p.Zone), clock.At(today.Add(p.daysOffered()+1), 0, p.Zone)
}
