package api

import (
	"context"
	"net/url"
	"strings"

	"servery/internal/acquiring"
	"servery/internal/payment"
	"servery/internal/provider"
	"servery/internal/server/convert"
	"servery/internal/server/request"
	"servery/internal/server/session"
	"servery/internal/server/wire"
)

// GetPaymentSettings is POST /order/payment-settings: it returns what the page needs to pay by a payment
// type in a city. The acquirer's account follows from these two; other fields of the place are not read.
func (s *Server) GetPaymentSettings(ctx context.Context, req wire.GetPaymentSettingsRequestObject) (wire.GetPaymentSettingsResponseObject, error) {
	v := s.visits.Context(ctx)
	city, err := v.City(req.Body.CityID)
	if err != nil {
		return nil, err
	}
	paymentType := string(req.Body.PaymentType)
	account, method, settings, err := s.Payments.LoadSettings(ctx, v.Site, city, paymentType)
	if err != nil {
		return nil, err
	}
	_, a, _, ok := s.Payments.FindAccount(v.Site, city, paymentType)
	return wire.GetPaymentSettings200JSONResponse{
		Acquiring: account, CardForm: method == acquiring.CardForm, NeedsVerifyParam: settings.NeedsVerify, IsSandbox: ok && provider.IsSandbox(a.Name()),
		VerifyParam: convert.OrNil(settings.VerifyParam), PublicID: convert.OrNil(settings.PublicID), PublicKey: convert.OrNil(settings.PublicKey), KeyVersion: convert.OrNil(settings.KeyVersion),
		Script: convert.OrNil(settings.Script), Gateway: convert.OrNil(settings.Gateway), GatewayMerchant: convert.OrNil(settings.GatewayMerchant),
	}, nil
}

// GetOrderPayment is GET /order-payment/{order_cache_key}: it returns how the payment of an order of the
// visitor stands, by the key of its checkout. It does not call the acquirer.
func (s *Server) GetOrderPayment(ctx context.Context, req wire.GetOrderPaymentRequestObject) (wire.GetOrderPaymentResponseObject, error) {
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.Payments.FindView(ctx, v, req.OrderCacheKey)
	if err != nil {
		return nil, err
	}
	return wire.GetOrderPayment200JSONResponse{Payment: s.toWirePayment(ctx, v, p)}, nil
}

// PayOrder is POST /order/pay: it begins to pay an order online, or continues what was begun, and returns
// the next step; see [payments.Service.Pay]. Sum and acquirer are those of the order; what the request
// says of them is not read.
func (s *Server) PayOrder(ctx context.Context, req wire.PayOrderRequestObject) (wire.PayOrderResponseObject, error) {
	b := req.Body
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	if v.IdempotencyKey, err = session.ReadKey(req.Params.IdempotencyKey); err != nil {
		return nil, err
	}
	in := request.From(ctx)
	r := payment.PayRequest{
		OrderID: b.OrderID, CacheKey: convert.ValueOf(b.OrderCacheKey), PaymentType: string(b.PaymentType),
		Token: acquiring.Secret(convert.ValueOf(b.Cryptogram)), VerifyParam: convert.ValueOf(b.VerifyParam),
		Email: strings.TrimSpace(convert.ValueOf(b.Email)), Phone: convert.ValueOf(b.Phone), IsMobile: convert.ValueOf(b.IsMobile),
		Origin: s.siteAddresses.Origin(in, in.Site), UserAgent: in.Request.UserAgent(),
	}
	if in.Sender.IsValid() {
		r.Address = in.Sender.String()
	}
	p, err := s.Payments.Pay(ctx, v, r)
	s.countPayAnswer(p, err)
	if err != nil {
		return nil, err
	}
	return wire.PayOrder200JSONResponse(s.toWireNext(ctx, v, p)), nil
}

// Post3DS is POST /order/post3ds: it submits the result of 3-D Secure to the acquirer, or queries the
// outcome when the request has no result. It returns how the payment stands afterwards.
func (s *Server) Post3DS(ctx context.Context, req wire.Post3DSRequestObject) (wire.Post3DSResponseObject, error) {
	b := req.Body
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.Payments.Complete3DS(ctx, v, payment.ThreeDSResult{
		OrderID: b.OrderID, CacheKey: convert.ValueOf(b.OrderCacheKey), PaymentID: acquiring.ID(convert.ValueOf(b.TransactionID)),
		PaRes: acquiring.Secret(convert.ValueOf(b.PaRes)), CRes: acquiring.Secret(convert.ValueOf(b.Cres)), MethodDone: convert.ValueOf(b.MethodDone), IsLast: convert.ValueOf(b.LastAttempt),
	})
	if err != nil {
		return nil, err
	}
	return wire.Post3DS200JSONResponse(s.toWire3DSAnswer(ctx, v, p)), nil
}

// isSafeTarget reports whether a customer may be sent to an address from an acquirer: by https, or to
// this server, whose origin is given. An address with a user name is not safe.
func isSafeTarget(address, origin string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme+"://"+u.Host == origin
}
