package site

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // zones are known on machines without a zone database too
)

// Sites are all brands of one content revision.
type Sites struct {
	list   []*Site
	byHost map[string]*Site
	byName map[string]*Site
	main   *Site
}

// New returns the sites. It fills the cities with what follows from their countries. The caller must
// not change brands and countries afterwards. It returns an error unless exactly one brand is the
// default, hosts and aliases are unique, and the country and time zone of each city are known.
func New(brands []*Site, countries []Country) (*Sites, error) {
	s := &Sites{list: brands, byHost: map[string]*Site{}, byName: map[string]*Site{}}
	for _, b := range brands {
		if s.byName[b.Alias] != nil {
			return nil, fmt.Errorf("two sites are called %s", b.Alias)
		}
		s.byName[b.Alias] = b
		for _, h := range b.Hosts {
			if s.byHost[h] != nil {
				return nil, fmt.Errorf("host %s belongs to two sites", h)
			}
			s.byHost[h] = b
		}
		if b.Default {
			if s.main != nil {
				return nil, fmt.Errorf("sites %s and %s are both default", s.main.Alias, b.Alias)
			}
			s.main = b
		}
		if err := b.resolveCities(countries); err != nil {
			return nil, fmt.Errorf("site %s: %w", b.Alias, err)
		}
	}
	if s.main == nil {
		return nil, errors.New("no site is the default one")
	}
	return s, nil
}

// ByHost returns the site for the Host header of a request, or the default site for an unknown
// host. Port, case and a point at the end do not matter.
func (s *Sites) ByHost(host string) *Site {
	if strings.Contains(host, ":") {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
	}
	if found, ok := s.byHost[strings.TrimSuffix(strings.ToLower(host), ".")]; ok {
		return found
	}
	return s.main
}

// ByAlias returns the site with the alias, false when there is none.
func (s *Sites) ByAlias(alias string) (*Site, bool) {
	found, ok := s.byName[alias]
	return found, ok
}

// All returns the sites in the order of content.
func (s *Sites) All() []*Site { return s.list }

// WithBrands returns the sites with the given brands in place of those with the same aliases. Each must
// have the hosts of the brand that it replaces.
func (s *Sites) WithBrands(replaced map[string]*Site) *Sites {
	other := &Sites{byHost: map[string]*Site{}, byName: map[string]*Site{}, main: s.main}
	for _, brand := range s.list {
		if another, ok := replaced[brand.Alias]; ok {
			if other.main == brand {
				other.main = another
			}
			brand = another
		}
		other.list = append(other.list, brand)
		other.byName[brand.Alias] = brand
		for _, h := range brand.Hosts {
			other.byHost[h] = brand
		}
	}
	return other
}

// resolveCities sets the country and time zone of each city, and the banknotes, cash limit and
// phone masks that follow from the countries. It returns an error for an unknown country or time
// zone.
func (s *Site) resolveCities(countries []Country) error {
	byCode := make(map[string]*Country, len(countries))
	for i := range countries {
		byCode[countries[i].Code] = &countries[i]
	}
	var brandCountries []*Country // countries of the brand, each once, in the order of its cities
	for _, c := range s.Cities {
		country, ok := byCode[c.CountryCode]
		if !ok {
			return fmt.Errorf("city %s: unknown country %s", c.Alias, c.CountryCode)
		}
		location, err := time.LoadLocation(c.Timezone)
		if err != nil {
			return fmt.Errorf("city %s: %w", c.Alias, err)
		}
		c.Country, c.Location = country, location
		c.Banknotes, c.CashLimit = country.Banknotes, country.CashLimit
		if !slices.Contains(brandCountries, country) {
			brandCountries = append(brandCountries, country)
		}
	}
	for _, c := range s.Cities {
		c.PhoneMasks = []PhoneMask{c.Country.Phone}
		for _, other := range brandCountries {
			if other != c.Country {
				c.PhoneMasks = append(c.PhoneMasks, other.Phone)
			}
		}
	}
	return nil
}
