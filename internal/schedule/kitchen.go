package schedule

import (
	"time"

	"servery/internal/clock"
	"servery/internal/fault"
)

// Kitchen has the pause and the busy times of a kitchen, for orders of one type. The zero value has
// none. It is never changed once it is in use, so it may be shared.
type Kitchen struct {
	// PausedUntil is when a paused kitchen begins to work again; zero for one that is not paused.
	PausedUntil time.Time
	// Busy are the times in which work takes longer, in any order.
	Busy []Busy
}

// Busy says that work which begins before Until takes Minutes longer.
type Busy struct {
	Minutes int
	Until   time.Time
}

// IsPaused reports whether the kitchen takes no work at the instant.
func (k Kitchen) IsPaused(now time.Time) bool { return now.Before(k.PausedUntil) }

// Delay returns how much longer work that begins at start takes: the greatest Minutes of all busy times
// that have not ended by then.
func (k Kitchen) Delay(start time.Time) time.Duration {
	minutes := 0
	for _, busy := range k.Busy {
		if start.Before(busy.Until) {
			minutes = max(minutes, busy.Minutes)
		}
	}
	return time.Duration(minutes) * time.Minute
}

// DelayUntil returns until when the delay stays as it is at now: the first end of a busy time that
// has not ended yet; zero when there is no busy time.
func (k Kitchen) DelayUntil(now time.Time) time.Time {
	var until time.Time
	for _, busy := range k.Busy {
		if now.Before(busy.Until) && (until.IsZero() || busy.Until.Before(until)) {
			until = busy.Until
		}
	}
	return until
}

// StateAt returns the state of a shop with the hours at the instant: that of its hours, or
// [Paused] where it would be open.
func (k Kitchen) StateAt(h Hours, now time.Time, loc *time.Location) State {
	state := h.StateAt(now, loc)
	if !state.Open || !k.IsPaused(now) {
		return state
	}
	ends := k.PausedUntil
	if !state.ClosesAt.IsZero() && state.ClosesAt.Before(ends) {
		ends = state.ClosesAt // from then on it is closed by its hours
	}
	return State{Reason: Paused, OpensAt: h.OpenFrom(k.PausedUntil, loc), since: now, pauseEnds: ends}
}

// PauseMessage returns the message that no orders are taken now, for a customer who chooses a time. It
// names the end of the pause or, if the shop is closed then, its next opening. PauseMessage reports
// false for a kitchen that is not paused.
func (p Plan) PauseMessage(now time.Time) (fault.Message, bool) {
	if !p.Kitchen.IsPaused(now) {
		return fault.Message{}, false
	}
	until := p.Hours.OpenFrom(p.Kitchen.PausedUntil, p.Zone)
	return untilMessage(until, now, p.Zone, "schedule.pause_notice", "schedule.pause_notice_until", "schedule.pause_notice_until_date"), true
}

// pausedMessage returns the message that a shop takes no orders until an instant.
func pausedMessage(until, now time.Time, loc *time.Location) fault.Message {
	return untilMessage(until, now, loc, "schedule.paused", "schedule.paused_until", "schedule.paused_until_date")
}

// untilMessage returns a message that names an instant. Its key is onClock for an instant of today,
// onDate for one of another date, and without for the zero time.
func untilMessage(until, now time.Time, loc *time.Location, without, onClock, onDate string) fault.Message {
	if until.IsZero() {
		return fault.Message{Key: without}
	}
	args := fault.Args{"time": FormatClock(clock.MinuteOf(until, loc))}
	if clock.DayOf(until, loc) == clock.DayOf(now, loc) {
		return fault.Message{Key: onClock, Args: args}
	}
	args["date"] = clock.DayOf(until, loc)
	return fault.Message{Key: onDate, Args: args}
}

// CheckPause returns the fault of [Plan.pauseFault] for an interval that falls in the pause of the
// kitchen: it begins before the end of the pause, or is 'as soon as possible'. It returns nil for any
// other interval, even when too little time is left to cook after the pause, because it checks
// intervals that are reserved already.
func (p Plan) CheckPause(i Interval, now time.Time) error {
	isInPause := i.IsASAP() || i.Start.Before(p.Kitchen.PausedUntil)
	if p.Kitchen.IsPaused(now) && isInPause {
		return p.pauseFault(now)
	}
	return nil
}

// pauseFault returns the fault of a paused kitchen: Conflict, with the message of [Plan.PauseMessage].
func (p Plan) pauseFault(now time.Time) error {
	message, _ := p.PauseMessage(now)
	return fault.New(fault.Conflict, message.Key, fault.With(message.Args))
}

// withoutPause returns the plan as it is when the kitchen is not paused.
func (p Plan) withoutPause() Plan {
	p.Kitchen.PausedUntil = time.Time{}
	return p
}

// markPaused returns the intervals of a day that the plan has without the pause of the kitchen. Those
// that the pause takes away are disabled and marked.
func (p Plan) markPaused(day clock.Day, now time.Time) []Interval {
	offered := map[time.Time]bool{}
	for i := range p.dayIntervals(day, now) {
		offered[i.Start] = true
	}
	var marked []Interval
	for i := range p.withoutPause().dayIntervals(day, now) {
		i.IsPaused = !offered[i.Start]
		i.Disabled = i.IsPaused
		marked = append(marked, i)
	}
	return marked
}
