package order

import (
	"context"
	"crypto/subtle"
	"errors"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/guess"
	"servery/internal/phone"
	"servery/internal/visit"
)

// Look is how somebody who has no session of the order asks for it: its number with
// the phone it was placed with, or with the secret of its link.
type Look struct {
	OrderID     int64
	Phone, Link string
	// Address is the network address of the visitor, for the limit.
	Address string
}

// LookUp returns what the phone or the link of an order opens of it, which it does for the
// session from then on. Without phone and link it is Get. Faults: order.not_found (NotFound),
// the same whatever did not match; order.too_many_lookups (TooMany) after too many that
// did not match, by the session and by the address.
func (s *Service) LookUp(ctx context.Context, v visit.Context, look Look) (Order, error) {
	if look.Phone == "" && look.Link == "" {
		return s.Get(ctx, v, look.OrderID)
	}
	guessed := guess.Guess{CustomerID: v.CustomerID, SessionID: v.SessionID, Address: look.Address}
	if wait, by := s.lookups.Attempt(guessed, v.Now); by != guess.Unbound {
		return Order{}, fault.New(fault.TooMany, "order.too_many_lookups", fault.RetryAfter(wait))
	}
	o, err := load(ctx, s.db.Read(), look.OrderID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return Order{}, err
	}
	if err != nil || o.Site != v.Site.Alias || !o.opensTo(look, v) {
		return Order{}, notFound()
	}
	s.lookups.Succeed(guessed)
	as := BriefView
	if look.Link != "" || o.isOfPhone(v) {
		as = LinkView
	}
	if v.SessionID == 0 {
		return o.seenAs(as), nil
	}
	if known, ok, err := viewOf(ctx, s.db.Read(), v, o); err != nil {
		return Order{}, err
	} else if ok {
		as = min(as, known)
	}
	if as == OwnView {
		return o, nil
	}
	return o.seenAs(as), s.db.InTx(ctx, func(tx *db.Tx) error { return grant(ctx, tx.Q, v, o.ID, as) })
}

// opensTo reports whether the look names the order's phone or its link.
func (o Order) opensTo(look Look, v visit.Context) bool {
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

// Courier returns where the courier of an order is, and false while it is not on its
// way, not known yet, not shown by the brand, or the visitor sees the order in brief. Fault: order.not_found (NotFound).
func (s *Service) Courier(ctx context.Context, v visit.Context, id int64) (Position, bool, error) {
	o, err := s.Get(ctx, v, id)
	if err != nil || o.State != Sent || o.View == BriefView || !v.Site.Settings.CourierTracking {
		return Position{}, false, err
	}
	return position(ctx, s.db.Read(), id)
}
