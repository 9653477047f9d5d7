package payment

import "servery/internal/money"

// refundedLines are what was refunded of each part, or is being refunded, by the key of the part.
type refundedLines map[string]RefundLine

// add counts lines as refunded.
func (r refundedLines) add(lines []RefundLine) {
	for _, l := range lines {
		before := r[l.Key]
		r[l.Key] = RefundLine{Key: l.Key, Count: before.Count + l.Count, Amount: before.Amount.Add(l.Amount)}
	}
}

// price returns the line that refunds count more of a part. The last of a part gets what is
// left, so that in whatever steps a part is refunded, it adds up to what was paid for it.
func (r refundedLines) price(part Part, count int) RefundLine {
	before := r[part.Key]
	l := RefundLine{Key: part.Key, Count: count}
	if before.Count+count >= part.Count {
		l.Amount = part.Paid.Sub(before.Amount)
	} else {
		l.Amount = (part.Paid / money.Amount(part.Count)).Times(count)
	}
	return l
}

// remainingLines returns lines of all that is left.
func (r refundedLines) remainingLines(parts []Part) []RefundLine {
	var lines []RefundLine
	for _, part := range parts {
		if left := part.Count - r[part.Key].Count; left > 0 {
			lines = append(lines, r.price(part, left))
		}
	}
	return lines
}

// sumOf adds lines up.
func sumOf(lines []RefundLine) money.Amount {
	var sum money.Amount
	for _, l := range lines {
		sum = sum.Add(l.Amount)
	}
	return sum
}
