package payment

import (
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/money"
	"servery/internal/site"
)

// Of the bonuses of each part the same share is due as of its money was refunded. Refunds that are not
// done, that are owed, that a correction has caused, or that are of another attempt do not count.
func TestHistory_BonusesDue_areTheShareOfTheRefundedMoney(t *testing.T) {
	t.Parallel()
	roubles := money.Currency{Code: "RUB"}
	bill := Bill{
		PaymentType: site.CardOnline, PaidBy: "p", Sum: acquiring.Sum{Amount: 500_00, Currency: roubles},
		Parts: []Part{{Key: "roll", Count: 2, Paid: 300_00, Bonuses: 100_00}, {Key: "bag", Count: 1, Paid: 200_00}},
	}
	online := func(state RefundState, cause RefundCause, of acquiring.ID) History {
		refund := Refund{PaymentID: of, State: state, Cause: cause, Lines: []RefundLine{{Key: "roll", Count: 1, Amount: 150_00}, {Key: "bag", Amount: 50_00}}}
		return History{Bill: bill, Refunds: []Refund{refund}}
	}
	onReceipt := func(h HandRefund) History {
		paid := bill
		paid.PaymentType, paid.PaidBy = site.Cash, ""
		return History{Bill: paid, ByHand: []HandRefund{h}}
	}
	whole := []RefundLine{{Key: "roll", Count: 2, Amount: 300_00}}
	for name, c := range map[string]struct {
		history History
		want    money.Amount
	}{
		"a half":          {online(RefundDone, ByOperator, "p"), 50_00},
		"not done":        {online(RefundRunning, ByOperator, "p"), 0},
		"failed":          {online(RefundFailed, ByOperator, "p"), 0},
		"a correction":    {online(RefundDone, OnCorrection, "p"), 0},
		"another attempt": {online(RefundDone, ByOperator, "q"), 0},
		"handed back":     {onReceipt(HandRefund{Lines: whole, HandedBackAt: time.Unix(1, 0)}), 100_00},
		"owed":            {onReceipt(HandRefund{Lines: whole}), 0},
		"nothing":         {History{Bill: bill}, 0},
		"a surcharge":     {History{Bill: bill, ByHand: []HandRefund{{Lines: whole, HandedBackAt: time.Unix(1, 0)}}}, 0},
	} {
		if got := c.history.BonusesDue(); got != c.want {
			t.Errorf("%s: %s are due, want %s", name, got, c.want)
		}
	}
}
