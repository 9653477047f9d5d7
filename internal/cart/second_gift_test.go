package cart_test

import (
	"slices"

	"servery/internal/cart"
	"servery/internal/catalog"
)

// Gifts and presents (2).

// maxOf returns how many of a gift a cart may hold (2.3): as many as content allows and the
// stock has left, none while its product is not sold here.
func (s *sheet) maxOf(g *catalog.GiftEntry) int {
	if g == nil || !s.isAvailable(g) {
		return 0
	}
	if g.Stock == nil {
		return g.MaxCount
	}
	return max(min(g.MaxCount, *g.Stock-s.facts.GiftsUsed[g.ID]), 0)
}

// giftOfCode returns the gift that the promocode puts into the cart, 0 for none.
func (s *sheet) giftOfCode() int64 {
	if s.codeState() == "active" && s.promocode().Kind == catalog.GiftGiven {
		return s.promocode().GiftID
	}
	return 0
}

// isAvailable reports whether the gift's product can be sold at the place with its usual
// modifiers.
func (s *sheet) isAvailable(g *catalog.GiftEntry) bool {
	product := s.house.products[g.ProductID]
	kind := s.typeOf(product)
	return (kind == "default" || kind == "related") && s.isValid(product, s.usualTally(product))
}

// conditionHolds reports whether a condition of a gift holds (2.1).
func (s *sheet) conditionHolds(c *catalog.ConditionEntry) bool {
	switch {
	case c.Subtotal != nil:
		return s.cell("bare") >= int64(c.Subtotal[s.city.PriceList])
	case c.Products != nil || c.Groups != nil:
		return s.anySold(c.Products, c.Groups)
	case c.OrderTypes != nil:
		return slices.Contains(c.OrderTypes, s.cart.OrderType)
	case c.When != nil:
		return s.isOpen(c.When)
	}
	return !s.facts.HasOrdered
}

// fillGifts sets the gifts and presents of an answer, and how many of each stay in the cart.
func (s *sheet) fillGifts(a *answer) {
	empty := s.cell("sold") == 0
	wanted := func(list []cart.Given) map[int64]int {
		counts := map[int64]int{}
		for _, g := range list {
			counts[g.ID] = g.Count
		}
		return counts
	}
	wantedGifts, wantedPresents := wanted(s.cart.Gifts), wanted(s.cart.Presents)
	a.Kept["gifts"], a.Kept["presents"] = map[int64]int{}, map[int64]int{}
	keep := func(kind string, id int64, count int) {
		if count > 0 {
			a.Kept[kind][id] = count
		}
	}
	for i := range s.house.Gifts {
		g := &s.house.Gifts[i]
		if g.Personal || len(g.OnlyCities) > 0 && !slices.Contains(g.OnlyCities, s.city.ID) {
			continue
		}
		gift := answeredGift{ID: g.ID, Kind: "gift", Max: s.maxOf(g), Earned: true}
		if g.Stock != nil && s.giftOfCode() == g.ID { // the code's is taken out of the stock first (2.7)
			gift.Max = min(gift.Max, *g.Stock-s.facts.GiftsUsed[g.ID]-1)
		}
		for k := range g.Conditions {
			holds := s.conditionHolds(&g.Conditions[k])
			gift.Earned = gift.Earned && holds
			gift.Conditions += plusOrMinus(holds)
		}
		if gift.Earned {
			gift.Count = min(wantedGifts[g.ID], gift.Max)
		}
		gift.Earned = gift.Earned && !empty // after Count: a missing dish alone removes no gift (2.6)
		keep("gifts", g.ID, gift.Count)
		a.Gifts = append(a.Gifts, gift)
	}
	if id := s.giftOfCode(); id != 0 {
		a.Gifts = append(a.Gifts, answeredGift{ID: id, Kind: "promocodeGift", Count: 1, Max: 1, Earned: true})
	}
	for _, p := range s.facts.Presents {
		g := s.house.gifts[p.GiftID]
		if g == nil || !p.ExpiresAt.IsZero() && !s.now.Before(p.ExpiresAt) || p.Used >= p.MaxCount {
			continue
		}
		gift := answeredGift{ID: p.ID, Kind: "personalGift", Earned: !empty}
		if s.isAvailable(g) { // whatever is left of the gift's stock: this gift is the customer's (2.5)
			gift.Max = p.MaxCount - p.Used
		}
		gift.Count = min(wantedPresents[p.ID], gift.Max)
		keep("presents", p.ID, gift.Count)
		a.Presents = append(a.Presents, gift)
	}
}
