package server

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"servery/internal/captcha"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/limit"
	"servery/internal/login"
	"servery/internal/notify"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// Login is POST /user/login: a code is sent to the phone. Where the site has no login
// there is no such call; nor are there the others of a code.
func (s *Server) Login(ctx context.Context, req wire.LoginRequestObject) (wire.LoginResponseObject, error) {
	in := from(ctx)
	if !in.site.Settings.IsAuthEnabled {
		return nil, fault.New(fault.NotFound, "common.not_found")
	}
	city, err := s.visit(ctx).City(req.Body.CityID)
	if err != nil {
		return nil, err
	}
	solved, err := s.solveCaptcha(ctx, orEmpty(req.Body.CaptchaUserToken))
	if err != nil {
		return nil, err
	}
	session, err := s.ensureSession(ctx)
	if err != nil {
		return nil, err
	}
	if req.Body.JoinVk == nil || !*req.Body.JoinVk {
		if err := s.VK.DropPending(ctx, session.ID); err != nil {
			return nil, err
		}
	}
	v, err := s.Areas.Login.Ask(ctx, login.Ask{
		Site: in.site, City: city, SessionID: session.ID, Phone: req.Body.Phone, Name: orEmpty(req.Body.Name),
		Channel: notify.Channel(req.Body.NotifyChannel), Address: in.address, Device: s.device(in.visitor.r), Lang: in.lang,
		Host: s.siteHost(in.visitor.r, in.site), Captcha: solved,
	})
	if err != nil {
		return nil, err
	}
	var answer wire.Login200JSONResponse
	answer.User.Verification = wireVerification(v)
	return answer, nil
}

