package cart_test

import (
	"fmt"
	"time"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/live"
	"servery/internal/schedule"
	"servery/internal/site"
)

// newWindow returns a random window: hours, also of the night, certain days, or both.
func (m *houseMaker) newWindow() *catalog.Window {
	w := &catalog.Window{}
	if m.hasChance(60) {
		w.Days = chooseSome(m.dice, []int{1, 2, 3, 4, 5, 6, 7}, 30)
	}
	if len(w.Days) == 0 || m.hasChance(70) {
		w.Hours = append(w.Hours, chooseOne(m.dice, interestingHours))
		if last := w.Hours[0].To; last < 20*60 && m.hasChance(30) {
			w.Hours = append(w.Hours, schedule.Span{From: last + 60, To: last + 60 + m.intBetween(1, 6)*60})
		}
	}
	return w
}

// newCondition returns a random condition of a gift.
func (m *houseMaker) newCondition() catalog.ConditionEntry {
	switch m.IntN(6) {
	case 0:
		return catalog.ConditionEntry{Subtotal: m.newPrices(150000)}
	case 1:
		return catalog.ConditionEntry{Products: chooseSome(m.dice, m.productIDs(), 25)}
	case 2:
		return catalog.ConditionEntry{Groups: chooseSome(m.dice, m.groupIDs(), 30)}
	case 3:
		return catalog.ConditionEntry{OrderTypes: chooseSome(m.dice, site.OrderTypes(), 40)}
	case 4:
		return catalog.ConditionEntry{When: m.newWindow()}
	}
	return catalog.ConditionEntry{FirstOrder: true}
}

// addGifts adds eight random gifts to the brand.
func (m *houseMaker) addGifts() {
	for i := range 8 {
		g := catalog.GiftEntry{
			ID: m.base + int64(i), Alias: fmt.Sprintf("gift-%d", i), ProductID: chooseOne(m.dice, m.Products).ID,
			MaxCount: m.intBetween(1, 3), Personal: m.hasChance(25), OnlyCities: chooseSomeOrNone(m.dice, 20, m.cityIDs()),
		}
		if m.hasChance(50) {
			stock := m.intBetween(0, 5)
			g.Stock = &stock
		}
		if !g.Personal {
			for range m.IntN(4) {
				g.Conditions = append(g.Conditions, m.newCondition())
			}
		}
		m.Gifts = append(m.Gifts, g)
	}
}

// newPromocode returns the i-th promocode of the brand, of a random kind and with a few random bounds.
func (m *houseMaker) newPromocode(i int) catalog.PromocodeEntry {
	p := catalog.PromocodeEntry{
		ID: m.base + int64(i), Code: fmt.Sprintf("CODE%d", i),
		Kind: chooseOne(m.dice, []catalog.PromocodeKind{catalog.PercentOff, catalog.SumOff, catalog.GiftGiven, catalog.FreeDelivery}),
	}
	switch p.Kind {
	case catalog.PercentOff:
		p.Percent = chooseOne(m.dice, []int{1, 3, 7, 10, 15, 50, 99, 100})
	case catalog.SumOff:
		p.Sum = m.newPrices(60000)
	case catalog.GiftGiven:
		p.GiftID = chooseOne(m.dice, m.Gifts).ID
	case catalog.FreeDelivery:
	}
	// A few bounds each: with all of them at once no code would ever be active.
	for range m.IntN(4) {
		switch m.IntN(9) {
		case 0:
			p.OnlyCities = chooseSome(m.dice, m.cityIDs(), 30)
		case 1:
			p.From = m.newDay()
			if m.hasChance(30) {
				until := p.From.Add(m.IntN(4))
				p.Until = &until
			}
		case 2:
			p.Until = m.newDay()
		case 3:
			p.When = m.newWindow()
		case 4:
			p.OrderTypes = chooseSome(m.dice, site.OrderTypes(), 40)
		case 5:
			if m.hasChance(70) {
				p.Products = chooseSome(m.dice, m.productIDs(), 30)
			}
			if len(p.Products) == 0 || m.hasChance(40) {
				p.Groups = chooseSome(m.dice, m.groupIDs(), 30)
			}
		case 6:
			p.Minimum = m.newPrices(150000)
		case 7:
			p.FirstOrder = true
		case 8:
			limit, each := m.intBetween(1, 4), m.intBetween(1, 2)
			if m.hasChance(60) {
				p.Limit = &limit
			}
			if m.hasChance(60) {
				p.LimitPerPhone = &each
			}
		}
	}
	return p
}

