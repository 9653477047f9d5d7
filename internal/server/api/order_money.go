package api

import (
	"context"

	"servery/internal/acquiring"
	"servery/internal/cart"
	"servery/internal/order"
	"servery/internal/server/wire"
	"servery/internal/site"
	"servery/internal/visit"
)

// orderOf is an order as its customer sees it, with how its paying stands at the same instant.
func (s *Server) orderOf(ctx context.Context, v visit.Context, o order.Order) (wire.Order, error) {
	if o.View == order.BriefView {
		return orderLocalizerOf(v, o).order(o), nil
	}
	m, err := s.Orders.Money(ctx, o)
	if err != nil {
		return wire.Order{}, err
	}
	words := orderLocalizerOf(v, m.Order)
	w := words.order(m.Order)
	w.Payment = words.payment(m)
	return w, nil
}

// payment returns how the paying stands of an order that is paid online; nil for any other.
func (s orderLocalizer) payment(m order.Money) *wire.OrderPaymentBrief {
	if !site.IsOnline(m.Order.PaymentType) {
		return nil
	}
	brief := wire.OrderPaymentBrief{
		State: wire.PaymentState(m.State()), OrderCacheKey: m.Order.CacheKey, PayUntil: m.Order.PayUntil.In(s.city.Location),
		Refunded: orNil(m.Refunded()),
	}
	if message, ok := m.Message(s.sum); ok {
		brief.Message = orNil(s.Message(message))
	}
	return &brief
}

// sum writes a sum in its own currency, whatever the order's city sells in today.
func (s orderLocalizer) sum(sum acquiring.Sum) string {
	city := *s.city
	city.Currency = sum.Currency
	return cart.AsMoney(sum.Amount, &city, s.site, s.lang)
}

// exportedPayments are the tries to pay an order online, with what the customer told for
// them.
func exportedPayments(m order.Money) []wire.ExportedPayment {
	exported := make([]wire.ExportedPayment, len(m.Payments))
	for i, p := range m.Payments {
		payer := p.Payer()
		exported[i] = wire.ExportedPayment{
			OrderID: p.OrderID, Method: p.Method.String(), State: wire.ExportedPaymentState(p.State), Amount: p.Sum.Amount,
			Currency: p.Sum.Currency.Code, Email: orNil(payer.Email), Phone: orNil(payer.Phone), Name: orNil(payer.Name),
			Address: orNil(payer.Address), UserAgent: orNil(payer.UserAgent),
			Taken: orNil(p.OtherSum.Amount), TakenCurrency: orNil(p.OtherSum.Currency.Code),
			StartedAt: p.StartedAt, FinishedAt: orNil(p.FinishedAt), Refunds: []wire.ExportedRefund{},
		}
		for _, r := range m.Refunds {
			if r.PaymentID == p.ID {
				exported[i].Refunds = append(exported[i].Refunds, wire.ExportedRefund{
					State: wire.ExportedRefundState(r.State), Cause: wire.ExportedRefundCause(r.Cause), Amount: r.Sum.Amount,
					CreatedAt: r.CreatedAt, FinishedAt: orNil(r.FinishedAt),
				})
			}
		}
	}
	return exported
}
