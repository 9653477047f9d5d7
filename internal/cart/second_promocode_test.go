package cart_test

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
	"time"

	"servery/internal/catalog"
)

// The promocode (4).

// promocode returns the cart's promocode in content, nil for none.
func (s *sheet) promocode() *catalog.PromocodeEntry {
	return s.house.codes[strings.ToUpper(strings.TrimSpace(s.cart.Promocode))]
}

// bounds are those of a promocode in the order in which a failing one is named (4.1).
var bounds = []struct {
	name  string
	holds func(*sheet, *catalog.PromocodeEntry) bool
}{
	{"cities", func(s *sheet, p *catalog.PromocodeEntry) bool {
		return len(p.OnlyCities) == 0 || slices.Contains(p.OnlyCities, s.city.ID)
	}},
	{"from", func(s *sheet, p *catalog.PromocodeEntry) bool {
		return p.From == nil || p.From.String() <= s.cityDate()
	}},
	{"until", func(s *sheet, p *catalog.PromocodeEntry) bool {
		return p.Until == nil || s.codeDate(p) <= p.Until.String()
	}},
	{"when", func(s *sheet, p *catalog.PromocodeEntry) bool {
		return s.isOpen(p.When) && (p.From == nil || p.From.String() <= s.codeDate(p))
	}},
	{"order_types", func(s *sheet, p *catalog.PromocodeEntry) bool {
		return len(p.OrderTypes) == 0 || slices.Contains(p.OrderTypes, s.cart.OrderType)
	}},
	{"products", func(s *sheet, _ *catalog.PromocodeEntry) bool {
		return slices.ContainsFunc(s.lineIndexes(), s.isEligible)
	}},
	{"minimum", func(s *sheet, p *catalog.PromocodeEntry) bool {
		return s.cell("bare") >= int64(p.Minimum[s.city.PriceList])
	}},
	{"first_order", func(s *sheet, p *catalog.PromocodeEntry) bool { return !p.FirstOrder || !s.facts.HasOrdered }},
	{"limit_per_phone", func(s *sheet, p *catalog.PromocodeEntry) bool {
		return p.LimitPerPhone == nil || s.facts.PromocodeUsedByPhone < *p.LimitPerPhone
	}},
	{"limit", func(s *sheet, p *catalog.PromocodeEntry) bool {
		return p.Limit == nil || s.facts.PromocodeUsed < *p.Limit
	}},
	{"gift", func(s *sheet, p *catalog.PromocodeEntry) bool {
		return p.Kind != catalog.GiftGiven || s.maxOf(s.house.gifts[p.GiftID]) >= 1
	}},
}

// codeDate returns the date that counts for a code: that of the city, or the one before where hours of the code
// that began on that one have not ended yet, and none of its own hours have begun (4.1).
func (s *sheet) codeDate(p *catalog.PromocodeEntry) string {
	local := s.now.In(s.city.Location)
	if p.When != nil && len(p.When.Hours) > 0 && !s.isOpenBy(p.When, local, 0) && s.isOpenBy(p.When, local, 1) {
		return local.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	return local.Format(time.DateOnly)
}

// codeState returns "" without a code, "unknown", "active", or the bound that fails first.
func (s *sheet) codeState() string {
	if s.cart.Promocode == "" {
		return ""
	}
	p := s.promocode()
	if p == nil {
		return "unknown"
	}
	for _, b := range bounds {
		if !b.holds(s, p) {
			return b.name
		}
	}
	return "active"
}

// isEligible reports whether line i is sold and one that the code is for.
func (s *sheet) isEligible(i int) bool {
	p := s.promocode()
	if !s.lines[i].Sold {
		return false
	}
	if len(p.Products)+len(p.Groups) == 0 {
		return true
	}
	return slices.Contains(p.Products, s.entries[i].ID) || slices.Contains(p.Groups, s.entries[i].GroupID)
}

// shareOf returns the discount of line i (4.2).
func (s *sheet) shareOf(i int) int64 {
	if !s.spread {
		s.spread, s.shares = true, make([]int64, len(s.lines))
		if s.codeState() == "active" {
			s.discountLines(s.promocode())
		}
	}
	return s.shares[i]
}

// discountLines sets the share of the code's discount of each line that the code is for. Units of a sum
// that are left over go to the lines with the largest remainders, the earlier first.
func (s *sheet) discountLines(p *catalog.PromocodeEntry) {
	var eligible []int
	var all int64
	for _, i := range s.lineIndexes() {
		if s.isEligible(i) {
			eligible = append(eligible, i)
			all += s.bareOf(i)
		}
	}
	switch p.Kind {
	case catalog.GiftGiven, catalog.FreeDelivery: // take nothing off
	case catalog.PercentOff:
		for _, i := range eligible {
			s.shares[i] = roundHalfUp(big.NewRat(s.bareOf(i)*int64(p.Percent), 100))
		}
	case catalog.SumOff:
		sum := lesser(int64(p.Sum[s.city.PriceList]), all)
		if sum == 0 {
			return
		}
		left := sum
		rest := map[int]*big.Rat{}
		for _, i := range eligible {
			exact := new(big.Rat).Mul(big.NewRat(sum, all), big.NewRat(s.bareOf(i), 1))
			s.shares[i] = roundDown(exact)
			left -= s.shares[i]
			rest[i] = exact.Sub(exact, big.NewRat(s.shares[i], 1))
		}
		slices.SortStableFunc(eligible, func(a, b int) int {
			return cmp.Or(rest[b].Cmp(rest[a]), cmp.Compare(a, b))
		})
		for _, i := range eligible[:left] {
			s.shares[i]++
		}
	}
}
