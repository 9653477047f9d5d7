package cart_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/schedule"
	"servery/internal/site"
)

// newCase returns the n-th random case of a seed: a cart at a place and a time, with facts.
// The same seed and n always make the same case.
func (w *plainWorld) newCase(seed, n uint64) priceCase {
	d := dice{rand.New(rand.NewPCG(seed, n))}
	h := chooseOne(d, w.houses)
	m := priceCase{house: h, city: chooseOne(d, h.Site.Cities)}
	m.cart.CityID = m.city.ID
	m.cart.OrderType = site.Delivery
	if d.hasChance(35) {
		m.cart.OrderType = site.Takeaway
	}
	d.choosePlace(&m)
	m.now = d.chooseInstant(&m)
	for range d.IntN(6) {
		d.addLine(&m)
	}
	if d.hasChance(30) {
		for i := range m.cart.Lines { // as many as a party eats
			m.cart.Lines[i].Count *= d.intBetween(1, 12)
		}
	}
	m.cart.WithoutBag = d.hasChance(30)
	for _, g := range h.Gifts {
		if d.hasChance(30) {
			m.cart.Gifts = append(m.cart.Gifts, cart.Given{ID: g.ID, Count: d.intBetween(1, 4)})
		}
	}
	if d.hasChance(3) {
		m.cart.Gifts = append(m.cart.Gifts, cart.Given{ID: 9, Count: 1}) // content has no such gift
	}
	switch d.IntN(20) {
	case 0:
		m.cart.Promocode = "GONE"
	case 1, 2, 3, 4:
	default:
		m.cart.Promocode = chooseOne(d, h.Promocodes).Code
	}
	d.addFacts(&m)
	return m
}

// choosePlace sets a random place in the case's city: mostly a shop for takeaway or a zone for
// delivery, else none.
func (d dice) choosePlace(m *priceCase) {
	if m.cart.OrderType == site.Takeaway {
		if d.hasChance(90) {
			m.shop = d.chooseShop(m, m.house.Shops).ID
			m.cart.ShopID = m.shop
		}
		return
	}
	if d.hasChance(90) {
		var here []*geo.Zone
		for i := range m.house.Zones {
			if z := &m.house.Zones[i]; z.CityID == m.city.ID {
				here = append(here, z)
			}
		}
		m.zone = chooseOne(d, here)
		m.cart.ZoneID, m.shop = m.zone.ID, m.zone.ShopID
	}
}

// chooseShop returns a random shop of the case's city.
func (d dice) chooseShop(m *priceCase, shops []catalog.ShopEntry) geo.Shop {
	for {
		if s := chooseOne(d, shops).Shop; s.CityID == m.city.ID {
			return s
		}
	}
}

// chooseInstant returns a time at which an offer of the brand may change: the edge of its hours
// or days, a change of the clock, or any time.
func (d dice) chooseInstant(m *priceCase) time.Time {
	if changes := clockChanges()[m.city.Timezone]; len(changes) > 0 && d.hasChance(15) {
		return chooseOne(d, changes).Add(time.Duration(d.intBetween(-90, 150)) * time.Minute)
	}
	day := chooseOne(d, interestingDays).Add(d.intBetween(-1, 1))
	if d.hasChance(20) {
		day = day.Add(d.intBetween(-200, 200))
	}
	minutes := d.IntN(24 * 60)
	switch d.IntN(3) {
	case 0:
		span := chooseOne(d, interestingHours)
		minutes = chooseOne(d, []int{span.From, span.To}) % (24 * 60)
	case 1:
		if spans := d.promocodeHours(m.house); len(spans) > 0 {
			minutes = chooseOne(d, spans).From % (24 * 60)
		}
	}
	wall := time.Date(day.Year, day.Month, day.Day, 0, minutes, 0, 0, m.city.Location)
	return wall.Add(chooseOne(d, []time.Duration{0, 0, time.Minute, -time.Millisecond, time.Millisecond, -time.Second})).UTC()
}

// clockChanges returns, by time zone, the instants of 2026 at which the clocks are put back or forward.
var clockChanges = sync.OnceValue(func() map[string][]time.Time {
	changes := map[string][]time.Time{}
	for _, name := range clocks {
		zone, err := time.LoadLocation(name)
		if err != nil {
			panic(err)
		}
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		_, offset := at.In(zone).Zone()
		for ; at.Year() == 2026; at = at.Add(30 * time.Minute) {
			if _, now := at.In(zone).Zone(); now != offset {
				changes[name], offset = append(changes[name], at), now
			}
		}
	}
	return changes
})

// promocodeHours returns the hours of all promocodes of a brand.
func (d dice) promocodeHours(h *plainHouse) []schedule.Span {
	var spans []schedule.Span
	for _, p := range h.Promocodes {
		if p.When != nil {
			spans = append(spans, p.When.Hours...)
		}
	}
	return spans
}

