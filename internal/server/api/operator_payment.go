package api

import (
	"context"

	"servery/internal/acquiring"
	"servery/internal/lang"
	"servery/internal/payment"
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

// toRefundRequest reads what is to be refunded.
func toRefundRequest(b wire.OperatorRefundOrderJSONRequestBody) payment.RefundRequest {
	r := payment.RefundRequest{Key: b.Key, Reason: valueOf(b.Reason), All: valueOf(b.All)}
	if b.Lines != nil {
		for _, l := range *b.Lines {
			r.Lines = append(r.Lines, payment.RefundLine{Key: l.Key, Count: l.Count})
		}
	}
	return r
}

// OperatorListPayments is GET /operator/orders/{id}/payments.
func (s *Server) OperatorListPayments(
	ctx context.Context, req wire.OperatorListPaymentsRequestObject,
) (wire.OperatorListPaymentsResponseObject, error) {
	found, err := s.Orders.FindWithPayment(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	h := found.Payment
	answer := wire.OperatorListPayments200JSONResponse{
		Payments: make([]wire.OperatorPayment, len(h.Attempts)), Refunds: make([]wire.OperatorRefund, len(h.Refunds)),
		ClosingReceipts: make([]wire.OperatorClosingReceipt, len(h.Closings)), Lines: []wire.RefundableLine{},
	}
	modes := map[acquiring.ID]*wire.ReceiptMode{}
	for i, p := range h.Attempts {
		modes[p.ID] = s.receiptMode(p)
		answer.Payments[i] = wire.OperatorPayment{
			ID: string(p.ID), Acquirer: p.Account, Method: p.Method.String(), State: wire.OperatorPaymentState(p.State),
			Ref: orNil(p.Ref), Reason: orNil(p.Reason.String()), Code: orNil(p.Code), Amount: p.Sum.Amount,
			Currency: p.Sum.Currency.Code, Refunded: p.Refunded, StartedAt: p.StartedAt, FinishedAt: orNil(p.FinishedAt),
			ReceiptMode: modes[p.ID], Taken: orNil(p.OtherSum.Amount), TakenCurrency: orNil(p.OtherSum.Currency.Code),
		}
	}
	for i, r := range h.Refunds {
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
	for i, c := range h.Closings {
		answer.ClosingReceipts[i] = wire.OperatorClosingReceipt{
			ID: string(c.ID), PaymentID: string(c.PaymentID), State: wire.OperatorClosingReceiptState(c.State), Ref: orNil(c.Ref),
			Code: orNil(c.Code), Amount: orNil(c.Sum.Amount), CreatedAt: c.CreatedAt, FinishedAt: orNil(c.FinishedAt),
		}
	}
	language := lang.EN // of a brand that content has dropped
	if brand, ok := s.Catalog.Current().Sites.ByAlias(h.Bill.Site); ok {
		language = brand.DefaultLanguage
	}
	for _, l := range h.Refundable() {
		answer.Lines = append(answer.Lines, wire.RefundableLine{
			Key: l.Key, Name: l.Name.In(language), Count: l.Count, RefundedCount: l.Refunded, Paid: l.Paid, Refunded: l.RefundedAmount,
		})
	}
	return answer, nil
}

// receiptMode returns what the receipt of a payment says; nil where none was sent.
func (s *Server) receiptMode(a payment.Attempt) *wire.ReceiptMode {
	if !s.Payments.SendsReceipt(a) {
		return nil
	}
	mode := wire.ReceiptMode(a.ReceiptMode().String())
	return &mode
}
