package order

import (
	"context"
	"crypto/subtle"
	"errors"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/guess"
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

// isOfPhone reports whether the visitor has signed in with the phone of the order.
func (o Order) isOfPhone(v visit.Context) bool {
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
		o.ShopID, o.ZoneID = 0, 0
	}
	o.Details = shown
	return o
}

// belongsTo reports whether the visitor placed the order: in this session, or as the
// customer who has signed in.
func (o Order) belongsTo(v visit.Context) bool {
	inSession := v.SessionID != 0 && o.sessionID == v.SessionID
	asCustomer := v.CustomerID != 0 && o.customerID == v.CustomerID
	return (inSession || asCustomer) && o.Site == v.Site.Alias
}

// Get returns an order with what the visitor may see of it. It returns order.not_found
// (NotFound) when there is none or it is hidden from the visitor.
func (s *Service) Get(ctx context.Context, v visit.Context, id int64) (Order, error) {
	o, err := Load(ctx, s.db.Read(), id)
	if err != nil {
		return Order{}, hideNotFound(err)
	}
	as, ok, err := viewOf(ctx, s.db.Read(), v, o)
	switch {
	case err != nil:
		return Order{}, err
	case !ok:
		return Order{}, NotFound()
	}
	return o.ViewedAs(as), nil
}

// Lookup is how somebody who has no session of the order asks for it: its number with
// the phone it was placed with, or with the secret of its link.
type Lookup struct {
	OrderID     int64
	Phone, Link string
	// Address is the network address of the visitor, for the limit.
	Address string
}

// LookUp returns what a visitor may see of an order who knows its phone or its link, and lets the
// session see as much from then on. Without phone and link it returns what the visitor may see
// already. Faults: order.not_found (NotFound), the same whatever did not match;
// order.too_many_lookups (TooMany) after too many that did not match, by the session and by the
// address.
func (s *Service) LookUp(ctx context.Context, v visit.Context, look Lookup) (Order, error) {
	if look.Phone == "" && look.Link == "" {
		return s.Get(ctx, v, look.OrderID)
	}
	guessed := guess.Guess{CustomerID: v.CustomerID, SessionID: v.SessionID, Address: look.Address}
	if wait, by := s.lookups.Attempt(guessed, v.Now); by != guess.Unbound {
		return Order{}, fault.New(fault.TooMany, "order.too_many_lookups", fault.RetryAfter(wait))
	}
	o, err := Load(ctx, s.db.Read(), look.OrderID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return Order{}, err
	}
	if err != nil || o.Site != v.Site.Alias || !o.matches(look, v) {
		return Order{}, NotFound()
	}
	s.lookups.Succeed(guessed)
	as := BriefView
	if look.Link != "" || o.isOfPhone(v) {
		as = LinkView
	}
	if v.SessionID == 0 {
		return o.ViewedAs(as), nil
	}
	if known, ok, err := viewOf(ctx, s.db.Read(), v, o); err != nil {
		return Order{}, err
	} else if ok {
		as = min(as, known) // the lower view shows more
	}
	if as == OwnView {
		return o, nil
	}
	return o.ViewedAs(as), s.db.InTx(ctx, func(tx *db.Tx) error { return insertGrant(ctx, tx.Q, v, o.ID, as) })
}

// matches reports whether the lookup has the order's link or, when it has no link, the order's
// phone. It takes the same time for a wrong one.
func (o Order) matches(look Lookup, v visit.Context) bool {
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
