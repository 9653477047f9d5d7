package payment

import (
	"cmp"
	"strconv"
	"strings"

	"servery/internal/acquiring"
	"servery/internal/lang"
	"servery/internal/site"
)

// longestName is how many characters of a name fiscal registers take (54-FZ, tag 1030).
const longestName = 128

// PaymentReceipt returns the fiscal receipt of a bill that is paid by the attempt. It has no
// lines where no receipts are sent, or when neither an email nor a phone is known to send it to.
func (a Attempt) PaymentReceipt(bill Bill) acquiring.Receipt {
	allLines := RefundedLines{}.RemainingLines(bill.Parts) // nothing is refunded yet
	return a.receiptOf(bill, allLines, a.ReceiptMode())
}

// ReceiptMode returns whether the receipt of the attempt is one of a prepayment or of a full
// payment.
func (a Attempt) ReceiptMode() acquiring.ReceiptMode {
	if a.Call.Fiscal != nil && !a.Call.Fiscal.IsPrepayment() {
		return acquiring.FullPayment
	}
	return acquiring.FullPrepayment
}

// HasReceipt reports whether the attempt has a receipt, provided that its acquirer registers
// receipts.
func (a Attempt) HasReceipt() bool {
	return a.Call.Fiscal != nil && (a.Call.Email != "" || a.Call.Phone != "")
}

// ClosingReceipt returns the receipt of the lines that were handed over.
func (a Attempt) ClosingReceipt(bill Bill, lines []RefundLine) acquiring.Receipt {
	return a.receiptOf(bill, lines, acquiring.FullPayment)
}

// RefundReceipt returns the receipt of a refund. It has no lines when the refund is of another
// sum than its lines.
func (a Attempt) RefundReceipt(bill Bill, r Refund) acquiring.Receipt {
	if SumOf(r.Lines) != r.Sum.Amount {
		return acquiring.Receipt{} // the money was paid for none of the lines, or for other sums than theirs
	}
	mode := a.ReceiptMode()
	if r.AfterClosing {
		mode = acquiring.FullPayment
	}
	return a.receiptOf(bill, r.Lines, mode)
}

// receiptOf returns a receipt of the lines in the given mode, with names and taxes of the bill.
// It is empty when the attempt has no receipt.
func (a Attempt) receiptOf(bill Bill, lines []RefundLine, mode acquiring.ReceiptMode) acquiring.Receipt {
	if !a.HasReceipt() {
		return acquiring.Receipt{}
	}
	fiscal := *a.Call.Fiscal
	receipt := acquiring.Receipt{Mode: mode, Tax: taxSystem(fiscal.Tax), Email: a.Call.Email, Phone: a.Call.Phone}
	taxOf := vatOf
	if mode == acquiring.FullPrepayment && fiscal.PrepaymentVAT == site.CalculatedVAT {
		taxOf = calculatedVATOf
	}
	byKey := bill.receiptLines(taxOf(fiscal.VAT), taxOf(fiscal.DeliveryVAT), a.Call.NameLanguage())
	for _, l := range lines {
		line := byKey[l.Key]
		line.Count = max(1, l.Count) // a share of the price is one item that costs the share
		receipt.Lines = append(receipt.Lines, acquiring.FitLines([]acquiring.Line{line}, l.Amount)...)
	}
	return receipt
}

// NameLanguage returns the language of names on receipts: the brand's own, whatever language
// the customer reads.
func (r Call) NameLanguage() lang.Lang {
	return cmp.Or(r.ReceiptLanguage, lang.Lang(r.Language), lang.EN)
}

// receiptLines returns name and tax of each part of the bill by its key, without count and
// price.
func (b Bill) receiptLines(vat, serviceVAT acquiring.VAT, l lang.Lang) map[string]acquiring.Line {
	lines := make(map[string]acquiring.Line, len(b.Parts))
	for _, part := range b.Parts {
		line := acquiring.Line{Name: part.receiptName(l), VAT: vat}
		if part.IsService {
			line.VAT, line.Service = serviceVAT, true
		}
		lines[part.Key] = line
	}
	return lines
}

// receiptName returns the name of a part with its modifiers: "Salmon (spicy sauce ×2)".
func (p Part) receiptName(in lang.Lang) string {
	name := p.Name.In(in, in)
	if len(p.Modifiers) > 0 {
		modifiers := make([]string, len(p.Modifiers))
		for i, m := range p.Modifiers {
			modifiers[i] = m.Name.In(in, in)
			if m.Count > 1 {
				modifiers[i] += " ×" + strconv.Itoa(m.Count)
			}
		}
		name += " (" + strings.Join(modifiers, ", ") + ")"
	}
	return acquiring.CutText(name, longestName)
}

var taxSystems = map[string]acquiring.TaxSystem{
	"general": acquiring.TaxGeneral, "simple_income": acquiring.TaxSimpleIncome, "simple_profit": acquiring.TaxSimpleProfit,
	"farm": acquiring.TaxFarm, "patent": acquiring.TaxPatent,
}

// taxSystem returns the tax system for a word of the content, and none for an unknown word.
func taxSystem(word string) acquiring.TaxSystem { return taxSystems[word] }

var taxes = map[string]acquiring.VAT{
	"none": acquiring.NoVAT, "0": acquiring.VAT0, "5": acquiring.VAT5, "7": acquiring.VAT7, "10": acquiring.VAT10, "20": acquiring.VAT20, "22": acquiring.VAT22,
}

// vatOf returns the tax for a word of the content.
func vatOf(word string) acquiring.VAT { return taxes[word] }

var calculatedTaxes = map[acquiring.VAT]acquiring.VAT{
	acquiring.VAT5: acquiring.VATOf5, acquiring.VAT7: acquiring.VATOf7, acquiring.VAT10: acquiring.VATOf10, acquiring.VAT20: acquiring.VATOf20, acquiring.VAT22: acquiring.VATOf22,
}

// calculatedVATOf returns the tax for a word of the content as a share of a sum that includes
// it: 22/122 for 22 %. A tax without such a form is returned as it is.
func calculatedVATOf(word string) acquiring.VAT {
	plain := vatOf(word)
	if calculated, ok := calculatedTaxes[plain]; ok {
		return calculated
	}
	return plain
}
