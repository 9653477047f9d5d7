package cart_test

import (
	"maps"
	"strings"
	"testing"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/money"
	"servery/internal/visit"
)

// The cola of the tests costs 100, and 50 of deposit for its bottle.
const cola, bottle int64 = 1399, 39

// newBottleHouse returns the brand of the rules in a country that shows deposits, with a cola in a bottle.
func newBottleHouse(t *testing.T) visit.Context {
	t.Helper()
	h := newRulesHouse(t)
	texts := maps.Clone(carttest.RuleTexts)
	texts["countries.yaml"] = strings.Replace(carttest.Texts["countries.yaml"], "cash_limit: 5000", "cash_limit: 5000, product_facts: [deposit]", 1)
	texts["sushi/modifiers.yaml"] = strings.Replace(texts["sushi/modifiers.yaml"], "singles:\n",
		"singles:\n  - {id: 39, alias: bottle, name: {ru: Залог, en: Deposit}, price: 50, min: 1, max: 1, count: 1}\n", 1)
	texts["sushi/menu/03-bowls.yaml"] += "  - {id: 1399, alias: cola, name: {ru: Кола, en: Cola}, price: 100, deposit: bottle, picture: none}\n"
	h.Import(t, texts)
	return h.Visitor(t, "sushi")
}

// bottles returns a cart of so many colas, each with its deposit.
func bottles(count int) cart.Cart {
	return cartOf(lineOf(cola, count, cart.Chosen{ID: bottle, Count: 1}))
}

// A deposit comes back with the empty bottle, so no code takes anything off it: of two bottles of 100 ten percent are 20,
// and a code of more than they cost leaves the deposits to be paid.
func TestQuote_takesNoDiscountOffADeposit(t *testing.T) {
	t.Parallel()
	v := newBottleHouse(t)
	for code, want := range map[string]money.Amount{"TEN": 2000, "SUM9999": 20000} {
		q := quoteInput{cart: withOffers(bottles(2), code)}.quote(t, v)
		if q.Prices.Subtotal != 30000 || q.Prices.Discount != want {
			t.Errorf("%s takes %v off %v, not %v: %+v", code, q.Prices.Discount, q.Prices.Subtotal, want, q.Promocode)
		}
	}
}

// Six bottles of 600 and packages of 20 lack 80 of the 700 from which delivery is free, though 920 are paid; four lack 100 of
// the 500 of a gift, and eight lack 200 of the 1,000 of a code.
func TestQuote_countsNoDepositForMinimums(t *testing.T) {
	t.Parallel()
	v := newBottleHouse(t)
	six := quoteInput{cart: bottles(6)}.quote(t, v)
	if six.Prices.Delivery != 14900 || six.Minimum == nil || six.Minimum.Missing != 8000 {
		t.Errorf("the delivery of six bottles costs %v and lacks %+v, not 149 and 80", six.Prices.Delivery, six.Minimum)
	}
	four := quoteInput{cart: bottles(4)}.quote(t, v)
	if gift := four.Gifts[0]; gift.Conditions[0].Validated || gift.Conditions[0].Missing != 10000 {
		t.Errorf("four bottles lack %v of a gift, not 100: %+v", gift.Conditions[0].Missing, gift.Conditions)
	}
	eight := quoteInput{cart: withOffers(bottles(8), "THOUSAND")}.quote(t, v)
	if eight.Promocode.IsActive || eight.Promocode.Text.Key != "cart.promocode_minimum" {
		t.Errorf("eight bottles make the code active or refuse it for another reason: %+v", eight.Promocode)
	}
	if ten := (quoteInput{cart: withOffers(bottles(10), "THOUSAND")}).quote(t, v); !ten.Promocode.IsActive || ten.Prices.Delivery != 0 {
		t.Errorf("ten bottles of 1,000 are not enough for the code or for free delivery: %+v, %v", ten.Promocode, ten.Prices.Delivery)
	}
}

// Bonuses pay no deposit and are not accrued for one: of two bottles 99 each, of the packages 13 and of the delivery 149
// can be paid, and 7.5 percent of 200 are accrued.
func TestQuote_neitherPaysNorAccruesBonusesForADeposit(t *testing.T) {
	t.Parallel()
	q := quoteInput{cart: bottles(2), facts: knownCustomer(100000)}.quote(t, newBottleHouse(t))
	if q.Bonus.Limit != 36000 || q.Prices.UpcomingBonuses != 1500 {
		t.Errorf("bonuses pay %v, not 360, and %v are accrued, not 15", q.Bonus.Limit, q.Prices.UpcomingBonuses)
	}
}
