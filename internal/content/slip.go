package content

import (
	"slices"

	"servery/internal/money"
)

const (
	// slipRatio is how many times dearer or cheaper than most of its group a product is when a digit of its price may be
	// one too many or missing.
	slipRatio = 7
	// fewPrices is the number of prices up to which a group does not say what its products usually cost.
	fewPrices = 4
)

// writtenPrice is the price of a product in the first price list, with where it is written.
type writtenPrice struct {
	at     pricesValue
	amount money.Amount
}

// warnOfSlips adds a warning for each price of a group that differs from most of them as if by a slip of the keyboard.
// Products that cost nothing are left out.
func warnOfSlips(prices []writtenPrice) {
	prices = slices.DeleteFunc(prices, func(p writtenPrice) bool { return p.amount == 0 })
	if len(prices) <= fewPrices {
		return
	}
	amounts := make([]money.Amount, len(prices))
	for i, p := range prices {
		amounts[i] = p.amount
	}
	slices.Sort(amounts)
	usual := amounts[len(amounts)/2]
	for _, p := range prices {
		switch {
		case p.amount >= slipRatio*usual:
			p.at.addWarning("the price is %d times that of most products of this group: is a digit too many?", p.amount/usual)
		case usual >= slipRatio*p.amount:
			p.at.addWarning("most products of this group cost %d times as much: is a digit of the price missing?", usual/p.amount)
		}
	}
}
