package cart_test

import (
	"fmt"
	"math/big"
	"slices"
)

// The shares of bonuses (6.5).

const deliveryShare = "share of delivery"

func lineShare(i int) string       { return fmt.Sprint("share of line ", i) }
func packageShare(id int64) string { return fmt.Sprint("share of package ", id) }

// bonusPart is a part of the cart that bonuses may pay for.
type bonusPart struct {
	cell string
	room int64
}

// bonusParts returns lines, packages and delivery with what each adds to the limit (6.3).
func (s *sheet) bonusParts() []bonusPart {
	var parts []bonusPart
	things := func(cell string, count, price int64) {
		parts = append(parts, bonusPart{cell, when(price > unit, (price-unit)*count)})
	}
	for i, l := range s.lines {
		things(lineShare(i), when(l.Sold, int64(l.Count)), l.Portion)
	}
	packed := s.packed()
	for _, p := range s.house.Packages {
		things(packageShare(p.ID), int64(packed[p.ID]), int64(p.Prices[s.city.PriceList]))
	}
	return append(parts, bonusPart{deliveryShare, s.cell("delivery")})
}

// shareBonuses fills the cells of all shares.
func (s *sheet) shareBonuses() {
	parts, spent, room := s.bonusParts(), s.cell("bonuses"), s.cell("room")
	left, rests := spent, map[string]*big.Rat{}
	for _, p := range parts {
		s.cells[p.cell] = 0
		if spent > 0 {
			exact := new(big.Rat).Mul(big.NewRat(spent, room), big.NewRat(p.room, 1))
			s.cells[p.cell] = floor(exact)
			rests[p.cell] = exact.Sub(exact, big.NewRat(floor(exact), 1))
			left -= s.cells[p.cell]
		}
	}
	if spent > 0 {
		slices.SortStableFunc(parts, func(a, b bonusPart) int { return rests[b.cell].Cmp(rests[a.cell]) })
		for _, p := range parts[:left] {
			s.cells[p.cell]++
		}
	}
}
