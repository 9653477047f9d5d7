package content

import (
	"math"
	"slices"

	"servery/internal/catalog"
	"servery/internal/money"
	"servery/internal/site"
)

// noPicture is written for a product that is sold without one.
const noPicture = "none"

// menuFields is a file of menu/.
type menuFields struct {
	// The group that the file is of
	Group    mappingOf[groupFields]     `field:"group,required"`
	Products []mappingOf[productFields] `field:"products"`
}

// groupFields is a group of products.
type groupFields struct {
	ID    idValue    `field:"id,required"`
	Alias aliasValue `field:"alias,required"`
	Name  textValue  `field:"name,required"`
	// The home page shows it
	ShowOnMain bool `field:"show_on_main"`
	// Name in pictures/, without folder and ending
	Picture aliasValue `field:"picture"`
	// SVG, PNG, JPEG or WebP in the brand's folder, square: shown before the name, for a group that is something special
	Icon wordValue `field:"icon"`
	// Groups whose products go with these
	RelatedGroups []aliasValue `field:"related_groups"`
}

// productFields is a product of a group.
type productFields struct {
	ID          idValue                 `field:"id,required"`
	Alias       aliasValue              `field:"alias,required"`
	Name        textValue               `field:"name,required"`
	Description textValue               `field:"description"`
	Weight      mappingOf[weightFields] `field:"weight"`
	// Pieces in a portion
	Quantity int         `field:"quantity" min:"0" max:"1000"`
	Price    pricesValue `field:"price,required"`
	// Before a discount
	BasicPrice pricesValue `field:"basic_price"`
	// When the customer fetches it
	TakeawayPrice pricesValue `field:"takeaway_price"`
	// The lowest of the 30 days before the reduction, where a country shows it
	LowestPrice pricesValue `field:"lowest_price"`
	// A single modifier that is always taken, besides the price, where a country shows deposits
	Deposit aliasValue `field:"deposit"`
	// Sold packed: the price of a kilogram or litre is shown where a country asks for it
	Packed bool `field:"packed"`
	// Such as colourings or caffeine, where a country shows them
	Additives textValue `field:"additives"`
	// Ingredients, the most important first
	Composition []aliasValue `field:"composition" unique:"true"`
	// Per 100 g
	Nutrition mappingOf[nutritionFields] `field:"nutrition"`
	// Work that a portion is for the kitchen
	MakeMinutes int    `field:"make_minutes" min:"0" max:"1440"`
	Accent      string `field:"accent" one:"accents"`
	// In place of the accent's own
	AccentText textValue `field:"accent_text"`
	// Singles or groups of modifiers.yaml
	Modifiers []aliasValue `field:"modifiers" unique:"true"`
	// Sold in steps of so many portions
	SaleMultiplicity int `field:"sale_multiplicity" min:"1" max:"100" default:"1"`
	// In the last work hour, where the brand has one; the same when absent
	SaleMultiplicityLastHour *int `field:"sale_multiplicity_last_hour" min:"1" max:"100"`
	// Sold only as an addition
	Related bool `field:"related"`
	// What a set is made of
	SetOf []mappingOf[partFields] `field:"set_of"`
	// In these cities only
	OnlyCities []aliasValue `field:"only_cities"`
	// Not in these cities
	NotCities []aliasValue `field:"not_cities"`
	// In these shops only
	OnlyShops []aliasValue `field:"only_shops"`
	// For these order types only
	OnlyOrderTypes []site.OrderType `field:"only_order_types" one:"orderTypes" unique:"true"`
	// Name in pictures/, without folder and ending; the alias when absent, none for no picture
	Picture aliasValue `field:"picture"`
}

// weightFields is what a portion weighs.
type weightFields struct {
	Value float64      `field:"value,required" min:"0" max:"100000"`
	Unit  catalog.Unit `field:"unit,required" one:"units"`
}

// nutritionFields is what 100 g of a product contain.
type nutritionFields struct {
	// Grams
	Proteins float64 `field:"proteins,required" min:"0" max:"100"`
	// Grams
	Fats float64 `field:"fats,required" min:"0" max:"100"`
	// Grams
	Carbohydrates float64 `field:"carbohydrates,required" min:"0" max:"100"`
	Kilocalories  float64 `field:"kilocalories,required" min:"0" max:"1000"`
}

// partFields is a product of a set.
type partFields struct {
	Product aliasValue `field:"product,required"`
	Count   int        `field:"count" min:"1" max:"100" default:"1"`
}

