package orders_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/schedule"
)

// withAddressForm returns countries.yaml with an address form for the first country.
func withAddressForm(form string) map[string]string {
	return map[string]string{"countries.yaml": strings.Replace(carttest.Texts["countries.yaml"], "cash_limit: 5000}", "cash_limit: 5000, address_form: "+form+"}", 1)}
}

// Where the name at the bell finds the door, it is required, and the flat of an address that was saved before stays
// with the customer: the courier does not get it.
func TestCreate_asksForWhatTheCountryNeeds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		h.Import(t, withAddressForm("[{field: bell_name, required: true}, {field: floor}]"))
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP) // to an address that has the room 5
		_, err := h.Orders.Create(t.Context(), v, r)
		if f, ok := fault.Of(err); !ok || len(f.Fields) != 1 || f.Fields["bell_name"] == nil || f.Fields["bell_name"][0].Key != "order.bell_name_required" {
			t.Fatalf("without a name: %v", err)
		}
		r.Address.Details = geo.Details{BellName: new("  Müller "), Floor: new("3"), Intercom: new("12#")}
		placed := h.Place(t, v, r)
		read, err := h.Orders.Get(t.Context(), v, placed.ID)
		if err != nil {
			t.Fatal(err)
		}
		if a := read.Details.Address; a.BellName != "Müller" || a.Floor != "3" || a.Room != "" || a.Intercom != "" {
			t.Errorf("the courier gets the name %q, the floor %q, the room %q and the intercom %q", a.BellName, a.Floor, a.Room, a.Intercom)
		}
		if saved, err := h.Addresses.Get(t.Context(), addressOwner(v), r.Address.ID); err != nil || saved.Room != "5" {
			t.Errorf("the saved address has the room %q, %v", saved.Room, err)
		}
	})
}

// A flat is required, of a private house it is neither required nor sent.
func TestCreate_needsNoFlatOfAPrivateHouse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		v := h.Visitor(t, "sushi")
		r := h.Delivery(t, v, schedule.ASAP)
		r.Address.Details = geo.Details{Room: new(" ")}
		_, err := h.Orders.Create(t.Context(), v, r)
		if f, ok := fault.Of(err); !ok || f.Fields["room"] == nil || f.Fields["room"][0].Key != "order.room_required" {
			t.Fatalf("without a flat: %v", err)
		}
		r.Address.Details = geo.Details{IsPrivateHouse: new(true), Floor: new("2"), Intercom: new("gate")}
		a := h.Place(t, v, r).Details.Address
		if !a.IsPrivateHouse || a.Room != "" || a.Floor != "" || a.Intercom != "gate" {
			t.Errorf("private %t, room %q, floor %q, intercom %q", a.IsPrivateHouse, a.Room, a.Floor, a.Intercom)
		}
	})
}

// What staff write into a field that the form does not have is refused, not lost.
func TestPlaceByPhone_followsTheAddressForm(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		h.Import(t, withAddressForm("[{field: room, required: true}, {field: private_house}, {field: landmark, required: true}]"))
		v := h.staff(t)
		for name, c := range map[string]struct {
			change func(a *geo.Address)
			want   map[string]string
		}{
			"no landmark":             {func(*geo.Address) {}, map[string]string{"landmark": "common.required"}},
			"an intercom":             {func(a *geo.Address) { a.Landmark, a.Intercom = "by the bridge", "12#" }, map[string]string{"intercom": "common.unknown_field"}},
			"a room, a private house": {func(a *geo.Address) { a.Landmark, a.IsPrivateHouse = "by the bridge", true }, map[string]string{"room": "common.unknown_field"}},
		} {
			p := byPhone("refused")
			c.change(p.Address)
			_, err := h.Orders.PlaceByPhone(t.Context(), v, p)
			f, ok := fault.Of(err)
			if !ok || !slices.Equal(slices.Sorted(maps.Keys(f.Fields)), slices.Sorted(maps.Keys(c.want))) {
				t.Errorf("%s: %v", name, err)
				continue
			}
			for field, key := range c.want {
				if f.Fields[field][0].Key != key {
					t.Errorf("%s: %s says %v, want %s", name, field, f.Fields[field], key)
				}
			}
		}
		p := byPhone("placed")
		p.Address.Landmark, p.Address.IsPrivateHouse, p.Address.Room = "by the bridge", true, ""
		o, err := h.Orders.PlaceByPhone(t.Context(), v, p)
		if err != nil || o.Details.Address.Landmark != "by the bridge" || !o.Details.Address.IsPrivateHouse {
			t.Error(err)
		}
	})
}
