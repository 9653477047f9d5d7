package cart

import (
	"slices"

	"servery/internal/money"
)

// Bought is the part of a cart that went into an order that was placed before it was paid.
type Bought struct {
	Site                          string
	CityID, SessionID, CustomerID int64
	// Lines are the counts of the lines by key, Gifts and Presents those by id.
	Lines           map[string]int
	Gifts, Presents map[int64]int
	IntervalID      string
	Promocode       string
	Bonuses         money.Amount
}

// Without returns the cart without what was bought: the counts of its lines, gifts and presents. Time and
// promocode are removed only when they are still the order's, and the wish to pay with bonuses when the
// order has spent any.
func (c Cart) Without(b Bought) Cart {
	c.Before = nil // the cart from before it was filled is not offered again after the order
	lines := slices.Clone(c.Lines)
	for i := range lines {
		lines[i].Count -= b.Lines[lines[i].Key]
	}
	c.Lines = slices.DeleteFunc(lines, func(l Line) bool { return l.Count <= 0 })
	c.Gifts, c.Presents = withoutBought(c.Gifts, b.Gifts), withoutBought(c.Presents, b.Presents)
	if c.IntervalID == b.IntervalID {
		c.IntervalID = ""
	}
	if c.Promocode == b.Promocode {
		c.Promocode = ""
	}
	if b.Bonuses > 0 {
		c.Bonuses = 0
	}
	return c
}

// withoutBought returns a copy of the list without the gifts that were bought.
func withoutBought(given []Given, bought map[int64]int) []Given {
	left := slices.Clone(given)
	for i := range left {
		left[i].Count -= bought[left[i].ID]
	}
	return slices.DeleteFunc(left, func(g Given) bool { return g.Count <= 0 })
}
