package cart_test

import (
	"math/rand/v2"

	"servery/internal/lang"
)

// dice draws the random brands and cases that the two models are compared on.
type dice struct{ *rand.Rand }

// hasChance returns true with a probability of this many percent.
func (d dice) hasChance(percent int) bool { return d.IntN(100) < percent }

// intBetween returns a random number from least to most, both included.
func (d dice) intBetween(least, most int) int { return least + d.IntN(most-least+1) }

// chooseOne returns a random element of the list, which must not be empty.
func chooseOne[T any](d dice, list []T) T { return list[d.IntN(len(list))] }

// chooseSome returns each element of the list with a probability of this many percent, but at
// least one.
func chooseSome[T any](d dice, list []T, percent int) []T {
	var chosen []T
	for _, one := range list {
		if d.hasChance(percent) {
			chosen = append(chosen, one)
		}
	}
	if len(chosen) == 0 {
		return []T{chooseOne(d, list)}
	}
	return chosen
}

// chooseSomeOrNone returns some elements of the list with a probability of this many percent,
// else nil.
func chooseSomeOrNone[T any](d dice, percent int, list []T) []T {
	if !d.hasChance(percent) {
		return nil
	}
	return chooseSome(d, list, 40)
}

// english returns a text of content in English.
func english(text string) lang.Text { return lang.Text{lang.EN: text} }
