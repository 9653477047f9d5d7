package geo

import (
	"cmp"
	"slices"
	"strings"
)

// What a match costs; the cheapest comes first.
const (
	costExact   = 0
	costPrefix  = 2
	costTypo    = 8 // for each typing error
	costKind    = 3 // "улица" was typed, and it is a "проспект"
	costExtra   = 1 // for each word of the name that was not typed
	minWhole    = 3 // letters from which the beginning of a word names it
	maxMatching = 64
)

// index finds the streets of one place by the words of their names in any language.
type index struct {
	place   Place
	streets []Street
	entries []entry // of streets, in the same order
	keys    []string
	// streetsOf are the streets whose names have the key at the same place of keys.
	streetsOf [][]int32
	// places are keys of names that only say where something is.
	places map[string]bool
}

// entry is what choosing between streets needs.
type entry struct {
	kinds kind
	words int // of the name without its kind, in the language that has the fewest
}

// newIndex indexes the streets of a place.
func newIndex(place Place) *index {
	x := &index{place: place, streets: place.Streets, entries: make([]entry, len(place.Streets)), places: map[string]bool{}}
	byKey := map[string][]int32{}
	for i := range x.streets {
		e := &x.entries[i]
		for _, name := range x.streets[i].Name {
			count := 0
			for _, key := range wordKeys(name) {
				byKey[key] = append(byKey[key], int32(i))
				if k := kindOf(key); k != 0 {
					e.kinds |= k
				} else {
					count++
				}
			}
			if e.words == 0 || count < e.words {
				e.words = count
			}
		}
	}
	for key := range byKey {
		x.keys = append(x.keys, key)
	}
	slices.Sort(x.keys)
	for _, key := range x.keys {
		x.streetsOf = append(x.streetsOf, slices.Compact(byKey[key]))
	}
	x.addPlaces(byKey)
	return x
}

// addPlaces adds the names of the city and its districts, apart from words that name a street too.
func (x *index) addPlaces(byKey map[string][]int32) {
	names := []string{}
	for _, name := range x.place.Name {
		names = append(names, name)
	}
	for i := range x.streets {
		for _, name := range x.streets[i].District {
			names = append(names, name)
		}
	}
	for _, name := range names {
		for _, key := range wordKeys(name) {
			if _, street := byKey[key]; !street {
				x.places[key] = true
			}
		}
	}
}

// kindOf returns the kind of street that a word names, 0 when it names none.
func kindOf(key string) kind {
	if k, ok := kinds[key]; ok {
		return k &^ kindOther
	}
	return 0
}

// isOf reports whether the index was made of that very place.
func (x *index) isOf(p Place) bool {
	return len(p.Streets) == len(x.streets) && (len(p.Streets) == 0 || &p.Streets[0] == &x.streets[0])
}

// findStreets returns the streets that have all the words, the best match first. In a whole text
// each word is complete; else any may be a beginning.
func (x *index) findStreets(t reading, whole bool) []*Street {
	var costs map[int32]int
	for _, word := range t.words {
		matched := x.matchWord(word, whole)
		if costs == nil {
			costs = matched
			continue
		}
		for street, cost := range costs {
			if more, ok := matched[street]; ok {
				costs[street] = cost + more
			} else {
				delete(costs, street)
			}
		}
	}
	found := make([]int32, 0, len(costs))
	for street := range costs {
		e := x.entries[street]
		if t.kinds != 0 && e.kinds&t.kinds == 0 {
			costs[street] += costKind
		}
		costs[street] += costExtra * max(0, e.words-len(t.words))
		found = append(found, street)
	}
	slices.SortFunc(found, func(a, b int32) int { return cmp.Or(cmp.Compare(costs[a], costs[b]), cmp.Compare(a, b)) })
	streets := make([]*Street, 0, min(len(found), maxMatching))
	for _, street := range found[:min(len(found), maxMatching)] {
		// A match with typos is only worth showing when nothing was spelled right.
		if costs[street] >= costTypo && costs[found[0]] < costTypo {
			break
		}
		streets = append(streets, &x.streets[street])
	}
	return streets
}

// matchWord returns the streets that have the word, with the cost of it.
func (x *index) matchWord(word string, whole bool) map[int32]int {
	costs := map[int32]int{}
	add := func(key, cost int) {
		for _, street := range x.streetsOf[key] {
			if had, ok := costs[street]; !ok || cost < had {
				costs[street] = cost
			}
		}
	}
	first, _ := slices.BinarySearch(x.keys, word)
	for i := first; i < len(x.keys) && strings.HasPrefix(x.keys[i], word); i++ {
		switch {
		case x.keys[i] == word:
			add(i, costExact)
		case !whole || len(word) >= minWhole:
			add(i, costPrefix)
		}
	}
	limit := typosAllowed(len(word))
	if limit == 0 {
		return costs
	}
	for i, key := range x.keys {
		if n := countTypos(word, key, whole, limit); n > 0 && n <= limit {
			add(i, n*costTypo)
		}
	}
	return costs
}
