package cart_test

import (
	"math/big"
	"slices"

	"servery/internal/cart"
)

// Arithmetic.

func minimumText(kind cart.MinimumKind, amount, missing int64) string {
	return string(kind) + " " + big.NewInt(amount).String() + " lacks " + big.NewInt(missing).String()
}

func yesNo(holds bool) string {
	if holds {
		return "+"
	}
	return "-"
}

func sumOver[T any](list []T, of func(int, T) int64) int64 {
	var sum int64
	for i, one := range list {
		sum += of(i, one)
	}
	return sum
}

func when(holds bool, v int64) int64 {
	if holds {
		return v
	}
	return 0
}

func least(a, b int64) int64 { return slices.Min([]int64{a, b}) }

func floor(r *big.Rat) int64 {
	return new(big.Int).Div(r.Num(), r.Denom()).Int64() // Euclid's, and the denominator is positive
}

func halfUp(r *big.Rat) int64 { return floor(new(big.Rat).Add(r, big.NewRat(1, 2))) }
