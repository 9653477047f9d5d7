// Package phone reads phone numbers as customers write them.
package phone

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"servery/internal/fault"
	"servery/internal/site"
)

// maxDigits is the length of the longest number that E.164 allows.
const maxDigits = 15

// Parse returns a number as digits with its country code: "79161234567". Signs between
// digits do not matter. The number must be one of a country that the city's brand sells in.
//
// A number is read in one way only, so that a mistyped one never becomes the number of another
// person:
//   - a number that begins with +, 00 or the code of a country that the brand sells in is read
//     with that code only; +8 9, a common mistake, stands for +79;
//   - a number with the prefix of calls within the country (0151 23456789, 8 916 123-45-67) is
//     one of the city's country;
//   - other digits are a number of the city's country only when that is a mobile one.
//
// Faults, all Invalid, at no field: phone.required, phone.invalid, phone.country.
func Parse(text string, city *site.City) (string, error) {
	isSold := func(region string) bool {
		return slices.ContainsFunc(city.PhoneMasks, func(m site.PhoneMask) bool { return m.CountryCode == region })
	}
	return parseWith(text, isSold, func() (*phonenumbers.PhoneNumber, bool) { return readLocal(text, city) })
}

// ParseFull returns a number that was written with its country code, as other programs do, as
// digits: "79161234567". The number must be of a country in which the brand has a city. Faults,
// all Invalid, at no field: phone.required, phone.invalid, phone.country.
func ParseFull(text string, brand *site.Site) (string, error) {
	isSold := func(region string) bool {
		return slices.ContainsFunc(brand.Cities, func(c *site.City) bool { return c.CountryCode == region })
	}
	return parseWith(text, isSold, func() (*phonenumbers.PhoneNumber, bool) { return readFull(Digits(text)) })
}

// parseWith returns the number of a text as digits with its country code. read finds the number
// in the text, and isSold reports whether the brand sells in a country. Faults, all Invalid:
// phone.required for a text without digits, phone.invalid for more than 15 digits or when read finds
// no number, phone.country when the brand does not sell in the country of the number.
func parseWith(text string, isSold func(region string) bool, read func() (*phonenumbers.PhoneNumber, bool)) (string, error) {
	switch digits := Digits(text); {
	case digits == "":
		return "", fault.New(fault.Invalid, "phone.required")
	case len(digits) > maxDigits:
		return "", fault.New(fault.Invalid, "phone.invalid")
	}
	number, ok := read()
	switch {
	case !ok:
		return "", fault.New(fault.Invalid, "phone.invalid")
	case !isSold(phonenumbers.GetRegionCodeForNumber(number)):
		return "", fault.New(fault.Invalid, "phone.country")
	}
	return strings.TrimPrefix(phonenumbers.Format(number, phonenumbers.E164), "+"), nil
}

// readLocal returns the number that the text means in the city, by the rules of [Parse]. It reports
// false when there is none.
func readLocal(text string, city *site.City) (*phonenumbers.PhoneNumber, bool) {
	digits := Digits(text)
	switch {
	case strings.Contains(text, "+") && len(digits) == 11 && strings.HasPrefix(digits, "89"):
		return readFull("7" + digits[1:]) // +8 9… is written by mistake for +7 9…
	case strings.Contains(text, "+"):
		return readFull(digits)
	case strings.HasPrefix(digits, "00"):
		return readFull(digits[2:])
	case slices.ContainsFunc(city.PhoneMasks, func(m site.PhoneMask) bool { return strings.HasPrefix(digits, codeOf(m.CountryCode)) }):
		return readFull(digits)
	}
	number, isNational := readNational(digits, city.CountryCode)
	if isNational && len(phonenumbers.GetNationalSignificantNumber(number)) < len(digits) {
		return number, true // it has the prefix of calls within the country
	}
	if number, ok := readFull(digits); ok {
		return number, true // parseWith refuses its country
	}
	// A number of a fixed line without a prefix may be a part of any other number.
	return number, isNational && phonenumbers.GetNumberType(number) == phonenumbers.MOBILE
}

// codeOf returns the calling code of a country: "49" for DE.
func codeOf(country string) string {
	return strconv.Itoa(phonenumbers.GetCountryCodeForRegion(country))
}

// readFull returns the number of digits that begin with a calling code. It reports false when
// they are no valid number. Between the code and the number only a 0 is allowed: no national
// number begins with it. The 8 of calls within Russia is refused there, because it may be a
// mistyped digit.
func readFull(digits string) (*phonenumbers.PhoneNumber, bool) {
	number, err := phonenumbers.Parse("+"+digits, "")
	if err != nil || !phonenumbers.IsValidNumber(number) {
		return nil, false
	}
	rest := strings.TrimPrefix(digits, strconv.Itoa(int(number.GetCountryCode())))
	national := phonenumbers.GetNationalSignificantNumber(number)
	return number, rest == national || rest == "0"+national
}

// readNational returns the number of digits as they are dialed within the country, with the
// prefix of such calls or without. It reports false when they are no valid number.
func readNational(digits, country string) (*phonenumbers.PhoneNumber, bool) {
	number, err := phonenumbers.Parse(digits, country)
	return number, err == nil && phonenumbers.IsValidNumber(number)
}

// Country returns the country, ISO 3166-1 alpha-2, of a number given as digits with its country
// code: "DE" for "4915123456789". It is empty when there is none.
func Country(digits string) string {
	number, err := phonenumbers.Parse("+"+digits, "")
	if err != nil {
		return ""
	}
	return phonenumbers.GetRegionCodeForNumber(number)
}

// Digits returns the text with all but the digits 0 to 9 removed.
func Digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}
