package payment

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"servery/internal/acquiring"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// randomBill returns a bill of lines, packages and perhaps a delivery, whose parts add up to its sum.
func randomBill(r *rand.Rand) Bill {
	var b Bill
	add := func(p Part) {
		b.Sum.Amount = b.Sum.Amount.Add(p.Paid)
		b.Parts = append(b.Parts, p)
	}
	for i := range 1 + r.IntN(6) {
		add(Part{
			Key: fmt.Sprintf("line-%d", i), Name: lang.Text{lang.RU: fmt.Sprintf("Блюдо %d", i)}, Count: 1 + r.IntN(7),
			Paid: money.Amount(r.IntN(2) * r.IntN(1400_00)),
		})
	}
	for i := range r.IntN(3) {
		add(Part{Key: fmt.Sprintf("bag-%d", i), Name: lang.Text{lang.RU: "Пакет"}, Count: 1 + r.IntN(3), Paid: money.Amount(r.IntN(10_00))})
	}
	if r.IntN(2) == 0 {
		add(Part{Key: "delivery", Name: lang.Text{lang.RU: "Доставка"}, Count: 1, Paid: money.Amount(r.IntN(300_00)), IsService: true})
	}
	return b
}

// newTaxedAttempt returns an attempt whose receipt can be made: it has taxes, 10 % and 20 % for the
// delivery, and an address to send it to.
func newTaxedAttempt() Attempt {
	return Attempt{Call: Call{
		Language: "tr", ReceiptLanguage: lang.RU, Email: "anna@example.org",
		Fiscal: &site.Fiscal{Tax: "simple_income", VAT: "10", DeliveryVAT: "20"},
	}}
}

// The lines of the receipt of each of 2000 random bills add up to the bill, and only the
// delivery is a service.
func TestReceipt_addsUpToTheBill(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		b := randomBill(r)
		receipt := newTaxedAttempt().PaymentReceipt(b)
		if receipt.Total() != b.Sum.Amount {
			t.Fatalf("the lines add up to %s, the bill to %s: %+v", receipt.Total(), b.Sum.Amount, b)
		}
		for _, l := range receipt.Lines {
			if l.Unit <= 0 || l.Count <= 0 || l.Service != (l.Name == "Доставка") || l.Service != (l.VAT == acquiring.VAT20) {
				t.Fatalf("a line is %+v", l)
			}
		}
	}
}

// Random bills are refunded in random steps: each step's receipt has the sum of that step, and
// all steps add up to the bill.
func TestRefundedLines_addUpToTheBillInAnySteps(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		b := randomBill(r)
		refunded, whole := RefundedLines{}, money.Amount(0)
		refund := func(lines ...RefundLine) {
			refund := Refund{Sum: acquiring.Sum{Amount: SumOf(lines)}, Lines: lines}
			if receipt := newTaxedAttempt().RefundReceipt(b, refund); receipt.Total() != refund.Sum.Amount {
				t.Fatalf("the receipt of %s is of %s", refund.Sum.Amount, receipt.Total())
			}
			for _, l := range lines {
				if l.Amount < 0 {
					t.Fatalf("a part of %s", l.Amount)
				}
			}
			refunded.AddLines(lines)
			whole = whole.Add(refund.Sum.Amount)
		}
		for range r.IntN(12) {
			part := b.Parts[r.IntN(len(b.Parts))]
			if left := part.Count - refunded[part.Key].Count; left > 0 {
				refund(refunded.priceLine(part, 1+r.IntN(left), 1))
			}
		}
		refund(refunded.RemainingLines(b.Parts)...)
		if whole != b.Sum.Amount {
			t.Fatalf("%s refunded of %s: %+v", whole, b.Sum.Amount, b)
		}
	}
}

// Names on receipts are in the brand's language although the customer reads another, have their
// modifiers, and are cut to 128 characters.
func TestReceipt_namesDishesWithTheirModifiersInTheBrandsLanguage(t *testing.T) {
	t.Parallel()
	text := func(ru, en string) lang.Text { return lang.Text{lang.RU: ru, lang.EN: en} }
	bill := Bill{Parts: []Part{{
		Key: "1", Name: text("Лосось", "Salmon"), Count: 1, Paid: 100_00,
		Modifiers: []Modifier{{Name: text("соус", "sauce"), Count: 2}, {Name: text("рис", "rice"), Count: 1}},
	}, {
		Key: "2", Name: text(strings.Repeat("щи ", 60), ""), Count: 1, Paid: 50_00,
	}}}
	lines := newTaxedAttempt().PaymentReceipt(bill).Lines
	if len(lines) != 2 || lines[0].Name != "Лосось (соус ×2, рис)" || lines[0].VAT != acquiring.VAT10 || lines[0].Service {
		t.Errorf("got %+v", lines)
	}
	if n := utf8.RuneCountInString(lines[1].Name); n != 128 {
		t.Errorf("a name of %d characters", n)
	}
}

