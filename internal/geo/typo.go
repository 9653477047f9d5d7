package geo

// noMatch is a cost that no match has.
const noMatch = 1 << 20

// typosAllowed returns how many typing errors a word of this length may have: none below four
// letters, one below eight, else two.
func typosAllowed(length int) int {
	switch {
	case length >= 8:
		return 2
	case length >= 4:
		return 1
	}
	return 0
}

// countTypos returns how many typing errors turn word, or without isWhole any beginning of it,
// into typed. A typing error is a letter inserted, left out, replaced or swapped with its
// neighbour. It returns noMatch for more than limit errors, and for words of 64 bytes or more.
// Bytes are compared, because both are keys in Latin letters.
//
// It is the edit distance of Damerau and Levenshtein, of which three rows are kept.
func countTypos(typed, word string, isWhole bool, limit int) int {
	if len(word) < len(typed)-limit || isWhole && len(word) > len(typed)+limit {
		return noMatch
	}
	word = word[:min(len(word), len(typed)+limit)] // a longer beginning has more errors than limit
	if len(word) >= maxWord {
		return noMatch
	}
	var rows [3][maxWord]uint8
	rowBeforeLast, lastRow, row := &rows[0], &rows[1], &rows[2]
	for j := range len(word) + 1 {
		lastRow[j] = uint8(j)
	}
	for i := 1; i <= len(typed); i++ {
		row[0] = uint8(i)
		leastOfRow := row[0]
		for j := 1; j <= len(word); j++ {
			cost := uint8(1)
			if typed[i-1] == word[j-1] {
				cost = 0
			}
			errors := min(lastRow[j]+1, row[j-1]+1, lastRow[j-1]+cost)
			if isSwap := i > 1 && j > 1 && typed[i-1] == word[j-2] && typed[i-2] == word[j-1]; isSwap {
				errors = min(errors, rowBeforeLast[j-2]+1)
			}
			row[j] = errors
			leastOfRow = min(leastOfRow, errors)
		}
		if int(leastOfRow) > limit {
			return noMatch
		}
		rowBeforeLast, lastRow, row = lastRow, row, rowBeforeLast
	}
	best := int(lastRow[len(word)])
	if !isWhole {
		for j := range len(word) + 1 {
			best = min(best, int(lastRow[j]))
		}
	}
	if best > limit {
		return noMatch
	}
	return best
}

// maxWord bounds the words that are compared letter by letter.
const maxWord = 64
