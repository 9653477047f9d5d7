package double

import (
	"encoding/json"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
)

// registerTime is how long the fiscal register takes for a receipt.
const registerTime = 10 * time.Second

// storeReceipt adds a receipt of a kind to a payment's registered ones and returns it as a list
// of at most one. A missing receipt adds nothing.
func (d *Double) storeReceipt(payment string, r *receipt, kind double.ReceiptKind) []double.Receipt {
	receipts := d.registeredReceipts(r, kind)
	d.Bank.ChangePayment(payment, func(p *double.Payment) { p.Receipts = append(p.Receipts, receipts...) })
	return receipts
}

// closeReceipt registers a closing receipt of a paid payment, once for each Idempotence-Key, and
// answers with it. It refuses a wrong field and lines that do not add up.
func (d *Double) closeReceipt(r double.Request) double.Answer {
	key := r.Header.Get("Idempotence-Key")
	if key == "" || len(key) > 64 {
		return badRequest("invalid_request")
	}
	return d.Bank.AnswerOnce(key, r.Raw, badRequest("invalid_request"), func() double.Answer {
		var in struct {
			receipt

			Type        string `json:"type"`
			PaymentID   string `json:"payment_id"`
			Send        bool   `json:"send"`
			Settlements []struct {
				Type   string `json:"type"`
				Amount amount `json:"amount"`
			} `json:"settlements"`
		}
		if json.Unmarshal(r.Raw, &in) != nil || in.Type != "payment" || !in.Send || len(in.Settlements) != 1 || in.Settlements[0].Type != "prepayment" {
			return badRequest("invalid_request")
		}
		settled, err := acquiring.ParseDecimal(in.Settlements[0].Amount.Value)
		p, ok := d.Bank.FindPayment(in.PaymentID)
		if err != nil || !in.isValidFor(settled) || !ok || p.State != double.Paid {
			return badRequest("invalid_request")
		}
		return double.OK(d.receiptObject(p, d.storeReceipt(p.Ref, &in.receipt, double.Closing)[0]))
	})
}

// receiptObject returns a receipt of a payment in the form of the API: pending until the
// register has it, then succeeded or canceled.
func (d *Double) receiptObject(p double.Payment, r double.Receipt) map[string]any {
	o := map[string]any{"id": r.Ref, "type": "payment", "payment_id": p.Ref, "status": "pending"}
	switch {
	case d.Bank.Clock.Now().Before(r.Registered):
	case r.Refused:
		o["status"] = "canceled"
	default:
		o["status"], o["fiscal_document_number"], o["registered_at"] = "succeeded", "3986", r.Registered.Format(time.RFC3339Nano)
	}
	kind := "cashless"
	switch r.Kind {
	case double.Closing:
		kind = "prepayment"
	case double.OfRefund:
		o["type"] = "refund"
	case double.OfPayment:
	}
	o["settlements"] = []map[string]any{{"type": kind, "amount": amount{acquiring.Decimal(r.ItemTotal()), p.Currency}}}
	return o
}

// listReceipts answers with the receipts of the payment that payment_id names.
func (d *Double) listReceipts(r double.Request) double.Answer {
	p, ok := d.Bank.FindPayment(r.Values.Get("payment_id"))
	if !ok {
		return badRequest("invalid_request")
	}
	items := []map[string]any{}
	for _, receipt := range p.Receipts {
		items = append(items, d.receiptObject(p, receipt))
	}
	return double.OK(map[string]any{"type": "list", "items": items})
}

// getReceipt answers with the receipt of the path.
func (d *Double) getReceipt(r double.Request) double.Answer {
	for _, p := range d.Bank.PaymentsOf(double.AnyID) {
		for _, receipt := range p.Receipts {
			if receipt.Ref == r.PathValue("ref") {
				return double.OK(d.receiptObject(p, receipt))
			}
		}
	}
	return notFound()
}
