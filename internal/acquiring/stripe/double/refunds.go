package double

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"servery/internal/acquiring/double"
	"servery/internal/money"
)

// refundPayment refunds a sum of a payment and refuses more than is left.
func (d *Double) refundPayment(r double.Request) double.Answer {
	amount, err := strconv.ParseInt(r.Values.Get("amount"), 10, 64)
	p, ok := d.findPayment(r.Values.Get("payment_intent"))
	if err != nil || !ok {
		return invalidRequest("parameter_invalid")
	}
	const noKey = "" // repetitions are found by the header
	made, err := d.Bank.RefundPayment(p.Ref, noKey, money.Amount(amount))
	if err != nil {
		return invalidRequest("charge_already_refunded")
	}
	made.Ref, made.ID = "re_"+made.Ref, r.Values.Get("metadata[refund_id]")
	d.Bank.ChangePayment(p.Ref, func(p *double.Payment) { p.Refunds[len(p.Refunds)-1] = made })
	return double.OK(refundObject(p, made))
}

// refundObject returns a refund of a payment in the form of the API, as it is now.
func refundObject(p double.Payment, made double.Refund) map[string]any {
	o := map[string]any{
		"id": made.Ref, "object": "refund", "status": cmp.Or(made.Status, "succeeded"), "payment_intent": intentObject(p)["id"],
		"amount": int64(made.Amount), "currency": strings.ToLower(p.Currency), "metadata": map[string]string{},
	}
	if made.ID != "" {
		o["metadata"] = map[string]string{"refund_id": made.ID}
	}
	if made.IsCanceled {
		o["failure_reason"] = "expired_or_canceled_card"
	}
	return o
}

// listRefunds answers with the refunds of a payment, newest first. It returns two on a page, so that
// clients have to read further pages.
func (d *Double) listRefunds(r double.Request) double.Answer {
	p, ok := d.findPayment(r.Values.Get("payment_intent"))
	if !ok {
		return invalidRequest("resource_missing")
	}
	data, hasMore := []map[string]any{}, false
	isAfterCursor := r.Values.Get("starting_after") == ""
	for _, made := range slices.Backward(p.Refunds) {
		switch {
		case !isAfterCursor:
			isAfterCursor = made.Ref == r.Values.Get("starting_after")
		case len(data) == 2:
			hasMore = true
		default:
			data = append(data, refundObject(p, made))
		}
	}
	return double.OK(map[string]any{"object": "list", "data": data, "has_more": hasMore})
}
