package site

import "time"

// Terms are how long a brand stores personal data. 0 is the default.
type Terms struct {
	// PersonalMonths is how long after they were last seen the name, phone and address of a
	// person are kept.
	PersonalMonths int `json:"personal_months,omitempty"`
	// GuestCartDays and CustomerCartDays are how long a cart is kept after its last change.
	GuestCartDays    int `json:"guest_cart_days,omitempty"`
	CustomerCartDays int `json:"customer_cart_days,omitempty"`
}

// DefaultTerms returns the terms of a brand that names none.
func DefaultTerms() Terms {
	return Terms{PersonalMonths: 24, GuestCartDays: 30, CustomerCartDays: 90}
}

// WithDefaults returns the terms with the defaults in place of what is not named.
func (t Terms) WithDefaults() Terms {
	d := DefaultTerms()
	for _, term := range []struct{ at, by *int }{
		{&t.PersonalMonths, &d.PersonalMonths}, {&t.GuestCartDays, &d.GuestCartDays}, {&t.CustomerCartDays, &d.CustomerCartDays},
	} {
		if *term.at == 0 {
			*term.at = *term.by
		}
	}
	return t
}

// PersonalBefore returns the instant before which a person must have been seen last to be
// anonymized now.
func (t Terms) PersonalBefore(now time.Time) time.Time { return now.AddDate(0, -t.PersonalMonths, 0) }

// CartsBefore returns the instants before which the carts of guests and of customers must have been
// changed last to be removed now.
func (t Terms) CartsBefore(now time.Time) (guests, customers time.Time) {
	return now.AddDate(0, 0, -t.GuestCartDays), now.AddDate(0, 0, -t.CustomerCartDays)
}
