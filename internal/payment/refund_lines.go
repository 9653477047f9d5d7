package payment

import "servery/internal/money"

// RefundedLines are what was refunded of each part, or is being refunded, by the key of the part.
type RefundedLines map[string]RefundLine

// AddLines adds lines to what was refunded.
func (r RefundedLines) AddLines(lines []RefundLine) {
	for _, l := range lines {
		before := r[l.Key]
		r[l.Key] = RefundLine{Key: l.Key, Count: before.Count + l.Count, Amount: before.Amount.Add(l.Amount)}
	}
}

// priceLine returns a line that refunds count more items of a part. The last items are refunded
// with all that is left, so that the amounts of all steps add up to what was paid for the part. The
// others cost what each item was paid with, or their share of what is left where shares of the
// price were refunded before.
func (r RefundedLines) priceLine(part Part, count int) RefundLine {
	before := r[part.Key]
	l := RefundLine{Key: part.Key, Count: count, Amount: part.Paid.Sub(before.Amount)}
	if left := part.Count - before.Count; count < left {
		l.Amount = min(part.Paid/money.Amount(part.Count), l.Amount/money.Amount(left)).Times(count)
	}
	return l
}

// shareLines returns lines that refund an amount as shares of the prices of the parts, by what is
// left of each. The amount must not be more than is left of all of them. The shares are whole units
// of the currency.
func (r RefundedLines) shareLines(parts []Part, amount, unit money.Amount) []RefundLine {
	left := make([]money.Amount, len(parts))
	for i, part := range parts {
		left[i] = part.Paid.Sub(r[part.Key].Amount)
	}
	var lines []RefundLine
	for i, share := range amount.ProrateUnits(unit, left) {
		if share > 0 {
			lines = append(lines, RefundLine{Key: parts[i].Key, Amount: share})
		}
	}
	return lines
}

// RemainingLines returns lines for all items of the parts that are not refunded.
func (r RefundedLines) RemainingLines(parts []Part) []RefundLine {
	var lines []RefundLine
	for _, part := range parts {
		if left := part.Count - r[part.Key].Count; left > 0 {
			lines = append(lines, r.priceLine(part, left))
		}
	}
	return lines
}

// SumOf returns the total of the lines.
func SumOf(lines []RefundLine) money.Amount {
	var sum money.Amount
	for _, l := range lines {
		sum = sum.Add(l.Amount)
	}
	return sum
}
