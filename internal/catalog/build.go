package catalog

import (
	"slices"
	"time"

	"servery/internal/live"
	"servery/internal/money"
	"servery/internal/site"
)

// builder makes one menu.
type builder struct {
	*assortment
	stops stops
	live  live.State
	now   time.Time
	// openFrom returns when the place first works from an instant on, zero where that is not known.
	openFrom func(time.Time) time.Time
	menu     *Menu
	// singles and groups are the modifiers of this menu by alias, shared by its products.
	singles map[string]*Modifier
	groups  map[string]*ModifierGroup
	// modifierStops are the stops of modifiers that were found, by the modifier.
	modifierStops map[*Modifier]*Stop
}

// newMenu returns the menu of a place: all that the brand sells there, with the stops and prices that
// are in force at now. openFrom returns when the place first works from an instant on.
func (a *assortment) newMenu(place Place, s stops, set live.State, now time.Time, openFrom func(time.Time) time.Time) *Menu {
	b := builder{
		assortment: a, stops: s, live: set, now: now, openFrom: openFrom,
		menu: &Menu{
			Site: a.site, Place: place, madeAt: now, ValidUntil: firstOf(s.nextEnd(now), set.NextPriceEnd(now)),
			products: make(map[int64]*Product, len(a.products)),
			byAlias:  make(map[string]*Product, len(a.products)),
			groups:   make(map[int64]*Group, len(a.brand.Groups)),
		},
		singles: map[string]*Modifier{}, groups: map[string]*ModifierGroup{}, modifierStops: map[*Modifier]*Stop{},
	}
	b.addModifiers()
	b.addGroups()
	for _, isSet := range [...]bool{false, true} { // the parts of a set must be added before it
		for i := range a.products {
			if len(a.products[i].entry.SetOf) > 0 == isSet {
				b.addProduct(&a.products[i])
			}
		}
	}
	b.fillGroups()
	b.addPackages()
	b.addOffers()
	return b.menu
}

// addModifiers creates the modifiers of the menu, single ones and groups.
func (b *builder) addModifiers() {
	for i := range b.brand.Singles {
		b.singles[b.brand.Singles[i].Alias] = b.newModifier(&b.brand.Singles[i])
	}
	for _, g := range b.brand.ModifierGroups {
		group := &ModifierGroup{ID: g.ID, Alias: g.Alias, Name: g.Name, Min: g.Min, Max: g.Max, Free: g.Free}
		for i := range g.Modifiers {
			group.Modifiers = append(group.Modifiers, b.newModifier(&g.Modifiers[i]))
		}
		b.groups[g.Alias] = group
	}
}

// newModifier returns a modifier at the price of the menu's city. It is stopped when the modifier
// or its ingredient is.
func (b *builder) newModifier(e *ModifierEntry) *Modifier {
	m := &Modifier{
		ID: e.ID, Alias: e.Alias, Name: e.Name, Price: e.Prices[b.menu.Place.City.PriceList],
		Min: e.Min, Max: e.Max, Count: e.Count, Picture: e.Picture,
	}
	own := &Ingredient{Allergens: e.Allergens}
	stop := b.stopOf(StopModifier, e.Alias)
	if in := b.ingredients[e.Ingredient]; in != nil {
		m.Allergens = allergensOf(own, in)
		stop = laterStop(stop, b.stopOf(StopIngredient, e.Ingredient))
	} else {
		m.Allergens = allergensOf(own)
	}
	if stop != nil {
		m.Stopped, m.Count = true, 0
		b.modifierStops[m] = stop
	}
	return m
}

