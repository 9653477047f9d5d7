package site

import "time"

// Terms are how long a brand stores personal data. 0 is the default; only for ArchiveMonths it is never.
type Terms struct {
	// PersonalMonths is how long the name, phone and address of a person are kept after the person was
	// last seen.
	PersonalMonths int `json:"personal_months,omitempty"`
	// GuestCartDays and CustomerCartDays are how long a cart is kept after its last change.
	GuestCartDays    int `json:"guest_cart_days,omitempty"`
	CustomerCartDays int `json:"customer_cart_days,omitempty"`
	// ArchiveMonths is how long a final order stays among the orders after the time that it was
	// promised for. Then it is archived; with 0 never.
	ArchiveMonths int `json:"archive_months,omitempty"`
}

// ArchiveBefore returns the instant ArchiveMonths before now: final orders that were promised for a
// time before it are archived. It returns false when none are.
func (t Terms) ArchiveBefore(now time.Time) (time.Time, bool) {
	return now.AddDate(0, -t.ArchiveMonths, 0), t.ArchiveMonths > 0
}

// DefaultTerms returns the terms of a brand that names none.
func DefaultTerms() Terms {
	return Terms{PersonalMonths: 24, GuestCartDays: 30, CustomerCartDays: 90}
}

// WithDefaults returns the terms with the default in place of each that is 0, apart from ArchiveMonths.
func (t Terms) WithDefaults() Terms {
	d := DefaultTerms()
	for _, term := range []struct{ own, byDefault *int }{
		{&t.PersonalMonths, &d.PersonalMonths}, {&t.GuestCartDays, &d.GuestCartDays}, {&t.CustomerCartDays, &d.CustomerCartDays},
	} {
		if *term.own == 0 {
			*term.own = *term.byDefault
		}
	}
	return t
}

// PersonalBefore returns the instant PersonalMonths before now: persons who were last seen
// before it are anonymized. A term of 0 must have been replaced with its default.
func (t Terms) PersonalBefore(now time.Time) time.Time { return now.AddDate(0, -t.PersonalMonths, 0) }

// CartsBefore returns the instants GuestCartDays and CustomerCartDays before now: carts of
// guests and of customers that were last changed before them are removed. Terms of 0 must have
// been replaced with their defaults.
func (t Terms) CartsBefore(now time.Time) (guests, customers time.Time) {
	return now.AddDate(0, 0, -t.GuestCartDays), now.AddDate(0, 0, -t.CustomerCartDays)
}
