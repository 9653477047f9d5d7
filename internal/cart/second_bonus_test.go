package cart_test

import (
	"fmt"
	"math/big"
	"slices"
)

// The shares of bonuses (6.5).

const deliveryShare = "share of delivery"

// lineShare returns the name of the cell with the bonuses that pay for line i.
func lineShare(i int) string { return fmt.Sprint("share of line ", i) }

// packageShare returns the name of the cell with the bonuses that pay for a package.
func packageShare(id int64) string { return fmt.Sprint("share of package ", id) }

// bonusPart is a part of the cart that bonuses may pay for.
type bonusPart struct {
	cell    string
	payable int64
}

// bonusParts returns lines, packages and delivery, each with how much of it bonuses may pay
// (6.3).
func (s *sheet) bonusParts() []bonusPart {
	var parts []bonusPart
	addPart := func(cell string, count, price int64) {
		parts = append(parts, bonusPart{cell, valueIf(price > unit, (price-unit)*count)})
	}
	for i, l := range s.lines {
		addPart(lineShare(i), valueIf(l.Sold, int64(l.Count)), l.Portion-s.depositOf(i))
	}
	packed := s.countPackages()
	for _, p := range s.house.Packages {
		addPart(packageShare(p.ID), int64(packed[p.ID]), int64(p.Prices[s.city.PriceList]))
	}
	return append(parts, bonusPart{deliveryShare, s.cell("delivery")})
}

// shareBonuses fills the cells with the share of the bonuses that each part gets, in proportion
// to what may be paid of it. Units that are left over go to the parts with the largest
// remainders.
func (s *sheet) shareBonuses() {
	parts, spent, room := s.bonusParts(), s.cell("bonuses"), s.cell("room")
	left, remainders := spent, map[string]*big.Rat{}
	for _, p := range parts {
		s.cells[p.cell] = 0
		if spent > 0 {
			exact := new(big.Rat).Mul(big.NewRat(spent, room), big.NewRat(p.payable, 1))
			s.cells[p.cell] = roundDown(exact)
			remainders[p.cell] = exact.Sub(exact, big.NewRat(roundDown(exact), 1))
			left -= s.cells[p.cell]
		}
	}
	if spent > 0 {
		slices.SortStableFunc(parts, func(a, b bonusPart) int { return remainders[b.cell].Cmp(remainders[a.cell]) })
		for _, p := range parts[:left] {
			s.cells[p.cell]++
		}
	}
}
