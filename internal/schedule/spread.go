package schedule

import (
	"math"
	"slices"
)

// Exceeds reports whether the work is more than a slot may take, because of the ceiling of the
// whole or of a group. Such an order is large: it may be spread over several slots.
func (m Minutes) Exceeds(ceilings Minutes) bool {
	for group, need := range m {
		if ceiling, limited := ceilings[group]; limited && need > ceiling {
			return true
		}
	}
	return false
}

// spreadWork distributes the work of a large order over slots of which used is taken already, the
// first slots first, and returns what it takes of each. It reports false when their free minutes do
// not suffice. A minute of work counts in one slot, against the ceiling of its group and against
// that of the whole.
func spreadWork(used []Minutes, needs, ceilings Minutes) ([]Minutes, bool) {
	l := newLayout(used, needs, ceilings)
	for slot := range used {
		for l.whole[slot] > 0 {
			n := l.placeWork(slot, l.whole[slot], make([]bool, len(l.kinds)))
			if n == 0 {
				break
			}
			l.whole[slot] -= n
		}
		if l.isDone() {
			break
		}
	}
	return l.partsBySlot(ceilings), l.isDone()
}

// layout is work that is being distributed. Work is of kinds: one for each product group that has a
// ceiling, and one for all the rest, which only the ceiling of the whole limits.
type layout struct {
	kinds []int64
	// left is by kind what is still to be placed.
	left []int
	// room is by slot and kind what is free, taken what was placed; whole is by slot what is
	// free of the whole.
	room, taken [][]int
	whole       []int
}

// newLayout returns the layout of the work over slots of which used is taken, with nothing placed
// yet.
func newLayout(used []Minutes, needs, ceilings Minutes) *layout {
	l := &layout{}
	rest := needs[AllGroups]
	for group, need := range needs {
		if _, limited := ceilings[group]; limited && group != AllGroups && need > 0 {
			l.kinds = append(l.kinds, group)
			rest -= need
		}
	}
	slices.Sort(l.kinds)
	for _, group := range l.kinds {
		l.left = append(l.left, needs[group])
	}
	_, isLimited := ceilings[AllGroups]
	if isLimited && rest > 0 {
		l.kinds, l.left = append(l.kinds, AllGroups), append(l.left, rest)
	}
	cells := make([]int, 2*len(used)*len(l.kinds))
	row := func() []int {
		r := cells[:len(l.kinds):len(l.kinds)]
		cells = cells[len(l.kinds):]
		return r
	}
	for _, taken := range used {
		whole := math.MaxInt
		if isLimited {
			whole = max(ceilings[AllGroups]-taken[AllGroups], 0)
		}
		room := row()
		for k, group := range l.kinds {
			room[k] = max(ceilings[group]-taken[group], 0)
		}
		l.whole, l.room, l.taken = append(l.whole, whole), append(l.room, room), append(l.taken, row())
	}
	return l
}

func (l *layout) isDone() bool {
	return !slices.ContainsFunc(l.left, func(left int) bool { return left > 0 })
}

// placeWork puts at most this many minutes of work into a slot and returns how many it has put
// there. Where a kind has nothing left, its work of another slot moves over and makes room there
// for a kind not seen yet: an augmenting path of a maximum flow.
func (l *layout) placeWork(slot, most int, seen []bool) int {
	for kind := range l.kinds {
		n := min(most, l.room[slot][kind])
		if seen[kind] || n == 0 {
			continue
		}
		seen[kind] = true
		if l.left[kind] > 0 {
			n = min(n, l.left[kind])
			l.left[kind] -= n
		} else if n = l.replaceWork(slot, kind, n, seen); n == 0 {
			continue
		}
		l.room[slot][kind] -= n
		l.taken[slot][kind] += n
		return n
	}
	return 0
}

// replaceWork puts other work in the place of at most this many minutes of a kind, in a slot other
// than the given one, and returns how many it has replaced.
func (l *layout) replaceWork(slot, kind, most int, seen []bool) int {
	for other := range l.taken {
		if other == slot || l.taken[other][kind] == 0 {
			continue
		}
		if n := l.placeWork(other, min(most, l.taken[other][kind]), seen); n > 0 {
			l.room[other][kind] += n
			l.taken[other][kind] -= n
			return n
		}
	}
	return 0
}

// partsBySlot returns by slot what was placed, in the form in which slots are counted.
func (l *layout) partsBySlot(ceilings Minutes) []Minutes {
	parts := make([]Minutes, len(l.taken))
	for slot, taken := range l.taken {
		parts[slot] = Minutes{}
		for k, n := range taken {
			if n == 0 {
				continue
			}
			if group := l.kinds[k]; group != AllGroups {
				parts[slot][group] = n
			}
			if _, limited := ceilings[AllGroups]; limited {
				parts[slot][AllGroups] += n
			}
		}
	}
	return parts
}
