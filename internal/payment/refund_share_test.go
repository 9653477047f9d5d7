package payment

import (
	"math/rand/v2"
	"testing"

	"servery/internal/money"
)

// Amounts and items of the same parts are refunded in any order. Each amount is spread without a
// rest, no part gets more than was paid for it, each line is whole units of the currency, and at last all is
// refunded to the last unit.
func TestRefundedLines_amountsAndItemsAddUp(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		dice := rand.New(rand.NewPCG(seed, 1))
		unit := money.Amount(1)
		if seed%3 == 0 {
			unit = money.Scale // a currency without decimals
		}
		parts := make([]Part, 1+dice.IntN(5))
		var total money.Amount
		for i := range parts {
			parts[i] = Part{Key: string(rune('a' + i)), Count: 1 + dice.IntN(4), Paid: unit * money.Amount(dice.IntN(30_000))}
			total = total.Add(parts[i].Paid)
		}
		refunded := RefundedLines{}
		left := total
		for left > 0 {
			var lines []RefundLine
			part := parts[dice.IntN(len(parts))]
			switch items := part.Count - refunded[part.Key].Count; {
			case dice.IntN(3) == 0:
				lines = refunded.RemainingLines(parts)
			case dice.IntN(2) == 0 && items > 0:
				lines = []RefundLine{refunded.priceLine(part, 1+dice.IntN(items), unit)}
			default:
				amount := unit * money.Amount(1+dice.Int64N(int64(left/unit)))
				lines = refunded.shareLines(parts, amount, unit)
				if SumOf(lines) != amount {
					t.Fatalf("%d: %d of %d is spread as %v", seed, amount, left, lines)
				}
			}
			for _, l := range lines {
				if l.Amount%unit != 0 {
					t.Fatalf("%d: %+v is refunded with %d", seed, part, l.Amount)
				}
			}
			refunded.AddLines(lines)
			left = left.Sub(SumOf(lines))
			for _, p := range parts {
				if done := refunded[p.Key]; done.Amount > p.Paid || done.Count > p.Count || done.Amount < 0 {
					t.Fatalf("%d: %+v is refunded as %+v", seed, p, done)
				}
			}
		}
		if left != 0 {
			t.Fatalf("%d: %d too much", seed, -left)
		}
	}
}
