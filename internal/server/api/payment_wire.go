package api

import (
	"cmp"
	"context"
	"log/slog"

	"servery/internal/acquiring"
	"servery/internal/fault"
	"servery/internal/payment"
	"servery/internal/server/convert"
	"servery/internal/server/orderwire"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// paymentPath returns the path of the page on which a bill is paid.
func paymentPath(city *site.City, cacheKey string) string {
	return "/" + city.Alias + "/order/payment/" + cacheKey
}

// toWirePayment converts how the payment of a bill stands.
func (s *Server) toWirePayment(ctx context.Context, v visit.Context, p payment.View) wire.OrderPayment {
	b, localized := p.Bill, orderwire.ForOrderIn(v, p.Bill.CityID, nil)
	shown := wire.OrderPayment{
		OrderID: b.OrderID, OrderType: wire.OrderType(b.Type), OrderCacheKey: b.CacheKey, CityAlias: localized.City.Alias, Status: wire.OrderStatusAlias(b.OrderState),
		PaymentType: localized.PaymentType(b.PaymentType, b.Type), PaymentTypes: []wire.PaymentType{}, State: wire.PaymentState(p.Status),
		Total: b.Sum.Amount, Currency: b.Sum.Currency.Code, CreatedAt: b.CreatedAt, PayUntil: b.Deadline,
		Phone: b.Payer.Phone, Email: convert.OrNil(b.Payer.Email), Link: b.Link,
		Message: localized.RefundMessage(p),
	}
	for _, alias := range p.PaymentTypes {
		shown.PaymentTypes = append(shown.PaymentTypes, localized.PaymentType(alias, b.Type))
	}
	if p.Refunded > 0 {
		shown.Refunded = &p.Refunded
	}
	if hasFailed(p) {
		shown.Problem = &wire.PaymentProblem{
			Reason: wire.PaymentProblemReason(cmp.Or(p.Last.Reason, acquiring.BankDeclined).String()), Message: localized.Message(p.Last.FailureMessage()),
		}
		if p.Last.IsMismatch() {
			shown.Problem.Reason = wire.PaymentProblemReasonOtherSum
		}
	}
	if p.Status == payment.StatusPending {
		next := s.toWireNext(ctx, v, p)
		shown.Next = &next
	}
	return shown
}

// hasFailed reports whether the customer is shown a problem of the last attempt: it failed, at the
// acquirer or only on its page, or it took another sum. No problem is shown once the order is paid, and
// of a failed attempt also none once money is refunded.
func hasFailed(p payment.View) bool {
	switch {
	case p.Last == nil || p.Status == payment.StatusPaid:
		return false
	case p.Last.IsMismatch():
		return true
	case p.Status == payment.StatusRefunding || p.Status == payment.StatusRefunded:
		return false
	}
	// A pending attempt with a reason has failed on the acquirer's page only.
	return p.Last.State == payment.Failed || p.Last.State == payment.Pending && p.Last.Reason != acquiring.NoReason
}

// toWireNext returns the customer's next step to pay. While the step is not certain, the reason is
// "checking", with which the page asks again. So it is for an address that is not safe, which is logged.
func (s *Server) toWireNext(ctx context.Context, v visit.Context, p payment.View) wire.PaymentNext {
	answer := wire.PaymentNext{OrderID: p.Bill.OrderID, Reason: wire.PaymentNextReasonChecking}
	if p.Last != nil {
		answer.TransactionID = convert.OrNil(string(p.Last.ID))
	}
	switch {
	case p.Status == payment.StatusPaid:
		link := paymentPath(orderwire.ForOrderIn(v, p.Bill.CityID, nil).City, p.Bill.CacheKey)
		answer.Reason, answer.CompleteLink = wire.PaymentNextReasonApproved, &link
		return answer
	case p.Status != payment.StatusPending || p.Last == nil:
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
	return withStep(answer, next)
}

// withStep returns the answer with the step that the acquirer asks of the customer.
func withStep(answer wire.PaymentNext, next acquiring.Next) wire.PaymentNext {
	t := next.ThreeDS
	switch next.Kind {
	case acquiring.Redirect:
		answer.Reason, answer.FormURL = wire.PaymentNextReasonApprovedNew, &next.URL
	case acquiring.MobileLink:
		answer.Reason, answer.PaymentLink, answer.QrCode = wire.PaymentNextReasonSbpMobile, convert.OrNil(next.URL), convert.OrNil(next.QR)
	case acquiring.Push:
		answer.Reason = wire.PaymentNextReasonPush
	case acquiring.Prepared:
		answer.Reason, answer.VerifyParam = wire.PaymentNextReasonPreAuth, &next.VerifyParam
	case acquiring.ThreeDS1:
		answer.Reason, answer.IsFramed = wire.PaymentNextReasonN3Ds, &t.Framed
		answer.AcsURL, answer.MD, answer.PaReq, answer.TermURL = &t.ACSURL, &t.MD, &t.PaReq, &t.TermURL
	case acquiring.ThreeDS2:
		framed := true // banks' pages of version 2 are made for a frame
		answer.Reason, answer.IsFramed = wire.PaymentNextReasonN3DsV2, &framed
		answer.AcsURL, answer.CReq = convert.OrNil(t.ACSURL), convert.OrNil(t.CReq)
		answer.ThreeDS = &threeDS{ThreeDSServerTransID: convert.OrNil(t.TransID), ThreeDSMethodURL: convert.OrNil(t.MethodURL), ThreeDSMethodData: convert.OrNil(t.MethodData)}
	case acquiring.Unknown, acquiring.Done, acquiring.Declined: // no step
	}
	return answer
}

// threeDS is the contract's part of that name, which has no type of its own.
type threeDS = struct {
	ThreeDSMethodData    *string `json:"threeDSMethodData,omitempty"`
	ThreeDSMethodURL     *string `json:"threeDSMethodURL,omitempty"`
	ThreeDSServerTransID *string `json:"threeDSServerTransID,omitempty"`
}

// toWire3DSAnswer converts a payment after the result of 3-D Secure was submitted. An answer without
// errors means that the order is paid; while the bank has not decided, the error says so.
func (s *Server) toWire3DSAnswer(ctx context.Context, v visit.Context, p payment.View) wire.Post3DSAnswer {
	answer := wire.Post3DSAnswer{Payment: s.toWirePayment(ctx, v, p)}
	if p.Status == payment.StatusPaid {
		return answer
	}
	field, why := "payment", fault.Message{Key: "payment.still_checking"}
	switch {
	case hasFailed(p):
		field, why = p.Last.Field(), p.Last.FailureMessage()
	case p.Status == payment.StatusCanceled:
		why = fault.Message{Key: "payment.too_late"}
	case p.Status == payment.StatusRefunding || p.Status == payment.StatusRefunded:
		why = fault.Message{Key: "payment.given_back"}
	}
	message := localizerOf(v).Message(why)
	answer.Message, answer.Errors = &message, &map[string][]string{field: {message}}
	return answer
}
