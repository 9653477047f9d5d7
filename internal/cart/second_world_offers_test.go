package cart_test

import (
	"fmt"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/schedule"
	"servery/internal/site"
)

// window makes hours of any kind: of the night, of certain days, of both.
func (m *houseMaker) window() *catalog.Window {
	w := &catalog.Window{}
	if m.chance(60) {
		w.Days = some(m.dice, []int{1, 2, 3, 4, 5, 6, 7}, 30)
	}
	if len(w.Days) == 0 || m.chance(70) {
		w.Hours = append(w.Hours, oneOf(m.dice, interestingHours))
		if last := w.Hours[0].To; last < 20*60 && m.chance(30) {
			w.Hours = append(w.Hours, schedule.Span{From: last + 60, To: last + 60 + m.from(1, 6)*60})
		}
	}
	return w
}

func (m *houseMaker) condition() catalog.ConditionEntry {
	switch m.IntN(6) {
	case 0:
		return catalog.ConditionEntry{Subtotal: m.prices(150000)}
	case 1:
		return catalog.ConditionEntry{Products: some(m.dice, m.productIDs(), 25)}
	case 2:
		return catalog.ConditionEntry{Groups: some(m.dice, m.groupIDs(), 30)}
	case 3:
		return catalog.ConditionEntry{OrderTypes: some(m.dice, site.OrderTypes(), 40)}
	case 4:
		return catalog.ConditionEntry{When: m.window()}
	}
	return catalog.ConditionEntry{FirstOrder: true}
}

func (m *houseMaker) gifts() {
	for i := range 8 {
		g := catalog.GiftEntry{
			ID: m.base + int64(i), Alias: fmt.Sprintf("gift-%d", i), ProductID: oneOf(m.dice, m.Products).ID,
			MaxCount: m.from(1, 3), Personal: m.chance(25), OnlyCities: sometimes(m.dice, 20, m.cityIDs()),
		}
		if m.chance(50) {
			stock := m.from(0, 5)
			g.Stock = &stock
		}
		if !g.Personal {
			for range m.IntN(4) {
				g.Conditions = append(g.Conditions, m.condition())
			}
		}
		m.Gifts = append(m.Gifts, g)
	}
}

func (m *houseMaker) promocode(i int) catalog.PromocodeEntry {
	p := catalog.PromocodeEntry{
		ID: m.base + int64(i), Code: fmt.Sprintf("CODE%d", i),
		Kind: oneOf(m.dice, []catalog.PromocodeKind{catalog.PercentOff, catalog.SumOff, catalog.GiftGiven, catalog.FreeDelivery}),
	}
	switch p.Kind {
	case catalog.PercentOff:
		p.Percent = oneOf(m.dice, []int{1, 3, 7, 10, 15, 50, 99, 100})
	case catalog.SumOff:
		p.Sum = m.prices(60000)
	case catalog.GiftGiven:
		p.GiftID = oneOf(m.dice, m.Gifts).ID
	case catalog.FreeDelivery:
	}
	// A few bounds each: with all of them at once no code would ever be active.
	for range m.IntN(4) {
		switch m.IntN(9) {
		case 0:
			p.OnlyCities = some(m.dice, m.cityIDs(), 30)
		case 1:
			p.From = m.day()
			if m.chance(30) {
				until := p.From.Add(m.IntN(4))
				p.Until = &until
			}
		case 2:
			p.Until = m.day()
		case 3:
			p.When = m.window()
		case 4:
			p.OrderTypes = some(m.dice, site.OrderTypes(), 40)
		case 5:
			if m.chance(70) {
				p.Products = some(m.dice, m.productIDs(), 30)
			}
			if len(p.Products) == 0 || m.chance(40) {
				p.Groups = some(m.dice, m.groupIDs(), 30)
			}
		case 6:
			p.Minimum = m.prices(150000)
		case 7:
			p.FirstOrder = true
		case 8:
			limit, each := m.from(1, 4), m.from(1, 2)
			if m.chance(60) {
				p.Limit = &limit
			}
			if m.chance(60) {
				p.LimitPerPhone = &each
			}
		}
	}
	return p
}

func (m *houseMaker) stops() []catalog.StopEntry {
	var stops []catalog.StopEntry
	stop := func(kind catalog.StopKind, alias string) {
		e := catalog.StopEntry{Kind: kind, Alias: alias}
		if m.chance(60) {
			e.ShopID = oneOf(m.dice, m.shopIDs())
		}
		stops = append(stops, e)
	}
	for _, p := range m.Products {
		if m.chance(12) {
			stop(catalog.StopProduct, p.Alias)
		}
	}
	for _, s := range m.Singles {
		if m.chance(12) {
			stop(catalog.StopModifier, s.Alias)
		}
	}
	for _, g := range m.ModifierGroups {
		for _, o := range g.Modifiers {
			if m.chance(12) {
				stop(catalog.StopModifier, o.Alias)
			}
		}
	}
	return stops
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
