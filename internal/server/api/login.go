package api

import (
	"context"
	"log/slog"

	"servery/internal/captcha"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/limit"
	"servery/internal/login"
	"servery/internal/notify"
	"servery/internal/server/convert"
	"servery/internal/server/request"
	"servery/internal/server/session"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// Login is POST /user/login: it sends a code to the phone, in a session that is begun if need be. Unless
// the request joins a VK account, it drops the account that waits in the session. A site without login
// answers this call, and the other calls about codes, with common.not_found (NotFound).
func (s *Server) Login(ctx context.Context, req wire.LoginRequestObject) (wire.LoginResponseObject, error) {
	in := request.From(ctx)
	if !in.Site.Settings.IsAuthEnabled {
		return nil, fault.New(fault.NotFound, "common.not_found")
	}
	city, err := s.visits.Context(ctx).City(req.Body.CityID)
	if err != nil {
		return nil, err
	}
	solved, err := s.checkCaptcha(ctx, convert.ValueOf(req.Body.CaptchaUserToken))
	if err != nil {
		return nil, err
	}
	session, err := s.visits.EnsureSessionToSignIn(ctx)
	if err != nil {
		return nil, err
	}
	if req.Body.JoinVk == nil || !*req.Body.JoinVk {
		// The VK account that waits in the session for a phone may be another person's.
		if err := s.VK.DropPending(ctx, session.ID); err != nil {
			return nil, err
		}
	}
	v, err := s.Areas.Login.Ask(ctx, login.Ask{
		Site: in.Site, City: city, SessionID: session.ID, Phone: req.Body.Phone, Name: convert.ValueOf(req.Body.Name),
		Channel: notify.Channel(req.Body.NotifyChannel), Address: in.ClientIP, Device: in.Cookie(request.DeviceCookie), Lang: in.Lang,
		Host: s.siteAddresses.Host(in, in.Site), Captcha: solved,
	})
	if err != nil {
		return nil, err
	}
	var answer wire.Login200JSONResponse
	answer.User.Verification = wireVerification(v)
	return answer, nil
}

// checkCaptcha returns the state of the captcha of a call. It returns login.captcha (Invalid)
// when the provider refuses the token, and when the site always needs a token and none was sent.
func (s *Server) checkCaptcha(ctx context.Context, token string) (login.Captcha, error) {
	c := s.Providers.Site(request.From(ctx).Site.Alias).Captcha
	switch {
	case c == nil:
		return login.NoCaptcha, nil
	case token == "" && !c.Always: // where a token is always needed, verifyCaptcha refuses an empty one
		return login.CaptchaUnsolved, nil
	}
	switch s.verifyCaptcha(ctx, token) {
	case captcha.Passed:
		return login.CaptchaSolved, nil
	case captcha.Unanswered:
		return login.CaptchaUnanswered, nil
	case captcha.Refused:
	}
	return login.CaptchaUnsolved, fault.New(fault.Invalid, "login.captcha", fault.Field("captcha_user_token", "login.captcha"))
}

// verifyCaptcha returns whether the site's captcha accepts the token. The result is Refused without
// a token, and where the site has no captcha. An error of the provider is logged.
func (s *Server) verifyCaptcha(ctx context.Context, token string) captcha.Result {
	in := request.From(ctx)
	c := s.Providers.Site(in.Site.Alias).Captcha
	if c == nil || token == "" {
		return captcha.Refused
	}
	result, err := c.Verify(ctx, token, in.ClientIP)
	if err != nil {
		s.log.WarnContext(ctx, "captcha check failed", slog.String("site", in.Site.Alias), slog.Bool("refused", result == captcha.Refused), slog.Any("error", err))
	}
	return result
}

// retrySolved returns what do returns. Where it asks for a captcha and the site's captcha accepts the token, do is called
// once more, for a caller who has solved it: the captcha's provider is asked about those whom a limit has refused only.
func retrySolved[T any](ctx context.Context, s *Server, v visit.Context, token string, do func(v visit.Context) (T, error)) (T, error) {
	answer, err := do(v)
	f, ok := fault.Of(err)
	if !ok || f.Fields["captcha_user_token"] == nil || s.verifyCaptcha(ctx, token) != captcha.Passed {
		return answer, err
	}
	v.Caller.PassedCaptcha = true
	return do(v)
}

// callerOf returns the caller for which the limits of a call from the address are counted.
func (s *Server) callerOf(address string, st *site.Site) limit.Caller {
	return limit.Caller{
		Address: s.AddressMarks.Of(st.Alias, address), Network: s.AddressMarks.Of(st.Alias, limit.NetworkOf(address)),
		CanConfirm: len(s.channels(st)) > 0, HasCaptcha: s.Providers.Site(st.Alias).Captcha != nil,
	}
}

// GetVerification is GET /user/verification: it returns the code that the session has requested
// last, without its digits, while it can still be entered.
func (s *Server) GetVerification(ctx context.Context, _ wire.GetVerificationRequestObject) (wire.GetVerificationResponseObject, error) {
	in := request.From(ctx)
	var answer wire.GetVerification200JSONResponse
	if !in.Site.Settings.IsAuthEnabled {
		return nil, fault.New(fault.NotFound, "common.not_found")
	}
	session, err := s.visits.FindSession(ctx)
	if err != nil || session.ID == 0 {
		return answer, err
	}
	v, ok, err := s.Areas.Login.FindOpen(ctx, in.Site, session.ID)
	if err != nil {
		return nil, err
	}
	if ok {
		w := wireVerification(v)
		answer.User.Verification = &w
	}
	return answer, nil
}

// CheckVerificationCode is POST /user/check-verification-code: it signs in the customer whose phone got the
// code, moves the cart, addresses and orders of the visit to the customer, and sets the cookies of the
// session and the device.
func (s *Server) CheckVerificationCode(ctx context.Context, req wire.CheckVerificationCodeRequestObject) (wire.CheckVerificationCodeResponseObject, error) {
	in := request.From(ctx)
	if !in.Site.Settings.IsAuthEnabled {
		return nil, fault.New(fault.NotFound, "common.not_found")
	}
	session, err := s.visits.FindSession(ctx)
	if err != nil {
		return nil, err
	}
	join := s.joinVisit(ctx)
	signed, device, err := s.Areas.Login.Check(ctx, login.Attempt{
		Site: in.Site, Token: in.Cookie(request.SessionCookie), Code: req.Body.Code, Device: in.Cookie(request.DeviceCookie),
	}, func(tx *db.Tx, rotated customer.Rotated) error {
		// The VK account that waits for a verified phone is stored with the session before the sign-in.
		if err := s.VK.LinkPending(ctx, tx, session.ID, rotated.CustomerID); err != nil {
			return err
		}
		return join(tx, rotated)
	})
	if err != nil {
		return nil, err
	}
	s.visits.KeepSession(ctx, signed.Session, signed.Token)
	s.visits.KeepDevice(ctx, device)
	return wire.CheckVerificationCode200JSONResponse{User: wireUser(signed.Customer)}, nil
}

// joinVisit returns a function for the transaction of a sign-in. It moves the visit's addresses,
// orders and cart to the customer, and the VK account that waits for the phone, and stores the name
// of the browser for the customer's list of sessions.
func (s *Server) joinVisit(ctx context.Context) func(tx *db.Tx, rotated customer.Rotated) error {
	visit, userAgent := s.visits.Context(ctx), request.From(ctx).Request.UserAgent()
	return func(tx *db.Tx, rotated customer.Rotated) error {
		v := session.WithCustomer(visit, rotated.Session)
		if err := s.Addresses.MoveToCustomer(ctx, tx, owner(v), rotated.GuestID); err != nil {
			return err
		}
		// Orders come before carts: placing an order locks the checkout first, then the cart.
		if err := s.Orders.Join(ctx, tx, v, rotated.GuestID); err != nil {
			return err
		}
		if err := s.Carts.Merge(ctx, tx, v, rotated.GuestID); err != nil {
			return err
		}
		if err := s.VK.LinkPending(ctx, tx, rotated.GuestID, rotated.CustomerID); err != nil {
			return err
		}
		return s.Sessions.StoreDeviceName(ctx, tx, rotated.ID, userAgent)
	}
}

// joinAndRememberDevice returns a function for the transaction of a sign-in. It moves the visit to
// the customer and stores the browser as a known device of the phone. The secret for the device's
// cookie is written to *device.
func (s *Server) joinAndRememberDevice(ctx context.Context, device *string) func(tx *db.Tx, rotated customer.Rotated) error {
	join, in := s.joinVisit(ctx), request.From(ctx)
	return func(tx *db.Tx, rotated customer.Rotated) (err error) {
		if *device, err = s.Areas.Login.RememberDevice(ctx, tx, in.Site.Alias, rotated.Phone, in.Cookie(request.DeviceCookie)); err != nil {
			return err
		}
		return join(tx, rotated)
	}
}

// CheckSession is GET /user/check-session: it returns whether the browser is signed in and, if so, the
// customer. It answers also where a site has no login, because a link signs in there too.
func (s *Server) CheckSession(ctx context.Context, _ wire.CheckSessionRequestObject) (wire.CheckSessionResponseObject, error) {
	session, err := s.visits.FindSession(ctx)
	if err != nil || session.CustomerID == 0 {
		return wire.CheckSession200JSONResponse{}, err
	}
	p, err := s.Customers.Profile(ctx, request.From(ctx).Site.Alias, session.CustomerID)
	if err != nil {
		return nil, err
	}
	return wire.CheckSession200JSONResponse{IsSignedIn: true, User: &wire.UserBrief{ID: session.CustomerID, Phone: p.Phone, Name: p.Name}}, nil
}

// Logout is DELETE /user/logout: it ends the session of the request and deletes its cookie. The cookie of
// the device stays, so that the next sign-in of this browser is counted as one of a known device.
func (s *Server) Logout(ctx context.Context, _ wire.LogoutRequestObject) (wire.LogoutResponseObject, error) {
	in := request.From(ctx)
	if err := s.Sessions.End(ctx, in.Site.Alias, in.Cookie(request.SessionCookie)); err != nil {
		return nil, err
	}
	s.visits.DropSession(ctx)
	return wire.Logout200JSONResponse{}, nil
}

// channels returns the ways to sign in that the site names and that have a provider; none without login.
func (s *Server) channels(st *site.Site) []wire.CodeChannel {
	channels := []wire.CodeChannel{}
	if !st.Settings.IsAuthEnabled {
		return channels
	}
	for _, c := range st.Settings.NotificationChannels {
		if s.Providers.Offers(st.Alias, c) {
			channels = append(channels, wire.CodeChannel(c))
		}
	}
	return channels
}

// wireCaptcha returns what the page shows of the site's captcha; nil where there is none.
func (s *Server) wireCaptcha(st *site.Site) *wire.Captcha {
	c := s.Providers.Site(st.Alias).Captcha
	if c == nil {
		return nil
	}
	return &wire.Captcha{Provider: wire.CaptchaProvider(c.Provider), SiteKey: c.SiteKey, Always: c.Always}
}

// wireVerification converts the state of a requested code.
func wireVerification(v login.Verification) wire.Verification {
	w := wire.Verification{
		Timer: v.Timer, ExpiresIn: v.ExpiresIn, CodeLength: v.CodeLength, TriesLeft: v.TriesLeft, Phone: v.Phone,
		Channel: wire.CodeChannel(v.Channel), Channels: []wire.CodeChannel{}, State: wire.VerificationState(v.State),
	}
	for _, c := range v.Channels {
		w.Channels = append(w.Channels, wire.CodeChannel(c))
	}
	return w
}

// wireUser converts the customer who is signed in, as the page shows them.
func wireUser(c customer.Customer) wire.UserBrief {
	return wire.UserBrief{ID: c.ID, Phone: c.Phone, Name: c.Name}
}