// solveCaptcha returns what is known of the captcha of a call. It returns login.captcha (Invalid)
// for a token that the provider does not take, and for none where the site always wants one.
func (s *Server) solveCaptcha(ctx context.Context, token string) (login.Captcha, error) {
	c := s.Providers.Site(from(ctx).site.Alias).Captcha
	switch {
	case c == nil:
		return login.NoCaptcha, nil
	case token == "" && !c.Always:
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

// verifyCaptcha asks the site's captcha for a token; it refuses none.
func (s *Server) verifyCaptcha(ctx context.Context, token string) captcha.Result {
	in := from(ctx)
	c := s.Providers.Site(in.site.Alias).Captcha
	if c == nil || token == "" {
		return captcha.Refused
	}
	result, err := c.Verify(ctx, token, in.address)
	if err != nil {
		s.log.WarnContext(ctx, "captcha check failed", slog.String("site", in.site.Alias), slog.Bool("refused", result == captcha.Refused), slog.Any("err", err))
	}
	return result
}

// callerOf returns what bounds are counted by for a call that comes from an address.
func (s *Server) callerOf(address string, st *site.Site) limit.Caller {
	return limit.Caller{
		Address: s.AddressMarks.Of(st.Alias, address), Network: s.AddressMarks.Of(st.Alias, limit.NetworkOf(address)),
		CanConfirm: len(s.channels(st)) > 0, HasCaptcha: s.Providers.Site(st.Alias).Captcha != nil,
	}
}

// GetVerification is GET /user/verification.
func (s *Server) GetVerification(ctx context.Context, _ wire.GetVerificationRequestObject) (wire.GetVerificationResponseObject, error) {
	in := from(ctx)
	var answer wire.GetVerification200JSONResponse
	if !in.site.Settings.IsAuthEnabled {
		return nil, fault.New(fault.NotFound, "common.not_found")
	}
	session, err := s.session(ctx)
	if err != nil || session.ID == 0 {
		return answer, err
	}
	v, ok, err := s.Areas.Login.Open(ctx, in.site, session.ID)
	if err != nil {
		return nil, err
	}
	if ok {
		w := wireVerification(v)
		answer.User.Verification = &w
	}
	return answer, nil
}

// CheckVerificationCode is POST /user/check-verification-code: the visit becomes the
// customer's, with cart and addresses.
func (s *Server) CheckVerificationCode(ctx context.Context, req wire.CheckVerificationCodeRequestObject) (wire.CheckVerificationCodeResponseObject, error) {
	in := from(ctx)
	if !in.site.Settings.IsAuthEnabled {
		return nil, fault.New(fault.NotFound, "common.not_found")
	}
	visit, err := s.session(ctx)
	if err != nil {
		return nil, err
	}
	join := s.joinVisit(ctx)
	signed, device, err := s.Areas.Login.Check(ctx, login.Attempt{
		Site: in.site, Token: s.sessionToken(in.visitor.r), Code: req.Body.Code, Device: s.device(in.visitor.r),
	}, func(tx *db.Tx, taken customer.Rotated) error {
		// What waits for the phone to be proved waits in the session from before.
		if err := s.VK.LinkPending(ctx, tx, visit.ID, taken.CustomerID); err != nil {
			return err
		}
		return join(tx, taken)
	})
	if err != nil {
		return nil, err
	}
	s.keepSession(ctx, signed.Session, signed.Token)
	s.keepDevice(ctx, device)
	return wire.CheckVerificationCode200JSONResponse{User: wireUser(signed.Customer)}, nil
}

// joinVisit gives what every sign-in does in its transaction: the visit's addresses,
// cart and orders become the customer's, so does the VK account that waits for his phone, and the
// session gets its name in his list.
func (s *Server) joinVisit(ctx context.Context) func(tx *db.Tx, taken customer.Rotated) error {
	visit, userAgent := s.visit(ctx), from(ctx).visitor.r.UserAgent()
	return func(tx *db.Tx, taken customer.Rotated) error {
		v := known(visit, taken.Session)
		if err := s.Addresses.MoveToCustomer(ctx, tx, owner(v), taken.GuestID); err != nil {
			return err
		}
		// Before the carts, in the order in which an order takes its checkout and its cart.
		if err := s.Orders.Join(ctx, tx, v, taken.GuestID); err != nil {
			return err
		}
		if err := s.Carts.Merge(ctx, tx, v, taken.GuestID); err != nil {
			return err
		}
		if err := s.VK.LinkPending(ctx, tx, taken.GuestID, taken.CustomerID); err != nil {
			return err
		}
		return s.Sessions.Describe(ctx, tx, taken.ID, userAgent)
	}
}

// joinKnown does the same, and makes the browser a known one of the phone. device is left
// the secret for its cookie.
func (s *Server) joinKnown(ctx context.Context, device *string) func(tx *db.Tx, taken customer.Rotated) error {
	join, in := s.joinVisit(ctx), from(ctx)
	return func(tx *db.Tx, taken customer.Rotated) (err error) {
		if *device, err = s.Areas.Login.RememberDevice(ctx, tx, in.site.Alias, taken.Phone, s.device(in.visitor.r)); err != nil {
			return err
		}
		return join(tx, taken)
	}
}

// CheckSession is GET /user/check-session. Who was signed in by a link is so on every site.
func (s *Server) CheckSession(ctx context.Context, _ wire.CheckSessionRequestObject) (wire.CheckSessionResponseObject, error) {
	session, err := s.session(ctx)
	if err != nil || session.CustomerID == 0 {
		return wire.CheckSession200JSONResponse{}, err
	}
	p, err := s.Customers.Profile(ctx, from(ctx).site.Alias, session.CustomerID)
	if err != nil {
		return nil, err
	}
	return wire.CheckSession200JSONResponse{IsSignedIn: true, User: &wire.UserBrief{ID: session.CustomerID, Phone: p.Phone, Name: p.Name}}, nil
}

// Logout is DELETE /user/logout. The cookie goes with the session; that of the device stays.
func (s *Server) Logout(ctx context.Context, _ wire.LogoutRequestObject) (wire.LogoutResponseObject, error) {
	in := from(ctx)
	if err := s.Sessions.End(ctx, in.site.Alias, s.sessionToken(in.visitor.r)); err != nil {
		return nil, err
	}
	s.dropSession(ctx)
	return wire.Logout200JSONResponse{}, nil
}

// channels gives the ways to sign in that the site names and that really are there.
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

// wireCaptcha gives what the page shows of the site's captcha; nil where there is none.
func (s *Server) wireCaptcha(st *site.Site) *wire.Captcha {
	c := s.Providers.Site(st.Alias).Captcha
	if c == nil {
		return nil
	}
	return &wire.Captcha{Provider: wire.CaptchaProvider(c.Provider), SiteKey: c.SiteKey, Always: c.Always}
}

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

func wireUser(c customer.Customer) wire.UserBrief {
	return wire.UserBrief{ID: c.ID, Phone: c.Phone, Name: c.Name}
}

// hostOf gives the name in the Host header, without its port.
func hostOf(r *http.Request) string {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(host)
}

// orEmpty gives the text of a field, empty where it was left out.
func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

const deviceCookie = "device"

// device gives the secret by which a browser is known that has signed in before.
func (s *Server) device(r *http.Request) string {
	if c, err := r.Cookie(s.hostCookie(r, deviceCookie)); err == nil {
		return c.Value
	}
	return ""
}

// keepDevice makes the browser a known one, which it stays after a logout.
func (s *Server) keepDevice(ctx context.Context, secret string) {
	v := from(ctx).visitor
	http.SetCookie(v.w, &http.Cookie{ //nolint:gosec // Secure on https; the demo runs on plain http
		Name: s.hostCookie(v.r, deviceCookie), Value: secret, Path: "/", MaxAge: int(login.DeviceLife.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.proxies.secure(v.r),
	})
}
