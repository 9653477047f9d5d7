package phone_test

import (
	"testing"

	"servery/internal/fault"
	"servery/internal/phone"
	"servery/internal/site"
)

// newCity returns a city of the first country, whose brand sells in all of the countries.
func newCity(countries ...string) *site.City {
	c := &site.City{CountryCode: countries[0]}
	for _, code := range countries {
		c.PhoneMasks = append(c.PhoneMasks, site.PhoneMask{CountryCode: code})
	}
	return c
}

// Numbers with and without the code, with spaces, brackets and the prefix of calls within the
// country are read.
func TestParse_readsNumbersAsCustomersWriteThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, country, want string }{
		{"+7 (916) 123-45-67", "RU", "79161234567"},
		{"8 916 123-45-67", "RU", "79161234567"},
		{"89161234567", "RU", "79161234567"},
		{"9161234567", "RU", "79161234567"},
		{"79161234567", "RU", "79161234567"},
		{"+375 (29) 123-45-67", "BY", "375291234567"},
		{"+7 701 123 45 67", "KZ", "77011234567"},
		{"+998 90 123-45-67", "UZ", "998901234567"},
		{"+90 532 123 45 67", "TR", "905321234567"},
		{"0532 123 45 67", "TR", "905321234567"},
		{"+49 1512 3456789", "DE", "4915123456789"},
	} {
		if got, err := phone.Parse(c.text, newCity(c.country)); err != nil || got != c.want {
			t.Errorf("Parse(%q) in %s = %q, %v; want %q", c.text, c.country, got, err, c.want)
		}
	}
}

// In a Russian city, a number of Belarus is read when the brand sells there too.
func TestParse_readsANumberOfAnotherCountryOfTheBrand(t *testing.T) {
	t.Parallel()
	if got, err := phone.Parse("+375291234567", newCity("RU", "BY")); err != nil || got != "375291234567" {
		t.Errorf("got %q, %v", got, err)
	}
}

// Texts without ASCII digits, numbers that cannot exist and numbers of other countries are
// refused, each with its fault.
func TestParse_refusesWhatIsNoNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                     "phone.required",
		"call me":              "phone.required",
		"123":                  "phone.invalid",
		"+7 916 123-45-6":      "phone.invalid",
		"1234567890123456789":  "phone.invalid",
		"+7 000 000-00-00":     "phone.invalid",
		"+1 650 253 0000":      "phone.country",
		"+49 1512 3456789":     "phone.country",
		"+٧٩١٦١٢٣٤٥٦٧":         "phone.required",
		"99999999999999999999": "phone.invalid",
	} {
		if _, err := phone.Parse(text, newCity("RU")); err == nil || fault.KeyOf(err) != want {
			t.Errorf("Parse(%q): %v, want %s", text, err, want)
		}
	}
}

// ParseFull reads numbers of all countries of a brand and refuses those without a code or of
// another country. Country returns the country of such a number.
func TestParseFull_readsNumbersWithTheirCountryCode(t *testing.T) {
	t.Parallel()
	brand := &site.Site{Cities: []*site.City{newCity("RU"), newCity("KZ"), newCity("DE")}}
	for text, want := range map[string]string{
		"+7 (916) 123-45-67": "79161234567", "77011234567": "77011234567", "4915123456789": "4915123456789",
	} {
		if got, err := phone.ParseFull(text, brand); err != nil || got != want {
			t.Errorf("ParseFull(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "phone.required", "9161234567": "phone.invalid", "1234567890123456789": "phone.invalid", "16502530000": "phone.country",
	} {
		if _, err := phone.ParseFull(text, brand); fault.KeyOf(err) != want {
			t.Errorf("ParseFull(%q): %v, want %s", text, err, want)
		}
	}
	for digits, want := range map[string]string{"79161234567": "RU", "77011234567": "KZ", "4915123456789": "DE", "": ""} {
		if got := phone.Country(digits); got != want {
			t.Errorf("%s is of %q, want %s", digits, got, want)
		}
	}
}