// readMenu reads the groups in the order of their files' names.
func (b *brandReader) readMenu() {
	files := b.yamlFiles(b.dir + "/menu")
	if len(files) == 0 {
		b.addFault(b.dir+"/menu", 0, "there is no menu: no YAML file in this folder")
	}
	for _, name := range files {
		tree, ok := b.trees[name]
		if !ok {
			b.unread[b.dir+"/menu"] = true
			continue
		}
		f, _ := readFields[menuFields](tree)
		var g catalog.GroupEntry
		if !f.Group.isNull() {
			g = b.readGroup(f.Group)
			b.groups[g.Alias] = g.ID
			b.brand.Groups = append(b.brand.Groups, g)
		}
		prices := make([]writtenPrice, len(f.Products))
		for i, entry := range f.Products {
			prices[i] = b.readProduct(entry, g.ID)
		}
		warnOfSlips(prices)
	}
}

// readGroup reads the group of a menu file.
func (b *brandReader) readGroup(v mappingOf[groupFields]) catalog.GroupEntry {
	f, _ := v.readMapping()
	g := catalog.GroupEntry{
		ID: b.readID(f.ID, "product group"), Alias: b.readAlias(f.Alias, b.kindOf("product group")),
		Name: f.Name.localizedText(b.texts), ShowOnMain: f.ShowOnMain, Picture: b.readPicture(f.Picture, dishWidth), Icon: b.readDrawing(f.Icon, "icon"),
	}
	for _, related := range f.RelatedGroups {
		g.Related = append(g.Related, related.toText())
		b.referLater(related, "product group", b.groups, func(int64) {}) // only a check: the group keeps the alias
	}
	return g
}

// readProduct reads a product and returns its price; references to cities, shops and products are checked when all is
// read.
func (b *brandReader) readProduct(v mappingOf[productFields], group int64) writtenPrice {
	f, _ := v.readMapping()
	p := &catalog.ProductEntry{
		ID: b.readID(f.ID, "product"), Alias: b.readAlias(f.Alias, b.kindOf("product")), GroupID: group,
		Name: f.Name.localizedText(b.texts), Description: f.Description.localizedText(b.texts), Prices: b.needPrices(f.Price),
		MakeMinutes: f.MakeMinutes, Quantity: f.Quantity, Related: f.Related, Accent: f.Accent, AccentText: f.AccentText.localizedText(b.texts),
		SaleMultiplicity: f.SaleMultiplicity, SaleMultiplicityLastHour: valueOr(f.SaleMultiplicityLastHour, f.SaleMultiplicity),
		OnlyOrderTypes: f.OnlyOrderTypes, Packed: f.Packed, Additives: f.Additives.localizedText(b.texts),
	}
	p.BasicPrices = b.readOtherPrices(f.BasicPrice, "basic_price", p.Prices, func(price, basic money.Amount) bool { return basic >= price }, "is below the price")
	p.TakeawayPrices = b.readOtherPrices(f.TakeawayPrice, "takeaway_price", p.Prices, func(price, takeaway money.Amount) bool { return takeaway <= price }, "is above the price")
	p.LowestPrices = b.readOtherPrices(f.LowestPrice, "lowest_price", p.Prices, func(_, lowest money.Amount) bool { return lowest > 0 }, "is nothing")
	b.checkNotAboveBasic(f.LowestPrice, p)
	b.readMakeup(v.value, f, p)
	b.readDeposit(f.Deposit, p)
	b.referAll(f.OnlyCities, "city of the brand", b.cities, &p.OnlyCities)
	b.referAll(f.NotCities, "city of the brand", b.cities, &p.NotCities)
	b.referAll(f.OnlyShops, "shop", b.shops, &p.OnlyShops)
	for _, not := range f.NotCities {
		isSame := func(only aliasValue) bool { return only.toText() == not.toText() }
		if slices.ContainsFunc(f.OnlyCities, isSame) {
			not.addFault("%s is among only_cities too", not.toText())
		}
	}
	for _, part := range f.SetOf {
		b.readPart(part, p)
	}
	switch {
	case f.Picture.isNull():
		p.Picture = b.album.usePicture(f.Alias.value, b.dir, p.Alias, dishWidth)
	case f.Picture.toText() != noPicture:
		p.Picture = b.readPicture(f.Picture, dishWidth)
	}
	b.products[p.Alias] = p
	// Copied after the functions that were put into later above have filled in ids of cities, shops and parts.
	b.later = append(b.later, func() { b.brand.Products = append(b.brand.Products, *p) })
	price := writtenPrice{at: f.Price}
	if len(b.lists) > 0 {
		price.amount = p.Prices[b.lists[0].alias]
	}
	return price
}

