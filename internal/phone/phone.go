// Package phone reads telephone numbers as customers write them.
package phone

import (
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"servery/internal/fault"
	"servery/internal/site"
)

// maxDigits is the length of the longest number that E.164 allows.
const maxDigits = 15

// Parse gives a number as digits with its country code: "79161234567". Signs between
// digits do not matter, and the prefix 8 9 means +79. The number must be one of a
// country that the city's brand works in, the city's own first. Faults, all Invalid,
// at no field: phone.required, phone.invalid, phone.country.
func Parse(text string, city *site.City) (string, error) {
	digits := Digits(text)
	switch {
	case digits == "":
		return "", fault.New(fault.Invalid, "phone.required")
	case len(digits) > maxDigits:
		return "", fault.New(fault.Invalid, "phone.invalid")
	case len(digits) == 11 && strings.HasPrefix(digits, "89"):
		digits = "7" + digits[1:]
	}
	number, err := phonenumbers.Parse("+"+digits, "")
	if err != nil || !phonenumbers.IsValidNumber(number) {
		// Perhaps it was written without the country code, as people do at home.
		number, err = phonenumbers.Parse(digits, city.CountryCode)
	}
	if err != nil || !phonenumbers.IsValidNumber(number) {
		return "", fault.New(fault.Invalid, "phone.invalid")
	}
	region := phonenumbers.GetRegionCodeForNumber(number)
	if !slices.ContainsFunc(city.PhoneMasks, func(m site.PhoneMask) bool { return m.CountryCode == region }) {
		return "", fault.New(fault.Invalid, "phone.country")
	}
	return strings.TrimPrefix(phonenumbers.Format(number, phonenumbers.E164), "+"), nil
}

// ParseFull gives a number that was written with its country code, as other programs do,
// in the same form as [Parse] and with the same faults. It must be one of a country that
// the brand works in.
func ParseFull(text string, brand *site.Site) (string, error) {
	digits := Digits(text)
	switch {
	case digits == "":
		return "", fault.New(fault.Invalid, "phone.required")
	case len(digits) > maxDigits:
		return "", fault.New(fault.Invalid, "phone.invalid")
	}
	number, err := phonenumbers.Parse("+"+digits, "")
	if err != nil || !phonenumbers.IsValidNumber(number) {
		return "", fault.New(fault.Invalid, "phone.invalid")
	}
	region := phonenumbers.GetRegionCodeForNumber(number)
	if !slices.ContainsFunc(brand.Cities, func(c *site.City) bool { return c.CountryCode == region }) {
		return "", fault.New(fault.Invalid, "phone.country")
	}
	return strings.TrimPrefix(phonenumbers.Format(number, phonenumbers.E164), "+"), nil
}

// Country gives the country of a number in the form that [Parse] gives, ISO 3166-1 alpha-2;
// empty for what is no number.
func Country(digits string) string {
	number, err := phonenumbers.Parse("+"+digits, "")
	if err != nil {
		return ""
	}
	return phonenumbers.GetRegionCodeForNumber(number)
}

// Digits gives the ASCII digits of a text.
func Digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}
