package schedule

import (
	"slices"
	"time"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/site"
)

// AllGroups is the product group that stands for the whole order.
const AllGroups = 0

// Minutes are make-time minutes by product group: what an order needs, what a slot
// has given away, or its ceilings. Key AllGroups is the whole.
type Minutes map[int64]int

// Fits reports whether an order that needs so many minutes may join a slot. One that
// needs more than the whole ceiling fits only into an empty slot.
func Fits(used, need, ceiling int) bool {
	return need <= 0 || used == 0 || used+need <= ceiling
}

// FitsAll reports whether every part of the order fits. A group without a ceiling
// takes any amount.
func FitsAll(used, needs, ceilings Minutes) bool {
	for group, need := range needs {
		if ceiling, limited := ceilings[group]; limited && !Fits(used[group], need, ceiling) {
			return false
		}
	}
	return true
}

// Grey gives the intervals with those disabled that cannot take the order. Used is by
// interval id, as [Used] reads it for what [Plan.Reach] tells. ASAP moves to the first
// interval of the running shift that takes the order; with none it is disabled.
func (p Plan) Grey(intervals []Interval, now time.Time, used map[string]Minutes, needs, ceilings Minutes) []Interval {
	full := func(i Interval) bool { return !FitsAll(used[i.ID], needs, ceilings) }
	grey := slices.Clone(intervals)
	for n := range grey {
		i := &grey[n]
		if !i.IsASAP() {
			i.Disabled = full(*i)
			continue
		}
		soon := slices.DeleteFunc(p.soon(now), full)
		if i.Disabled = len(soon) == 0; !i.Disabled {
			i.Start, i.End = soon[0].Start, soon[0].End
		}
	}
	return grey
}

// Reach gives the stretch of time that all intervals of the day begin in, those that
// ASAP may stand for among them, half open. It is empty when there are none.
func (p Plan) Reach(day clock.Day, now time.Time) (from, to time.Time) {
	all := p.Intervals(day, now)
	if len(all) > 0 && all[0].IsASAP() {
		all = append(all, p.soon(now)...)
	}
	for _, i := range all {
		if from.IsZero() || i.Start.Before(from) {
			from = i.Start
		}
		if i.End.After(to) {
			to = i.End
		}
	}
	return from, to
}

// Notice gives the words for a day on which nothing can be chosen: why the shop does
// not work, that an order made now will not be ready today, or that all is taken. It
// reports false when something can be chosen.
func (p Plan) Notice(today bool, now time.Time, intervals []Interval, orderType site.OrderType) (fault.Message, bool) {
	if slices.ContainsFunc(intervals, func(i Interval) bool { return !i.Disabled }) {
		return fault.Message{}, false
	}
	switch state := p.Hours.StateAt(now, p.Zone); {
	case len(intervals) > 0 && orderType == site.Delivery:
		return fault.Message{Key: "schedule.all_taken_delivery"}, true
	case len(intervals) > 0:
		return fault.Message{Key: "schedule.all_taken"}, true
	case !today:
		return fault.Message{Key: "schedule.closed"}, true
	case state.Open || state.Reason == NotYet:
		return fault.Message{Key: "schedule.not_ready_today"}, true
	default:
		return state.Message(orderType, p.Zone), true
	}
}
