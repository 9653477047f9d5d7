package content

import (
	"math"

	"servery/internal/catalog"
	"servery/internal/money"
)

// noPicture is written for a product that is sold without one.
const noPicture = "none"

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
		o := tree.toObject()
		var g catalog.GroupEntry
		if group, ok := o.required("group"); ok {
			g = b.readGroup(group)
			b.groups[g.Alias] = g.ID
			b.brand.Groups = append(b.brand.Groups, g)
		}
		for _, entry := range o.optionalList("products") {
			b.readProduct(entry, g.ID)
		}
		o.checkFields()
	}
}

// readGroup reads the group of a menu file.
func (b *brandReader) readGroup(v value) catalog.GroupEntry {
	o := v.toObject()
	g := catalog.GroupEntry{
		ID: b.readID(o, "product group"), Alias: b.readAlias(o, b.kindOf("product group")),
		Name: o.requiredLocalizedText("name", b.texts), ShowOnMain: o.optionalBool("show_on_main", false),
	}
	if picture, ok := o.optional("picture"); ok {
		g.Picture = b.album.usePicture(picture, b.dir, picture.toText(), dishWidth)
	}
	for _, related := range o.optionalList("related_groups") {
		g.Related = append(g.Related, related.toText())
		b.referLater(related, "product group", b.groups, func(int64) {})
	}
	o.checkFields()
	return g
}

// readProduct reads a product; references to cities, shops and products are checked when all is
// read.
func (b *brandReader) readProduct(v value, group int64) {
	o := v.toObject()
	p := &catalog.ProductEntry{
		ID: b.readID(o, "product"), Alias: b.readAlias(o, b.kindOf("product")), GroupID: group,
		Name: o.requiredLocalizedText("name", b.texts), Description: o.localizedText("description", b.texts),
		Prices:      b.needPrices(o),
		MakeMinutes: o.optionalInt("make_minutes", 0, 0, 24*60), Quantity: o.optionalInt("quantity", 0, 0, 1000),
		Related: o.optionalBool("related", false), AccentText: o.localizedText("accent_text", b.texts),
		SaleMultiplicity: o.optionalInt("sale_multiplicity", 1, 1, maxCount),
	}
	p.SaleMultiplicityLastHour = o.optionalInt("sale_multiplicity_last_hour", int64(p.SaleMultiplicity), 1, maxCount)
	p.BasicPrices = b.otherPrices(o, "basic_price", p.Prices, func(price, basic money.Amount) bool { return basic >= price }, "is below the price")
	p.TakeawayPrices = b.otherPrices(o, "takeaway_price", p.Prices, func(price, takeaway money.Amount) bool { return takeaway <= price }, "is above the price")
	if accent, ok := o.optional("accent"); ok {
		p.Accent = toOneOf(accent, catalog.Accents())
	}
	b.readMakeup(o, p)
	b.readLimits(o, p)
	for _, part := range o.optionalList("set_of") {
		b.readPart(part, p)
	}
	if picture, ok := o.optional("picture"); !ok {
		p.Picture = b.album.usePicture(o.fields["alias"], b.dir, p.Alias, dishWidth)
	} else if name := picture.toText(); name != noPicture {
		p.Picture = b.album.usePicture(picture, b.dir, name, dishWidth)
	}
	o.checkFields()
	b.products[p.Alias] = p
	// Copied when its references, which are checked before, are filled in.
	b.later = append(b.later, func() { b.brand.Products = append(b.brand.Products, *p) })
}

// readMakeup reads what a product is made of and what can be added to it.
func (b *brandReader) readMakeup(o *object, p *catalog.ProductEntry) {
	for _, in := range o.optionalList("composition") {
		p.Composition = append(p.Composition, b.readIngredient(in))
	}
	for _, m := range o.optionalList("modifiers") {
		alias := m.toText()
		if !b.modifiers[alias] {
			b.addUnknown(m, "modifier or group of modifiers", alias)
		}
		p.Modifiers = append(p.Modifiers, alias)
	}
	if v, ok := o.optional("weight"); ok {
		f := v.toObject()
		p.Weight = &catalog.Weight{Value: f.readDecimal("value", 100_000)}
		if unit, ok := f.required("unit"); ok {
			p.Weight.Unit = toOneOf(unit, catalog.Units())
		}
		f.checkFields()
	}
	if v, ok := o.optional("nutrition"); ok {
		f := v.toObject()
		p.Nutrition = &catalog.Nutrition{
			Proteins: f.readDecimal("proteins", 100), Fats: f.readDecimal("fats", 100),
			Carbohydrates: f.readDecimal("carbohydrates", 100), Kilocalories: f.readDecimal("kilocalories", 1000),
		}
		f.checkFields()
	}
}

// readLimits reads where and how a product is sold only.
func (b *brandReader) readLimits(o *object, p *catalog.ProductEntry) {
	b.referAll(o.optionalList("only_cities"), "city of the brand", b.cities, &p.OnlyCities)
	b.referAll(o.optionalList("not_cities"), "city of the brand", b.cities, &p.NotCities)
	b.referAll(o.optionalList("only_shops"), "shop", b.shops, &p.OnlyShops)
	p.OnlyOrderTypes = o.readOrderTypes("only_order_types")
}

// readPart reads a product of a set, which may not be a set itself.
func (b *brandReader) readPart(v value, p *catalog.ProductEntry) {
	o := v.toObject()
	count := o.optionalInt("count", 1, 1, maxCount)
	at := len(p.SetOf)
	p.SetOf = append(p.SetOf, catalog.PartEntry{Count: count})
	if ref, ok := o.required("product"); ok {
		alias := ref.toText()
		b.later = append(b.later, func() {
			switch part, known := b.products[alias]; {
			case !known:
				b.addUnknown(ref, "product", alias)
			case len(part.SetOf) > 0:
				ref.addFault("%s is a set itself", alias)
			default:
				p.SetOf[at].ProductID = part.ID
			}
		})
	}
	o.checkFields()
}

// readDecimal reads a number from 0.
func (o *object) readDecimal(name string, most float64) float64 {
	if v, ok := o.required(name); ok {
		return math.Round(v.toFloat(0, most)*1000) / 1000
	}
	return 0
}
