package orders

import (
	"context"
	"errors"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/guess"
	"servery/internal/order"
	"servery/internal/visit"
)

// Get returns an order with what the visitor may see of it. It returns order.not_found
// (NotFound) when there is none or it is hidden from the visitor.
func (s *Service) Get(ctx context.Context, v visit.Context, id int64) (order.Order, error) {
	o, err := s.loadFor(ctx, v, id)
	if err != nil {
		return order.Order{}, hideNotFound(err)
	}
	as, ok, err := viewOf(ctx, s.db.Read(), v, o)
	switch {
	case err != nil:
		return order.Order{}, err
	case !ok:
		return order.Order{}, order.NotFound()
	}
	return o.ViewedAs(as), nil
}

// LookUp returns what a visitor who has the phone or the link of an order may see of it, and lets the
// session, if there is one, see as much from then on. A visitor who may see more of it anyway is shown
// that. Without phone and link it is [Service.Get]. Faults:
// order.not_found (NotFound), the same whatever did not match; order.too_many_lookups (TooMany) after
// too many lookups of the session or the address that did not match.
func (s *Service) LookUp(ctx context.Context, v visit.Context, look order.Lookup) (order.Order, error) {
	if look.Phone == "" && look.Link == "" {
		return s.Get(ctx, v, look.OrderID)
	}
	guessed := guess.Guess{CustomerID: v.CustomerID, SessionID: v.SessionID, Address: look.Address}
	if wait, by := s.lookups.Attempt(guessed, v.Now); by != guess.Unbound {
		return order.Order{}, fault.New(fault.TooMany, "order.too_many_lookups", fault.RetryAfter(wait))
	}
	o, err := s.load(ctx, look.OrderID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return order.Order{}, err
	}
	if err != nil || o.Site != v.Site.Alias || !o.Matches(look, v) {
		return order.Order{}, order.NotFound()
	}
	s.lookups.Succeed(guessed)
	as := order.BriefView
	if look.Link != "" || o.IsOfPhone(v) {
		as = order.LinkView
	}
	if v.SessionID == 0 {
		return o.ViewedAs(as), nil
	}
	if known, ok, err := viewOf(ctx, s.db.Read(), v, o); err != nil {
		return order.Order{}, err
	} else if ok {
		as = min(as, known) // the lower view shows more
	}
	if as == order.OwnView {
		return o, nil
	}
	return o.ViewedAs(as), s.db.InTx(ctx, func(tx *db.Tx) error { return insertGrant(ctx, tx.Q, v, o.ID, as) })
}
