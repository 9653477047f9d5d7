package geo

import "iter"

// noMatch is a cost that no match has.
const noMatch = 1 << 20

// maxWord bounds the words that are compared letter by letter.
const maxWord = 64

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

// typosIn yields the index of each of the sorted words that typed may mean, with the number of typing
// errors, at most limit. With isWhole typed stands for the whole word, else for its beginning. A typing
// error is a letter inserted, left out, replaced or swapped with its neighbour. It yields nothing for a
// typed word of 64 bytes or more. Bytes are compared, because all are keys in Latin letters.
//
// It is the edit distance of Damerau and Levenshtein, with one row for each letter of a word. Words that
// begin alike share their first rows, and a beginning with too many errors is left once for all of them.
func typosIn(words []string, typed string, isWhole bool, limit int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		if len(typed) >= maxWord {
			return
		}
		t := &typoTable{typed: typed, limit: limit}
		for i := range len(typed) + 1 {
			t.rows[0][i] = uint8(i)
		}
		t.best[0] = len(typed)
		for i, word := range words {
			if typos := t.count(word, isWhole); typos <= limit && !yield(i, typos) {
				return
			}
		}
	}
}

// typoTable has the rows of the word that was compared last.
type typoTable struct {
	typed string
	limit int
	word  string
	// depth is for how many letters of word there are rows. With isDead all that begins with them has too
	// many errors.
	depth  int
	isDead bool
	rows   [maxWord + 1][maxWord]uint8
	// best are the errors between the whole typed word and the best beginning of word up to each letter.
	best [maxWord + 1]int
}

// count returns the number of typing errors between typed and word, or without isWhole between typed and
// the best beginning of word. It returns noMatch for more than the limit.
func (t *typoTable) count(word string, isWhole bool) int {
	shared := 0
	for shared < min(t.depth, len(word)) && word[shared] == t.word[shared] {
		shared++
	}
	if !t.isDead || shared < t.depth { // else the word begins with too many errors, like the one before
		t.word, t.depth, t.isDead = word, shared, false
		for t.depth < min(len(word), maxWord) && !t.isDead {
			t.addRow()
		}
	}
	typos := t.best[t.depth]
	if isWhole {
		if t.isDead || t.depth < len(word) {
			return noMatch
		}
		typos = int(t.rows[t.depth][len(t.typed)])
	}
	if typos > t.limit {
		return noMatch
	}
	return typos
}

// addRow adds the row of the next letter of the word.
func (t *typoTable) addRow() {
	letter := t.word[t.depth]
	t.depth++
	before, row := &t.rows[t.depth-1], &t.rows[t.depth]
	row[0] = uint8(t.depth)
	least := row[0]
	for i := 1; i <= len(t.typed); i++ {
		cost := uint8(1)
		if t.typed[i-1] == letter {
			cost = 0
		}
		errors := min(before[i]+1, row[i-1]+1, before[i-1]+cost)
		if isSwap := i > 1 && t.depth > 1 && t.typed[i-2] == letter && t.typed[i-1] == t.word[t.depth-2]; isSwap {
			errors = min(errors, t.rows[t.depth-2][i-2]+1)
		}
		row[i] = errors
		least = min(least, errors)
	}
	t.isDead = int(least) > t.limit
	t.best[t.depth] = min(t.best[t.depth-1], int(row[len(t.typed)]))
}
