package double

import (
	"cmp"
	"encoding/json"
	"slices"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
)

// refundPayment refunds a sum of a payment, once for each Idempotence-Key, and stores its
// receipt. It refuses more than is left and a receipt of another sum.
func (d *Double) refundPayment(r double.Request) double.Answer {
	key := r.Header.Get("Idempotence-Key")
	return d.Bank.AnswerOnce(key, r.Raw, badRequest("invalid_request"), func() double.Answer {
		var in struct {
			PaymentID string   `json:"payment_id"`
			Amount    amount   `json:"amount"`
			Receipt   *receipt `json:"receipt"`
		}
		if key == "" || json.Unmarshal(r.Raw, &in) != nil {
			return badRequest("invalid_request")
		}
		value, err := acquiring.ParseDecimal(in.Amount.Value)
		if err != nil || !in.Receipt.isValidFor(value) {
			return badRequest("invalid_request")
		}
		const noKey = "" // repetitions are found by the header
		made, err := d.Bank.RefundPayment(in.PaymentID, noKey, value)
		if err != nil {
			return badRequest("invalid_request")
		}
		d.storeReceipt(in.PaymentID, in.Receipt, double.OfRefund)
		return double.OK(map[string]any{
			"id": made.Ref, "payment_id": in.PaymentID, "status": d.initialRefundStatus(in.PaymentID), "amount": in.Amount,
		})
	})
}

// initialRefundStatus returns the first status of a refund of the payment ref: pending for SBP,
// where the transfer to the customer's bank takes time.
func (d *Double) initialRefundStatus(ref string) string {
	if p, _ := d.Bank.FindPayment(ref); p.Method == "sbp" {
		return "pending"
	}
	return "succeeded"
}

// refundObject returns a refund of a payment in the form of the API, as it is now: by then it has
// succeeded unless a test has set another status.
func refundObject(p double.Payment, made double.Refund) map[string]any {
	o := map[string]any{
		"id": made.Ref, "payment_id": p.Ref, "status": cmp.Or(made.Status, "succeeded"),
		"amount": amount{acquiring.Decimal(made.Amount), p.Currency},
	}
	if made.IsCanceled {
		o["cancellation_details"] = map[string]string{"party": "yoo_money", "reason": "general_decline"}
	}
	return o
}

// getRefund answers with the refund of the path.
func (d *Double) getRefund(r double.Request) double.Answer {
	for _, p := range d.Bank.PaymentsOf(double.AnyID) {
		for _, made := range p.Refunds {
			if made.Ref == r.PathValue("ref") {
				return double.OK(refundObject(p, made))
			}
		}
	}
	return notFound()
}

// listRefunds answers with the refunds of a payment, newest first. It returns two on a page, so that
// clients have to read further pages.
func (d *Double) listRefunds(r double.Request) double.Answer {
	p, ok := d.Bank.FindPayment(r.Values.Get("payment_id"))
	if !ok {
		return badRequest("invalid_request")
	}
	items, cursor := []map[string]any{}, ""
	isAfterCursor := r.Values.Get("cursor") == ""
	for _, made := range slices.Backward(p.Refunds) {
		isAfterCursor = isAfterCursor || made.Ref == r.Values.Get("cursor")
		if !isAfterCursor {
			continue
		}
		if len(items) == 2 {
			cursor = made.Ref
			break
		}
		items = append(items, refundObject(p, made))
	}
	answer := map[string]any{"type": "list", "items": items}
	if cursor != "" {
		answer["next_cursor"] = cursor
	}
	return double.OK(answer)
}