// There is no receipt without taxes, without an address to send it to, or for a refund that is
// larger than its lines.
func TestReceipt_needsTaxesAndARecipient(t *testing.T) {
	t.Parallel()
	bill := Bill{Parts: []Part{{Key: "1", Count: 1, Paid: 100_00}}}
	untaxed, unreachable := newTaxedAttempt(), newTaxedAttempt()
	untaxed.Call.Fiscal, unreachable.Call.Email = nil, ""
	for name, p := range map[string]Attempt{"no taxes": untaxed, "unreachable": unreachable} {
		if receipt := p.PaymentReceipt(bill); len(receipt.Lines) != 0 {
			t.Errorf("%s: %+v", name, receipt)
		}
	}
	other := Refund{Sum: acquiring.Sum{Amount: 120_00}, Lines: []RefundLine{{Key: "1", Count: 1, Amount: 100_00}}}
	if receipt := newTaxedAttempt().RefundReceipt(bill, other); len(receipt.Lines) != 0 {
		t.Errorf("more than the order: %+v", receipt)
	}
}

// Tax systems and rates written in content become the constants of package acquiring; an empty
// system is unset.
func TestReceipt_hasANumberForEachTaxOfContent(t *testing.T) {
	t.Parallel()
	if taxSystem("farm") != acquiring.TaxFarm || taxSystem("") != acquiring.TaxUnset || vatOf("none") != acquiring.NoVAT || vatOf("22") != acquiring.VAT22 {
		t.Error("a tax is read as another")
	}
}

// The tax of a prepayment is a share of the sum, such as 10/110, where the content says so.
// Closing receipts, and refunds after them, have the plain tax and say full payment.
func TestReceipt_ofAPrepaymentWritesItsTaxAsAPartOfTheSum(t *testing.T) {
	t.Parallel()
	bill := Bill{Parts: []Part{{Key: "1", Count: 1, Paid: 100_00}, {Key: "delivery", Count: 1, Paid: 50_00, IsService: true}}}
	for name, c := range map[string]struct {
		mode, prepaymentVAT string
		payment             [2]acquiring.VAT
	}{
		"a payment without a mode":  {"", "", [2]acquiring.VAT{acquiring.VAT10, acquiring.VAT20}},
		"a prepayment":              {site.FullPrepayment, site.CalculatedVAT, [2]acquiring.VAT{acquiring.VATOf10, acquiring.VATOf20}},
		"a prepayment, plain":       {site.FullPrepayment, site.PlainVAT, [2]acquiring.VAT{acquiring.VAT10, acquiring.VAT20}},
		"a payment of the delivery": {site.FullPayment, "", [2]acquiring.VAT{acquiring.VAT10, acquiring.VAT20}},
	} {
		a := newTaxedAttempt()
		a.Call.Fiscal.Mode, a.Call.Fiscal.PrepaymentVAT = c.mode, c.prepaymentVAT
		allLines := RefundedLines{}.RemainingLines(bill.Parts)
		before := Refund{Sum: acquiring.Sum{Amount: 150_00}, Lines: allLines}
		after := before
		after.AfterClosing = true
		plain := [2]acquiring.VAT{acquiring.VAT10, acquiring.VAT20}
		for what, r := range map[string]struct {
			receipt acquiring.Receipt
			want    [2]acquiring.VAT
		}{
			"the payment":              {a.PaymentReceipt(bill), c.payment},
			"a refund":                 {a.RefundReceipt(bill, before), c.payment},
			"the closing receipt":      {a.ClosingReceipt(bill, allLines), plain},
			"a refund after the close": {a.RefundReceipt(bill, after), plain},
		} {
			if got := [2]acquiring.VAT{r.receipt.Lines[0].VAT, r.receipt.Lines[1].VAT}; got != r.want {
				t.Errorf("%s, %s: %v, want %v", name, what, got, r.want)
			}
		}
		payMode, closingMode := a.PaymentReceipt(bill).Mode, a.ClosingReceipt(bill, allLines).Mode
		if closingMode != acquiring.FullPayment || (payMode == acquiring.FullPayment) != (c.mode == site.FullPayment) {
			t.Errorf("%s: the modes are %s and %s", name, payMode, closingMode)
		}
	}
	for word, want := range map[string]acquiring.VAT{"none": acquiring.NoVAT, "0": acquiring.VAT0, "5": acquiring.VATOf5, "7": acquiring.VATOf7, "22": acquiring.VATOf22} {
		if got := calculatedVATOf(word); got != want {
			t.Errorf("%s is %d, want %d", word, got, want)
		}
	}
}
