package page

import (
	"net/url"

	"servery/internal/lang"
	"servery/internal/server/request"
	"servery/internal/site"
)

// addresses are those by which search engines know the pages of a brand: one for each page and
// language. The one without a language in it has the brand's own, and is answered in the visitor's.
type addresses struct {
	// base is the address of the brand, without a slash at its end; empty when it is not known.
	base  string
	brand *site.Site
}

// of returns the address of the page at a path in a language.
func (a addresses) of(path string, l lang.Lang) string {
	if l == a.brand.DefaultLanguage {
		return a.base + path
	}
	return a.base + path + "?" + url.Values{request.LanguageParam: {string(l)}}.Encode()
}

// alternate is the address of a page for visitors of a language.
type alternate struct{ Lang, Address string }

// anyLanguage is the language of an alternate for visitors of all others.
const anyLanguage = "x-default"

// list returns the addresses of the page at a path in all languages, none where there is only one. A
// brand that sells in several countries has other prices in each: there the country of the city is a
// part of the language. city is nil for a page of no city.
func (a addresses) list(path string, city *site.City) []alternate {
	languages := a.brand.OfferedLanguages()
	if len(languages) < 2 {
		return nil
	}
	region := ""
	if city != nil && a.brand.IsInSeveralCountries() {
		region = "-" + city.CountryCode
	}
	all := make([]alternate, 0, len(languages)+1)
	for _, l := range languages {
		all = append(all, alternate{string(l) + region, a.of(path, l)})
	}
	return append(all, alternate{anyLanguage, a.of(path, a.brand.DefaultLanguage)})
}
