package money

import "fmt"

// Currency is a currency that a city sells in. The table of all of them follows from CLDR.
type Currency struct {
	// Code is the ISO 4217 code.
	Code string
	// Decimals is how many digits after the point its sums have by CLDR: 0 where the smallest sum is
	// one unit. Sums of more than two cannot be kept.
	Decimals int
	// Sign is how the currency is written for short in most languages.
	Sign string
}

// CanBeKept reports whether an [Amount] can be any sum of the currency.
func (c Currency) CanBeKept() bool { return c.Decimals <= keptDecimals }

// Unit returns the smallest sum of the currency that is kept: a hundredth, or the whole where it
// has no minor unit. Prices, discounts and their shares are multiples of it.
func (c Currency) Unit() Amount {
	if c.Code != "" && c.Decimals == 0 {
		return Scale
	}
	return 1
}

// SymbolFor returns the symbol of the currency as the language writes it, such as ₽; language is an
// ISO 639-1 code.
func (c Currency) SymbolFor(language string) string {
	if own, ok := signsByLanguage[c.Code][language]; ok {
		return own
	}
	return c.Sign
}

// ParseCurrency returns the currency with the ISO 4217 code in capital letters. It returns an
// error for an unknown currency.
func ParseCurrency(code string) (Currency, error) {
	c, ok := currencies[code]
	if !ok {
		return Currency{}, fmt.Errorf("unknown currency %q", code)
	}
	return c, nil
}

// String returns the ISO 4217 code.
func (c Currency) String() string { return c.Code }

// MarshalText returns the ISO 4217 code.
func (c Currency) MarshalText() ([]byte, error) { return []byte(c.Code), nil }

// UnmarshalText reads an ISO 4217 code. It returns an error for an unknown one.
func (c *Currency) UnmarshalText(text []byte) error {
	parsed, err := ParseCurrency(string(text))
	if err != nil {
		return err
	}
	*c = parsed
	return nil
}
