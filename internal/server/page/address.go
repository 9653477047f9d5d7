package page

import (
	"net/url"

	"servery/internal/lang"
	"servery/internal/server/request"
	"servery/internal/site"
)

// addresses makes the addresses by which search engines know the pages of a brand, one for each page and
// language. The address for the brand's default language has no parameter of a language; a visitor who opens
// it sees the page in their own language.
type addresses struct {
	// base is the address of the brand, without a slash at its end; empty when it is not known.
	base  string
	brand *site.Site
}

// inLanguage returns the address of the page at a path in a language.
func (a addresses) inLanguage(path string, l lang.Lang) string {
	if l == a.brand.DefaultLanguage {
		return a.base + path
	}
	return a.base + path + "?" + url.Values{request.LanguageParam: {string(l)}}.Encode()
}

// alternate is the address of a page for visitors of a language.
type alternate struct{ Lang, Address string }

// anyLanguage is the language of the alternate for visitors whose language has none.
const anyLanguage = "x-default"

// alternates returns the addresses of the page at a path in all languages, none when the brand has only
// one. city is nil for a page of no city. Prices differ by country, so for a brand that sells in several
// countries the country of the city is a part of the language.
func (a addresses) alternates(path string, city *site.City) []alternate {
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
		all = append(all, alternate{string(l) + region, a.inLanguage(path, l)})
	}
	return append(all, alternate{anyLanguage, a.inLanguage(path, a.brand.DefaultLanguage)})
}
