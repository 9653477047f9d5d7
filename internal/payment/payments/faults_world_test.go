package payments_test

import (
	"servery/internal/acquiring"
	"servery/internal/acquiring/paytest/clients"
	"servery/internal/cart/carttest"
	"servery/internal/site"
)

// shop is where customers order, what they order there, and their phone.
type shop struct {
	brand, product, phone string
	city, id              int64
}

// shops are where customers of an acquirer order, by its currency.
var shops = map[string]shop{
	"RUB": {brand: "sushi", product: "1-1002", phone: "+7 916 123-45-67", city: carttest.Moscow, id: carttest.Arbat},
	"TRY": {brand: "sushi", product: "2-1002", phone: "+90 532 123 45 67", city: carttest.Ankara, id: carttest.Kizilay},
	"EUR": {brand: "pizza", product: "3-5001", phone: "+49 301 12345678", city: 3, id: 31},
}

// typeOf returns the payment type that a customer chooses for a way to pay.
func typeOf(w clients.Way) string {
	if w.Method == acquiring.CardForm {
		return site.CardOnline
	}
	return w.Method.String()
}

// waysOf returns the ways to pay through a client. Cards are entered on our own form when
// hasCardForm is set, otherwise on the acquirer's page. With a client that does not support our own
// form, cards are always entered on its page.
func waysOf(c clients.Client, hasCardForm bool) []clients.Way {
	hidden := acquiring.CardForm
	if hasCardForm {
		hidden = acquiring.CardOnline
	}
	var ways []clients.Way
	has := map[acquiring.Method]bool{}
	for _, w := range c.Ways {
		has[w.Method] = true
	}
	for _, w := range c.Ways {
		if w.Method != hidden || !has[acquiring.CardForm] {
			ways = append(ways, w)
		}
	}
	return ways
}
