package order

import "servery/internal/cart"

// BoughtOfCart returns what the order took from the customer's cart.
func (o Order) BoughtOfCart() cart.Bought {
	b := cart.Bought{
		Site: o.Site, CityID: o.CityID, SessionID: o.SessionID, CustomerID: o.CustomerID,
		IntervalID: o.IntervalID, Promocode: o.Promocode, Bonuses: o.Prices.Bonuses,
		Lines: make(map[string]int, len(o.Lines)), Gifts: map[int64]int{}, Presents: map[int64]int{},
	}
	for _, l := range o.Lines {
		b.Lines[l.Key] += l.Count
	}
	for _, g := range o.Details.Gifts {
		switch g.Kind {
		case cart.Personal:
			b.Presents[g.ID] += g.Count
		case cart.ForEverybody:
			b.Gifts[g.ID] += g.Count
		case cart.FromPromocode: // comes and goes with the code
		}
	}
	return b
}
