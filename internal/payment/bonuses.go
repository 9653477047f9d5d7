package payment

import (
	"servery/internal/money"
	"servery/internal/site"
)

// BonusesDue returns how many of the bonuses that were spent on an order its customer is to have back,
// because the restaurant has refunded parts of it: of each part the share that the refunded money is of
// what was paid. Only money that has gone back counts.
func (h History) BonusesDue() money.Amount {
	refunded := RefundedLines{}
	for _, r := range h.ByHand {
		if !site.IsOnline(h.Bill.PaymentType) && !r.IsOwed() {
			refunded.AddLines(r.Lines)
		}
	}
	for _, r := range h.Refunds {
		if r.PaymentID == h.Bill.PaidBy && r.State == RefundDone && r.Cause == ByOperator {
			refunded.AddLines(r.Lines)
		}
	}
	var due money.Amount
	for _, part := range h.Bill.Parts {
		if gone := min(refunded[part.Key].Amount, part.Paid); gone > 0 {
			share := part.Bonuses.ProrateUnits(h.Bill.Sum.Currency.Unit(), []money.Amount{gone, part.Paid.Sub(gone)})
			due = due.Add(share[0])
		}
	}
	return due
}
