package order

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

// randomOrder gives an order as the cart prices them: discounts by line, bonuses over all.
func randomOrder(r *rand.Rand) Order {
	var o Order
	for i := range 1 + r.IntN(6) {
		l := Line{
			Key: fmt.Sprintf("line-%d", i), Name: lang.Text{lang.RU: fmt.Sprintf("Блюдо %d", i)}, Count: 1 + r.IntN(7),
			WithModifiers: money.Amount(r.IntN(200_00)),
		}
		l.Total = l.WithModifiers.Times(l.Count)
		if r.IntN(2) == 0 {
			l.Discount = l.Total.Percent(r.IntN(101))
		}
		o.Prices.Subtotal, o.Prices.Discount = o.Prices.Subtotal.Add(l.Total), o.Prices.Discount.Add(l.Discount)
		o.Lines = append(o.Lines, l)
	}
	for i := range r.IntN(3) {
		p := Package{Alias: fmt.Sprintf("bag-%d", i), Name: lang.Text{lang.RU: "Пакет"}, Price: money.Amount(r.IntN(10_00)), Count: 1 + r.IntN(3)}
		o.Prices.Packages = o.Prices.Packages.Add(p.Price.Times(p.Count))
		o.Details.Packages = append(o.Details.Packages, p)
	}
	o.Prices.Delivery = money.Amount(r.IntN(2) * r.IntN(300_00))
	o.Details.Gifts = []Gift{{ID: 1, Count: 1, BasicPrice: 100_00}}
	whole := o.Prices.Subtotal.Add(o.Prices.Packages).Add(o.Prices.Delivery).Sub(o.Prices.Discount)
	if whole > 0 && r.IntN(2) == 0 {
		o.Prices.Bonuses = money.Amount(r.Int64N(int64(whole)))
	}
	o.Prices.Total = whole.Sub(o.Prices.Bonuses)
	return o
}

func taxed() Payment {
	return Payment{asked: asked{
		Language: "tr", ReceiptLanguage: lang.RU, Email: "anna@example.org",
		Fiscal: &site.Fiscal{Tax: "simple_income", VAT: "10", DeliveryVAT: "20"},
	}}
}

func TestTheReceiptOfAnyOrderAddsUpToItsTotal(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		o := randomOrder(r)
		receipt := taxed().receipt(o)
		if receipt.Total() != o.Prices.Total {
			t.Fatalf("the lines add up to %s, the order to %s: %+v", receipt.Total(), o.Prices.Total, o)
		}
		for _, l := range receipt.Lines {
			if l.Unit <= 0 || l.Count <= 0 || l.Service != (l.Name == "Доставка") || l.Service != (l.VAT == acquiring.VAT20) {
				t.Fatalf("a line is %+v", l)
			}
		}
	}
}

func TestHoweverAnOrderIsGivenBackItsPartsAddUpToTheWhole(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		o := randomOrder(r)
		back, whole := given{}, money.Amount(0)
		giveBack := func(lines ...RefundLine) {
			refund := Refund{Sum: acquiring.Sum{Amount: sumOf(lines)}, Lines: lines}
			if receipt := taxed().refundReceipt(o, refund); receipt.Total() != refund.Sum.Amount {
				t.Fatalf("the receipt of %s is of %s", refund.Sum.Amount, receipt.Total())
			}
			for _, l := range lines {
				if l.Amount < 0 {
					t.Fatalf("a part of %s", l.Amount)
				}
			}
			back.add(lines)
			whole = whole.Add(refund.Sum.Amount)
		}
		for range r.IntN(12) {
			parts := o.sold()
			part := parts[r.IntN(len(parts))]
			if left := part.count - back[part.key].Count; left > 0 {
				giveBack(back.next(part, 1+r.IntN(left)))
			}
		}
		giveBack(back.rest(o.sold())...)
		if whole != o.Prices.Total {
			t.Fatalf("%s given back of %s: %+v", whole, o.Prices.Total, o)
		}
	}
}

func TestADiscountStaysWithTheLineThatItIsFor(t *testing.T) {
	t.Parallel()
	o := Order{Lines: []Line{
		{Key: "full", Count: 1, Total: 300_00}, {Key: "half", Count: 2, Total: 200_00, Discount: 100_00},
	}}
	o.Prices.Total = 400_00
	for _, part := range o.sold() {
		if want := map[string]money.Amount{"full": 300_00, "half": 100_00}[part.key]; part.paid != want {
			t.Errorf("%s: %s was paid, want %s", part.key, part.paid, want)
		}
	}
}

