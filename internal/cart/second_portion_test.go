package cart_test

import (
	"slices"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/site"
)

// tally is a choice: how often each modifier is wanted, by its group and its id.
type tally map[[2]int64]int

// tallyOf returns a choice of modifiers by group and id, with counts added up.
func tallyOf(chosen []cart.Chosen) tally {
	t := tally{}
	for _, c := range chosen {
		t[[2]int64{c.GroupID, c.ID}] += c.Count
	}
	return t
}

// showsDeposits reports whether the country of the case shows deposits.
func (m *priceCase) showsDeposits() bool {
	return slices.Contains(m.city.Country.ProductFacts, site.Deposit)
}

// modifiersOf returns the aliases of a product's modifiers, of which the deposit is one where deposits are
// shown (1.6).
func (m *priceCase) modifiersOf(p *catalog.ProductEntry) []string {
	if p.Deposit == "" || !m.showsDeposits() {
		return p.Modifiers
	}
	return append(slices.Clone(p.Modifiers), p.Deposit)
}

// isValid reports whether the product allows the choice: all modifiers are its own, none is
// stopped, and all counts are within their bounds (1.1).
func (s *sheet) isValid(p *catalog.ProductEntry, chosen tally) bool {
	foreign := map[[2]int64]bool{} // the chosen modifiers that the product has not shown to be its own
	for key := range chosen {
		foreign[key] = true
	}
	within := func(count, least, most int) bool { return least <= count && count <= most }
	take := func(group int64, m *catalog.ModifierEntry) int {
		key := [2]int64{group, m.ID}
		delete(foreign, key)
		return chosen[key]
	}
	for _, alias := range s.modifiersOf(p) {
		if single, ok := s.house.singles[alias]; ok {
			count := take(0, single)
			if !within(count, single.Min, single.Max) || count > 0 && s.isStopped(catalog.StopModifier, alias) {
				return false
			}
		}
		if group, ok := s.house.modifierGroups[alias]; ok {
			all := 0
			for i := range group.Modifiers {
				m := &group.Modifiers[i]
				count := take(group.ID, m)
				if !within(count, 0, m.Max) || count > 0 && s.isStopped(catalog.StopModifier, m.Alias) {
					return false
				}
				all += count
			}
			if !within(all, group.Min, group.Max) {
				return false
			}
		}
	}
	return len(foreign) == 0
}

// portionPrice returns the price of one portion with its modifiers; of each group the dearest
// units are free (1.2).
func (s *sheet) portionPrice(p *catalog.ProductEntry, chosen tally) int64 {
	list, price := s.city.PriceList, s.productPrice(p)
	for _, alias := range s.modifiersOf(p) {
		if single, ok := s.house.singles[alias]; ok {
			price += int64(single.Prices[list]) * int64(chosen[[2]int64{0, single.ID}])
		}
		if group, ok := s.house.modifierGroups[alias]; ok {
			var units []int64 // the price of each unit that was chosen
			for _, m := range group.Modifiers {
				for range chosen[[2]int64{group.ID, m.ID}] {
					units = append(units, int64(m.Prices[list]))
				}
			}
			slices.Sort(units)
			for _, paid := range units[:max(len(units)-group.Free, 0)] {
				price += paid
			}
		}
	}
	return price
}

// depositOf returns the deposit in the price of a portion of line i, which can be sold (1.6).
func (s *sheet) depositOf(i int) int64 {
	deposit, ok := s.house.singles[s.entries[i].Deposit]
	if !ok || !s.showsDeposits() || s.keepsDeposits {
		return 0
	}
	return int64(deposit.Prices[s.city.PriceList]) * int64(deposit.Count)
}

// bareOf returns the total of line i without its deposits, 0 for a line that cannot be sold (1.6).
func (s *sheet) bareOf(i int) int64 {
	l := s.lines[i]
	return valueIf(l.Sold, l.Total-s.depositOf(i)*int64(l.Count))
}

// productPrice returns what the product costs without modifiers (1.5): the price that is set where it is
// sold, the narrowest first, else that of content.
func (s *sheet) productPrice(p *catalog.ProductEntry) int64 {
	list, both := s.city.PriceList, site.OrderType("")
	type where struct {
		shop int64
		list string
	}
	places := []where{{0, list}, {0, ""}}
	if s.shop != 0 {
		places = append([]where{{s.shop, ""}}, places...)
	}
	for _, place := range places {
		for _, orderType := range [...]site.OrderType{s.cart.OrderType, both} {
			for _, set := range s.house.Prices {
				isHere := set.Product == p.Alias && place == where{set.ShopID, set.PriceList} && set.OrderType == orderType
				if isHere && (set.Until.IsZero() || s.now.Before(set.Until)) {
					return int64(set.Price)
				}
			}
		}
	}
	if other, ok := p.TakeawayPrices[list]; ok && s.cart.OrderType == site.Takeaway {
		return int64(other)
	}
	return int64(p.Prices[list])
}

// usualTally returns the modifiers that a product has when the customer chooses none. Stopped
// ones are left out.
func (s *sheet) usualTally(p *catalog.ProductEntry) tally {
	t := tally{}
	add := func(group int64, m *catalog.ModifierEntry) {
		if m.Count > 0 && !s.isStopped(catalog.StopModifier, m.Alias) {
			t[[2]int64{group, m.ID}] = m.Count
		}
	}
	for _, alias := range s.modifiersOf(p) {
		if single, ok := s.house.singles[alias]; ok {
			add(0, single)
		}
		if group, ok := s.house.modifierGroups[alias]; ok {
			for i := range group.Modifiers {
				add(group.ID, &group.Modifiers[i])
			}
		}
	}
	return t
}