// checkNotAboveBasic adds a fault when the lowest price of a product is above its price before the discount: that one was
// asked for then.
func (b *brandReader) checkNotAboveBasic(lowest pricesValue, p *catalog.ProductEntry) {
	for _, list := range b.lists {
		if basic, has := p.BasicPrices[list.alias]; has && p.LowestPrices[list.alias] > basic {
			lowest.addFault("lowest_price is above basic_price in price list %s", list.alias)
			return
		}
	}
}

// readMakeup reads what a product is made of and what can be added to it.
func (b *brandReader) readMakeup(v value, f *productFields, p *catalog.ProductEntry) {
	for _, in := range f.Composition {
		p.Composition = append(p.Composition, b.readIngredient(in))
	}
	for _, m := range f.Modifiers {
		alias := m.toText()
		if !b.modifiers[alias] {
			b.addUnknown(m.value, "modifier or group of modifiers", alias)
		}
		p.Modifiers = append(p.Modifiers, alias)
	}
	if !f.Weight.isNull() {
		w, _ := f.Weight.readMapping()
		p.Weight = &catalog.Weight{Value: roundThousandth(w.Value), Unit: w.Unit}
	}
	if f.Packed && (p.Weight == nil || p.Weight.Value == 0) {
		v.addFault("what is packed needs its weight, of which the price of a kilogram or litre is made")
	}
	if !f.Nutrition.isNull() {
		n, _ := f.Nutrition.readMapping()
		p.Nutrition = &catalog.Nutrition{
			Proteins: roundThousandth(n.Proteins), Fats: roundThousandth(n.Fats),
			Carbohydrates: roundThousandth(n.Carbohydrates), Kilocalories: roundThousandth(n.Kilocalories),
		}
	}
}

// readDeposit reads the modifier that is the deposit of a product: a single one that is always taken.
func (b *brandReader) readDeposit(v aliasValue, p *catalog.ProductEntry) {
	if v.isNull() {
		return
	}
	p.Deposit = v.toText()
	i := slices.IndexFunc(b.brand.Singles, func(m catalog.ModifierEntry) bool { return m.Alias == p.Deposit })
	switch {
	case i < 0:
		b.addUnknown(v.value, "single modifier", p.Deposit)
	case !b.brand.Singles[i].IsFixed():
		v.addFault("the deposit %s can be left out: give it the same min, max and count", p.Deposit)
	case slices.Contains(p.Modifiers, p.Deposit):
		v.addFault("the deposit %s is among the modifiers too, and would be taken twice", p.Deposit)
	}
}

// checkLowestPrices adds a fault for each reduced product of a city that has no lowest price of 30 days.
// It must be called for cities whose country shows that price.
func (b *brandReader) checkLowestPrices(city value, c *site.City) {
	list := c.PriceList
	for i := range b.brand.Products {
		p := &b.brand.Products[i]
		if !isSoldIn(p, c) || p.BasicPrices[list] <= p.Prices[list] || p.LowestPrices[list] > 0 {
			continue
		}
		city.addFault("%s shows the lowest price of 30 days: %s is reduced and has no lowest_price in price list %s", c.Alias, p.Alias, list)
	}
}

// isSoldIn reports whether a product is sold in a city.
func isSoldIn(p *catalog.ProductEntry, c *site.City) bool {
	return (len(p.OnlyCities) == 0 || slices.Contains(p.OnlyCities, c.ID)) && !slices.Contains(p.NotCities, c.ID)
}

func roundThousandth(f float64) float64 { return math.Round(f*1000) / 1000 }

// readPart reads a product of a set, which may not be a set itself.
func (b *brandReader) readPart(v mappingOf[partFields], p *catalog.ProductEntry) {
	f, _ := v.readMapping()
	at := len(p.SetOf)
	p.SetOf = append(p.SetOf, catalog.PartEntry{Count: f.Count})
	if ref := f.Product.value; !ref.isNull() {
		alias := ref.toText()
		b.later = append(b.later, func() {
			part, known := b.products[alias]
			switch {
			case !known:
				b.addUnknown(ref, "product", alias)
			case len(part.SetOf) > 0:
				ref.addFault("%s is a set itself", alias)
			default:
				p.SetOf[at].ProductID = part.ID
			}
		})
	}
}
