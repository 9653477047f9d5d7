package site

import (
	"slices"

	"servery/internal/lang"
)

// Page is a page of the brand's own words. Pages of one alias differ by their countries.
type Page struct {
	// Alias is the last part of the page's address. With the alias of a public page of the program,
	// the words are shown on that page.
	Alias string `json:"alias"`
	// Countries are the codes of the countries that the page is for; empty means all countries without
	// a page of their own under the alias.
	Countries   []string      `json:"countries,omitempty"`
	Title       lang.Text     `json:"title"`
	Description lang.Text     `json:"description,omitempty"`
	Sections    []PageSection `json:"sections"`
}

// PageSection is a part of a page. Text is HTML made safe at import.
type PageSection struct {
	Heading lang.Text `json:"heading,omitempty"`
	Text    lang.Text `json:"text"`
}

// The pages below a city that the program itself has: those with a cart, an order or a profile in
// them, and those that are the same for all visitors.
var (
	personalPages = []string{"back-to-home", "cart", "order", "profile"}
	publicPages   = []string{"bonus", "delivery", "promotions", "shops"}
	// pagesOutside also have an address outside of any city.
	pagesOutside = []string{"privacy-policy", "user-agreement"}
)

// IsPersonalPage reports whether a page below a city shows what belongs to one visitor.
func IsPersonalPage(alias string) bool { return slices.Contains(personalPages, alias) }

// IsPublicPage reports whether the program has a page of that alias that is the same for all
// visitors. The words of the brand's page with that alias are shown on it.
func IsPublicPage(alias string) bool { return slices.Contains(publicPages, alias) }

// Page returns the page of an alias that is for the country of a city, or else the one for all
// countries; false when there is none. city is nil for a page outside of any city; only the
// privacy policy and the user agreement are there.
func (s *Site) Page(alias string, city *City) (*Page, bool) {
	if city == nil && !slices.Contains(pagesOutside, alias) {
		return nil, false
	}
	var general *Page
	for _, p := range s.Pages {
		switch {
		case p.Alias != alias:
		case len(p.Countries) == 0:
			general = p
		case city != nil && slices.Contains(p.Countries, city.CountryCode):
			return p, true
		}
	}
	return general, general != nil
}

// PagesOf returns the brand's pages for a city in the order of content, one for each alias,
// including those whose words stand on a page of the program. city is nil for the pages outside
// of any city.
func (s *Site) PagesOf(city *City) []*Page {
	var pages []*Page
	for _, p := range s.Pages {
		if page, ok := s.Page(p.Alias, city); ok && !slices.Contains(pages, page) {
			pages = append(pages, page)
		}
	}
	return pages
}

// ListPages returns the aliases of the pages of a city that have something to read, in a fixed order,
// without home. city is nil for those outside of any city.
func (s *Site) ListPages(city *City) []string {
	var aliases []string
	if city != nil {
		for _, alias := range publicPages {
			if city.hasPage(alias) {
				aliases = append(aliases, alias)
			}
		}
	}
	for _, p := range s.PagesOf(city) {
		if !slices.Contains(aliases, p.Alias) {
			aliases = append(aliases, p.Alias)
		}
	}
	return aliases
}

// hasPage reports whether one of publicPages has something to show in the city. It is not meant for the
// pages that a brand writes itself.
func (c *City) hasPage(alias string) bool {
	switch alias {
	case "bonus":
		return c.Bonus != nil
	case "delivery":
		return c.Delivery
	case "promotions":
		return len(c.Promotions) > 0
	}
	return true
}
