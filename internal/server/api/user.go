package api

import (
	"context"
	"errors"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/fault"
	"servery/internal/guess"
	"servery/internal/order/history"
	"servery/internal/server/convert"
	"servery/internal/server/orderwire"
	"servery/internal/server/request"
	"servery/internal/server/session"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// signInLimits bound attempts to sign in by secrets that are too long to be guessed, so they only save
// work. Visitors without a session share the limit of their address.
var signInLimits = guess.Limits{PerSession: 10, PerAddress: 600}

// countSignIn must be called before the secret of a sign-in is checked. It counts the secret as
// wrong, for the session, or for the address of a visitor without one; the caller must call succeed
// when it was right. It returns common.too_many_requests (TooMany) when too many were wrong.
func (s *Server) countSignIn(ctx context.Context) (succeed func(), err error) {
	session, err := s.visits.FindSession(ctx)
	if err != nil {
		return nil, err
	}
	g := guess.Guess{SessionID: session.ID}
	if session.ID == 0 {
		g.Address = request.From(ctx).ClientIP
	}
	if wait, by := s.badSignIns.Attempt(g, s.clock.Now()); by != guess.Unbound {
		return nil, fault.New(fault.TooMany, "common.too_many_requests", fault.RetryAfter(wait))
	}
	return func() { s.badSignIns.Succeed(g) }, nil
}

// SignIn is POST /user/sign-in: it signs in the customer of a one-time link, and moves the cart,
// addresses and orders of the visit to the customer. The link cannot be used again, but by the same call of the same
// browser, which its idempotency key shows.
func (s *Server) SignIn(ctx context.Context, req wire.SignInRequestObject) (wire.SignInResponseObject, error) {
	in := request.From(ctx)
	key, err := session.ReadKey(req.Params.IdempotencyKey)
	if err != nil {
		return nil, err
	}
	succeed, err := s.countSignIn(ctx)
	if err != nil {
		return nil, err
	}
	var device string
	signed, err := s.Sessions.SignIn(ctx, in.Site.Alias, in.Cookie(request.SessionCookie), req.Body.Token, key, s.joinAndRememberDevice(ctx, &device))
	if !errors.Is(err, customer.ErrLinkUnusable) {
		succeed() // also after an error that is not about the token
	}
	if err != nil {
		return nil, err
	}
	s.visits.KeepSession(ctx, signed.Session, signed.Token)
	s.visits.KeepDevice(ctx, device)
	return wire.SignIn200JSONResponse{User: wireUser(signed.Customer)}, nil
}

// RemoveUser is DELETE /user/remove: it erases the signed-in customer from all areas in one transaction,
// which ends all their sessions, and deletes the cookie.
func (s *Server) RemoveUser(ctx context.Context, _ wire.RemoveUserRequestObject) (wire.RemoveUserResponseObject, error) {
	v, err := s.visits.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Rooms().Erase(ctx, v.Site.Alias, v.CustomerID); err != nil {
		return nil, err
	}
	s.visits.DropSession(ctx)
	return wire.RemoveUser200JSONResponse{}, nil
}

// ListSessions is GET /user/sessions: it returns the sessions of the signed-in customer, the session
// of the request first.
func (s *Server) ListSessions(ctx context.Context, _ wire.ListSessionsRequestObject) (wire.ListSessionsResponseObject, error) {
	v, err := s.visits.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.wireSessions(ctx, v)
	return wire.ListSessions200JSONResponse{Sessions: list}, err
}

// EndOtherSessions is DELETE /user/sessions: it ends all sessions of the signed-in customer except the
// session of the request, and returns that session.
func (s *Server) EndOtherSessions(ctx context.Context, _ wire.EndOtherSessionsRequestObject) (wire.EndOtherSessionsResponseObject, error) {
	v, err := s.visits.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Sessions.EndOthers(ctx, v.Site.Alias, v.CustomerID, v.SessionID); err != nil {
		return nil, err
	}
	list, err := s.wireSessions(ctx, v)
	return wire.EndOtherSessions200JSONResponse{Sessions: list}, err
}

// EndSession is DELETE /user/sessions/{id}: it ends a session of the signed-in customer and returns the
// others. When the session of the request itself is ended, it deletes the cookie and returns none.
func (s *Server) EndSession(ctx context.Context, req wire.EndSessionRequestObject) (wire.EndSessionResponseObject, error) {
	v, err := s.visits.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.Sessions.EndOne(ctx, v.Site.Alias, v.CustomerID, req.ID); err != nil {
		return nil, err
	}
	if req.ID == v.SessionID {
		s.visits.DropSession(ctx)
		return wire.EndSession200JSONResponse{Sessions: []wire.UserSession{}}, nil
	}
	list, err := s.wireSessions(ctx, v)
	return wire.EndSession200JSONResponse{Sessions: list}, err
}

// wireSessions returns the sessions of the customer, with a mark on the session of the request.
func (s *Server) wireSessions(ctx context.Context, v visit.Context) ([]wire.UserSession, error) {
	list, err := s.Sessions.List(ctx, v.Site.Alias, v.CustomerID, v.SessionID)
	shown := make([]wire.UserSession, len(list))
	for i, b := range list {
		shown[i] = wire.UserSession{ID: b.SessionID, IsCurrent: b.IsCurrent, Device: b.Device, SignedInAt: b.SignedInAt, SeenAt: b.SeenAt}
	}
	return shown, err
}

// ListUserOrders is GET /user/orders: it returns a page of the signed-in customer's orders, the newest
// first.
func (s *Server) ListUserOrders(ctx context.Context, req wire.ListUserOrdersRequestObject) (wire.ListUserOrdersResponseObject, error) {
	v, err := s.visits.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	page, err := s.History.ReadPage(ctx, v, convert.OrOne(req.Params.Page))
	if err != nil {
		return nil, err
	}
	answer := wire.ListUserOrders200JSONResponse{Orders: []wire.OrderBrief{}, Page: page.Number, Pages: page.Pages(), Total: page.Total}
	for _, o := range page.Orders {
		answer.Orders = append(answer.Orders, orderBrief(v, o))
	}
	return answer, nil
}

// orderBrief converts an order for the list of a customer's orders.
func orderBrief(v visit.Context, o history.Listed) wire.OrderBrief {
	w := orderwire.ForOrder(v, o.Order)
	brief := wire.OrderBrief{
		OrderID: o.ID, OrderType: wire.OrderType(o.Type), Status: w.Status(o.Order), CityID: o.CityID, CityAlias: w.City.Alias,
		CityName: w.Text(w.City.Name), Currency: o.Currency.Code, CreatedAt: o.CreatedAt.In(w.City.Location),
		DateString: clock.DayOf(o.CreatedAt, w.City.Location).String(), Asap: o.IsASAP(), Total: o.Prices.Total, Count: o.Portions,
		PromisedFrom: o.PromisedFrom.In(w.City.Location), PromisedTo: o.PromisedTo.In(w.City.Location),
		Payment: w.Payment(o.Payment, o.ToCollect()),
	}
	if o.Details.Address != nil {
		brief.Address = convert.OrNil(w.Address(v, *o.Details.Address, w.City).Address)
	} else {
		brief.Address = w.Optional(o.Details.Shop.Street)
	}
	return brief
}

// GetBalance is GET /user/balance: it returns the bonuses of the signed-in customer in each currency with
// their movements, and the balance in the currency of the city whose cart changed last.
func (s *Server) GetBalance(ctx context.Context, _ wire.GetBalanceRequestObject) (wire.GetBalanceResponseObject, error) {
	v, err := s.visits.SignedIn(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.wireBalances(ctx, v)
	if err != nil {
		return nil, err
	}
	shown, err := s.lastCity(ctx, v)
	if err != nil {
		return nil, err
	}
	answer := wire.GetBalance200JSONResponse{Balances: list}
	for _, b := range list {
		if b.Currency == shown.Currency.Code { // in the city whose cart changed last
			answer.Balance = b.Balance
		}
	}
	return answer, nil
}

// lastCity returns the city of the customer's cart that changed last. Without a cart, or when the brand
// has left that city, it is the brand's first city.
func (s *Server) lastCity(ctx context.Context, v visit.Context) (*site.City, error) {
	cityID, found, err := s.Carts.FindLastCity(ctx, v)
	if err != nil {
		return nil, err
	}
	if city, err := v.City(cityID); found && err == nil {
		return city, nil
	}
	return v.Site.Cities[0], nil // a brand has at least one
}

// wireBalances returns the bonuses of the customer in each currency, with the movements.
func (s *Server) wireBalances(ctx context.Context, v visit.Context) ([]wire.Balance, error) {
	statements, err := s.Bonuses.Statements(ctx, v.CustomerID)
	shown := make([]wire.Balance, len(statements))
	for i, account := range statements {
		b := wire.Balance{Currency: account.Currency, Balance: account.Balance, History: []wire.BonusMovement{}}
		for _, m := range account.Movements {
			b.History = append(b.History, wire.BonusMovement{
				At: m.At, Amount: m.Amount, Text: localizerOf(v).Message(m.Text()), OrderID: convert.OrNil(m.OrderID),
			})
		}
		shown[i] = b
	}
	return shown, err
}
