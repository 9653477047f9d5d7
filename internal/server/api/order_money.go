package api

import (
	"context"

	"servery/internal/order"
	"servery/internal/payment"
	"servery/internal/server/convert"
	"servery/internal/server/orderwire"
	"servery/internal/server/wire"
	"servery/internal/visit"
)

// wireOrder converts an order as far as its view allows, with the state of its payment. It reads both
// again, at the same instant. A brief view has no payment and is not read again.
func (s *Server) wireOrder(ctx context.Context, v visit.Context, o order.Order) (wire.Order, error) {
	if o.View == order.BriefView {
		return orderwire.ForOrder(v, o).Order(o), nil
	}
	found, err := s.Orders.ReadPayment(ctx, o)
	if err != nil {
		return wire.Order{}, err
	}
	localized := orderwire.ForOrder(v, found.Order)
	w := localized.Order(found.Order)
	w.Payment = localized.Payment(found.Payment, found.Order.ToCollect())
	if w.Payment != nil && o.View != order.OwnView {
		w.Payment.OrderCacheKey = nil // its payment page is shown only to those who placed it
	}
	return w, nil
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
