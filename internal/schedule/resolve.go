package schedule

import (
	"slices"
	"time"

	"servery/internal/clock"
	"servery/internal/fault"
)

// Resolve returns the ordinary intervals that an id may stand for, the preferred one first: for
// ASAP those that are left before the shop next closes, else the one that the id names.
//
// Faults: schedule.unknown_interval (NotFound) when no interval can have the id;
// schedule.closed, schedule.past, schedule.too_soon, schedule.not_ready_today and schedule.pause_notice
// (Conflict) when the interval cannot be ordered now.
func (p Plan) Resolve(id string, now time.Time) ([]Interval, error) {
	if id == ASAP {
		return p.resolveASAP(now)
	}
	start, err := time.Parse(time.RFC3339, id)
	if err != nil || IDOf(start) != id || !p.isOnGrid(start) {
		return nil, fault.New(fault.NotFound, "schedule.unknown_interval")
	}
	if start.Before(now.Add(p.leadAt(now))) {
		return nil, fault.New(fault.Conflict, "schedule.past")
	}
	return p.resolveStart(start, now)
}

// resolveASAP returns the intervals that 'as soon as possible' may stand for, in order. Faults, both
// Conflict: schedule.closed; while the shop is open, schedule.pause_notice for a paused kitchen and
// schedule.not_ready_today when it is too late.
func (p Plan) resolveASAP(now time.Time) ([]Interval, error) {
	if soon := slices.Collect(p.asapIntervals(now)); len(soon) > 0 {
		return soon, nil
	}
	switch isOpen := p.Hours.StateAt(now, p.Zone).Open; {
	case isOpen && p.Kitchen.IsPaused(now):
		return nil, p.pauseFault(now)
	case isOpen:
		return nil, fault.New(fault.Conflict, "schedule.not_ready_today")
	}
	return nil, fault.New(fault.Conflict, "schedule.closed")
}

// resolveStart returns a list of the one interval that begins at start, if it can be ordered
// now. Its shift may have begun on the date before. Faults: schedule.too_soon, schedule.pause_notice and
// schedule.closed (Conflict); schedule.unknown_interval (NotFound) for a day that is not offered
// yet.
func (p Plan) resolveStart(start, now time.Time) ([]Interval, error) {
	date := clock.DayOf(start, p.Zone)
	today := p.Today(now)
	for _, day := range [...]clock.Day{date.Add(-1), date} {
		if ahead := today.DaysUntil(day); ahead < 0 || ahead >= p.DaysOffered() {
			continue
		}
		for w := range p.Hours.WindowsOn(day, p.Zone) {
			if !w.Contains(start) {
				continue
			}
			for _, i := range p.grid(w) {
				switch {
				case !i.Start.Equal(start): // another interval
				case start.Before(p.earliestHandover(w, now)):
					if p.Kitchen.IsPaused(now) && !start.Before(p.withoutPause().earliestHandover(w, now)) {
						return nil, p.pauseFault(now)
					}
					return nil, fault.New(fault.Conflict, "schedule.too_soon")
				default:
					return []Interval{i.Interval}, nil
				}
			}
		}
	}
	if today.DaysUntil(date) >= p.DaysOffered() {
		return nil, fault.New(fault.NotFound, "schedule.unknown_interval")
	}
	return nil, fault.New(fault.Conflict, "schedule.closed")
}

// isOnGrid reports whether any interval could begin at the instant. Intervals begin at whole
// multiples of their length after the midnight of a date, or in a night shift after that of the
// date before.
func (p Plan) isOnGrid(start time.Time) bool {
	minute, length := clock.MinuteOf(start, p.Zone), p.intervalLength()
	return start.Second() == 0 && (minute%length == 0 || (minute+clock.MinutesPerDay)%length == 0)
}
