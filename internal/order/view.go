package order

import (
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

// isOfPhone reports whether the visitor has signed in with the phone of the order.
func (o Order) isOfPhone(v visit.Context) bool {
	return v.CustomerID != 0 && o.Phone == v.CustomerPhone
}

// seenAs returns what a view shows of the order.
func (o Order) seenAs(as View) Order {
	o.View = as
	if as != BriefView {
		return o
	}
	o.Link, o.Phone, o.Promocode, o.CacheKey, o.PaidBy = "", "", "", "", ""
	shown := Details{
		Packages: o.Details.Packages, Gifts: o.Details.Gifts, WithoutBag: o.Details.WithoutBag,
		DeliveryBonuses: o.Details.DeliveryBonuses,
	}
	if o.Type == site.Takeaway {
		shown.Shop = o.Details.Shop
	} else {
		o.ShopID, o.ZoneID = 0, 0
	}
	o.Details = shown
	return o
}
