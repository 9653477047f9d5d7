package cart_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/live"
	"servery/internal/money"
	"servery/internal/site"
)

// plainHouse is a brand as content wrote it, for the second model to read.
type plainHouse struct {
	*catalog.Brand
	Stops  []catalog.StopEntry
	Prices []live.PriceEntry

	products       map[int64]*catalog.ProductEntry
	singles        map[string]*catalog.ModifierEntry
	modifierGroups map[string]*catalog.ModifierGroupEntry
	gifts          map[int64]*catalog.GiftEntry
	codes          map[string]*catalog.PromocodeEntry
}

// plainWorld is many brands, and the snapshot that the first model reads.
type plainWorld struct {
	houses   []*plainHouse
	snapshot *catalog.Snapshot
}

// clocks are the time zones of the cities. Their clocks change at 02:00, at midnight, by half an hour, and
// never.
var clocks = []string{"Europe/Berlin", "America/Santiago", "Australia/Lord_Howe", "Asia/Almaty"}

// depositCountry is the code of the country that shows deposits. The other one shows none.
const depositCountry = "DE"

var roubles = money.Currency{Code: "RUB", Decimals: 2, Sign: "₽"}

// newWorld makes this many random brands from a seed, stores them as one revision of content
// with their stops, and opens the snapshot that the program reads.
func newWorld(t testing.TB, seed uint64, brands int) *plainWorld {
	t.Helper()
	w := &plainWorld{}
	document := catalog.Document{Countries: []site.Country{
		{ID: 1, Code: "RU", Name: english("Country"), Currency: roubles},
		{ID: 2, Code: depositCountry, Name: english("Country with deposits"), Currency: roubles, ProductFacts: []site.ProductFact{site.Deposit}},
	}}
	for i := range brands {
		d := dice{rand.New(rand.NewPCG(seed, uint64(i)))}
		h := d.newHouse(i)
		w.houses = append(w.houses, h)
		document.Brands = append(document.Brands, *h.Brand)
	}
	plain, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := zip.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	d := dbtest.Open(t, db.SQLite)
	now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	err = d.InTx(t.Context(), func(tx *db.Tx) error {
		if _, err := tx.SQL.ExecContext(t.Context(),
			"INSERT INTO revision (id, hash, body, created_at) VALUES (1, 'made up', $1, $2)", packed.Bytes(), now.Now()); err != nil {
			return err
		}
		for _, h := range w.houses {
			for _, e := range h.Stops {
				if _, err := tx.SQL.ExecContext(t.Context(),
					"INSERT INTO stop (site, kind, alias, shop_id, created_at) VALUES ($1, $2, $3, $4, $5)",
					h.Site.Alias, e.Kind, e.Alias, e.ShopID, now.Now()); err != nil {
					return err
				}
			}
			for _, e := range h.Prices {
				e.Site = h.Site.Alias
				if err := live.SavePrice(t.Context(), tx, e, false); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Open(t.Context(), d, now, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	w.snapshot = c.Current()
	for i, h := range w.houses { // both models need the cities with their location
		joined, ok := w.snapshot.Sites.ByAlias(h.Site.Alias)
		if !ok {
			t.Fatalf("brand %d is missing", i)
		}
		h.Site = joined
	}
	return w
}

// newHouse returns the n-th random brand. Every second one has coarse prices, so that its sums
// often meet the bounds of its offers exactly.
func (d dice) newHouse(n int) *plainHouse {
	m := &houseMaker{dice: d, coarse: n%2 == 0, base: int64(n+1) * 1000}
	alias := fmt.Sprintf("brand-%d", n)
	b := &catalog.Brand{Site: &site.Site{
		Alias: alias, Hosts: []string{alias + ".test"}, Default: n == 0, Name: english(alias),
		Languages: []lang.Lang{lang.EN}, DefaultLanguage: lang.EN,
		PriceLists: map[string]money.Currency{"near": roubles, "far": roubles},
	}}
	m.Brand = b
	m.addCities()
	m.addModifiers()
	m.addProducts()
	m.addPackages()
	m.addGifts()
	for i := range 40 {
		b.Promocodes = append(b.Promocodes, m.newPromocode(i))
	}
	h := &plainHouse{
		Brand: b, Stops: m.newStops(), Prices: m.newSetPrices(),
		products: map[int64]*catalog.ProductEntry{}, singles: map[string]*catalog.ModifierEntry{},
		modifierGroups: map[string]*catalog.ModifierGroupEntry{}, gifts: map[int64]*catalog.GiftEntry{},
		codes: map[string]*catalog.PromocodeEntry{},
	}
	for i := range b.Products {
		h.products[b.Products[i].ID] = &b.Products[i]
	}
	for i := range b.Singles {
		h.singles[b.Singles[i].Alias] = &b.Singles[i]
	}
	for i := range b.ModifierGroups {
		h.modifierGroups[b.ModifierGroups[i].Alias] = &b.ModifierGroups[i]
	}
	for i := range b.Gifts {
		h.gifts[b.Gifts[i].ID] = &b.Gifts[i]
	}
	for i := range b.Promocodes {
		h.codes[b.Promocodes[i].Code] = &b.Promocodes[i]
	}
	return h
}

// houseMaker draws one random brand.
type houseMaker struct {
	dice
	*catalog.Brand
	coarse bool
	// base is added to ids, so that those of two brands differ.
	base int64
	// deposits are the aliases of the singles that are deposits, which no product has otherwise.
	deposits []string
}

// newAmount returns a random sum of at most the given minor units, in steps of 5000 where the brand has
// coarse prices.
func (m *houseMaker) newAmount(most int64) money.Amount {
	if m.coarse {
		return money.Amount(m.Int64N(most/5000+1) * 5000)
	}
	if m.hasChance(10) {
		return money.Amount(chooseOne(m.dice, []int64{0, 1, 50, 99, 100, 101}))
	}
	return money.Amount(m.Int64N(most + 1))
}

// newPrices returns random prices for both price lists, each up to the given one.
func (m *houseMaker) newPrices(most int64) catalog.Prices {
	return catalog.Prices{"near": m.newAmount(most), "far": m.newAmount(most)}
}

// newDay returns a random day near one at which something may change.
func (m *houseMaker) newDay() *clock.Day {
	day := chooseOne(m.dice, interestingDays).Add(m.intBetween(-2, 2))
	return &day
}

// addCities adds two cities with two shops and six zones each, and mostly a bonus programme.
func (m *houseMaker) addCities() {
	var programme *site.BonusProgramme
	if m.hasChance(80) {
		programme = &site.BonusProgramme{BasisPoints: chooseOne(m.dice, []int{0, 1, 33, 500, 550, 1000, 10000})}
		if m.hasChance(50) {
			programme.AccrualUntil = m.newDay()
		}
		if m.hasChance(50) {
			programme.SpendUntil = m.newDay()
		}
		m.Site.Bonus = programme
	}
	for i, list := range []string{"near", "far"} {
		c := &site.City{
			ID: m.base + int64(i), Alias: fmt.Sprintf("city-%d-%d", m.base, i), Name: english("City"), Phrase: english("in City"),
			Timezone: chooseOne(m.dice, clocks), CountryCode: "RU", Delivery: true, Takeaway: i == 0,
			PriceList: list, Currency: roubles, Interval: 30, DaysAhead: 7,
		}
		if m.hasChance(80) {
			c.Bonus = programme
		}
		if m.hasChance(50) {
			c.CountryCode = depositCountry
		}
		m.Site.Cities = append(m.Site.Cities, c)
		for k := range 2 {
			id := c.ID*10 + int64(k)
			m.Shops = append(m.Shops, catalog.ShopEntry{Shop: geo.Shop{
				ID: id, CityID: c.ID, Alias: fmt.Sprintf("shop-%d", id), Name: english("Shop"), Delivery: true, Takeaway: true,
			}})
			for range 3 {
				m.Zones = append(m.Zones, m.newZone(c.ID, id))
			}
		}
	}
}

// newZone returns a zone of a shop with random prices of delivery.
func (m *houseMaker) newZone(city, shop int64) geo.Zone {
	z := geo.Zone{
		ID: m.base*10 + int64(len(m.Zones)), CityID: city, ShopID: shop, Name: english("Zone"),
		Delivery: m.newAmount(30000), MinimumOrder: m.newAmount(150000), HasFreeDelivery: m.hasChance(50),
	}
	if !z.HasFreeDelivery && m.hasChance(60) {
		from := z.MinimumOrder + m.newAmount(100000)
		z.FreeFrom = &from
	}
	return z
}

// addModifiers adds four single modifiers and four groups with random bounds and prices, and three deposits.
func (m *houseMaker) addModifiers() {
	id := int64(0)
	newModifier := func() catalog.ModifierEntry {
		id++
		return catalog.ModifierEntry{
			ID: id, Alias: fmt.Sprintf("modifier-%d", id), Name: english("Modifier"), Prices: m.newPrices(10000), Max: m.intBetween(1, 4),
		}
	}
	for range 4 {
		e := newModifier()
		if m.hasChance(20) {
			e.Min = m.intBetween(0, e.Max)
		}
		e.Count = m.intBetween(0, e.Max)
		if m.hasChance(90) {
			e.Count = max(e.Count, e.Min)
		}
		m.Singles = append(m.Singles, e)
	}
	for i := range 4 {
		g := catalog.ModifierGroupEntry{
			ID: int64(i + 1), Alias: fmt.Sprintf("choice-%d", i+1), Name: english("Choice"), Min: m.intBetween(0, 2), Free: m.intBetween(0, 3),
		}
		g.Max = g.Min + m.intBetween(0, 4)
		left := g.Max
		for range m.intBetween(1, 5) {
			e := newModifier()
			if m.hasChance(60) {
				e.Count = m.intBetween(0, min(e.Max, left))
				left -= e.Count
			}
			g.Modifiers = append(g.Modifiers, e)
		}
		m.ModifierGroups = append(m.ModifierGroups, g)
	}
	small := 50 // percent; the others cost what a modifier does, with which sums pass more bounds
	if m.coarse {
		small = 20
	}
	for i := range 3 {
		e := newModifier()
		e.Alias, e.Name = fmt.Sprintf("deposit-%d", i), english("Deposit")
		if m.hasChance(small) {
			e.Prices = catalog.Prices{"near": m.newDeposit(), "far": m.newDeposit()}
		}
		e.Count = chooseOne(m.dice, []int{1, 1, 1, 2})
		e.Min, e.Max = e.Count, e.Count
		m.deposits = append(m.deposits, e.Alias)
		m.Singles = append(m.Singles, e)
	}
}

// newDeposit returns a random deposit of at most a few units.
func (m *houseMaker) newDeposit() money.Amount {
	return money.Amount(chooseOne(m.dice, []int64{1, 8, 15, 25, 100, 101, 250, 300}))
}

// addProducts adds twelve random products in three groups, some of them not sold everywhere.
func (m *houseMaker) addProducts() {
	for i := range 3 {
		m.Groups = append(m.Groups, catalog.GroupEntry{ID: m.base + int64(i), Alias: fmt.Sprintf("group-%d", i), Name: english("Group")})
	}
	var aliases []string
	for _, s := range m.Singles {
		if !slices.Contains(m.deposits, s.Alias) {
			aliases = append(aliases, s.Alias)
		}
	}
	for _, g := range m.ModifierGroups {
		aliases = append(aliases, g.Alias)
	}
	cities, shops := m.cityIDs(), m.shopIDs()
	for i := range 12 {
		p := catalog.ProductEntry{
			ID: m.base + int64(i), Alias: fmt.Sprintf("product-%d", i), GroupID: chooseOne(m.dice, m.Groups).ID, Name: english("Product"),
			Prices: m.newPrices(60000), SaleMultiplicity: 1, SaleMultiplicityLastHour: 1, Related: m.hasChance(15),
		}
		if m.hasChance(20) {
			p.TakeawayPrices = m.newPrices(60000)
		}
		p.Modifiers = chooseSomeOrNone(m.dice, 50, aliases)
		if m.hasChance(45) {
			p.Deposit = chooseOne(m.dice, m.deposits)
		}
		p.OnlyCities = chooseSomeOrNone(m.dice, 8, cities)
		p.NotCities = chooseSomeOrNone(m.dice, 5, cities)
		p.OnlyShops = chooseSomeOrNone(m.dice, 8, shops)
		p.OnlyOrderTypes = chooseSomeOrNone(m.dice, 8, site.OrderTypes())
		m.Products = append(m.Products, p)
	}
}

// cityIDs returns the ids of the brand's two cities.
func (m *houseMaker) cityIDs() []int64 {
	return []int64{m.Site.Cities[0].ID, m.Site.Cities[1].ID}
}

// shopIDs returns the ids of the brand's shops.
func (m *houseMaker) shopIDs() []int64 {
	var ids []int64
	for _, s := range m.Shops {
		ids = append(ids, s.Shop.ID)
	}
	return ids
}

// productIDs returns the ids of the brand's products.
func (m *houseMaker) productIDs() []int64 {
	var ids []int64
	for _, p := range m.Products {
		ids = append(ids, p.ID)
	}
	return ids
}

// groupIDs returns the ids of the brand's product groups.
func (m *houseMaker) groupIDs() []int64 {
	var ids []int64
	for _, g := range m.Groups {
		ids = append(ids, g.ID)
	}
	return ids
}

// addPackages adds up to four random packages.
func (m *houseMaker) addPackages() {
	for i := range m.IntN(5) {
		p := catalog.PackageEntry{
			ID: m.base + int64(i), Alias: fmt.Sprintf("package-%d", i), Name: english("Package"), Prices: m.newPrices(5000),
			CanRefuse: m.hasChance(40), OrderTypes: chooseSome(m.dice, site.OrderTypes(), 60),
		}
		if m.hasChance(60) {
			p.PerItems = m.intBetween(1, 6)
		}
		m.Packages = append(m.Packages, p)
	}
}
