// Package money holds sums as whole minor units.
//
// One major unit is always one hundred minor units inside Servery and on the wire,
// whatever the currency prints; [Currency].Decimals says how many of the two digits
// a customer is shown. Nothing in this package is a binary fraction, so a sum never
// loses a minor unit; it is rounded only where a method says so.
package money

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

// Amount is a sum in minor units, hundredths of the major unit. It may be
// negative, as a discount is.
type Amount int64

// Scale is the number of minor units in one major unit.
const Scale = 100

// ErrAmount is returned for a text that is not a sum: not a plain decimal number,
// more than two digits after the point, or too large.
var ErrAmount = errors.New("not an amount with at most two decimals")

// Major returns a sum of whole major units.
func Major(units int64) Amount { return Amount(units * Scale) }

// Add returns a + b.
func (a Amount) Add(b Amount) Amount { return a + b }

// Sub returns a - b.
func (a Amount) Sub(b Amount) Amount { return a - b }

// Times returns the price of count equal items.
func (a Amount) Times(count int) Amount { return a * Amount(count) }

// IsNegative reports whether the sum is below zero.
func (a Amount) IsNegative() bool { return a < 0 }

// Percent returns percent of the sum, rounded half away from zero to the minor unit.
func (a Amount) Percent(percent int) Amount { return a.BasisPoints(percent * 100) }

// BasisPoints returns points hundredths of a percent of the sum, rounded half away from zero to the
// minor unit.
func (a Amount) BasisPoints(points int) Amount {
	product := int64(a) * int64(points)
	const whole = 100 * 100
	if product < 0 {
		return Amount((product - whole/2) / whole)
	}
	return Amount((product + whole/2) / whole)
}

// Prorate spreads the sum over the weights so that the parts add up to exactly the
// sum: each part is rounded towards zero, then the units left over go one by one to
// the largest remainders, the earlier part first. Weights must not be negative;
// when all are zero, the parts are as equal as can be. No weights make no parts.
func (a Amount) Prorate(weights []Amount) []Amount {
	if len(weights) == 0 {
		return nil
	}
	var total uint64
	for _, w := range weights {
		if w < 0 {
			panic("money: negative weight")
		}
		total += uint64(w)
	}
	weight := func(i int) uint64 { return uint64(weights[i]) }
	if total == 0 {
		total = uint64(len(weights))
		weight = func(int) uint64 { return 1 }
	}

	sum, sign := uint64(a), Amount(1)
	if a < 0 {
		sum, sign = uint64(-a), -1
	}
	parts := make([]Amount, len(weights))
	remainders := make([]uint64, len(weights))
	left := sum
	for i := range weights {
		// 128 bits in between: a large sum times a large weight still fits.
		hi, lo := bits.Mul64(sum, weight(i))
		quo, rem := bits.Div64(hi, lo, total)
		parts[i], remainders[i] = Amount(quo), rem
		left -= quo
	}
	for ; left > 0; left-- {
		best := 0
		for i, rem := range remainders {
			if rem > remainders[best] {
				best = i
			}
		}
		parts[best]++
		remainders[best] = 0
	}
	for i := range parts {
		parts[i] *= sign
	}
	return parts
}

// Sum returns the sum of the amounts.
func Sum(amounts ...Amount) Amount {
	var sum Amount
	for _, a := range amounts {
		sum += a
	}
	return sum
}

// String returns the sum in major units as JSON has it: "349", "349.5", "-0.05".
func (a Amount) String() string {
	b, _ := a.AppendText(nil) // never fails
	return string(b)
}

// AppendText appends the sum in major units with at most two decimals: 349, 349.5.
// It allocates nothing beyond b.
func (a Amount) AppendText(b []byte) ([]byte, error) {
	minor := uint64(a)
	if a < 0 {
		b = append(b, '-')
		minor = -minor
	}
	b = strconv.AppendUint(b, minor/Scale, 10)
	if cents := minor % Scale; cents != 0 {
		b = append(b, '.', byte('0'+cents/10))
		if cents%10 != 0 {
			b = append(b, byte('0'+cents%10))
		}
	}
	return b, nil
}

// MarshalJSON writes the sum as a number in major units.
func (a Amount) MarshalJSON() ([]byte, error) {
	return a.AppendText(make([]byte, 0, 24))
}

// UnmarshalJSON reads a number in major units. It refuses strings, exponents and
// more than two decimals with [ErrAmount]; null leaves the sum as it is.
func (a *Amount) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	parsed, err := parseAmount(data)
	if err != nil {
		return err
	}
	*a = parsed
	return nil
}

// UnmarshalText reads a sum in major units, for YAML and settings. It accepts what
// [Parse] accepts.
func (a *Amount) UnmarshalText(text []byte) error {
	parsed, err := parseAmount(text)
	if err != nil {
		return err
	}
	*a = parsed
	return nil
}

// Parse reads a sum in major units: "349", "349.5", "-0.05". The digits are read as
// written, without a binary fraction between; anything else is [ErrAmount].
func Parse(text string) (Amount, error) { return parseAmount(text) }

// parseAmount reads the digits without a binary fraction between.
func parseAmount[T string | []byte](text T) (Amount, error) {
	i, negative := 0, false
	if i < len(text) && text[i] == '-' {
		negative = true
		i++
	}
	var minor int64
	whole, decimals, point := 0, 0, false
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '.' && !point && whole > 0:
			point = true
			continue
		case c < '0' || c > '9', point && decimals == 2, minor > (math.MaxInt64/Scale-9)/10:
			return 0, fmt.Errorf("%q: %w", string(text), ErrAmount)
		}
		minor = minor*10 + int64(c-'0')
		if point {
			decimals++
		} else {
			whole++
		}
	}
	if whole == 0 || point && decimals == 0 {
		return 0, fmt.Errorf("%q: %w", string(text), ErrAmount)
	}
	for ; decimals < 2; decimals++ {
		minor *= 10
	}
	if negative {
		minor = -minor
	}
	return Amount(minor), nil
}
