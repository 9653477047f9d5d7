// Package limit holds the figures that bound what callers may take without paying for it:
// orders, time on hold, exports of their data. Customers who have signed in are counted by their account,
// guests by what they cannot change at will. The package imports only the
// standard library.
package limit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Limits are the figures. 0 bounds nothing.
type Limits struct {
	// OrdersPerPhone and OrdersPerSession are how many orders of guests may be open at once.
	OrdersPerPhone, OrdersPerSession int
	// OrdersPerCustomer is how many orders of a customer who has signed in may be open at once.
	OrdersPerCustomer int
	// OrdersPerHour is how many orders a customer, or guests with one phone, may place in an hour, canceled ones too.
	OrdersPerHour int
	// OrdersPerAddress is how many orders of guests an address may place in an hour, besides
	// as many as were delivered to customers of that address in the last seven days.
	OrdersPerAddress int
	// HoldsPerAddress and HoldsPerNetwork are how many checkouts may hold a time at once.
	HoldsPerAddress, HoldsPerNetwork int
	// HoldShare divides the ceiling of an interval: one address or network has at most one
	// part of it on hold, and all together at most all parts but one.
	HoldShare int
	// HoldRenewals is how often a checkout that is begun again may lengthen its hold.
	HoldRenewals int
	// SessionsPerAddress is how many sessions an address may begin in an hour. A mobile network
	// has thousands behind one address; a session is begun by a first change, not by reading.
	SessionsPerAddress int
	// FormsPerAddress, FormsPerSession and FormsPerPhone are how many questions and requests are
	// taken in an hour. An office has many people behind one address.
	FormsPerAddress, FormsPerSession, FormsPerPhone int
	// GeocodesPerAddress and GeocodesPerSession are how many calls to geocoders of other companies
	// are made in an hour. Beyond them the local index answers.
	GeocodesPerAddress, GeocodesPerSession int
	// ExportPause is how many seconds a customer waits between two exports of their data.
	ExportPause int
}

// off is what lifts all limits.
const off = "off"

// Default returns the limits where no setting names others.
func Default() Limits {
	return Limits{
		OrdersPerPhone: 3, OrdersPerSession: 3, OrdersPerCustomer: 10, OrdersPerHour: 20, OrdersPerAddress: 20,
		HoldsPerAddress: 10, HoldsPerNetwork: 40, HoldShare: 3, HoldRenewals: 2,
		SessionsPerAddress: 1000,
		FormsPerAddress:    60, FormsPerSession: 5, FormsPerPhone: 5,
		GeocodesPerAddress: 1000, GeocodesPerSession: 200,
		ExportPause: 60,
	}
}

// figure is one of the limits with its name.
type figure struct {
	name string
	at   *int // the field of Limits
}

// namedFigures returns pointers to all fields of the limits with the names that the setting has
// for them, in the order in which String writes them.
func (l *Limits) namedFigures() []figure {
	return []figure{
		{"orders-per-phone", &l.OrdersPerPhone},
		{"orders-per-session", &l.OrdersPerSession},
		{"orders-per-customer", &l.OrdersPerCustomer},
		{"orders-per-hour", &l.OrdersPerHour},
		{"orders-per-address", &l.OrdersPerAddress},
		{"holds-per-address", &l.HoldsPerAddress},
		{"holds-per-network", &l.HoldsPerNetwork},
		{"hold-share", &l.HoldShare},
		{"hold-renewals", &l.HoldRenewals},
		{"sessions-per-address", &l.SessionsPerAddress},
		{"forms-per-address", &l.FormsPerAddress},
		{"forms-per-session", &l.FormsPerSession},
		{"forms-per-phone", &l.FormsPerPhone},
		{"geocodes-per-address", &l.GeocodesPerAddress},
		{"geocodes-per-session", &l.GeocodesPerSession},
		{"export-pause", &l.ExportPause},
	}
}

// Parse returns the limits of a text like "orders-per-phone=3,hold-share=2". Limits that are not
// named have their defaults; "off" is no limits at all. It returns an error for an unknown name,
// a value that is not a number above zero, and a hold-share below 2.
func Parse(text string) (Limits, error) {
	if text == off {
		return Limits{}, nil
	}
	l := Default()
	names := map[string]*int{}
	for _, f := range l.namedFigures() {
		names[f.name] = f.at
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		at := names[name]
		if !ok || at == nil {
			return Limits{}, fmt.Errorf("%q is not a limit like orders-per-phone=3", part)
		}
		n, err := strconv.Atoi(value)
		if err != nil || n <= 0 {
			return Limits{}, fmt.Errorf("%s must be a whole number above zero", name)
		}
		*at = n
	}
	// Of an interval that is divided into HoldShare parts, all checkouts together may hold all but one. Of
	// a single part they could hold none.
	if l.HoldShare < 2 {
		return Limits{}, errors.New("hold-share must be 2 or more")
	}
	return l, nil
}

// IsOff reports whether all limits are 0, which is no limit.
func (l Limits) IsOff() bool { return l == Limits{} }

// String returns all limits in the form that Parse reads: "orders-per-phone=3,…", or "off" when
// there are none.
func (l Limits) String() string {
	if l.IsOff() {
		return off
	}
	var parts []string
	for _, f := range l.namedFigures() {
		parts = append(parts, f.name+"="+strconv.Itoa(*f.at))
	}
	return strings.Join(parts, ",")
}
