package order

import (
	"cmp"
	"strconv"
	"strings"

	"servery/internal/acquiring"
	"servery/internal/lang"
	"servery/internal/site"
)

// longestName is how much of a name fiscal registers take (54-FZ, tag 1030).
const longestName = 128

// receipt is what the fiscal register is told of an order that is paid by p: the lines add up
// to its total. It has no lines where no receipts are sent, or nobody is known whom to send
// it to.
func (p Payment) receipt(o Order) acquiring.Receipt {
	return p.receiptOf(o, given{}.rest(o.sold()), p.ReceiptMode())
}

// ReceiptMode returns what the receipt of the payment says.
func (p Payment) ReceiptMode() acquiring.ReceiptMode {
	if p.asked.Fiscal != nil && !p.asked.Fiscal.IsPrepayment() {
		return acquiring.FullPayment
	}
	return acquiring.FullPrepayment
}

// HasReceipt reports whether the payment has a receipt, if its acquirer registers any.
func (p Payment) HasReceipt() bool {
	return p.asked.Fiscal != nil && (p.asked.Email != "" || p.asked.Phone != "")
}

// closingReceipt is what was handed over of the order, once it is.
func (p Payment) closingReceipt(o Order, lines []RefundLine) acquiring.Receipt {
	return p.receiptOf(o, lines, acquiring.FullPayment)
}

// refundReceipt is the part of the receipt that a refund gives back.
func (p Payment) refundReceipt(o Order, r Refund) acquiring.Receipt {
	if sumOf(r.Lines) != r.Sum.Amount {
		return acquiring.Receipt{} // not a part of the order: none of its lines can be given back
	}
	mode := p.ReceiptMode()
	if r.AfterClosing {
		mode = acquiring.FullPayment
	}
	return p.receiptOf(o, r.Lines, mode)
}

func (p Payment) receiptOf(o Order, parts []RefundLine, mode acquiring.ReceiptMode) acquiring.Receipt {
	if !p.HasReceipt() {
		return acquiring.Receipt{}
	}
	fiscal := *p.asked.Fiscal
	receipt := acquiring.Receipt{Mode: mode, Tax: taxSystem(fiscal.Tax), Email: p.asked.Email, Phone: p.asked.Phone}
	taxOf := vatOf
	if mode == acquiring.FullPrepayment && fiscal.PrepaymentVAT == site.CalculatedVAT {
		taxOf = calculatedVATOf
	}
	named := o.receiptLines(taxOf(fiscal.VAT), taxOf(fiscal.DeliveryVAT), p.asked.receiptLanguage())
	for _, part := range parts {
		line := named[part.Key]
		line.Count = part.Count
		receipt.Lines = append(receipt.Lines, acquiring.Fit([]acquiring.Line{line}, part.Amount)...)
	}
	return receipt
}

// receiptLanguage is what the goods are called in: the brand's own language, whatever the
// customer speaks.
func (a asked) receiptLanguage() lang.Lang {
	return cmp.Or(a.ReceiptLanguage, lang.Lang(a.Language), lang.EN)
}

// receiptLines returns name and tax of each part of the order, by its key.
func (o Order) receiptLines(vat, deliveryVAT acquiring.VAT, l lang.Lang) map[string]acquiring.Line {
	lines := make(map[string]acquiring.Line, len(o.Lines)+len(o.Details.Packages)+1)
	for _, line := range o.Lines {
		lines[line.Key] = acquiring.Line{Name: line.receiptName(l), VAT: vat}
	}
	for _, p := range o.Details.Packages {
		lines[p.Alias] = acquiring.Line{Name: acquiring.Cut(p.Name.In(l, l), longestName), VAT: vat}
	}
	lines[DeliveryKey] = acquiring.Line{Name: lang.T(l, "refund.delivery", nil), VAT: deliveryVAT, Service: true}
	return lines
}

// receiptName names a dish with its modifiers: "Salmon (spicy sauce ×2)".
func (l Line) receiptName(in lang.Lang) string {
	name := l.Name.In(in, in)
	if len(l.Modifiers) > 0 {
		modifiers := make([]string, len(l.Modifiers))
		for i, m := range l.Modifiers {
			modifiers[i] = m.Name.In(in, in)
			if m.Count > 1 {
				modifiers[i] += " ×" + strconv.Itoa(m.Count)
			}
		}
		name += " (" + strings.Join(modifiers, ", ") + ")"
	}
	return acquiring.Cut(name, longestName)
}

var taxSystems = map[string]acquiring.TaxSystem{
	"general": acquiring.TaxGeneral, "simple_income": acquiring.TaxSimpleIncome, "simple_profit": acquiring.TaxSimpleProfit,
	"farm": acquiring.TaxFarm, "patent": acquiring.TaxPatent,
}

// taxSystem reads a tax system as content has it; a word that is unknown sends none.
func taxSystem(word string) acquiring.TaxSystem { return taxSystems[word] }

var taxes = map[string]acquiring.VAT{
	"none": acquiring.NoVAT, "0": acquiring.VAT0, "5": acquiring.VAT5, "7": acquiring.VAT7, "10": acquiring.VAT10, "20": acquiring.VAT20, "22": acquiring.VAT22,
}

// vatOf reads a tax as content has it.
func vatOf(word string) acquiring.VAT { return taxes[word] }

var calculatedTaxes = map[acquiring.VAT]acquiring.VAT{
	acquiring.VAT5: acquiring.VATOf5, acquiring.VAT7: acquiring.VATOf7, acquiring.VAT10: acquiring.VATOf10, acquiring.VAT20: acquiring.VATOf20, acquiring.VAT22: acquiring.VATOf22,
}

// calculatedVATOf reads a tax as content has it and returns it as a part of the sum: 22/122
// for 22 %.
func calculatedVATOf(word string) acquiring.VAT {
	plain := vatOf(word)
	if calculated, ok := calculatedTaxes[plain]; ok {
		return calculated
	}
	return plain
}
