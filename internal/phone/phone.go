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
// A number means what is written, whatever number another reading would find, so that a
// mistyped one never becomes the number of another person:
//   - what begins with +, 00 or the code of a country that the brand sells in is read with
//     that code alone; +8 9 stands for +79;
//   - what begins with the prefix of calls at home (0151 23456789, 8 916 123-45-67) is a
//     number of the city's country;
//   - other digits are a number of the city's country only where they are a mobile one.
//
// Faults, all Invalid, at no field: phone.required, phone.invalid, phone.country.
func Parse(text string, city *site.City) (string, error) {
	isSold := func(region string) bool {
		return slices.ContainsFunc(city.PhoneMasks, func(m site.PhoneMask) bool { return m.CountryCode == region })
	}
	return parseWith(text, isSold, func() (*phonenumbers.PhoneNumber, bool) { return readLocal(text, city) })
}

// ParseFull returns a number that was written with its country code, as other programs do,
// in the same form as [Parse] and with the same faults. It must be one of a country that
// the brand works in.
func ParseFull(text string, brand *site.Site) (string, error) {
	isSold := func(region string) bool {
		return slices.ContainsFunc(brand.Cities, func(c *site.City) bool { return c.CountryCode == region })
	}
	return parseWith(text, isSold, func() (*phonenumbers.PhoneNumber, bool) { return readFull(Digits(text)) })
}

// parseWith returns the number that read finds in the text as digits, when its country is one that
// is sold in.
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

// readLocal returns the number that the text stands for in the city, and reports whether it is one.
func readLocal(text string, city *site.City) (*phonenumbers.PhoneNumber, bool) {
	digits := Digits(text)
	switch {
	case strings.Contains(text, "+") && len(digits) == 11 && strings.HasPrefix(digits, "89"):
		return readFull("7" + digits[1:])
	case strings.Contains(text, "+"):
		return readFull(digits)
	case strings.HasPrefix(digits, "00"):
		return readFull(digits[2:])
	case slices.ContainsFunc(city.PhoneMasks, func(m site.PhoneMask) bool { return strings.HasPrefix(digits, codeOf(m.CountryCode)) }):
		return readFull(digits)
	}
	number, isHome := readHome(digits, city.CountryCode)
	if isHome && len(phonenumbers.GetNationalSignificantNumber(number)) < len(digits) {
		return number, true
	}
	if number, ok := readFull(digits); ok {
		return number, true // of a country that is not sold in
	}
	// A number of a fixed line without a prefix may be a piece of any other number.
	return number, isHome && phonenumbers.GetNumberType(number) == phonenumbers.MOBILE
}

// codeOf returns the country's code in calls: "49".
func codeOf(country string) string {
	return strconv.Itoa(phonenumbers.GetCountryCodeForRegion(country))
}

// readFull reads digits that begin with a country code. Nothing but a 0 may stand between the
// code and the number: no number begins with it, while the 8 of Russia's calls at home may be
// a digit too many.
func readFull(digits string) (*phonenumbers.PhoneNumber, bool) {
	number, err := phonenumbers.Parse("+"+digits, "")
	if err != nil || !phonenumbers.IsValidNumber(number) {
		return nil, false
	}
	rest := strings.TrimPrefix(digits, strconv.Itoa(int(number.GetCountryCode())))
	national := phonenumbers.GetNationalSignificantNumber(number)
	return number, rest == national || rest == "0"+national
}

// readHome reads digits as they are written in the country, with the prefix of its calls or
// without.
func readHome(digits, country string) (*phonenumbers.PhoneNumber, bool) {
	number, err := phonenumbers.Parse(digits, country)
	return number, err == nil && phonenumbers.IsValidNumber(number)
}

// Country returns the country of a number as [Parse] returns it, ISO 3166-1 alpha-2; empty for any
// other text.
func Country(digits string) string {
	number, err := phonenumbers.Parse("+"+digits, "")
	if err != nil {
		return ""
	}
	return phonenumbers.GetRegionCodeForNumber(number)
}

// Digits returns the ASCII digits of a text.
func Digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}
