package site

import (
	"testing"
	"time"

	"servery/internal/lang"
)

// newSites returns two brands: sushi, the default, with the cities Moscow and Berlin, and pizza
// without cities.
func newSites(t *testing.T) *Sites {
	t.Helper()
	countries := []Country{
		{Code: "RU", CashLimit: 500000, Phone: PhoneMask{Code: "+7"}},
		{Code: "DE", Phone: PhoneMask{Code: "+49"}},
		{Code: "TR", Phone: PhoneMask{Code: "+90"}},
	}
	s, err := New([]*Site{
		{Alias: "sushi", Hosts: []string{"localhost", "sushi.localhost"}, Default: true, DefaultLanguage: lang.RU, Cities: []*City{
			{ID: 1, Alias: "moscow", Timezone: "Europe/Moscow", CountryCode: "RU", Delivery: true, PaymentTypes: map[OrderType][]string{Delivery: {Cash}}},
			{ID: 2, Alias: "berlin", Timezone: "Europe/Berlin", CountryCode: "DE"},
		}},
		{Alias: "pizza", Hosts: []string{"pizza.localhost"}},
	}, countries)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Port, letter case and a point at the end do not matter. Unknown and malformed hosts get the
// default site.
func TestSites_ByHost_findsTheSiteOfAHost(t *testing.T) {
	t.Parallel()
	s := newSites(t)
	for host, want := range map[string]string{
		"localhost": "sushi", "pizza.localhost": "pizza", "PIZZA.Localhost:8080": "pizza", "pizza.localhost.": "pizza",
		"localhost:80": "sushi", "example.com": "sushi", "": "sushi", "[::1]:8080": "sushi", "pizza.localhost:x:y": "sushi",
	} {
		if got := s.ByHost(host).Alias; got != want {
			t.Errorf("%q is %s, want %s", host, got, want)
		}
	}
}

// The phone masks of Berlin are the German one and then the Russian one. The Turkish one is
// missing, because the brand has no city there.
func TestNew_beginsThePhoneMasksOfACityWithItsCountry(t *testing.T) {
	t.Parallel()
	brand := newSites(t).ByHost("")
	berlin, _ := brand.CityByAlias("berlin")
	if len(berlin.PhoneMasks) != 2 || berlin.PhoneMasks[0].Code != "+49" || berlin.PhoneMasks[1].Code != "+7" {
		t.Errorf("masks %v", berlin.PhoneMasks)
	}
}

// In summer Moscow is three hours ahead of UTC and Berlin two. Moscow sells for delivery only
// and accepts cash only.
func TestCity_hasItsOffsetAndWhatItSells(t *testing.T) {
	t.Parallel()
	brand := newSites(t).ByHost("")
	moscow, _ := brand.City(1)
	berlin, _ := brand.City(2)
	summer := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	if moscow.OffsetHours(summer) != 3 || berlin.OffsetHours(summer) != 2 {
		t.Errorf("offsets %v and %v", moscow.OffsetHours(summer), berlin.OffsetHours(summer))
	}
	if !moscow.Sells(Delivery) || moscow.Sells(Takeaway) || !moscow.Accepts(Delivery, Cash) || moscow.Accepts(Delivery, Card) {
		t.Error("moscow takes the wrong orders")
	}
}

// Berlin changes its clock at 01:00 UTC of the last Sundays of March and October, Moscow never does.
func TestCity_ClockChanges_areThoseOfThreeYearsBackAndAYearAhead(t *testing.T) {
	t.Parallel()
	brand := newSites(t).ByHost("")
	moscow, _ := brand.City(1)
	berlin, _ := brand.City(2)
	now := time.Date(2026, 10, 24, 12, 0, 0, 0, time.UTC)
	changes := berlin.ClockChanges(now)
	if len(changes) != 8 {
		t.Fatalf("%d changes: %v", len(changes), changes)
	}
	first, next := time.Date(2023, 10, 29, 1, 0, 0, 0, time.UTC), time.Date(2026, 10, 25, 1, 0, 0, 0, time.UTC)
	if !changes[0].At.Equal(first) || changes[0].Hours != 1 || !changes[6].At.Equal(next) || changes[6].Hours != 1 || changes[5].Hours != 2 {
		t.Errorf("changes %v", changes)
	}
	if changes := moscow.ClockChanges(now); changes != nil {
		t.Errorf("moscow changes %v", changes)
	}
}

// New returns an error for two default brands or none, for an alias or a host that occurs twice,
// and for a city of an unknown country.
func TestNew_refusesBrandsWithTheSameNames(t *testing.T) {
	t.Parallel()
	for name, brands := range map[string][]*Site{
		"two defaults": {{Alias: "a", Default: true}, {Alias: "b", Default: true}},
		"no default":   {{Alias: "a"}},
		"one alias":    {{Alias: "a", Default: true}, {Alias: "a"}},
		"one host":     {{Alias: "a", Default: true, Hosts: []string{"x"}}, {Alias: "b", Hosts: []string{"x"}}},
		"no country":   {{Alias: "a", Default: true, Cities: []*City{{Alias: "c", Timezone: "UTC", CountryCode: "XX"}}}},
	} {
		if _, err := New(brands, nil); err == nil {
			t.Errorf("%s: no fault", name)
		}
	}
}
