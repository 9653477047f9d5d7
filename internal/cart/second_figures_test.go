package cart_test

import (
	"math/big"
	"slices"

	"servery/internal/cart"
)

// Arithmetic.

// minimumText returns a minimum that is not reached and the missing sum, as text to compare.
func minimumText(kind cart.MinimumKind, amount, missing int64) string {
	return string(kind) + " " + big.NewInt(amount).String() + " lacks " + big.NewInt(missing).String()
}

// plusOrMinus returns "+" for a condition that holds, else "-".
func plusOrMinus(holds bool) string {
	if holds {
		return "+"
	}
	return "-"
}

// sumOver returns the sum of value(index, element) over the list.
func sumOver[T any](list []T, value func(int, T) int64) int64 {
	var sum int64
	for i, element := range list {
		sum += value(i, element)
	}
	return sum
}

// valueIf returns the value when the condition holds, else 0.
func valueIf(holds bool, value int64) int64 {
	if holds {
		return value
	}
	return 0
}

// lesser returns the smaller of two numbers.
func lesser(a, b int64) int64 { return slices.Min([]int64{a, b}) }

// roundDown returns the largest whole number that is not above r.
func roundDown(r *big.Rat) int64 {
	return new(big.Int).Div(r.Num(), r.Denom()).Int64() // Euclid's, and the denominator is positive
}

// roundHalfUp returns r rounded to a whole number, a half upwards.
func roundHalfUp(r *big.Rat) int64 { return roundDown(new(big.Rat).Add(r, big.NewRat(1, 2))) }
