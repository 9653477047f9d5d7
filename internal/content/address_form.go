package content

import "servery/internal/site"

// addressFormFields is a field of a country's address form.
type addressFormFields struct {
	// private_house is a box: while it is ticked, room, entrance and floor are not asked for
	Field wordValue `field:"field,required" one:"addressFields"`
	// No order without it
	Required bool `field:"required"`
}

// readAddressForm reads a country's address form. It adds a fault for a field that stands there twice and
// for a box that must be ticked, and a warning where a private house could not order.
func readAddressForm(list []mappingOf[addressFormFields]) site.AddressForm {
	var form site.AddressForm
	var flat wordValue // the first required field that only flats have
	for _, entry := range list {
		f, _ := entry.readMapping()
		q := site.AddressQuestion{Field: site.AddressField(f.Field.asWritten()), Required: f.Required}
		switch {
		case form.Has(q.Field) && q.Field != "":
			f.Field.addFault("%s stands here twice", q.Field)
		case q.Field == site.PrivateHouse && q.Required:
			f.Field.addFault("private_house is a box, which not every customer can tick: it cannot be required")
		case q.Required && q.Field.IsForFlats() && flat.isNull():
			flat = f.Field
		}
		form = append(form, q)
	}
	if !flat.isNull() && !form.Has(site.PrivateHouse) {
		flat.addWarning("%s is required, so that no private house can order: add the field private_house", flat.asWritten())
	}
	return form
}
