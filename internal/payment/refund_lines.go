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

// priceLine returns a line that refunds count more items of a part. When they are the last items of
// the part, all that is left of its money is refunded, so that all refunds together are what was paid
// for it. Otherwise each item is refunded with its price or, where shares of the price were refunded
// before, with its share of what is left, in whole units of the currency.
func (r RefundedLines) priceLine(part Part, count int, unit money.Amount) RefundLine {
	before := r[part.Key]
	if countLeft := part.Count - before.Count; count < countLeft {
		price, share := part.Paid/money.Amount(part.Count), part.Paid.Sub(before.Amount)/money.Amount(countLeft)
		each := min(price, share) / unit * unit
		return RefundLine{Key: part.Key, Count: count, Amount: each.Times(count)}
	}
	return r.restOf(part)
}

// restOf returns a line that refunds all items and money of a part that are left.
func (r RefundedLines) restOf(part Part) RefundLine {
	before := r[part.Key]
	return RefundLine{Key: part.Key, Count: part.Count - before.Count, Amount: part.Paid.Sub(before.Amount)}
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
		if rest := r.restOf(part); rest.Count > 0 {
			lines = append(lines, rest)
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
