package cart_test

import (
	"maps"
	"strings"
	"testing"

	"servery/internal/cart"
	"servery/internal/cart/carttest"
	"servery/internal/money"
)

// A deposit comes back with the empty bottle, so no code takes anything off it: of two bottles of 100 with 15 of deposit
// each, ten percent are 20, and a code of more than they cost leaves the deposits to be paid.
func TestQuote_takesNoDiscountOffADeposit(t *testing.T) {
	t.Parallel()
	const cola, bottle int64 = 1399, 39
	h := newRulesHouse(t)
	texts := maps.Clone(carttest.RuleTexts)
	texts["countries.yaml"] = strings.Replace(carttest.Texts["countries.yaml"], "cash_limit: 5000", "cash_limit: 5000, product_facts: [deposit]", 1)
	texts["sushi/modifiers.yaml"] = strings.Replace(texts["sushi/modifiers.yaml"], "singles:\n",
		"singles:\n  - {id: 39, alias: bottle, name: {ru: Залог, en: Deposit}, price: 15, min: 1, max: 1, count: 1}\n", 1)
	texts["sushi/menu/03-bowls.yaml"] += "  - {id: 1399, alias: cola, name: {ru: Кола, en: Cola}, price: 100, deposit: bottle, picture: none}\n"
	h.Import(t, texts)
	v := h.Visitor(t, "sushi")
	for code, want := range map[string]money.Amount{"TEN": 2000, "SUM9999": 20000} {
		line := lineOf(cola, 2, cart.Chosen{ID: bottle, Count: 1})
		q := quoteInput{cart: withOffers(cartOf(line), code)}.quote(t, v)
		if q.Prices.Subtotal != 23000 || q.Prices.Discount != want {
			t.Errorf("%s takes %v off %v, not %v: %+v", code, q.Prices.Discount, q.Prices.Subtotal, want, q.Promocode)
		}
	}
}