// addProduct adds a product with its price, its modifiers and whether it can be ordered. A set can
// be ordered when all its parts can; they must have been added before.
func (b *builder) addProduct(it *item) {
	e, place := it.entry, b.menu.Place
	p := it.base
	p.Key = ProductKey(place.City.ID, p.ID)
	p.Type = Default
	if e.Related {
		p.Type = Related
	}
	b.setPrices(&p, e)
	for _, alias := range e.Modifiers {
		if m, ok := b.singles[alias]; ok {
			p.Modifiers.Singles = append(p.Modifiers.Singles, m)
		} else if g, ok := b.groups[alias]; ok {
			p.Modifiers.Groups = append(p.Modifiers.Groups, g)
		}
	}
	b.setFacts(&p, e)
	isSold := isSoldAt(e, place)
	stop := b.productStop(e, p.Modifiers)
	for _, part := range e.SetOf {
		product, ok := b.menu.products[part.ProductID]
		if !ok {
			isSold = false
			continue
		}
		p.SetOf = append(p.SetOf, Part{Product: product, Count: part.Count})
		isSold = isSold && product.Type != Unavailable
		stop = laterStop(stop, product.Stop)
		if e.MakeMinutes == 0 { // content names no work for the set itself
			p.MakeMinutes += product.MakeMinutes * part.Count
		}
	}
	if len(p.SetOf) > 0 {
		p.Allergens = b.allergensOfSet(&p)
	}
	switch {
	case !isSold:
		p.Type = Unavailable
	case stop != nil:
		p.Type, p.Stop = Stopped, b.untilOpen(stop)
	}
	b.menu.products[p.ID], b.menu.byAlias[p.Alias] = &p, &p
}

// setPrices sets the prices of a product. BasicPrice is never below Price. Both prices are in
// OrderTypePrices when they differ and the city has both order types.
func (b *builder) setPrices(p *Product, e *ProductEntry) {
	city := b.menu.Place.City
	delivery, takeaway := b.priceFor(e, site.Delivery), b.priceFor(e, site.Takeaway)
	p.Price = delivery
	if b.menu.Place.OrderType == site.Takeaway {
		p.Price = takeaway
	}
	p.BasicPrice = max(p.Price, e.BasicPrices[city.PriceList])
	if takeaway != delivery && city.Delivery && city.Takeaway {
		p.OrderTypePrices = &OrderTypePrices{Delivery: delivery, Takeaway: takeaway}
	}
}

// setFacts sets additives, lowest price, unit price and deposit of a product, each where the country
// of the city asks for it.
func (b *builder) setFacts(p *Product, e *ProductEntry) {
	city := b.menu.Place.City
	if city.Country.Shows(site.Additives) {
		p.Additives = e.Additives
	}
	if p.BasicPrice > p.Price && city.Country.Shows(site.LowestPrice) {
		p.LowestPrice = e.LowestPrices[city.PriceList]
	}
	if e.Packed && e.Weight != nil && city.Country.Shows(site.UnitPrice) {
		p.UnitPrice = unitPrice(p.Price, *e.Weight)
	}
	if deposit, ok := b.singles[e.Deposit]; ok && city.Country.Shows(site.Deposit) {
		p.Modifiers.Singles = append(p.Modifiers.Singles, deposit)
		p.Deposit = deposit.Price * money.Amount(deposit.Count)
	}
}

// priceFor returns what the product costs at the menu's place in orders of a type: the price that is
// set over the content, else the content's price in the price list of the city.
func (b *builder) priceFor(e *ProductEntry, t site.OrderType) money.Amount {
	list := b.menu.Place.City.PriceList
	if set, ok := b.live.Price(e.Alias, live.PricePlace{ShopID: b.menu.Place.ShopID, PriceList: list, OrderType: t}, b.now); ok {
		return set
	}
	return e.PriceFor(list, t)
}

// productStop returns the stop that ends last among the stops of the product, its group, its
// ingredients and the modifiers that it cannot be sold without. It returns nil when there is none.
func (b *builder) productStop(e *ProductEntry, m Modifiers) *Stop {
	stop := laterStop(b.stopOf(StopProduct, e.Alias), b.stopOf(StopGroup, b.menu.groups[e.GroupID].Alias))
	for _, alias := range e.Composition {
		stop = laterStop(stop, b.stopOf(StopIngredient, alias))
	}
	for _, s := range m.Singles {
		if s.Min > 0 {
			stop = laterStop(stop, b.modifierStops[s])
		}
	}
	for _, g := range m.Groups {
		stop = laterStop(stop, b.groupStop(g))
	}
	return stop
}

// groupStop returns nil when a group has enough modifiers left to reach its minimum. Otherwise it returns the
// stop of the modifier that is back first: the group is stopped until then.
func (b *builder) groupStop(g *ModifierGroup) *Stop {
	choosable := 0
	var firstToEnd *Stop
	for _, m := range g.Modifiers {
		stop := b.modifierStops[m]
		if stop == nil {
			choosable += m.Max
			continue
		}
		if firstToEnd == nil || !stop.endsAfter(firstToEnd) {
			firstToEnd = stop
		}
	}
	if choosable >= g.Min {
		return nil
	}
	return firstToEnd
}

