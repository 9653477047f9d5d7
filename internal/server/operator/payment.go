package operator

import (
	"context"

	"servery/internal/acquiring"
	"servery/internal/lang"
	"servery/internal/payment"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
)

// OperatorRefundOrder is POST /operator/orders/{id}/refund: it refunds an order in whole or in part. It
// refunds what was paid online through the acquirer, and for other orders it records the money that a person
// hands back. It returns the order.
func (c *Calls) OperatorRefundOrder(
	ctx context.Context, req wire.OperatorRefundOrderRequestObject,
) (wire.OperatorRefundOrderResponseObject, error) {
	o, err := c.orders.Refund(ctx, req.ID, toRefundRequest(*req.Body), c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	return wire.OperatorRefundOrder200JSONResponse{Order: shown}, err
}

// toRefundRequest reads what is to be refunded.
func toRefundRequest(b wire.OperatorRefundOrderJSONRequestBody) payment.RefundRequest {
	return payment.RefundRequest{
		Key: b.Key, Reason: convert.ValueOf(b.Reason), All: convert.ValueOf(b.All), Lines: toRefundLines(b.Lines), Amount: convert.ValueOf(b.Amount),
		Bearer: payment.Bearer(convert.ValueOf(b.Bearer)), Owed: convert.ValueOf(b.Owed), Collected: convert.ValueOf(b.Collected), Actor: convert.ValueOf(b.Actor),
	}
}

// toRefundLines reads the lines that are to be refunded; none for nil.
func toRefundLines(w *wire.RefundLines) []payment.RefundLine {
	var lines []payment.RefundLine
	for _, l := range convert.ValueOf(w) {
		lines = append(lines, payment.RefundLine{Key: l.Key, Count: l.Count})
	}
	return lines
}

// OperatorHandBackRefund is POST /operator/orders/{id}/refund/handed-back: it records that the money of a
// refund by hand, which was still owed, was handed back. It returns the order.
func (c *Calls) OperatorHandBackRefund(
	ctx context.Context, req wire.OperatorHandBackRefundRequestObject,
) (wire.OperatorHandBackRefundResponseObject, error) {
	o, err := c.orders.HandBack(ctx, req.ID, req.Body.Key, convert.ValueOf(req.Body.Actor), c.clock.Now())
	if err != nil {
		return nil, err
	}
	shown, err := c.showOrder(ctx, o)
	return wire.OperatorHandBackRefund200JSONResponse{Order: shown}, err
}

// OperatorListPayments is GET /operator/orders/{id}/payments: it returns the payment attempts, refunds and
// closing receipts of an order, and what of it can still be refunded.
func (c *Calls) OperatorListPayments(
	ctx context.Context, req wire.OperatorListPaymentsRequestObject,
) (wire.OperatorListPaymentsResponseObject, error) {
	found, err := c.orders.FindWithPayment(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	h := found.Payment
	answer := wire.OperatorListPayments200JSONResponse{
		Payments: make([]wire.OperatorPayment, len(h.Attempts)), Refunds: make([]wire.OperatorRefund, len(h.Refunds)),
		ClosingReceipts: make([]wire.OperatorClosingReceipt, len(h.Closings)), Lines: []wire.RefundableLine{},
		HandRefunds: toWireHandRefunds(h.ByHand), Kept: h.Kept(),
	}
	modes := map[acquiring.ID]*wire.ReceiptMode{}
	for i, p := range h.Attempts {
		modes[p.ID] = c.receiptMode(p)
		answer.Payments[i] = wire.OperatorPayment{
			ID: string(p.ID), Acquirer: p.Account, Method: p.Method.String(), State: wire.OperatorPaymentState(p.State),
			Ref: convert.OrNil(p.Ref), Reason: convert.OrNil(p.Reason.String()), Code: convert.OrNil(p.Code), Amount: p.Sum.Amount,
			Currency: p.Sum.Currency.Code, Refunded: p.Refunded, StartedAt: p.StartedAt, FinishedAt: convert.OrNil(p.FinishedAt),
			ReceiptMode: modes[p.ID], Taken: convert.OrNil(p.OtherSum.Amount), TakenCurrency: convert.OrNil(p.OtherSum.Currency.Code),
		}
	}
	for i, r := range h.Refunds {
		mode := modes[r.PaymentID]
		if mode != nil && r.AfterClosing { // the closing receipt has made a prepayment the full payment
			handedOver := wire.ReceiptMode(acquiring.FullPayment.String())
			mode = &handedOver
		}
		answer.Refunds[i] = wire.OperatorRefund{
			ID: string(r.ID), PaymentID: string(r.PaymentID), State: wire.OperatorRefundState(r.State),
			Cause: wire.OperatorRefundCause(r.Cause), Reason: convert.OrNil(r.Reason), Amount: r.Sum.Amount, ReceiptMode: mode,
			Bearer: wire.RefundBearer(r.Bearer), Actor: convert.OrNil(r.Actor), CreatedAt: r.CreatedAt, FinishedAt: convert.OrNil(r.FinishedAt),
		}
	}
	for i, receipt := range h.Closings {
		answer.ClosingReceipts[i] = wire.OperatorClosingReceipt{
			ID: string(receipt.ID), PaymentID: string(receipt.PaymentID), State: wire.OperatorClosingReceiptState(receipt.State), Ref: convert.OrNil(receipt.Ref),
			Code: convert.OrNil(receipt.Code), Amount: convert.OrNil(receipt.Sum.Amount), CreatedAt: receipt.CreatedAt, FinishedAt: convert.OrNil(receipt.FinishedAt),
		}
	}
	language := lang.EN // of a brand that content has dropped
	if brand, ok := c.catalog.Current().Sites.ByAlias(h.Bill.Site); ok {
		language = brand.DefaultLanguage
	}
	for _, l := range h.Refundable() {
		answer.Lines = append(answer.Lines, wire.RefundableLine{
			Key: l.Key, Name: l.Name.In(language), Count: l.Count, RefundedCount: l.Refunded, Paid: l.Paid, Refunded: l.RefundedAmount,
		})
	}
	return answer, nil
}

// toWireHandRefunds converts refunds by hand.
func toWireHandRefunds(refunds []payment.HandRefund) []wire.OperatorHandRefund {
	list := make([]wire.OperatorHandRefund, len(refunds))
	for i, r := range refunds {
		list[i] = wire.OperatorHandRefund{
			Key: r.Key, State: wire.HandedBack, Bearer: wire.RefundBearer(r.Bearer), Reason: convert.OrNil(r.Reason), Amount: r.Amount, Actor: r.Actor,
			CreatedAt: r.CreatedAt, HandedBackBy: convert.OrNil(r.HandedBackBy), HandedBackAt: convert.OrNil(r.HandedBackAt),
		}
		if r.IsOwed() {
			list[i].State = wire.Owed
		}
	}
	return list
}

// receiptMode returns the mode in the receipt of a payment attempt; nil where no receipt was sent.
func (c *Calls) receiptMode(a payment.Attempt) *wire.ReceiptMode {
	if !c.payments.SendsReceipt(a) {
		return nil
	}
	mode := wire.ReceiptMode(a.ReceiptMode().String())
	return &mode
}
