package schedule

import (
	"slices"
	"time"

	"servery/internal/fault"
	"servery/internal/site"
)

// AllGroups is the product group that stands for the whole order.
const AllGroups = 0

// Minutes are minutes of kitchen work by product group: those that an order needs, those taken in an
// interval, or its ceilings. The key AllGroups has the work of all groups together.
type Minutes map[int64]int

// Fits reports whether an order that needs this many minutes of work has room in an interval in
// which used minutes are taken. An order that needs no minutes always has room.
func Fits(used, needed, ceiling int) bool { return needed <= 0 || used+needed <= ceiling }

// FitsAll reports whether an order that needs these minutes has room in an interval: under the
// ceiling of each product group, and under that of all groups together ([AllGroups]). used are the
// minutes that other orders take there. A group without a ceiling takes any amount.
func FitsAll(used, needs, ceilings Minutes) bool {
	for group, need := range needs {
		if ceiling, isLimited := ceilings[group]; isLimited && !Fits(used[group], need, ceiling) {
			return false
		}
	}
	return true
}

// Notice returns the message for a day and reports whether none of its intervals can be chosen. Then the
// message says why: the shop does not work, an order made now will not be ready today, all intervals are
// full, or the kitchen is paused. Otherwise it is empty, or about a pause that takes some intervals away.
// intervals are those of the day; those that cannot be chosen are disabled.
func (p Plan) Notice(isToday bool, now time.Time, intervals []Interval, orderType site.OrderType) (fault.Message, bool) {
	isNone := !slices.ContainsFunc(intervals, func(i Interval) bool { return !i.Disabled })
	if p.isPauseSeen(isToday, now, intervals) {
		message, _ := p.PauseMessage(now)
		return message, isNone
	}
	if !isNone {
		return fault.Message{}, false
	}
	switch state := p.Hours.StateAt(now, p.Zone); {
	case len(intervals) > 0 && orderType == site.Delivery:
		return fault.Message{Key: "schedule.all_taken_delivery"}, true
	case len(intervals) > 0:
		return fault.Message{Key: "schedule.all_taken"}, true
	case !isToday:
		return fault.Message{Key: "schedule.closed"}, true
	case state.Open || state.Reason == NotYet:
		return fault.Message{Key: "schedule.not_ready_today"}, true
	default:
		return state.Message(orderType, p.Zone), true
	}
}

// isPauseSeen reports whether a pause of the kitchen takes intervals of a day away: one of those listed,
// or 'as soon as possible' of today.
func (p Plan) isPauseSeen(isToday bool, now time.Time, intervals []Interval) bool {
	return slices.ContainsFunc(intervals, func(i Interval) bool { return i.IsPaused }) ||
		isToday && p.Kitchen.IsPaused(now) && p.Hours.StateAt(now, p.Zone).Open
}
