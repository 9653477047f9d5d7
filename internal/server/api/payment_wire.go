package api

import (
	"cmp"
	"context"
	"log/slog"

	"servery/internal/acquiring"
	"servery/internal/fault"
	"servery/internal/order"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/visit"
)

// paymentPath leads to the page where an order is paid, and that says so once it is.
func paymentPath(w orderLocalizer, o order.Order) string {
	return "/" + w.city.Alias + "/order/payment/" + o.CacheKey
}

// toWirePayment converts how the paying of an order stands.
func (s *Server) toWirePayment(ctx context.Context, v visit.Context, p order.Paying) wire.OrderPayment {
	o, w := p.Order, orderLocalizerOf(v, p.Order)
	told := wire.OrderPayment{
		OrderID: o.ID, OrderType: wire.OrderType(o.Type), OrderCacheKey: o.CacheKey, CityAlias: w.city.Alias, Status: wire.OrderStatusAlias(o.State),
		PaymentType: w.paymentType(o.PaymentType, o.Type), PaymentTypes: []wire.PaymentType{}, State: wire.PaymentState(p.State),
		Total: o.Prices.Total, Currency: o.Currency.Code, CreatedAt: o.CreatedAt, PayUntil: o.PayUntil,
		Phone: o.Phone, Email: orNil(o.Details.Email), Link: o.Link,
	}
	for _, alias := range p.PaymentTypes {
		told.PaymentTypes = append(told.PaymentTypes, w.paymentType(alias, o.Type))
	}
	if p.Refunded > 0 {
		told.Refunded = &p.Refunded
	}
	if hasFailed(p) {
		told.Problem = &wire.PaymentProblem{
			Reason: wire.PaymentProblemReason(cmp.Or(p.Last.Reason, acquiring.BankDeclined).String()), Message: w.Message(p.Last.Why()),
		}
		if p.Last.IsMismatch() {
			told.Problem.Reason = wire.OtherSum
		}
	}
	if p.State == order.MoneyPending {
		next := s.toWireNext(ctx, v, p)
		told.Next = &next
	}
	return told
}

// hasFailed reports whether the last try failed, at the acquirer or only on its page, or
// another sum was taken by it, so that the customer is told why.
func hasFailed(p order.Paying) bool {
	switch {
	case p.Last == nil || p.State == order.MoneyPaid:
		return false
	case p.Last.IsMismatch():
		return true
	case p.State == order.MoneyRefunding || p.State == order.MoneyRefunded:
		return false
	}
	return p.Last.State == order.Failed || p.Last.State == order.Pending && p.Last.Reason != acquiring.NoReason
}

// toWireNext says what the customer does next (specification §7, order/pay). Whatever is
// not certain is to be asked again.
func (s *Server) toWireNext(ctx context.Context, v visit.Context, p order.Paying) wire.PaymentNext {
	answer := wire.PaymentNext{OrderID: p.Order.ID, Reason: wire.PaymentNextReasonChecking}
	if p.Last != nil {
		answer.TransactionID = orNil(string(p.Last.ID))
	}
	switch {
	case p.State == order.MoneyPaid:
		link := paymentPath(orderLocalizerOf(v, p.Order), p.Order)
		answer.Reason, answer.CompleteLink = wire.PaymentNextReasonApproved, &link
		return answer
	case p.State != order.MoneyPending || p.Last == nil:
		return answer
	}
	next, origin := p.Last.Next, s.siteAddresses.Origin(request.From(ctx), v.Site)
	for _, target := range []string{next.URL, next.ThreeDS.ACSURL, next.ThreeDS.MethodURL, next.ThreeDS.TermURL} {
		if target != "" && !isSafeTarget(target, origin) {
			s.log.LogAttrs(ctx, slog.LevelError, "an acquirer sends customers to an address without https",
				slog.String("site", v.Site.Alias), slog.String("account", p.Last.Account))
			return answer
		}
	}
	return filled(answer, next)
}

// filled adds what an acquirer's answer asks of the customer.
func filled(answer wire.PaymentNext, next acquiring.Next) wire.PaymentNext {
	t := next.ThreeDS
	switch next.Kind {
	case acquiring.Redirect:
		answer.Reason, answer.FormURL = wire.PaymentNextReasonApprovedNew, &next.URL
	case acquiring.MobileLink:
		answer.Reason, answer.PaymentLink, answer.QrCode = wire.PaymentNextReasonSbpMobile, orNil(next.URL), orNil(next.QR)
	case acquiring.Push:
		answer.Reason = wire.PaymentNextReasonPush
	case acquiring.Prepared:
		answer.Reason, answer.VerifyParam = wire.PaymentNextReasonPreAuth, &next.VerifyParam
	case acquiring.ThreeDS1:
		answer.Reason, answer.IsFramed = wire.PaymentNextReasonN3Ds, &t.Framed
		answer.AcsURL, answer.MD, answer.PaReq, answer.TermURL = &t.ACSURL, &t.MD, &t.PaReq, &t.TermURL
	case acquiring.ThreeDS2:
		framed := true // banks' pages of version 2 are made for that
		answer.Reason, answer.IsFramed = wire.PaymentNextReasonN3DsV2, &framed
		answer.AcsURL, answer.CReq = orNil(t.ACSURL), orNil(t.CReq)
		answer.ThreeDS = &threeDS{ThreeDSServerTransID: orNil(t.TransID), ThreeDSMethodURL: orNil(t.MethodURL), ThreeDSMethodData: orNil(t.MethodData)}
	case acquiring.Unknown, acquiring.Done, acquiring.Declined:
	}
	return answer
}

// threeDS is the contract's part of that name, which has no type of its own.
type threeDS = struct {
	ThreeDSMethodData    *string `json:"threeDSMethodData,omitempty"`
	ThreeDSMethodURL     *string `json:"threeDSMethodURL,omitempty"`
	ThreeDSServerTransID *string `json:"threeDSServerTransID,omitempty"`
}

// toWireProved is the answer to what came back from 3-D Secure. Without errors the order
// is paid; while nobody knows, the error says that the bank is waited for.
func (s *Server) toWireProved(ctx context.Context, v visit.Context, p order.Paying) wire.Post3DSAnswer {
	answer := wire.Post3DSAnswer{Payment: s.toWirePayment(ctx, v, p)}
	if p.State == order.MoneyPaid {
		return answer
	}
	field, why := "payment", fault.Message{Key: "payment.still_checking"}
	switch {
	case hasFailed(p):
		field, why = p.Last.Field(), p.Last.Why()
	case p.State == order.MoneyCanceled:
		why = fault.Message{Key: "payment.too_late"}
	case p.State == order.MoneyRefunding || p.State == order.MoneyRefunded:
		why = fault.Message{Key: "payment.given_back"}
	}
	said := localizerOf(v).Message(why)
	answer.Message, answer.Errors = &said, &map[string][]string{field: {said}}
	return answer
}
