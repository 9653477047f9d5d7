package acquiring

import "servery/internal/money"

// VAT is the tax on a line of a receipt. The set is closed; adapters know the numbers.
type VAT uint8

// The closed set of taxes. Those with Of are calculated rates, such as 10/110, for a prepaid sum that
// contains the tax.
const (
	NoVAT VAT = iota
	VAT0
	VAT5
	VAT7
	VAT10
	VAT20
	VAT22
	VATOf5
	VATOf7
	VATOf10
	VATOf20
	VATOf22
)

// TaxSystem is how the shop is taxed. The set is closed.
type TaxSystem uint8

// The closed set of tax systems. The zero value sends none: the acquirer's setting is used.
const (
	TaxUnset TaxSystem = iota
	TaxGeneral
	TaxSimpleIncome
	TaxSimpleProfit
	TaxFarm
	TaxPatent
)

// Line is one line of a receipt.
type Line struct {
	Name string
	// Unit is the price of one, Count how many.
	Unit  money.Amount
	Count int
	VAT   VAT
	// Service says that it is work, such as delivery, not a thing.
	Service bool
}

// Total returns the price of the line.
func (l Line) Total() money.Amount { return l.Unit.Times(l.Count) }

// ReceiptMode is what a receipt says about when the goods are handed over (54-FZ, tag 1214).
// The set is closed.
type ReceiptMode uint8

// The closed set of modes.
const (
	FullPrepayment ReceiptMode = iota // paid in full before the goods are handed over
	FullPayment                       // handed over and settled in full
)

// String returns the mode as content and the operator's calls name it.
func (m ReceiptMode) String() string {
	if m == FullPayment {
		return "full_payment"
	}
	return "full_prepayment"
}

// Receipt is what the fiscal register records about a payment, and to whom it is sent.
type Receipt struct {
	Mode  ReceiptMode
	Lines []Line
	Tax   TaxSystem
	// Email and Phone say where it goes; one of them is needed. Phone is digits.
	Email, Phone string
}

// Total returns the sum of the lines.
func (r Receipt) Total() money.Amount {
	var total money.Amount
	for _, l := range r.Lines {
		total = total.Add(l.Total())
	}
	return total
}

// FitLines returns lines that add up to exactly the total. Discounts and bonuses make the total
// less than the sum of the lines; the difference is spread over the lines by their price. When
// the new price of a line cannot be divided by its count, one piece becomes a line of its own. No
// price is below zero unless total is. Lines that cost nothing are left out.
func FitLines(lines []Line, total money.Amount) []Line {
	weights := make([]money.Amount, len(lines))
	for i, l := range lines {
		weights[i] = l.Total()
	}
	fitted := make([]Line, 0, len(lines)+1)
	for i, part := range total.Prorate(weights) {
		l := lines[i]
		if l.Count <= 0 || part == 0 {
			continue
		}
		unit := part / money.Amount(l.Count)
		rest := part - unit.Times(l.Count)
		if rest == 0 {
			l.Unit = unit
			fitted = append(fitted, l)
			continue
		}
		single := l
		single.Count, single.Unit = 1, unit.Add(rest)
		l.Count, l.Unit = l.Count-1, unit
		if l.Unit > 0 {
			fitted = append(fitted, l)
		}
		fitted = append(fitted, single)
	}
	return fitted
}
