package site_test

import (
	"testing"

	"servery/internal/site"
)

// A brand has a policy for all and one for Germany, an imprint for Germany only, and words for a
// page of the program. Each case looks one up for a city or outside of any; then the list of all
// is compared.
func TestSite_Page_isTheOneOfTheCountry(t *testing.T) {
	t.Parallel()
	general := &site.Page{Alias: "privacy-policy"}
	german := &site.Page{Alias: "privacy-policy", Countries: []string{"DE", "AT"}}
	imprint := &site.Page{Alias: "imprint", Countries: []string{"DE"}}
	terms := &site.Page{Alias: "delivery"}
	brand := &site.Site{Pages: []*site.Page{general, german, imprint, terms}}
	berlin, moscow := &site.City{CountryCode: "DE"}, &site.City{CountryCode: "RU"}
	for name, c := range map[string]struct {
		alias string
		city  *site.City
		want  *site.Page
	}{
		"a country with its own":            {"privacy-policy", berlin, german},
		"a country without":                 {"privacy-policy", moscow, general},
		"outside of any city":               {"privacy-policy", nil, general},
		"only for another country":          {"imprint", moscow, nil},
		"only for this country":             {"imprint", berlin, imprint},
		"outside, but only cities have it":  {"imprint", nil, nil},
		"words of a page that is there":     {"delivery", moscow, terms},
		"words of a page outside of cities": {"delivery", nil, nil},
		"no such page":                      {"about", berlin, nil},
	} {
		got, ok := brand.Page(c.alias, c.city)
		if got != c.want || ok != (c.want != nil) {
			t.Errorf("%s: got %+v, %v", name, got, ok)
		}
	}
	if all := brand.PagesOf(berlin); len(all) != 3 || all[0] != german || all[1] != imprint || all[2] != terms {
		t.Errorf("Berlin has %v", all)
	}
	if all := brand.PagesOf(moscow); len(all) != 2 || all[0] != general || all[1] != terms {
		t.Errorf("Moscow has %v", all)
	}
	if all := brand.PagesOf(nil); len(all) != 1 || all[0] != general {
		t.Errorf("outside of any city there is %v", all)
	}
}
