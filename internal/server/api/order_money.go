package api

import (
	"context"

	"servery/internal/acquiring"
	"servery/internal/cart"
	"servery/internal/money"
	"servery/internal/order"
	"servery/internal/payment"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// orderOf returns an order as its customer is shown it, with the state of its payment, both read at
// the same instant. A brief view has no payment.
func (s *Server) orderOf(ctx context.Context, v visit.Context, o order.Order) (wire.Order, error) {
	if o.View == order.BriefView {
		return orderLocalizerOf(v, o).order(o), nil
	}
	found, err := s.Orders.ReadPayment(ctx, o)
	if err != nil {
		return wire.Order{}, err
	}
	localized := orderLocalizerOf(v, found.Order)
	w := localized.order(found.Order)
	w.Payment = localized.payment(found.Payment, found.Order.ToCollect())
	return w, nil
}

// payment converts the payment of an order, with what is collected at the hand-over besides; nil unless
// the order is paid online.
func (s orderLocalizer) payment(h payment.History, toCollect money.Amount) *wire.OrderPaymentBrief {
	if !site.IsOnline(h.Bill.PaymentType) {
		return nil
	}
	brief := wire.OrderPaymentBrief{
		State: wire.PaymentState(h.Status()), OrderCacheKey: h.Bill.CacheKey, PayUntil: h.Bill.Deadline.In(s.city.Location),
		Refunded: convert.OrNil(h.Refunded()), ToCollect: convert.OrNil(toCollect),
	}
	if message, ok := h.RefundMessage(s.sum); ok {
		brief.Message = convert.OrNil(s.Message(message))
	}
	return &brief
}

// sum formats a sum in its own currency: the city may sell in another one by now.
func (s orderLocalizer) sum(sum acquiring.Sum) string {
	city := *s.city
	city.Currency = sum.Currency
	return cart.FormatMoney(sum.Amount, &city, s.Site, s.Lang)
}

// exportedPayments returns the attempts to pay an order online, with what the customer entered for
// them.
func exportedPayments(h payment.History) []wire.ExportedPayment {
	exported := make([]wire.ExportedPayment, len(h.Attempts))
	for i, p := range h.Attempts {
		payer := p.Payer()
		exported[i] = wire.ExportedPayment{
			OrderID: p.OrderID, Method: p.Method.String(), State: wire.ExportedPaymentState(p.State), Amount: p.Sum.Amount,
			Currency: p.Sum.Currency.Code, Email: convert.OrNil(payer.Email), Phone: convert.OrNil(payer.Phone), Name: convert.OrNil(payer.Name),
			Address: convert.OrNil(payer.Address), UserAgent: convert.OrNil(payer.UserAgent),
			Taken: convert.OrNil(p.OtherSum.Amount), TakenCurrency: convert.OrNil(p.OtherSum.Currency.Code),
			StartedAt: p.StartedAt, FinishedAt: convert.OrNil(p.FinishedAt), Refunds: []wire.ExportedRefund{},
		}
		for _, r := range h.Refunds {
			if r.PaymentID == p.ID {
				exported[i].Refunds = append(exported[i].Refunds, wire.ExportedRefund{
					State: wire.ExportedRefundState(r.State), Cause: wire.ExportedRefundCause(r.Cause), Amount: r.Sum.Amount,
					CreatedAt: r.CreatedAt, FinishedAt: convert.OrNil(r.FinishedAt),
				})
			}
		}
	}
	return exported
}
