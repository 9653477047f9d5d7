package phone_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nyaruka/phonenumbers"

	demo "servery/content"
	"servery/internal/content"
	"servery/internal/phone"
	"servery/internal/site"
)

// sampleNumbers returns valid numbers of a country without its calling code: mobile and fixed
// lines, each with an example of the library and with area codes from 010 to 973.
func sampleNumbers(t *testing.T, country string) []string {
	t.Helper()
	var found []string
	for _, kind := range []phonenumbers.PhoneNumberType{phonenumbers.MOBILE, phonenumbers.FIXED_LINE} {
		example := phonenumbers.GetNationalSignificantNumber(phonenumbers.GetExampleNumberForType(country, kind))
		code := phonenumbers.GetCountryCodeForRegion(country)
		for area := 10; area < 1000; area += 37 {
			digits := []byte(example)
			digits[0], digits[1], digits[2] = byte('0'+area/100%10), byte('0'+area/10%10), byte('0'+area%10)
			for i := 3; i < len(digits); i++ {
				digits[i] = byte('0' + (i*3+area)%10)
			}
			n := uint64(0)
			for _, d := range digits {
				n = n*10 + uint64(d-'0')
			}
			c := int32(code)
			number := &phonenumbers.PhoneNumber{CountryCode: &c, NationalNumber: &n}
			if digits[0] != '0' && phonenumbers.IsValidNumberForRegion(number, country) {
				found = append(found, string(digits))
			}
		}
		found = append(found, example)
	}
	if len(found) < 3 {
		t.Fatalf("%d numbers of %s", len(found), country)
	}
	return found
}

// mistypeNumber returns all forms of a number in which one digit is left out or typed twice.
func mistypeNumber(subscriber string) []string {
	var forms []string
	for i := range subscriber {
		forms = append(forms, subscriber[:i]+subscriber[i+1:], subscriber[:i]+subscriber[i:i+1]+subscriber[i:])
	}
	return forms
}

// trunks are what is dialed before a number at home.
var trunks = map[string][]string{"RU": {"8"}, "KZ": {"8"}, "BY": {"8 0", "0"}, "TR": {"0"}, "DE": {"0"}, "UA": {"0"}}

// demoCities reads the demo once for all tests.
var demoCities = sync.OnceValue(readDemoCities)

// readDemoCities reads the demo content. It returns the first city of each country of each
// brand.
func readDemoCities() []*site.City {
	folder, faults := content.Read(demo.Demo())
	if len(faults) > 0 {
		panic(faults[0])
	}
	var brands []*site.Site
	for _, b := range folder.Document.Brands {
		brands = append(brands, b.Site)
	}
	sites, err := site.New(brands, folder.Document.Countries)
	if err != nil {
		panic(err)
	}
	var cities []*site.City
	for _, s := range sites.All() {
		countries := map[string]bool{}
		for _, c := range s.Cities {
			if !countries[c.CountryCode] {
				cities = append(cities, c)
			}
			countries[c.CountryCode] = true
		}
	}
	return cities
}

// Numbers of each country are written with +, without, with 00, and in their own country with
// the prefix of calls within it. Parse returns the same digits for all.
func TestParse_everyFormOfANumber(t *testing.T) {
	t.Parallel()
	for _, c := range demoCities() {
		for _, mask := range c.PhoneMasks {
			code := phone.Digits(mask.Code)
			for _, subscriber := range sampleNumbers(t, mask.CountryCode) {
				forms := []string{"+" + code + " " + subscriber, code + subscriber, "00" + code + subscriber, "00 " + code + " " + subscriber}
				if mask.CountryCode == c.CountryCode {
					for _, trunk := range trunks[c.CountryCode] {
						forms = append(forms, trunk+" "+subscriber)
					}
				}
				for _, text := range forms {
					if got, err := phone.Parse(text, c); err != nil || got != code+subscriber {
						t.Errorf("%s: %q is read as %q, %v; want %s", c.Alias, text, got, err, code+subscriber)
					}
				}
			}
		}
	}
}

// A number that lacks a digit, or has one twice, must not become the number of somebody else.
// Parse refuses it or returns the digits that are written, after the code that is written or
// that of the city.
func TestParse_mistypedNumberIsRefusedOrReadAsWritten(t *testing.T) {
	t.Parallel()
	for _, c := range demoCities() {
		for _, mask := range c.PhoneMasks {
			code := phone.Digits(mask.Code)
			for _, subscriber := range sampleNumbers(t, mask.CountryCode) {
				for _, wrong := range mistypeNumber(subscriber) {
					for _, text := range []string{"+" + code + " " + wrong, code + wrong, "00" + code + wrong} {
						expectAsWritten(t, c, text, code+wrong)
					}
					if mask.CountryCode != c.CountryCode {
						continue
					}
					for _, trunk := range trunks[c.CountryCode] {
						expectAsWritten(t, c, trunk+" "+wrong, code+wrong)
					}
					asCalled := wrong
					if code == "7" {
						asCalled = code + strings.TrimPrefix(wrong, "8")
					}
					expectAsWritten(t, c, wrong, code+wrong, wrong, asCalled)
				}
				if mask.CountryCode == c.CountryCode {
					for i := range code { // a digit of the code is left out
						text := code[:i] + code[i+1:] + subscriber
						expectAsWritten(t, c, text, code+subscriber, text)
						expectAsWritten(t, c, "+"+text, text)
					}
				}
			}
		}
	}
}

// expectAsWritten fails the test when Parse reads the text in the city as a number that is not
// in meant. An error of Parse is fine. A 0 between the calling code and the number may be left
// out.
func expectAsWritten(t *testing.T, c *site.City, text string, meant ...string) {
	t.Helper()
	got, err := phone.Parse(text, c)
	if err != nil {
		return
	}
	for _, code := range []string{"375", "380", "90", "49", "7"} {
		for _, m := range meant {
			if rest, found := strings.CutPrefix(m, code); found {
				meant = append(meant, code+strings.TrimLeft(rest, "0"))
			}
		}
	}
	if !slices.Contains(meant, got) {
		t.Errorf("%s: %q is read as %s; it says %v", c.Alias, text, got, meant[0])
	}
}

// A German mobile number without its last digit is refused in each form, because no shorter
// number exists.
func TestParse_germanNumberADigitShort(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"491512345678", "+491512345678", "00491512345678", "0151 2345678", "151 2345678"} {
		if got, err := phone.Parse(text, newCity("DE")); err == nil {
			t.Errorf("%q is taken for %s", text, got)
		}
	}
}
