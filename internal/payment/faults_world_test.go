package payment_test

import (
	"servery/internal/acquiring"
	"servery/internal/acquiring/paytest/clients"
	"servery/internal/cart/carttest"
	"servery/internal/site"
)

// shop is where is ordered.
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

// typeOf is the payment type that a way is offered as.
func typeOf(w clients.Way) string {
	if w.Method == acquiring.CardForm {
		return site.CardOnline
	}
	return w.Method.String()
}

// waysOf are the ways of a brand with our own card form, or without. A client that has
// only one of both is used that way always.
func waysOf(c clients.Client, form bool) []clients.Way {
	hidden := acquiring.CardForm
	if form {
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
