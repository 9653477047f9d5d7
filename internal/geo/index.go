package geo

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// What a match costs; the cheapest comes first.
const (
	costExact  = 0
	costPrefix = 2
	costTypo   = 8 // for each typing error
	costKind   = 3 // "улица" was typed, and it is a "проспект"
	costExtra  = 1 // for each word of the name that was not typed
)

const (
	// minWhole is from how many letters on the beginning of a word stands for it where whole words are
	// asked for.
	minWhole = 3
	// maxMatching is how many streets findStreets returns at most.
	maxMatching = 64
)

// index finds the streets of one place by the words of their names, in any language.
type index struct {
	place   Place
	streets []Street
	entries []entry // of streets, in the same order
	keys    []string
	// streetsOf are, for each of keys, the indexes of the streets whose names have that key.
	streetsOf [][]int32
	// places are the keys of the names of the city, its country and its districts, which name no street.
	places map[string]bool
}

// entry is what choosing between streets needs.
type entry struct {
	kinds kind
	words int // of the name without its kind, in the language that has the fewest
}

// newIndex returns the index of the streets of a place.
func newIndex(place Place) *index {
	x := &index{place: place, streets: place.Streets, entries: make([]entry, len(place.Streets)), places: map[string]bool{}}
	byKey := map[string][]int32{}
	for i := range x.streets {
		info := &x.entries[i]
		for _, name := range x.streets[i].Name {
			count := 0
			for _, key := range wordKeys(name) {
				byKey[key] = append(byKey[key], int32(i))
				if kinds := streetKindsOf(key); kinds != 0 {
					info.kinds |= kinds
				} else {
					count++
				}
			}
			if info.words == 0 || count < info.words {
				info.words = count
			}
		}
	}
	for key := range byKey {
		x.keys = append(x.keys, key)
	}
	slices.Sort(x.keys)
	for _, key := range x.keys {
		x.streetsOf = append(x.streetsOf, slices.Compact(byKey[key])) // a street may have the word in two languages
	}
	x.addPlaces(byKey)
	return x
}

// addPlaces stores the keys of the names of the city, its country and its districts in x.places, except
// those that also name a street. byKey has the streets by the keys of their names.
func (x *index) addPlaces(byKey map[string][]int32) {
	names := slices.Concat(slices.Collect(maps.Values(x.place.Name)), slices.Collect(maps.Values(x.place.Country)))
	for i := range x.streets {
		for _, name := range x.streets[i].District {
			names = append(names, name)
		}
	}
	for _, name := range names {
		for _, key := range wordKeys(name) {
			if _, isStreet := byKey[key]; !isStreet {
				x.places[key] = true
			}
		}
	}
}

// streetKindsOf returns the kinds of street that the word with this key stands for, such as lane or
// square. It is 0 for any other word, also for ignored words such as "house".
func streetKindsOf(key string) kind {
	return kinds[key] &^ kindOther // kinds are bits, and kindOther is no street
}

// isOf reports whether the index was made of the streets of this place. Content replaces streets
// as a whole, so it is enough to compare the pointers to the first street.
func (x *index) isOf(p Place) bool {
	return len(p.Streets) == len(x.streets) && (len(p.Streets) == 0 || &p.Streets[0] == &x.streets[0])
}

// wholeWords and wordBeginnings say whether the words that were typed are complete.
const wholeWords, wordBeginnings = true, false

// exactly and withTypos say whether a word may have typing errors.
const exactly, withTypos = false, true

// findStreets returns up to 64 streets whose names have all the typed words, the best match
// first. isWhole, wholeWords or wordBeginnings, says whether a word must be complete; a word of
// three letters or more may always be the beginning of a longer one. Matches with typing errors
// are left out when there is one without.
func (x *index) findStreets(typed reading, isWhole bool) []*Street {
	costs := x.matchWords(typed.words, isWhole, exactly)
	if len(costs) == 0 {
		costs = x.matchWords(typed.words, isWhole, withTypos)
	}
	found := make([]int32, 0, len(costs))
	for street := range costs {
		e := x.entries[street]
		if typed.kinds != 0 && e.kinds&typed.kinds == 0 {
			costs[street] += costKind
		}
		costs[street] += costExtra * max(0, e.words-len(typed.words))
		found = append(found, street)
	}
	slices.SortFunc(found, func(a, b int32) int { return cmp.Or(cmp.Compare(costs[a], costs[b]), cmp.Compare(a, b)) })
	streets := make([]*Street, 0, min(len(found), maxMatching))
	for _, street := range found[:min(len(found), maxMatching)] {
		streets = append(streets, &x.streets[street])
	}
	return streets
}

// findSpelled returns the streets whose whole names were typed, letter for letter in one of their
// languages; only the kind of street may be left out.
func (x *index) findSpelled(typed reading) []*Street {
	var streets []*Street
	for street, cost := range x.matchWords(typed.words, wholeWords, exactly) {
		e := x.entries[street]
		if cost == costExact && e.words <= len(typed.words) && (typed.kinds == 0 || e.kinds&typed.kinds != 0) {
			streets = append(streets, &x.streets[street])
		}
	}
	return streets
}

// matchWords returns the indexes of the streets whose names have all the words, each with the cost of
// its best match. isWhole and allowsTypos have the same meaning as in matchWord.
func (x *index) matchWords(words []string, isWhole, allowsTypos bool) map[int32]int {
	isUnknown := func(word string) bool {
		return typosAllowed(len(word)) == 0 && len(x.matchWord(word, isWhole, exactly)) == 0
	}
	if allowsTypos && slices.ContainsFunc(words, isUnknown) {
		return nil // no street has all the words, so the slow comparison of longer words is left out
	}
	var costs map[int32]int
	for _, word := range words {
		costsOfWord := x.matchWord(word, isWhole, allowsTypos)
		if costs == nil {
			costs = costsOfWord
			continue
		}
		for street, cost := range costs {
			if added, ok := costsOfWord[street]; ok {
				costs[street] = cost + added
			} else {
				delete(costs, street)
			}
		}
	}
	return costs
}

// matchWord returns the indexes of the streets whose names have the word, each with the cost of
// its best match. Without isWhole the word may be the beginning of a longer one; a word of three
// letters or more always may. With allowsTypos longer words may have typing errors.
func (x *index) matchWord(word string, isWhole, allowsTypos bool) map[int32]int {
	costs := map[int32]int{}
	add := func(key, cost int) {
		for _, street := range x.streetsOf[key] {
			if before, ok := costs[street]; !ok || cost < before {
				costs[street] = cost
			}
		}
	}
	first, _ := slices.BinarySearch(x.keys, word)
	for i := first; i < len(x.keys) && strings.HasPrefix(x.keys[i], word); i++ {
		switch {
		case x.keys[i] == word:
			add(i, costExact)
		case !isWhole || len(word) >= minWhole:
			add(i, costPrefix)
		}
	}
	maxTypos := typosAllowed(len(word))
	if maxTypos == 0 || !allowsTypos {
		return costs
	}
	for i, typos := range typosIn(x.keys, word, isWhole, maxTypos) {
		if typos > 0 { // a word without any was added above
			add(i, typos*costTypo)
		}
	}
	return costs
}
