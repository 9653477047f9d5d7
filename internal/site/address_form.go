package site

import "slices"

// AddressField is a detail of an address that a country's form may ask for. The set is closed; the values
// are those of content and of the contract.
type AddressField string

// The fields of address forms.
const (
	Room         AddressField = "room" // flat, office, door number
	PrivateHouse AddressField = "private_house"
	Building     AddressField = "building"      // name or number of one of several at the address
	RearBuilding AddressField = "rear_building" // behind the one on the street
	Entrance     AddressField = "entrance"
	Floor        AddressField = "floor"
	Intercom     AddressField = "intercom"
	BellName     AddressField = "bell_name" // the name that stands at the bell
	Landmark     AddressField = "landmark"  // what is nearby, and the way from there
)

// AddressFields returns all fields of address forms.
func AddressFields() []AddressField {
	return []AddressField{Room, PrivateHouse, Building, RearBuilding, Entrance, Floor, Intercom, BellName, Landmark}
}

// IsForFlats reports whether only an address in a block of flats has the field. A private house has none.
func (f AddressField) IsForFlats() bool { return f == Room || f == Entrance || f == Floor }

// AddressForm is what a country's customers are asked for besides street and house, in the order in which it
// is asked. The comment for the courier is asked for everywhere and is no part of it.
type AddressForm []AddressQuestion

// AddressQuestion is a field of an address form.
type AddressQuestion struct {
	Field AddressField `json:"field"`
	// Required says that no order is taken without it. Of a private house no field for flats is required.
	Required bool `json:"required,omitempty"`
}

// Has reports whether the form asks for the field.
func (f AddressForm) Has(field AddressField) bool {
	return slices.ContainsFunc(f, func(q AddressQuestion) bool { return q.Field == field })
}

// usualForm is the form of countries whose content has none.
var usualForm = AddressForm{{Field: Room, Required: true}, {Field: PrivateHouse}, {Field: Entrance}, {Field: Floor}, {Field: Intercom}}

// AddressForm returns the form of the country's addresses. It is never empty; the caller must not change it.
func (c *Country) AddressForm() AddressForm {
	if len(c.OwnAddressForm) == 0 {
		return usualForm
	}
	return c.OwnAddressForm
}
