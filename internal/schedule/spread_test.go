package schedule

import (
	"testing"

	"pgregory.net/rapid"
)

// maxPlaceable returns how many minutes of the needs the slots can take at most. It computes them
// as the smallest cut of the flow. For each choice of product groups, the cut is the needs of all
// other groups plus the room that the slots have for the chosen ones.
func maxPlaceable(used []Minutes, needs, ceilings Minutes) int {
	var groups []int64
	rest := needs[AllGroups] // work of groups without a ceiling
	for group, need := range needs {
		if _, limited := ceilings[group]; limited && group != AllGroups {
			groups, rest = append(groups, group), rest-need
		}
	}
	whole, isLimited := ceilings[AllGroups]
	smallest := -1
	for choice := range 1 << (len(groups) + 1) { // a bit for the rest, then one for each group
		cut, isRestChosen := 0, choice&1 != 0
		if !isRestChosen && isLimited {
			cut += rest
		}
		for n, group := range groups {
			if choice>>(n+1)&1 == 0 {
				cut += needs[group]
			}
		}
		for _, taken := range used {
			room := 0
			if isRestChosen && isLimited {
				room = whole - taken[AllGroups]
			}
			for n, group := range groups {
				if choice>>(n+1)&1 != 0 {
					room += ceilings[group] - taken[group]
				}
			}
			if isLimited {
				room = min(room, whole-taken[AllGroups])
			}
			cut += room
		}
		if smallest < 0 || cut < smallest {
			smallest = cut
		}
	}
	return smallest
}

// drawSlots draws slots with used minutes, the needs of an order and ceilings, for up to three
// product groups.
func drawSlots(t *rapid.T) (used []Minutes, needs, ceilings Minutes) {
	groups := rapid.IntRange(0, 3).Draw(t, "groups")
	needs, ceilings = Minutes{}, Minutes{}
	if rapid.IntRange(0, 9).Draw(t, "limited") > 0 {
		ceilings[AllGroups] = rapid.IntRange(1, 60).Draw(t, "ceiling")
	}
	needs[AllGroups] = rapid.IntRange(0, 60).Draw(t, "rest")
	for n := range groups {
		group := int64(11 + n)
		needs[group] = rapid.IntRange(0, 90).Draw(t, "need")
		needs[AllGroups] += needs[group]
		ceilings[group] = rapid.IntRange(0, 50).Draw(t, "ceiling of the group")
	}
	used = make([]Minutes, rapid.IntRange(1, 6).Draw(t, "slots"))
	for slot := range used {
		used[slot] = Minutes{}
		for group, ceiling := range ceilings {
			used[slot][group] = rapid.IntRange(0, ceiling).Draw(t, "used")
		}
	}
	return used, needs, ceilings
}

// sumNeeds returns the minutes of the needs that any ceiling limits.
func sumNeeds(needs, ceilings Minutes) int {
	if _, limited := ceilings[AllGroups]; limited {
		return needs[AllGroups]
	}
	sum := 0
	for group, need := range needs {
		if _, limited := ceilings[group]; limited {
			sum += need
		}
	}
	return sum
}

// Random work is placed exactly when the free minutes suffice. Then all of it is placed, no ceiling
// is exceeded, and the first n slots have as much of it as they can take, for each n.
func TestSpreadWork_usesTheLastFreeMinutes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		used, needs, ceilings := drawSlots(t)
		parts, ok := spreadWork(used, needs, ceilings)
		if want := maxPlaceable(used, needs, ceilings) >= sumNeeds(needs, ceilings); ok != want {
			t.Fatalf("%v into %v of %v: got %v %v, want %v", needs, used, ceilings, parts, ok, want)
		}
		if !ok {
			return
		}
		sum, placed := Minutes{}, 0
		for slot, part := range parts {
			if !FitsAll(used[slot], part, ceilings) {
				t.Fatalf("slot %d of %v takes %v on top of %v", slot, ceilings, part, used[slot])
			}
			for group, minutes := range part {
				sum[group] += minutes
				if group != AllGroups && len(ceilings) > 0 && ceilings[AllGroups] == 0 {
					placed += minutes
				}
			}
			if ceilings[AllGroups] > 0 {
				placed = sum[AllGroups]
			}
			if most := min(maxPlaceable(used[:slot+1], needs, ceilings), sumNeeds(needs, ceilings)); placed != most {
				t.Fatalf("%v into %v of %v: the first %d take %d minutes, they could take %d: %v", needs, used, ceilings, slot+1, placed, most, parts)
			}
		}
		for group, ceiling := range ceilings {
			if ceiling >= 0 && sum[group] != needs[group] {
				t.Fatalf("%v of group %d are placed, %v are needed", sum[group], group, needs[group])
			}
		}
	})
}

// Each case has used minutes, needs, and the minutes expected in each slot; nil when the order
// does not fit.
func TestSpreadWork_countsAMinuteOnceInOneSlot(t *testing.T) {
	t.Parallel()
	const rolls = 11
	ceilings := Minutes{AllGroups: 60, rolls: 40}
	for _, c := range []struct {
		name  string
		used  []Minutes
		needs Minutes
		want  []Minutes
	}{
		{"above the whole", []Minutes{{}, {}}, Minutes{AllGroups: 70}, []Minutes{{AllGroups: 60}, {AllGroups: 10}}},
		{"above a group", []Minutes{{}, {}}, Minutes{AllGroups: 55, rolls: 55}, []Minutes{{AllGroups: 40, rolls: 40}, {AllGroups: 15, rolls: 15}}},
		{
			"one kind makes room for another",
			[]Minutes{{AllGroups: 20, rolls: 0}, {AllGroups: 20, rolls: 40}},
			Minutes{AllGroups: 80, rolls: 40},
			[]Minutes{{AllGroups: 40, rolls: 40}, {AllGroups: 40}},
		},
		{"too much", []Minutes{{}, {AllGroups: 60}}, Minutes{AllGroups: 70}, nil},
	} {
		got, ok := spreadWork(c.used, c.needs, ceilings)
		if ok != (c.want != nil) {
			t.Errorf("%s: %v, %v", c.name, got, ok)
			continue
		}
		for slot := range c.want {
			for _, group := range []int64{AllGroups, rolls} {
				if got[slot][group] != c.want[slot][group] {
					t.Errorf("%s: got %v, want %v", c.name, got, c.want)
				}
			}
		}
	}
}