// untilOpen returns a copy of the stop with OpenFrom set: when the place first works after the
// end of the stop. A stop without an end is returned as it is.
func (b *builder) untilOpen(stop *Stop) *Stop {
	if stop.Until.IsZero() {
		return stop
	}
	return &Stop{Until: stop.Until, OpenFrom: b.openFrom(stop.Until)}
}

// allergensOfSet returns the allergens of the ingredients of a set and of all its parts, each
// once, in the fixed order.
func (b *builder) allergensOfSet(p *Product) []Allergen {
	ingredients := slices.Clone(p.Composition)
	for _, part := range p.SetOf {
		ingredients = append(ingredients, part.Product.Composition...)
	}
	return allergensOf(ingredients...)
}

// stopOf returns the stop of a product, modifier, ingredient or group that is in force at the menu's
// shop now, nil when there is none.
func (b *builder) stopOf(kind StopKind, alias string) *Stop {
	return b.stops.findStop(kind, alias, b.menu.Place.ShopID, b.now)
}

// addGroups creates the groups of the menu, without products, and links each to the groups whose
// products go with it.
func (b *builder) addGroups() {
	byAlias := map[string]*Group{}
	for i, g := range b.brand.Groups {
		group := &Group{
			ID: g.ID, Alias: g.Alias, Name: g.Name, ShowOnMain: g.ShowOnMain, Sort: i + 1, Picture: g.Picture, Icon: g.Icon,
		}
		b.menu.groups[g.ID], byAlias[g.Alias] = group, group
	}
	for _, g := range b.brand.Groups {
		for _, alias := range g.Related {
			if other, ok := byAlias[alias]; ok {
				b.menu.groups[g.ID].related = append(b.menu.groups[g.ID].related, other)
			}
		}
	}
}

// fillGroups puts the products into their groups. It adds those groups to the menu that have any
// product to show.
func (b *builder) fillGroups() {
	for i := range b.products {
		e := b.products[i].entry
		p := b.menu.products[e.ID]
		g := b.menu.groups[e.GroupID]
		g.all = append(g.all, p)
		if p.Type != Unavailable && !e.Related {
			g.Products = append(g.Products, p)
		}
	}
	for _, g := range b.brand.Groups {
		if group := b.menu.groups[g.ID]; len(group.Products) > 0 {
			b.menu.Groups = append(b.menu.Groups, group)
		}
	}
}

// addPackages adds the packages for the menu's order type.
func (b *builder) addPackages() {
	place := b.menu.Place
	for _, e := range b.brand.Packages {
		if slices.Contains(e.OrderTypes, place.OrderType) {
			b.menu.Packages = append(b.menu.Packages, Package{
				ID: e.ID, Alias: e.Alias, Name: e.Name, Price: e.Prices[place.City.PriceList],
				PerItems: e.PerItems, CanRefuse: e.CanRefuse,
			})
		}
	}
}

// isSoldAt reports whether content sells the product at the place; stops are not considered. Where
// no shop is chosen, a product that only some shops sell counts as sold.
func isSoldAt(e *ProductEntry, place Place) bool {
	_, priced := e.Prices[place.City.PriceList]
	return priced &&
		place.City.Sells(place.OrderType) &&
		e.IsSoldIn(place.City.ID, place.ShopID) &&
		(len(e.OnlyOrderTypes) == 0 || slices.Contains(e.OnlyOrderTypes, place.OrderType))
}

// IsSoldIn reports whether content sells the product in the city and the shop, whatever its prices. Without a shop, a
// product that only some shops sell counts as sold.
func (e *ProductEntry) IsSoldIn(cityID, shopID int64) bool {
	return isAmong(e.OnlyCities, cityID) && !slices.Contains(e.NotCities, cityID) && (shopID == 0 || isAmong(e.OnlyShops, shopID))
}

// isAmong reports whether the id is in the list; an empty list means all.
func isAmong(only []int64, id int64) bool { return len(only) == 0 || slices.Contains(only, id) }

// firstOf returns the earlier of two instants. A zero instant does not count.
func firstOf(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
