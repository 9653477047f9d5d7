package order

import (
	"context"

	"servery/internal/cart"
	"servery/internal/site"
)

// View is how much of an order a visitor may see and do.
type View int

// The views. The zero value is that of those who placed the order; with LinkView it cannot be
// canceled, and with BriefView it shows status, promise, dishes and total alone.
const (
	OwnView View = iota
	LinkView
	BriefView
)

// viewOf returns how the visitor may see an order, and false when it is hidden from them. Who
// knows phone and number has shown less than who has the link, unless the phone is the one that
// they have signed in with.
func (s *Service) viewOf(ctx context.Context, v cart.Visitor, o Order) (View, bool, error) {
	switch {
	case o.belongsTo(v):
		return OwnView, true, nil
	case v.SessionID == 0 || o.Site != v.Site.Alias:
		return BriefView, false, nil
	}
	as, granted, err := findGrant(ctx, s.db.Read(), v.SessionID, o.ID)
	if as == BriefView && o.isOfPhone(v) {
		as = LinkView
	}
	return as, granted, err
}

// isOfPhone reports whether the visitor has signed in with the phone of the order.
func (o Order) isOfPhone(v cart.Visitor) bool { return v.CustomerID != 0 && o.Phone == v.CustomerPhone }

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
