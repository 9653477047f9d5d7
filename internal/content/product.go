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
	files := b.within(b.dir + "/menu")
	if len(files) == 0 {
		b.add(b.dir+"/menu", 0, "there is no menu: no YAML file in this folder")
	}
	for _, name := range files {
		tree, ok := b.trees[name]
		if !ok {
			b.unread[b.dir+"/menu"] = true
			continue
		}
		o := tree.object()
		var g catalog.GroupEntry
		if group, ok := o.need("group"); ok {
			g = b.group(group)
			b.groups[g.Alias] = g.ID
			b.brand.Groups = append(b.brand.Groups, g)
		}
		for _, entry := range o.list("products") {
			b.product(entry, g.ID)
		}
		o.done()
	}
}

func (b *brandReader) group(v value) catalog.GroupEntry {
	o := v.object()
	g := catalog.GroupEntry{
		ID: b.id(o, "product group"), Alias: b.alias(o, b.kind("product group")),
		Name: o.needWords("name", b.tongue), ShowOnMain: o.truth("show_on_main", false),
	}
	if picture, ok := o.get("picture"); ok {
		g.Picture = b.album.use(picture, b.dir, picture.text(), dishWidth)
	}
	for _, related := range o.list("related_groups") {
		g.Related = append(g.Related, related.text())
		b.refer(related, "product group", b.groups, func(int64) {})
	}
	o.done()
	return g
}

func (b *brandReader) product(v value, group int64) {
	o := v.object()
	p := &catalog.ProductEntry{
		ID: b.id(o, "product"), Alias: b.alias(o, b.kind("product")), GroupID: group,
		Name: o.needWords("name", b.tongue), Description: o.words("description", b.tongue),
		Prices:      b.needPrices(o),
		MakeMinutes: o.whole("make_minutes", 0, 0, 24*60), Quantity: o.whole("quantity", 0, 0, 1000),
		Related: o.truth("related", false), AccentText: o.words("accent_text", b.tongue),
		SaleMultiplicity: o.whole("sale_multiplicity", 1, 1, maxCount),
	}
	p.SaleMultiplicityLastHour = o.whole("sale_multiplicity_last_hour", int64(p.SaleMultiplicity), 1, maxCount)
	p.BasicPrices = b.otherPrices(o, "basic_price", p.Prices, func(price, basic money.Amount) bool { return basic >= price }, "is below the price")
	p.TakeawayPrices = b.otherPrices(o, "takeaway_price", p.Prices, func(price, takeaway money.Amount) bool { return takeaway <= price }, "is above the price")
	if accent, ok := o.get("accent"); ok {
		p.Accent = oneOf(accent, catalog.Accents())
	}
	b.makeup(o, p)
	b.limits(o, p)
	for _, part := range o.list("set_of") {
		b.part(part, p)
	}
	if picture, ok := o.get("picture"); !ok {
		p.Picture = b.album.use(o.fields["alias"], b.dir, p.Alias, dishWidth)
	} else if name := picture.text(); name != noPicture {
		p.Picture = b.album.use(picture, b.dir, name, dishWidth)
	}
	o.done()
	b.products[p.Alias] = p
	// Copied when its references, which are checked before, are filled in.
	b.later = append(b.later, func() { b.brand.Products = append(b.brand.Products, *p) })
}

// makeup reads what a product is made of and what can be added to it.
func (b *brandReader) makeup(o *object, p *catalog.ProductEntry) {
	for _, in := range o.list("composition") {
		p.Composition = append(p.Composition, b.ingredient(in))
	}
	for _, m := range o.list("modifiers") {
		alias := m.text()
		if !b.modifiers[alias] {
			b.unknown(m, "modifier or group of modifiers", alias)
		}
		p.Modifiers = append(p.Modifiers, alias)
	}
	if v, ok := o.get("weight"); ok {
		f := v.object()
		p.Weight = &catalog.Weight{Value: f.decimal("value", 100_000)}
		if unit, ok := f.need("unit"); ok {
			p.Weight.Unit = oneOf(unit, catalog.Units())
		}
		f.done()
	}
	if v, ok := o.get("nutrition"); ok {
		f := v.object()
		p.Nutrition = &catalog.Nutrition{
			Proteins: f.decimal("proteins", 100), Fats: f.decimal("fats", 100),
			Carbohydrates: f.decimal("carbohydrates", 100), Kilocalories: f.decimal("kilocalories", 1000),
		}
		f.done()
	}
}

// limits reads where and how a product is sold only.
func (b *brandReader) limits(o *object, p *catalog.ProductEntry) {
	b.referAll(o.list("only_cities"), "city of the brand", b.cities, &p.OnlyCities)
	b.referAll(o.list("not_cities"), "city of the brand", b.cities, &p.NotCities)
	b.referAll(o.list("only_shops"), "shop", b.shops, &p.OnlyShops)
	p.OnlyOrderTypes = o.orderTypes("only_order_types")
}

func (b *brandReader) part(v value, p *catalog.ProductEntry) {
	o := v.object()
	count := o.whole("count", 1, 1, maxCount)
	at := len(p.SetOf)
	p.SetOf = append(p.SetOf, catalog.PartEntry{Count: count})
	if ref, ok := o.need("product"); ok {
		alias := ref.text()
		b.later = append(b.later, func() {
			switch part, known := b.products[alias]; {
			case !known:
				b.unknown(ref, "product", alias)
			case len(part.SetOf) > 0:
				ref.fault("%s is a set itself", alias)
			default:
				p.SetOf[at].ProductID = part.ID
			}
		})
	}
	o.done()
}

// decimal reads a number from 0.
func (o *object) decimal(name string, most float64) float64 {
	if v, ok := o.need(name); ok {
		return math.Round(v.number(0, most)*1000) / 1000
	}
	return 0
}