// addLine adds a line of a random product to the cart, rarely of one that content no longer has.
func (d dice) addLine(m *priceCase) {
	p := &m.house.Products[d.IntN(len(m.house.Products))]
	l := cart.Line{
		Key: fmt.Sprintf("%d-%d~%d", m.city.ID, p.ID, len(m.cart.Lines)), ProductID: p.ID, Count: d.intBetween(1, 5),
		Modifiers: d.chooseModifiers(m, p), AddedAt: m.now,
	}
	if d.hasChance(2) {
		l.ProductID = 7 // content has forgotten it
	}
	m.cart.Lines = append(m.cart.Lines, l)
}

// chooseModifiers returns random modifiers for a product, mostly within their bounds, and mostly its deposit
// where the case's country shows deposits.
func (d dice) chooseModifiers(m *priceCase, p *catalog.ProductEntry) []cart.Chosen {
	h := m.house
	var chosen []cart.Chosen
	choose := func(group, id int64, count int) {
		if d.hasChance(2) {
			count += d.intBetween(1, 3)
		}
		if count > 0 {
			chosen = append(chosen, cart.Chosen{ID: id, GroupID: group, Count: count})
		}
	}
	for _, alias := range p.Modifiers {
		if s, ok := h.singles[alias]; ok {
			choose(0, s.ID, d.intBetween(s.Min, s.Max))
		}
		if g, ok := h.modifierGroups[alias]; ok {
			left := d.intBetween(g.Min, g.Max)
			for i := range g.Modifiers {
				count := min(d.IntN(g.Modifiers[i].Max+1), left)
				if i == len(g.Modifiers)-1 {
					count = min(left, g.Modifiers[i].Max)
				}
				left -= count
				choose(g.ID, g.Modifiers[i].ID, count)
			}
		}
	}
	if deposit, ok := h.singles[p.Deposit]; ok {
		percent := 3 // one that was put into the cart before the country changed
		if m.showsDeposits() {
			percent = 95
		}
		if d.hasChance(percent) {
			choose(0, deposit.ID, deposit.Count)
		}
	}
	if d.hasChance(2) {
		chosen = append(chosen, cart.Chosen{ID: int64(d.intBetween(1, 30)), GroupID: int64(d.IntN(5)), Count: 1})
		slices.SortFunc(chosen, func(a, b cart.Chosen) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		chosen = slices.CompactFunc(chosen, func(a, b cart.Chosen) bool { return a.ID == b.ID && a.GroupID == b.GroupID })
	}
	return chosen
}

// addFacts sets what is known of the customer and of limited stock, and adds presents and
// bonuses to the cart.
func (d dice) addFacts(m *priceCase) {
	f := &m.facts
	f.HasOrdered = d.hasChance(40)
	f.PromocodeUsed, f.PromocodeUsedByPhone = d.IntN(4), d.IntN(2)
	f.GiftsUsed = map[int64]int{}
	for _, g := range m.house.Gifts {
		if d.hasChance(50) {
			f.GiftsUsed[g.ID] = d.IntN(6)
		}
	}
	m.cart.Bonuses = d.chooseBonuses()
	if !d.hasChance(70) {
		return // a guest
	}
	f.CustomerID = 1
	f.Balance = d.chooseBonuses()
	for i := range d.IntN(4) {
		p := cart.Present{ID: int64(500 + i), GiftID: chooseOne(d, m.house.Gifts).ID, MaxCount: d.intBetween(1, 3), Used: d.IntN(2)}
		if d.hasChance(50) {
			p.ExpiresAt = m.now.Add(chooseOne(d, []time.Duration{-time.Hour, -time.Millisecond, 0, time.Millisecond, time.Hour}))
		}
		if d.hasChance(3) {
			p.GiftID = 9 // content has forgotten it
		}
		f.Presents = append(f.Presents, p)
		if d.hasChance(70) {
			m.cart.Presents = append(m.cart.Presents, cart.Given{ID: p.ID, Count: d.intBetween(1, 3)})
		}
	}
	if d.hasChance(5) {
		m.cart.Presents = append(m.cart.Presents, cart.Given{ID: 599, Count: 1})
	}
}

// chooseBonuses returns a number of bonuses: none, a few with fractions, whole ones, or more than any
// cart costs.
func (d dice) chooseBonuses() money.Amount {
	switch d.IntN(4) {
	case 0:
		return 0
	case 1:
		return money.Amount(d.IntN(20000))
	case 2:
		return money.Amount(d.intBetween(1, 2000) * 100)
	}
	return 100_000_000
}

// quoteByProgram returns the case's cart with its prices, by the program.
func (w *plainWorld) quoteByProgram(m priceCase) cart.Quoted {
	spot := cart.Place{City: m.city, OrderType: m.cart.OrderType, Zone: m.zone}
	if shop, ok := w.snapshot.Atlas(m.house.Site).Shop(m.shop); ok {
		spot.Shop = shop
	}
	menu := w.snapshot.Menu(m.house.Site, m.city, m.cart.OrderType, m.shop, m.now)
	return cart.Quote(m.cart, spot, menu, m.facts, lang.EN, m.now)
}

// listSmaller returns all cases that have one part of m less: a line, a count, a modifier, a
// gift, a present, or a fact.
func listSmaller(m priceCase) []priceCase {
	var smaller []priceCase
	addWithout := func(change func(*priceCase)) {
		copied := m
		copied.cart.Lines = slices.Clone(m.cart.Lines)
		copied.cart.Gifts = slices.Clone(m.cart.Gifts)
		copied.cart.Presents = slices.Clone(m.cart.Presents)
		copied.facts.Presents = slices.Clone(m.facts.Presents)
		change(&copied)
		smaller = append(smaller, copied)
	}
	for i := range m.cart.Lines {
		addWithout(func(m *priceCase) { m.cart.Lines = slices.Delete(m.cart.Lines, i, i+1) })
		if m.cart.Lines[i].Count > 1 {
			addWithout(func(m *priceCase) { m.cart.Lines[i].Count = 1 })
		}
		for k := range m.cart.Lines[i].Modifiers {
			addWithout(func(m *priceCase) {
				m.cart.Lines[i].Modifiers = slices.Delete(slices.Clone(m.cart.Lines[i].Modifiers), k, k+1)
			})
		}
	}
	for i := range m.cart.Gifts {
		addWithout(func(m *priceCase) { m.cart.Gifts = slices.Delete(m.cart.Gifts, i, i+1) })
		if m.cart.Gifts[i].Count > 1 {
			addWithout(func(m *priceCase) { m.cart.Gifts[i].Count = 1 })
		}
	}
	for i := range m.cart.Presents {
		addWithout(func(m *priceCase) { m.cart.Presents = slices.Delete(m.cart.Presents, i, i+1) })
	}
	for i := range m.facts.Presents {
		addWithout(func(m *priceCase) { m.facts.Presents = slices.Delete(m.facts.Presents, i, i+1) })
	}
	for _, part := range []struct {
		there bool
		drop  func(*priceCase)
	}{
		{m.cart.Promocode != "", func(m *priceCase) { m.cart.Promocode = "" }},
		{m.cart.Bonuses != 0, func(m *priceCase) { m.cart.Bonuses = 0 }},
		{m.cart.WithoutBag, func(m *priceCase) { m.cart.WithoutBag = false }},
		{m.facts.Balance != 0, func(m *priceCase) { m.facts.Balance = 0 }},
		{m.facts.HasOrdered, func(m *priceCase) { m.facts.HasOrdered = false }},
		{m.facts.PromocodeUsed != 0, func(m *priceCase) { m.facts.PromocodeUsed = 0 }},
		{m.facts.PromocodeUsedByPhone != 0, func(m *priceCase) { m.facts.PromocodeUsedByPhone = 0 }},
		{len(m.facts.GiftsUsed) > 0, func(m *priceCase) { m.facts.GiftsUsed = nil }},
		{m.facts.CustomerID != 0, func(m *priceCase) {
			m.facts.CustomerID, m.facts.Presents, m.facts.Balance = 0, nil, 0
		}},
	} {
		if part.there {
			addWithout(part.drop)
		}
	}
	return smaller
}

// String returns the case as text, with the content of all that it names, for a failing test.
func (m priceCase) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s at %s, %s, shop %d\n", m.house.Site.Alias, m.now.In(m.city.Location).Format("Mon 2006-01-02 15:04:05.000 -0700"), m.city.Timezone, m.shop)
	writeField := func(name string, v any) { fmt.Fprintf(&b, "  %s: %s\n", name, jsonText(v)) }
	writeField("cart", m.cart)
	writeField("facts", m.facts)
	writeField("programme", m.city.Bonus)
	writeField("price list", m.city.PriceList)
	writeField("facts of products", m.city.Country.ProductFacts)
	if m.zone != nil {
		writeField("zone", m.zone)
	}
	products, gifts := map[int64]bool{}, map[int64]bool{}
	for _, l := range m.cart.Lines {
		products[l.ProductID] = true
	}
	for _, g := range m.cart.Gifts {
		gifts[g.ID] = true
	}
	for _, p := range m.facts.Presents {
		gifts[p.GiftID] = true
	}
	if p := m.house.codes[m.cart.Promocode]; p != nil {
		writeField("promocode", p)
		gifts[p.GiftID] = true
	}
	for id := range gifts {
		if g := m.house.gifts[id]; g != nil {
			writeField("gift", g)
			products[g.ProductID] = true
		}
	}
	for id := range products {
		p := m.house.products[id]
		if p == nil {
			continue
		}
		writeField("product", p)
		for _, alias := range m.modifiersOf(p) {
			if s, ok := m.house.singles[alias]; ok {
				writeField("modifier", s)
			}
			if g, ok := m.house.modifierGroups[alias]; ok {
				writeField("modifiers", g)
			}
		}
	}
	if len(m.cart.Lines) > 0 {
		writeField("packages", m.house.Packages)
	}
	writeField("stops", m.house.Stops)
	return b.String()
}