// newStops returns random stops of products and modifiers, in one shop or in all.
func (m *houseMaker) newStops() []catalog.StopEntry {
	var stops []catalog.StopEntry
	stop := func(kind catalog.StopKind, alias string) {
		e := catalog.StopEntry{Kind: kind, Alias: alias}
		if m.hasChance(60) {
			e.ShopID = chooseOne(m.dice, m.shopIDs())
		}
		stops = append(stops, e)
	}
	for _, p := range m.Products {
		if m.hasChance(12) {
			stop(catalog.StopProduct, p.Alias)
		}
	}
	for _, s := range m.Singles {
		if m.hasChance(12) {
			stop(catalog.StopModifier, s.Alias)
		}
	}
	for _, g := range m.ModifierGroups {
		for _, o := range g.Modifiers {
			if m.hasChance(12) {
				stop(catalog.StopModifier, o.Alias)
			}
		}
	}
	return stops
}

// newSetPrices returns random prices that are set over the content, at most one for each product, place
// and order type. Half of them end.
func (m *houseMaker) newSetPrices() []live.PriceEntry {
	var prices []live.PriceEntry
	for _, p := range m.Products {
		taken := map[string]bool{}
		for range m.IntN(4) {
			e := live.PriceEntry{Product: p.Alias, Price: m.newAmount(60000), Origin: live.Origin{At: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}}
			switch m.IntN(3) {
			case 0:
				e.ShopID = chooseOne(m.dice, m.shopIDs())
			case 1:
				e.PriceList = chooseOne(m.dice, []string{"near", "far"})
			}
			if m.hasChance(50) {
				e.OrderType = chooseOne(m.dice, site.OrderTypes())
			}
			if m.hasChance(50) {
				e.Until = clock.At(*m.newDay(), m.IntN(24*60), time.UTC)
			}
			if key := fmt.Sprint(e.ShopID, e.PriceList, e.OrderType); !taken[key] {
				taken[key] = true
				prices = append(prices, e)
			}
		}
	}
	return prices
}

// interestingDays are those on which clocks change, a Friday, ends of a year and of
// February, and a day like any other.
var interestingDays = []clock.Day{
	{Year: 2026, Month: 3, Day: 29}, {Year: 2026, Month: 10, Day: 25}, // Berlin
	{Year: 2026, Month: 4, Day: 5}, {Year: 2026, Month: 9, Day: 6}, // Santiago; on the first Lord Howe too
	{Year: 2026, Month: 10, Day: 4}, // Lord Howe
	{Year: 2026, Month: 11, Day: 20}, {Year: 2026, Month: 12, Day: 31}, {Year: 2028, Month: 2, Day: 29}, {Year: 2026, Month: 5, Day: 13},
}

var interestingHours = []schedule.Span{
	{From: 0, To: 24 * 60},
	{From: 10 * 60, To: 22 * 60},
	{From: 12*60 + 30, To: 15 * 60},
	{From: 22 * 60, To: 26 * 60},
	{From: 18 * 60, To: 28 * 60},
	{From: 24 * 60, To: 27 * 60},
	{From: 2 * 60, To: 3 * 60},
	{From: 90, To: 150},
	{From: 150, To: 5 * 60},
	{From: 0, To: 60},
	{From: 23 * 60, To: 24 * 60},
	{From: 20 * 60, To: 24*60 + 150},
	{From: 0, To: 30},
}
