package order

import (
	"crypto/subtle"

	"servery/internal/phone"
	"servery/internal/site"
	"servery/internal/visit"
)

// View is how much of an order a visitor may see and do.
type View int

// The views. The zero value is that of those who placed the order; LinkView is that of those who
// have its link, and BriefView shows status, promise, dishes and total alone.
const (
	OwnView View = iota
	LinkView
	BriefView
)

// IsOfPhone reports whether the visitor has signed in with the phone of the order.
func (o Order) IsOfPhone(v visit.Context) bool {
	return v.CustomerID != 0 && o.Phone == v.CustomerPhone
}

// ViewedAs returns the order with only what the view shows: for BriefView without link, phone,
// address and all else that is personal.
func (o Order) ViewedAs(as View) Order {
	o.View = as
	if as != BriefView {
		return o
	}
	o.Link, o.Phone, o.Promocode, o.CacheKey, o.PaidBy, o.Courier = "", "", "", "", "", Courier{}
	shown := Details{
		Packages: o.Details.Packages, Gifts: o.Details.Gifts, WithoutBag: o.Details.WithoutBag,
		DeliveryBonuses: o.Details.DeliveryBonuses,
	}
	if o.Type == site.Takeaway {
		shown.Shop = o.Details.Shop
	} else {
		o.ShopID, o.ZoneID = 0, 0 // they show roughly where the customer lives
	}
	o.Details = shown
	return o
}

// BelongsTo reports whether the visitor placed the order: in this session, or as the
// customer who has signed in.
func (o Order) BelongsTo(v visit.Context) bool {
	inSession := v.SessionID != 0 && o.SessionID == v.SessionID
	asCustomer := v.CustomerID != 0 && o.CustomerID == v.CustomerID
	return (inSession || asCustomer) && o.Site == v.Site.Alias
}

// Lookup is how somebody who has no session of the order asks for it: its number with
// the phone it was placed with, or with the secret of its link.
type Lookup struct {
	OrderID     int64
	Phone, Link string
	// Address is the network address of the visitor, for the limit.
	Address string
}

// Matches reports whether the lookup has the order's link or, when it has no link, the order's
// phone. It compares in constant time.
func (o Order) Matches(look Lookup, v visit.Context) bool {
	if look.Link != "" {
		return subtle.ConstantTimeCompare([]byte(look.Link), []byte(o.Link)) == 1
	}
	digits := phone.Digits(look.Phone)
	if city, ok := v.Site.City(o.CityID); ok {
		if full, err := phone.Parse(look.Phone, city); err == nil {
			digits = full
		}
	}
	return subtle.ConstantTimeCompare([]byte(digits), []byte(o.Phone)) == 1
}
