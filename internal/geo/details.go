package geo

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"servery/internal/fault"
	"servery/internal/site"
)

// maxDescription is how long the comment for the courier may be, in characters.
const maxDescription = 300

// longest returns how long the text of a field may be, in characters.
func longest(f site.AddressField) int {
	switch f {
	case site.Intercom, site.RearBuilding:
		return 40
	case site.Building, site.BellName:
		return 60
	case site.Landmark:
		return 200
	case site.Room, site.Entrance, site.Floor, site.PrivateHouse:
	}
	return 20
}

// Details are changes of an address's details. What is nil stays as it is; what is empty is taken out.
type Details struct {
	Room           *string `json:"room"`
	Entrance       *string `json:"entrance"`
	Floor          *string `json:"floor"`
	Intercom       *string `json:"intercom"`
	Description    *string `json:"description"`
	IsPrivateHouse *bool   `json:"private_house,omitempty"`
	Building       *string `json:"building,omitempty"`
	RearBuilding   *string `json:"rear_building,omitempty"`
	BellName       *string `json:"bell_name,omitempty"`
	Landmark       *string `json:"landmark,omitempty"`
}

// ApplyTo returns the address with the changes, without spaces around the texts.
func (d Details) ApplyTo(a Address) Address {
	for _, f := range site.AddressFields() {
		if given := d.text(f); given != nil {
			*a.text(f) = strings.TrimSpace(*given)
		}
	}
	if d.Description != nil {
		a.Description = strings.TrimSpace(*d.Description)
	}
	if d.IsPrivateHouse != nil {
		a.IsPrivateHouse = *d.IsPrivateHouse
	}
	return a
}

// Has reports whether the field is among the changes.
func (d Details) Has(f site.AddressField) bool {
	return d.text(f) != nil || f == site.PrivateHouse && d.IsPrivateHouse != nil
}

// text returns the change of a field; nil when it stays as it is, and for private_house, which is no text.
func (d Details) text(f site.AddressField) *string {
	switch f {
	case site.Room:
		return d.Room
	case site.Building:
		return d.Building
	case site.RearBuilding:
		return d.RearBuilding
	case site.Entrance:
		return d.Entrance
	case site.Floor:
		return d.Floor
	case site.Intercom:
		return d.Intercom
	case site.BellName:
		return d.BellName
	case site.Landmark:
		return d.Landmark
	case site.PrivateHouse:
	}
	return nil
}

// text returns the detail that a field of forms has; nil for private_house, which is no text.
func (a *Address) text(f site.AddressField) *string {
	switch f {
	case site.Room:
		return &a.Room
	case site.Building:
		return &a.Building
	case site.RearBuilding:
		return &a.RearBuilding
	case site.Entrance:
		return &a.Entrance
	case site.Floor:
		return &a.Floor
	case site.Intercom:
		return &a.Intercom
	case site.BellName:
		return &a.BellName
	case site.Landmark:
		return &a.Landmark
	case site.PrivateHouse:
	}
	return nil
}

// has reports whether the address has the detail.
func (a *Address) has(f site.AddressField) bool {
	text := a.text(f)
	return text == nil && a.IsPrivateHouse || text != nil && *text != ""
}

// remove takes a detail out.
func (a *Address) remove(f site.AddressField) {
	if text := a.text(f); text != nil {
		*text = ""
	} else {
		a.IsPrivateHouse = false
	}
}

// isAsked reports whether the form asks for the field at the address: of a private house it asks for no field
// that only flats have.
func (a *Address) isAsked(form site.AddressForm, f site.AddressField) bool {
	isLeftOut := f.IsForFlats() && a.IsPrivateHouse && form.Has(site.PrivateHouse)
	return form.Has(f) && !isLeftOut
}

// In returns the address with those details only that the form has.
func (a Address) In(form site.AddressForm) Address {
	for _, f := range site.AddressFields() {
		if !form.Has(f) {
			a.remove(f)
		}
	}
	return a
}

// ForCourier returns the address with those details only that the form asks for at this address.
func (a Address) ForCourier(form site.AddressForm) Address {
	for _, f := range a.UnaskedIn(form) {
		a.remove(f)
	}
	return a
}

// UnaskedIn returns the details that the address has and the form does not ask for at this address.
func (a Address) UnaskedIn(form site.AddressForm) []site.AddressField {
	var fields []site.AddressField
	for _, f := range site.AddressFields() {
		if a.has(f) && !a.isAsked(form, f) {
			fields = append(fields, f)
		}
	}
	return fields
}

// MissingIn returns the details that the form requires and the address lacks.
func (a Address) MissingIn(form site.AddressForm) []site.AddressField {
	var fields []site.AddressField
	for _, q := range form {
		if q.Required && a.isAsked(form, q.Field) && !a.has(q.Field) {
			fields = append(fields, q.Field)
		}
	}
	return fields
}

// withHidden returns the address in which details that the form does not have, and that are empty, are those of
// the other address.
func (a Address) withHidden(form site.AddressForm, other Address) Address {
	for _, f := range site.AddressFields() {
		if form.Has(f) || a.has(f) {
			continue
		}
		if text := a.text(f); text != nil {
			*text = *other.text(f)
		} else {
			a.IsPrivateHouse = other.IsPrivateHouse
		}
	}
	return a
}

// WithoutFlat returns the address without the details that only flats have.
func (a Address) WithoutFlat() Address {
	for _, f := range site.AddressFields() {
		if f.IsForFlats() {
			a.remove(f)
		}
	}
	return a
}

// CheckDetails returns an option for the field of each detail that cannot be stored: common.too_long, or
// geo.address_unreadable for control characters; only the comment may have several lines. It returns nil when
// all can.
func (a Address) CheckDetails() []fault.Option {
	var options []fault.Option
	check := func(field, text string, limit int, isUnreadable func(rune) bool) {
		switch {
		case utf8.RuneCountInString(text) > limit:
			options = append(options, fault.Field(field, "common.too_long", fault.Args{"max": limit}))
		case strings.ContainsFunc(text, isUnreadable):
			options = append(options, fault.Field(field, "geo.address_unreadable"))
		}
	}
	for _, f := range site.AddressFields() {
		if text := a.text(f); text != nil {
			check(string(f), *text, longest(f), unicode.IsControl)
		}
	}
	isControlInLines := func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r) }
	check("description", a.Description, maxDescription, isControlInLines)
	return options
}
