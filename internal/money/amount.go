// Package money holds sums as whole minor units.
//
// One major unit is always one hundred minor units inside Servery and on the wire,
// whatever the currency has: sums of yen are multiples of [Currency.Unit], and a currency
// of three decimals cannot be kept. Nothing in this package is a binary fraction, so a sum never
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

// keptDecimals is how many digits after the point an [Amount] has.
const keptDecimals = 2

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

// Percent returns percent hundredths of the sum, rounded half away from zero to a multiple of the unit.
func (a Amount) Percent(percent int, unit Amount) Amount { return a.BasisPoints(percent*100, unit) }

// BasisPoints returns a share of the sum in hundredths of a percent: 250 points are 2.5 %. It is
// rounded half away from zero to a multiple of the unit, which is above zero. The product of sum
// and points must fit into 64 bits.
func (a Amount) BasisPoints(points int, unit Amount) Amount {
	product, divisor := int64(a)*int64(points), 100*100*int64(unit)
	if product < 0 {
		return Amount((product-divisor/2)/divisor) * unit
	}
	return Amount((product+divisor/2)/divisor) * unit
}

// ProrateUnits divides the sum as [Amount.Prorate] does, into multiples of the unit. When the sum is
// no multiple of the unit, the rest goes to the last part whose weight is above zero, or to the last
// part when all weights are zero.
func (a Amount) ProrateUnits(unit Amount, weights []Amount) []Amount {
	parts := (a / unit).Prorate(weights)
	last := len(parts) - 1
	for i := range parts {
		parts[i] *= unit
		if weights[i] > 0 {
			last = i
		}
	}
	if last >= 0 {
		parts[last] += a % unit
	}
	return parts
}

// Prorate divides the sum in proportion to the weights, into parts that add up to exactly the
// sum. Each part is rounded towards zero. Then the units left over go one by one to the parts
// with the largest remainders, the earlier of equal ones first.
//
// When all weights are zero, the parts are as equal as possible. It returns nil without weights
// and panics for a negative one.
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

	sum, sign := uint64(a), Amount(1) // divided without its sign, so that rounding is towards zero
	if a < 0 {
		sum, sign = uint64(-a), -1
	}
	parts := make([]Amount, len(weights))
	remainders := make([]uint64, len(weights))
	left := sum
	for i := range weights {
		// The product has 128 bits, so that a large sum times a large weight fits.
		hi, lo := bits.Mul64(sum, weight(i))
		quo, rem := bits.Div64(hi, lo, total)
		parts[i], remainders[i] = Amount(quo), rem
		left -= quo
	}
	for ; left > 0; left-- { // there are fewer units left than parts
		largest := 0
		for i, rem := range remainders {
			if rem > remainders[largest] {
				largest = i
			}
		}
		parts[largest]++
		remainders[largest] = 0
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

// AppendText appends the sum in major units to b, with as few decimals as it needs: 349, 349.5,
// -0.05. It allocates nothing when b has room. The error is always nil.
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

// MarshalJSON returns the sum as a number in major units.
func (a Amount) MarshalJSON() ([]byte, error) {
	const longest = 24 // bytes; no amount takes more
	return a.AppendText(make([]byte, 0, longest))
}

// UnmarshalJSON reads a number in major units. It refuses strings, exponents and more than two
// decimals with [ErrAmount]. null leaves the sum as it is.
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

// UnmarshalText reads a sum in major units, as YAML and settings have it: "349", "349.5",
// "-0.05". It returns [ErrAmount] for any other text.
func (a *Amount) UnmarshalText(text []byte) error {
	parsed, err := parseAmount(text)
	if err != nil {
		return err
	}
	*a = parsed
	return nil
}

// Parse returns the sum of a text in major units: "349", "349.5", "-0.05". It returns
// [ErrAmount] for any other text.
func Parse(text string) (Amount, error) { return parseAmount(text) }

// parseAmount returns the sum of a string or bytes in major units: "349", "349.5", "-0.05". It
// computes with whole numbers only. It returns [ErrAmount] for any other text.
func parseAmount[T string | []byte](text T) (Amount, error) {
	i, isNegative := 0, false
	if i < len(text) && text[i] == '-' {
		isNegative = true
		i++
	}
	const most = (math.MaxInt64/Scale - 9) / 10 // a further digit and two decimals still fit
	var minor int64
	wholeDigits, decimals, hasPoint := 0, 0, false
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '.' && !hasPoint && wholeDigits > 0:
			hasPoint = true
			continue
		case c < '0' || c > '9', hasPoint && decimals == 2, minor > most:
			return 0, fmt.Errorf("%q: %w", string(text), ErrAmount)
		}
		minor = minor*10 + int64(c-'0')
		if hasPoint {
			decimals++
		} else {
			wholeDigits++
		}
	}
	if wholeDigits == 0 || hasPoint && decimals == 0 {
		return 0, fmt.Errorf("%q: %w", string(text), ErrAmount)
	}
	for ; decimals < 2; decimals++ {
		minor *= 10
	}
	if isNegative {
		minor = -minor
	}
	return Amount(minor), nil
}
