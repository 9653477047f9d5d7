package schedule

import (
	"math"
	"slices"
)

// Exceeds reports whether the work is more than one interval takes: more than the ceiling of a product
// group, or than that of all work. Such an order is called large; it may be spread over several
// intervals.
func (m Minutes) Exceeds(ceilings Minutes) bool {
	for group, need := range m {
		if ceiling, isLimited := ceilings[group]; isLimited && need > ceiling {
			return true
		}
	}
	return false
}

// spreadWork distributes the work of a large order over slots, filling the first ones first, and
// returns the minutes that it places in each slot, by group. It reports false when there are too few
// free minutes. used are the minutes that other orders have taken in each slot. A minute of work counts
// in one slot, against the ceiling of its group and against the ceiling of all.
func spreadWork(used []Minutes, needs, ceilings Minutes) ([]Minutes, bool) {
	l := newLayout(used, needs, ceilings)
	for slot := range used {
		for l.whole[slot] > 0 {
			isTried := make([]bool, len(l.kinds))
			placed := l.placeWork(slot, l.whole[slot], isTried)
			if placed == 0 {
				break
			}
			l.whole[slot] -= placed
		}
		if l.isDone() {
			break
		}
	}
	return l.partsBySlot(ceilings), l.isDone()
}

// layout is the state while work is distributed over slots. Work is of kinds: one for each product
// group that has a ceiling, and one for all other work, which only the ceiling of all limits.
type layout struct {
	kinds []int64
	// left are the minutes that are still to be placed, by kind.
	left []int
	// room are the free minutes under the ceiling of a group, by slot and kind; placed are those that
	// were placed. whole are the free minutes under the ceiling of all, by slot.
	room, placed [][]int
	whole        []int
}

// newLayout returns the layout of the work over slots in which used minutes are taken, with nothing
// placed yet.
func newLayout(used []Minutes, needs, ceilings Minutes) *layout {
	l := &layout{}
	unlimited := needs[AllGroups] // work of groups without a ceiling of their own
	for group, need := range needs {
		if _, limited := ceilings[group]; limited && group != AllGroups && need > 0 {
			l.kinds = append(l.kinds, group)
			unlimited -= need
		}
	}
	slices.Sort(l.kinds)
	for _, group := range l.kinds {
		l.left = append(l.left, needs[group])
	}
	_, isLimited := ceilings[AllGroups]
	if isLimited && unlimited > 0 {
		l.kinds, l.left = append(l.kinds, AllGroups), append(l.left, unlimited)
	}
	cells := make([]int, 2*len(used)*len(l.kinds)) // one allocation for all rows
	row := func() []int {
		r := cells[:len(l.kinds):len(l.kinds)]
		cells = cells[len(l.kinds):]
		return r
	}
	for _, taken := range used {
		whole := math.MaxInt // where no ceiling bounds all groups together
		if isLimited {
			whole = max(ceilings[AllGroups]-taken[AllGroups], 0)
		}
		room := row()
		for k, group := range l.kinds {
			room[k] = max(ceilings[group]-taken[group], 0)
		}
		l.whole, l.room, l.placed = append(l.whole, whole), append(l.room, room), append(l.placed, row())
	}
	return l
}

// isDone reports whether no work is left to be placed.
func (l *layout) isDone() bool {
	return !slices.ContainsFunc(l.left, func(left int) bool { return left > 0 })
}

// placeWork puts up to limit minutes of work of one kind into a slot and returns how many; 0 when
// nothing fits.
//
// Work that is placed already may move to another slot, where that makes room for work that fits
// only here: this is an augmenting path of a maximum flow. isTried marks the kinds that the path
// has used, so that it ends.
func (l *layout) placeWork(slot, limit int, isTried []bool) int {
	for kind := range l.kinds {
		n := min(limit, l.room[slot][kind])
		if isTried[kind] || n == 0 {
			continue
		}
		isTried[kind] = true
		if l.left[kind] > 0 {
			n = min(n, l.left[kind])
			l.left[kind] -= n
		} else if n = l.replaceWork(slot, kind, n, isTried); n == 0 { // else it moves from another slot
			continue
		}
		l.room[slot][kind] -= n
		l.placed[slot][kind] += n
		return n
	}
	return 0
}

// replaceWork frees up to limit minutes of a kind, so that they can be placed into the slot: it
// takes them out of one other slot and places work of another kind there instead. It returns how
// many minutes it has freed; 0 when no other slot has work that can be replaced.
func (l *layout) replaceWork(slot, kind, limit int, isTried []bool) int {
	for other := range l.placed {
		if other == slot || l.placed[other][kind] == 0 {
			continue
		}
		if n := l.placeWork(other, min(limit, l.placed[other][kind]), isTried); n > 0 {
			l.room[other][kind] += n
			l.placed[other][kind] -= n
			return n
		}
	}
	return 0
}

// partsBySlot returns, for each slot, the placed minutes of each group. Where a ceiling bounds all groups
// together, their sum is there too, under AllGroups.
func (l *layout) partsBySlot(ceilings Minutes) []Minutes {
	parts := make([]Minutes, len(l.placed))
	for slot, placed := range l.placed {
		parts[slot] = Minutes{}
		for k, n := range placed {
			if n == 0 {
				continue
			}
			if group := l.kinds[k]; group != AllGroups {
				parts[slot][group] = n
			}
			if _, isLimited := ceilings[AllGroups]; isLimited {
				parts[slot][AllGroups] += n
			}
		}
	}
	return parts
}
