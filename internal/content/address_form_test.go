package content_test

import (
	"slices"
	"testing"

	demo "servery/content"
	"servery/internal/content"
	"servery/internal/site"
)

func TestAddressForm_isReadInItsOrder(t *testing.T) {
	t.Parallel()
	read, found := content.Read(newFolder(t, change{"countries.yaml", `"+49 (###) ########"}`, `"+49 (###) ########"}, address_form: [{field: bell_name, required: true}, {field: floor}]`}))
	if len(found) > 0 {
		t.Fatal(found)
	}
	usual, german := read.Document.Countries[0].AddressForm(), read.Document.Countries[1].AddressForm()
	if want := (site.AddressForm{{Field: site.BellName, Required: true}, {Field: site.Floor}}); !slices.Equal(german, want) {
		t.Errorf("the form is %v, want %v", german, want)
	}
	if want := (site.AddressQuestion{Field: site.Room, Required: true}); usual[0] != want || !usual.Has(site.PrivateHouse) {
		t.Errorf("a country without a form asks for %v", usual)
	}
}

// What a courier needs in the countries of the demo, and no more than that is required.
func TestDemo_asksInEachCountryForWhatFindsTheDoor(t *testing.T) {
	t.Parallel()
	read, found := content.Read(demo.Demo())
	if read == nil {
		t.Fatal(found)
	}
	flats := []site.AddressField{site.Room, site.PrivateHouse, site.Entrance, site.Floor, site.Intercom}
	want := map[string]struct{ fields, required []site.AddressField }{
		"RU": {flats, []site.AddressField{site.Room}},
		"BY": {flats, []site.AddressField{site.Room}},
		"KZ": {flats, []site.AddressField{site.Room}},
		"UA": {flats, []site.AddressField{site.Room}},
		"DE": {[]site.AddressField{site.BellName, site.Floor, site.RearBuilding}, []site.AddressField{site.BellName}},
		"TR": {[]site.AddressField{site.Building, site.Floor, site.Room, site.PrivateHouse, site.Landmark}, []site.AddressField{site.Room}},
		"UZ": {[]site.AddressField{site.Landmark, site.Entrance, site.Floor, site.Room}, nil},
	}
	if len(read.Document.Countries) != len(want) {
		t.Errorf("%d countries, want %d", len(read.Document.Countries), len(want))
	}
	for _, c := range read.Document.Countries {
		var fields, required []site.AddressField
		for _, q := range c.AddressForm() {
			fields = append(fields, q.Field)
			if q.Required {
				required = append(required, q.Field)
			}
		}
		if !slices.Equal(fields, want[c.Code].fields) || !slices.Equal(required, want[c.Code].required) {
			t.Errorf("%s asks for %v and requires %v, want %v", c.Code, fields, required, want[c.Code])
		}
	}
}
