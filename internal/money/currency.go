package money

import "fmt"

// Currency is a currency that a city sells in.
type Currency struct {
	// Code is the ISO 4217 code.
	Code string
	// Decimals is how many digits after the point a customer is shown when a sum
	// is not whole; sums are kept with two regardless.
	Decimals int
	// Sign is how the currency is written for short.
	Sign string
}

var currencies = map[string]Currency{
	"AMD": {"AMD", 0, "֏"},
	"AZN": {"AZN", 2, "₼"},
	"BYN": {"BYN", 2, "Br"},
	"EUR": {"EUR", 2, "€"},
	"GBP": {"GBP", 2, "£"},
	"GEL": {"GEL", 2, "₾"},
	"KGS": {"KGS", 2, "сом"},
	"KZT": {"KZT", 2, "₸"},
	"PLN": {"PLN", 2, "zł"},
	"RUB": {"RUB", 2, "₽"},
	"TRY": {"TRY", 2, "₺"},
	"UAH": {"UAH", 2, "₴"},
	"USD": {"USD", 2, "$"},
	"UZS": {"UZS", 2, "soʻm"},
}

// ParseCurrency returns the currency with the ISO 4217 code in capital letters. It returns an
// error for a currency that is not in the list of this file.
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
