package provider_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/provider"
	"servery/internal/site"
)

const geocoders = `
sushi:
  geocoders:
    - {provider: dadata, api_key: k, cities: [moscow, kazan], timeout_seconds: 2}
    - {provider: yandex, suggest_key: a, geocoder_key: b, cache_minutes: 30}
    - {provider: photon, base_url: https://photon.example.com}
    - {provider: nominatim, contact: it@example.com}
"*":
  geocoders: [{provider: nominatim, contact: it@example.com, base_url: "http://127.0.0.1:9900"}]
`

func TestRead_readsTheGeocodersInTheirOrder(t *testing.T) {
	t.Parallel()
	book, err := provider.Read(writeFile(t, geocoders), []string{"sushi", "pizza"}, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range book.Site("sushi").Geocoders {
		names = append(names, c.Service.Name())
	}
	if want := []string{"dadata", "yandex", "photon", "nominatim"}; !slices.Equal(names, want) {
		t.Errorf("sushi has %v", names)
	}
	first, second := book.Site("sushi").Geocoders[0], book.Site("sushi").Geocoders[1]
	if !first.Serves("kazan") || first.Serves("istanbul") || first.Term != 0 || !second.Serves("istanbul") || second.Term != 30*time.Minute {
		t.Errorf("%+v %+v", first, second)
	}
	if others := book.Site("pizza").Geocoders; len(others) != 1 {
		t.Errorf("pizza has %v", others)
	}
}

func TestRead_reportsEachFaultOfAGeocoderWithItsLineAndNoSecret(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"provider: hunter2", ":3: provider must be dadata or yandex or photon or nominatim"},
		{"provider: dadata", ":3: api_key is missing"},
		{"provider: yandex, suggest_key: hunter2", ":3: geocoder_key is missing"},
		{"provider: photon", ":3: base_url is missing"},
		{"provider: photon, base_url: \"http://hunter2.example\"", ":3: base_url must look like https://example.com"},
		{"provider: nominatim", ":3: contact is missing"},
		{"provider: dadata, api_key: hunter2, cities: kazan", ":3: cities must be a list of aliases"},
		{"provider: dadata, api_key: hunter2, cities: [1]", ":3: cities must be a list of aliases"},
		{"provider: dadata, api_key: hunter2, cache_minutes: 14400", ":3: cache_minutes must be a whole number from 1 to 1440"},
		{"provider: dadata, api_key: hunter2, secret: hunter2", `:3: there is no field "secret" here`},
	} {
		fields, says := c[0], c[1]
		_, err := provider.Read(writeFile(t, "sushi:\n  geocoders:\n    - {"+fields+"}\n"), nil, clock.System{})
		var invalid *provider.Invalid
		if !errors.As(err, &invalid) || !strings.Contains(err.Error(), says) || len(invalid.Faults) != 1 || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s says %v, not %q", fields, err, says)
		}
	}
}

func TestBook_FindUnmet_namesACityOfGeocodersThatTheBrandHasNot(t *testing.T) {
	t.Parallel()
	book, err := provider.Read(writeFile(t, geocoders), nil, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	brand := &site.Site{Alias: "sushi", Cities: []*site.City{{Alias: "moscow"}}}
	const hasSandbox = false
	unmet := book.FindUnmet(brand, hasSandbox)
	if len(unmet) != 1 || !strings.Contains(unmet[0].String(), "brand sushi: geocoders: dadata serves kazan") {
		t.Errorf("%v", unmet)
	}
	brand.Cities = append(brand.Cities, &site.City{Alias: "kazan"})
	if unmet := book.FindUnmet(brand, hasSandbox); len(unmet) != 0 {
		t.Errorf("%v", unmet)
	}
}
