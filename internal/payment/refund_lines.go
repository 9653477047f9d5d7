package payment

import "servery/internal/money"

// refundedLines are what was refunded of each part, or is being refunded, by the key of the part.
type refundedLines map[string]RefundLine

// addLines adds lines to what was refunded.
func (r refundedLines) addLines(lines []RefundLine) {
	for _, l := range lines {
		before := r[l.Key]
		r[l.Key] = RefundLine{Key: l.Key, Count: before.Count + l.Count, Amount: before.Amount.Add(l.Amount)}
	}
}

// priceLine returns a line that refunds count more items of a part. The last items are refunded
// with all that is left, so that the amounts of all steps add up to what was paid for the part.
func (r refundedLines) priceLine(part Part, count int) RefundLine {
	before := r[part.Key]
	l := RefundLine{Key: part.Key, Count: count}
	if before.Count+count >= part.Count {
		l.Amount = part.Paid.Sub(before.Amount)
	} else {
		l.Amount = (part.Paid / money.Amount(part.Count)).Times(count)
	}
	return l
}

// remainingLines returns lines for all items of the parts that are not refunded.
func (r refundedLines) remainingLines(parts []Part) []RefundLine {
	var lines []RefundLine
	for _, part := range parts {
		if left := part.Count - r[part.Key].Count; left > 0 {
			lines = append(lines, r.priceLine(part, left))
		}
	}
	return lines
}

// sumOf returns the total of the lines.
func sumOf(lines []RefundLine) money.Amount {
	var sum money.Amount
	for _, l := range lines {
		sum = sum.Add(l.Amount)
	}
	return sum
}
