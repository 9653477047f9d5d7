package cart_test

import (
	"math/rand/v2"

	"servery/internal/lang"
)

// dice makes everything up.
type dice struct{ *rand.Rand }

func (d dice) chance(percent int) bool { return d.IntN(100) < percent }

func (d dice) from(least, most int) int { return least + d.IntN(most-least+1) }

func oneOf[T any](d dice, list []T) T { return list[d.IntN(len(list))] }

// some returns each of the list with the chance, but never none.
func some[T any](d dice, list []T, percent int) []T {
	var chosen []T
	for _, one := range list {
		if d.chance(percent) {
			chosen = append(chosen, one)
		}
	}
	if len(chosen) == 0 {
		return []T{oneOf(d, list)}
	}
	return chosen
}

// sometimes returns some of the list, or none.
func sometimes[T any](d dice, percent int, list []T) []T {
	if !d.chance(percent) {
		return nil
	}
	return some(d, list, 40)
}

func text(of string) lang.Text { return lang.Text{lang.EN: of} }
