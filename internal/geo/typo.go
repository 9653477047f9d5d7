package geo

// noMatch is a cost that no match has.
const noMatch = 1 << 20

// typosAllowed returns how many typing errors a word of that length may have.
func typosAllowed(length int) int {
	switch {
	case length >= 8:
		return 2
	case length >= 4:
		return 1
	}
	return 0
}

// countTypos returns the least number of letters inserted, left out, replaced or swapped with their
// neighbour that turn typed into a beginning of word, or, when whole, into word itself. Above limit
// it returns noMatch. Both are keys, that is ASCII for the most part; bytes are compared.
func countTypos(typed, word string, whole bool, limit int) int {
	if len(word) < len(typed)-limit || whole && len(word) > len(typed)+limit {
		return noMatch
	}
	word = word[:min(len(word), len(typed)+limit)]
	if len(word) >= maxWord {
		return noMatch
	}
	var rows [3][maxWord]uint8
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(word) + 1 {
		last[j] = uint8(j)
	}
	for i := 1; i <= len(typed); i++ {
		row[0] = uint8(i)
		least := row[0]
		for j := 1; j <= len(word); j++ {
			cost := uint8(1)
			if typed[i-1] == word[j-1] {
				cost = 0
			}
			d := min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && typed[i-1] == word[j-2] && typed[i-2] == word[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if int(least) > limit {
			return noMatch
		}
		before, last, row = last, row, before
	}
	best := int(last[len(word)])
	if !whole {
		for j := range len(word) + 1 {
			best = min(best, int(last[j]))
		}
	}
	if best > limit {
		return noMatch
	}
	return best
}

// maxWord bounds the words that are compared letter by letter.
const maxWord = 64
