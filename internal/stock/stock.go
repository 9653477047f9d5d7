// Package stock counts scarce things: uses of a promocode, gifts that run out, presents,
// what each phone gets once. A holder takes things inside the transaction that makes its
// order and has them until a deadline, for good, or gives them back. The database itself
// refuses to exceed a limit (decision 0026).
package stock

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Kind is what sort of thing is counted. The set is closed; the values are stored.
type Kind string

// The kinds of thing.
const (
	// Promocode counts the uses of a code, PromocodePhone those of one phone.
	Promocode      Kind = "promocode"
	PromocodePhone Kind = "promocode_phone"
	// Gift counts what is given of a gift to everybody.
	Gift Kind = "gift"
	// Present counts what a customer took of his present.
	Present Kind = "present"
	// FirstOrder counts what a phone gets with its first order only.
	FirstOrder Kind = "first_order"
)

// Thing is what is counted.
type Thing struct {
	Site string `json:"site"`
	Kind Kind   `json:"kind"`
	ID   int64  `json:"id"`
	// Scope is the mark of a phone ([phone.Marks]) where each has a count of its own, else
	// empty.
	Scope string `json:"scope,omitempty"`
}

// Want is how many of a thing are to be taken. All that are used and held may be Limit at
// most, these included.
type Want struct {
	Thing
	Count, Limit int
}

// taken is how many of each thing.
type taken map[Thing]int

// summed gives how many are wanted of each thing, and the lowest limit of each.
func summed(wants []Want) (taken, map[Thing]int) {
	counts, limits := taken{}, map[Thing]int{}
	for _, w := range wants {
		if w.Count <= 0 {
			continue
		}
		limit, again := limits[w.Thing]
		if !again || w.Limit < limit {
			limits[w.Thing] = w.Limit
		}
		counts[w.Thing] += w.Count
	}
	return counts, limits
}

// changes gives how many more of each thing there are to be, and less below zero.
func (t taken) changes(to taken) taken {
	changes := taken{}
	for thing, count := range to {
		changes[thing] = count
	}
	for thing, count := range t {
		changes[thing] -= count
	}
	maps.DeleteFunc(changes, func(_ Thing, change int) bool { return change == 0 })
	return changes
}

// things gives the things in the one order in which all transactions touch them, so that
// no two wait for each other.
func (t taken) things() []Thing {
	return slices.SortedFunc(maps.Keys(t), func(a, b Thing) int {
		return cmp.Or(strings.Compare(a.Site, b.Site), strings.Compare(string(a.Kind), string(b.Kind)),
			cmp.Compare(a.ID, b.ID), strings.Compare(a.Scope, b.Scope))
	})
}