func TestAReceiptNamesDishesWithTheirModifiersInTheBrandsLanguage(t *testing.T) {
	t.Parallel()
	text := func(ru, en string) lang.Text { return lang.Text{lang.RU: ru, lang.EN: en} }
	o := Order{Lines: []Line{{
		Key: "1", Name: text("Лосось", "Salmon"), Count: 1, Total: 100_00,
		Modifiers: []Modifier{{Name: text("соус", "sauce"), Count: 2}, {Name: text("рис", "rice"), Count: 1}},
	}, {
		Key: "2", Name: text(strings.Repeat("щи ", 60), ""), Count: 1, Total: 50_00,
	}}}
	o.Prices.Total = 150_00
	lines := taxed().receipt(o).Lines
	if len(lines) != 2 || lines[0].Name != "Лосось (соус ×2, рис)" || lines[0].VAT != acquiring.VAT10 || lines[0].Service {
		t.Errorf("got %+v", lines)
	}
	if n := utf8.RuneCountInString(lines[1].Name); n != 128 {
		t.Errorf("a name of %d characters", n)
	}
}

func TestWithoutTaxesOrAnybodyToSendItToThereIsNoReceipt(t *testing.T) {
	t.Parallel()
	o := Order{Lines: []Line{{Key: "1", Count: 1, Total: 100_00}}}
	o.Prices.Total = 100_00
	untaxed, nobody := taxed(), taxed()
	untaxed.asked.Fiscal, nobody.asked.Email = nil, ""
	for name, p := range map[string]Payment{"no taxes": untaxed, "nobody": nobody} {
		if receipt := p.receipt(o); len(receipt.Lines) != 0 {
			t.Errorf("%s: %+v", name, receipt)
		}
	}
	other := Refund{Sum: acquiring.Sum{Amount: 120_00}, Lines: []RefundLine{{Key: "1", Count: 1, Amount: 100_00}}}
	if receipt := taxed().refundReceipt(o, other); len(receipt.Lines) != 0 {
		t.Errorf("more than the order: %+v", receipt)
	}
}

func TestEveryTaxOfContentHasItsNumber(t *testing.T) {
	t.Parallel()
	if taxSystem("farm") != acquiring.TaxFarm || taxSystem("") != acquiring.TaxUnset || vatOf("none") != acquiring.NoVAT || vatOf("22") != acquiring.VAT22 {
		t.Error("a tax is read as another")
	}
}

func TestReceiptOfAPrepaymentWritesItsTaxAsAPartOfTheSum(t *testing.T) {
	t.Parallel()
	o := Order{Lines: []Line{{Key: "1", Count: 1, Total: 100_00}}}
	o.Prices.Delivery, o.Prices.Total = 50_00, 150_00
	for name, c := range map[string]struct {
		mode, prepaymentVAT string
		payment             [2]acquiring.VAT
	}{
		"a payment of before":       {"", "", [2]acquiring.VAT{acquiring.VAT10, acquiring.VAT20}},
		"a prepayment":              {site.FullPrepayment, site.CalculatedVAT, [2]acquiring.VAT{acquiring.VATOf10, acquiring.VATOf20}},
		"a prepayment, plain":       {site.FullPrepayment, site.PlainVAT, [2]acquiring.VAT{acquiring.VAT10, acquiring.VAT20}},
		"a payment of the delivery": {site.FullPayment, "", [2]acquiring.VAT{acquiring.VAT10, acquiring.VAT20}},
	} {
		p := taxed()
		p.asked.Fiscal.Mode, p.asked.Fiscal.PrepaymentVAT = c.mode, c.prepaymentVAT
		all := given{}.rest(o.sold())
		back := Refund{Sum: acquiring.Sum{Amount: 150_00}, Lines: all}
		after := back
		after.AfterClosing = true
		plain := [2]acquiring.VAT{acquiring.VAT10, acquiring.VAT20}
		for what, r := range map[string]struct {
			receipt acquiring.Receipt
			want    [2]acquiring.VAT
		}{
			"the payment":              {p.receipt(o), c.payment},
			"a refund":                 {p.refundReceipt(o, back), c.payment},
			"the closing receipt":      {p.closingReceipt(o, all), plain},
			"a refund after the close": {p.refundReceipt(o, after), plain},
		} {
			if got := [2]acquiring.VAT{r.receipt.Lines[0].VAT, r.receipt.Lines[1].VAT}; got != r.want {
				t.Errorf("%s, %s: %v, want %v", name, what, got, r.want)
			}
		}
		if (p.closingReceipt(o, all).Mode != acquiring.FullPayment) || (p.receipt(o).Mode == acquiring.FullPayment) != (c.mode == site.FullPayment) {
			t.Errorf("%s: the modes are %s and %s", name, p.receipt(o).Mode, p.closingReceipt(o, all).Mode)
		}
	}
	for word, want := range map[string]acquiring.VAT{"none": acquiring.NoVAT, "0": acquiring.VAT0, "5": acquiring.VATOf5, "7": acquiring.VATOf7, "22": acquiring.VATOf22} {
		if got := calculatedVATOf(word); got != want {
			t.Errorf("%s is %d, want %d", word, got, want)
		}
	}
}
