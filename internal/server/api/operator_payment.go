package api

import (
	"context"

	"servery/internal/acquiring"
	"servery/internal/lang"
	"servery/internal/order"
	"servery/internal/server/wire"
)

// OperatorRefundOrder is POST /operator/orders/{id}/refund.
func (s *Server) OperatorRefundOrder(
	ctx context.Context, req wire.OperatorRefundOrderRequestObject,
) (wire.OperatorRefundOrderResponseObject, error) {
	o, err := s.Orders.Refund(ctx, req.ID, toRefundRequest(*req.Body), s.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := s.toOperator(o)
	return wire.OperatorRefundOrder200JSONResponse{Order: shown}, err
}

// toRefundRequest reads what is to be given back.
func toRefundRequest(b wire.OperatorRefundOrderJSONRequestBody) order.RefundRequest {
	r := order.RefundRequest{Key: b.Key, Reason: valueOf(b.Reason), All: valueOf(b.All)}
	if b.Lines != nil {
		for _, l := range *b.Lines {
			r.Lines = append(r.Lines, order.RefundLine{Key: l.Key, Count: l.Count})
		}
	}
	return r
}

// OperatorListPayments is GET /operator/orders/{id}/payments.
func (s *Server) OperatorListPayments(
	ctx context.Context, req wire.OperatorListPaymentsRequestObject,
) (wire.OperatorListPaymentsResponseObject, error) {
	m, err := s.Orders.MoneyOf(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	answer := wire.OperatorListPayments200JSONResponse{
		Payments: make([]wire.OperatorPayment, len(m.Payments)), Refunds: make([]wire.OperatorRefund, len(m.Refunds)),
		ClosingReceipts: make([]wire.OperatorClosingReceipt, len(m.Closings)), Lines: []wire.RefundableLine{},
	}
	modes := map[acquiring.ID]*wire.ReceiptMode{}
	for i, p := range m.Payments {
		modes[p.ID] = s.receiptMode(p)
		answer.Payments[i] = wire.OperatorPayment{
			ID: string(p.ID), Acquirer: p.Account, Method: p.Method.String(), State: wire.OperatorPaymentState(p.State),
			Ref: orNil(p.Ref), Reason: orNil(p.Reason.String()), Code: orNil(p.Code), Amount: p.Sum.Amount,
			Currency: p.Sum.Currency.Code, Refunded: p.Refunded, StartedAt: p.StartedAt, FinishedAt: orNil(p.FinishedAt),
			ReceiptMode: modes[p.ID], Taken: orNil(p.OtherSum.Amount), TakenCurrency: orNil(p.OtherSum.Currency.Code),
		}
	}
	for i, r := range m.Refunds {
		mode := modes[r.PaymentID]
		if mode != nil && r.AfterClosing {
			handedOver := wire.ReceiptMode(acquiring.FullPayment.String())
			mode = &handedOver
		}
		answer.Refunds[i] = wire.OperatorRefund{
			ID: string(r.ID), PaymentID: string(r.PaymentID), State: wire.OperatorRefundState(r.State),
			Cause: wire.OperatorRefundCause(r.Cause), Reason: orNil(r.Reason), Amount: r.Sum.Amount, ReceiptMode: mode,
			CreatedAt: r.CreatedAt, FinishedAt: orNil(r.FinishedAt),
		}
	}
	for i, c := range m.Closings {
		answer.ClosingReceipts[i] = wire.OperatorClosingReceipt{
			ID: string(c.ID), PaymentID: string(c.PaymentID), State: wire.OperatorClosingReceiptState(c.State), Ref: orNil(c.Ref),
			Code: orNil(c.Code), Amount: orNil(c.Sum.Amount), CreatedAt: c.CreatedAt, FinishedAt: orNil(c.FinishedAt),
		}
	}
	language := lang.EN // of a brand that content has dropped
	if brand, ok := s.Catalog.Current().Sites.ByAlias(m.Order.Site); ok {
		language = brand.DefaultLanguage
	}
	for _, l := range m.Refundable() {
		answer.Lines = append(answer.Lines, wire.RefundableLine{
			Key: l.Key, Name: l.Name.In(language), Count: l.Count, RefundedCount: l.Refunded, Paid: l.Paid, Refunded: l.Back,
		})
	}
	return answer, nil
}

// receiptMode returns what the receipt of a payment says; nil where none was sent.
func (s *Server) receiptMode(p order.Payment) *wire.ReceiptMode {
	if !s.Orders.SendsReceipt(p) {
		return nil
	}
	mode := wire.ReceiptMode(p.ReceiptMode().String())
	return &mode
}
