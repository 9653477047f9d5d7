package geo

import (
	"slices"
	"testing"

	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/site"
)

// The forms of a country of flats with numbers and of one with names at the bell.
var (
	numbered = site.AddressForm{{Field: site.Room, Required: true}, {Field: site.PrivateHouse}, {Field: site.Entrance, Required: true}, {Field: site.Intercom}}
	named    = site.AddressForm{{Field: site.BellName, Required: true}, {Field: site.Floor}}
)

func TestAddress_MissingIn_hasWhatTheFormRequires(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		form site.AddressForm
		a    Address
		want []site.AddressField
	}{
		"nothing is there":           {numbered, Address{}, []site.AddressField{site.Room, site.Entrance}},
		"a flat":                     {numbered, Address{Room: "5", Entrance: "2"}, nil},
		"a private house":            {numbered, Address{IsPrivateHouse: true}, nil},
		"a name at the bell":         {named, Address{BellName: "Müller"}, nil},
		"a flat in place of a name":  {named, Address{Room: "5"}, []site.AddressField{site.BellName}},
		"a box that is not asked":    {site.AddressForm{{Field: site.Room, Required: true}}, Address{IsPrivateHouse: true}, []site.AddressField{site.Room}},
		"a name of a private house":  {named, Address{IsPrivateHouse: true}, []site.AddressField{site.BellName}},
		"nothing is required at all": {site.AddressForm{{Field: site.Landmark}}, Address{}, nil},
	} {
		if got := c.a.MissingIn(c.form); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v is missing, want %v", name, got, c.want)
		}
	}
}

// A courier gets what the form asks for; the comment belongs to every form.
func TestAddress_ForCourier_hasWhatTheFormAsksForOnly(t *testing.T) {
	t.Parallel()
	whole := newArbatAddress("12")
	whole.IsPrivateHouse = false
	private := whole
	private.IsPrivateHouse = true
	for name, c := range map[string]struct {
		form         site.AddressForm
		a            Address
		has, hasLeft []site.AddressField
	}{
		"a flat":             {numbered, whole, []site.AddressField{site.Room, site.Entrance, site.Intercom}, []site.AddressField{site.Building, site.RearBuilding, site.Floor, site.BellName, site.Landmark}},
		"a private house":    {numbered, private, []site.AddressField{site.PrivateHouse, site.Intercom}, []site.AddressField{site.Room, site.Building, site.RearBuilding, site.Entrance, site.Floor, site.BellName, site.Landmark}},
		"a name at the bell": {named, whole, []site.AddressField{site.Floor, site.BellName}, []site.AddressField{site.Room, site.Building, site.RearBuilding, site.Entrance, site.Intercom, site.Landmark}},
	} {
		got := c.a.ForCourier(c.form)
		for _, f := range site.AddressFields() {
			if got.has(f) != slices.Contains(c.has, f) {
				t.Errorf("%s: %s is there: %t", name, f, got.has(f))
			}
		}
		if left := c.a.UnaskedIn(c.form); !slices.Equal(left, c.hasLeft) {
			t.Errorf("%s: %v is not asked for, want %v", name, left, c.hasLeft)
		}
		if got.Description != whole.Description || got.Address != whole.Address || got.Point != whole.Point {
			t.Errorf("%s: the courier gets %+v", name, showWhole(got))
		}
	}
}

// A private house that becomes a block of flats has its flat again.
func TestAddress_In_leavesTheFlatOfAPrivateHouse(t *testing.T) {
	t.Parallel()
	if got := newArbatAddress("12").In(numbered); got.Room != "7" || got.Floor != "" || !got.IsPrivateHouse {
		t.Errorf("got %+v", showWhole(got))
	}
}

func TestDetails_ApplyTo_changesWhatIsGiven(t *testing.T) {
	t.Parallel()
	empty, name, no := "", " Müller ", false
	got := Details{Room: &empty, BellName: &name, IsPrivateHouse: &no}.ApplyTo(newArbatAddress("12"))
	want := newArbatAddress("12")
	want.Room, want.BellName, want.IsPrivateHouse = "", "Müller", false
	if got != want {
		t.Errorf("got %+v", showWhole(got))
	}
}

// An address that was saved before its country had a form of its own is saved again by that form: what the form
// hides stays, what it shows is as it was entered, empty too.
func TestAddresses_Save_keepsWhatTheFormHides(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, me := NewAddresses(d, clock.NewFake(noon)), newOwner(t, d, "me")
		if _, err := s.Save(t.Context(), me, newArbatAddress("12"), allFields); err != nil {
			t.Fatal(err)
		}
		typed := newArbatAddress("12").In(named)
		typed.Room, typed.Floor, typed.BellName = "7", "", "Müller"
		saved, err := s.Save(t.Context(), me, typed, named)
		if err != nil {
			t.Fatal(err)
		}
		want := newArbatAddress("12")
		want.ID, want.Floor, want.BellName = saved.ID, "", "Müller"
		list, err := s.List(t.Context(), me)
		if err != nil || len(list) != 1 || list[0] != want || saved != want {
			t.Errorf("%d are saved, the last as %+v, %v", len(list), showWhole(saved), err)
		}
	})
}
