package content

import (
	"math"
	"slices"

	"servery/internal/catalog"
	"servery/internal/site"
)

// readGifts reads gifts.yaml, which may be absent.
func (b *brandReader) readGifts() {
	v, ok := b.openFile("gifts.yaml")
	if !ok {
		return
	}
	for _, entry := range v.toList() {
		g := b.readGift(entry)
		b.gifts[g.Alias] = g.ID
		b.brand.Gifts = append(b.brand.Gifts, g)
	}
}

// readGift reads a gift; a personal one is neither conditional nor bound to cities.
func (b *brandReader) readGift(v value) catalog.GiftEntry {
	o := v.toObject()
	g := catalog.GiftEntry{
		ID: b.readID(o, "gift"), Alias: b.readAlias(o, b.kindOf("gift")),
		Name: o.localizedText("name", b.texts), Description: o.localizedText("description", b.texts),
		MaxCount: o.optionalInt("max_count", 1, 1, maxCount), Stock: o.readLimit("stock"),
		Personal:   o.optionalBool("personal", false),
		OnlyCities: b.idsOf(o.optionalList("only_cities"), "city of the brand", b.cities),
	}
	if ref, ok := o.required("product"); ok {
		g.ProductID = b.giftProduct(ref)
	}
	if picture, ok := o.optional("picture"); ok {
		g.Picture = b.album.usePicture(picture, b.dir, picture.toText(), dishWidth)
	}
	for _, condition := range o.optionalList("conditions") {
		g.Conditions = append(g.Conditions, b.readCondition(condition))
	}
	switch {
	case g.Personal && len(g.Conditions) > 0:
		v.addFault("a personal gift has no conditions: it is given as a present or by a promocode")
	case g.Personal && len(g.OnlyCities) > 0:
		v.addFault("a personal gift is offered nowhere, so only_cities has no meaning")
	case g.Stock != nil && g.MaxCount > *g.Stock:
		v.addFault("max_count %d is above stock %d", g.MaxCount, *g.Stock)
	}
	o.checkFields()
	return g
}

// giftProduct finds the product of a gift, which must be complete when the customer chooses
// nothing.
func (b *brandReader) giftProduct(ref value) int64 {
	alias := ref.toText()
	p, known := b.products[alias]
	if !known {
		b.addUnknown(ref, "product", alias)
		return 0
	}
	for _, g := range b.brand.ModifierGroups {
		if !slices.Contains(p.Modifiers, g.Alias) {
			continue
		}
		chosen := 0
		for _, m := range g.Modifiers {
			chosen += m.Count
		}
		if chosen < g.Min {
			ref.addFault("%s cannot be given: its modifiers %s need a choice, and %d of %d are chosen by default", alias, g.Alias, chosen, g.Min)
		}
	}
	return p.ID
}

// readCondition reads one condition of a gift: one of its fields, or days and hours together.
func (b *brandReader) readCondition(v value) catalog.ConditionEntry {
	o := v.toObject()
	c := catalog.ConditionEntry{
		Products: b.productIDs(o.optionalList("products")), Groups: b.idsOf(o.optionalList("groups"), "product group", b.groups),
		OrderTypes: o.fewOrderTypes(), FirstOrder: o.optionalBool("first_order", false), When: o.readWindow(),
	}
	if sum, ok := o.optional("subtotal"); ok {
		c.Subtotal = b.readSums(sum)
	}
	kinds := 0
	for _, named := range [...]bool{
		c.Subtotal != nil, len(c.Products) > 0, len(c.Groups) > 0, len(c.OrderTypes) > 0, c.FirstOrder, c.When != nil,
	} {
		if named {
			kinds++
		}
	}
	if o.checkFields(); kinds != 1 {
		v.addFault("a condition is one of subtotal, products, groups, order_types, first_order: true, or days and hours")
	}
	return c
}

// readSums reads amounts for all price lists, none of which is zero.
func (b *brandReader) readSums(v value) catalog.Prices {
	sums := b.readPrices(v, true)
	for _, list := range b.lists {
		if sum, ok := sums[list.alias]; ok && sum == 0 {
			v.addFault("the amount is zero in price list %s", list.alias)
		}
	}
	return sums
}

// readLimit reads the number of items that there are in all; nil is no limit.
func (o *object) readLimit(name string) *int {
	v, ok := o.optional(name)
	if !ok {
		return nil
	}
	n := int(v.toInt(1, math.MaxInt32))
	return &n
}

// fewOrderTypes reads the order types that something is limited to; none means all, and naming all
// is a fault.
func (o *object) fewOrderTypes() []site.OrderType {
	types := o.readOrderTypes("order_types")
	if len(types) >= len(site.OrderTypes()) {
		o.fields["order_types"].addFault("order_types names all of them; leave it out")
	}
	return types
}

func (b *brandReader) productIDs(refs []value) []int64 {
	known := make(map[string]int64, len(b.products))
	for alias, p := range b.products {
		known[alias] = p.ID
	}
	return b.idsOf(refs, "product", known)
}

// idsOf returns the ids of the aliases, which must have been read before, each once.
func (b *brandReader) idsOf(refs []value, what string, known map[string]int64) []int64 {
	var ids []int64
	for _, ref := range refs {
		alias := ref.toText()
		id, ok := known[alias]
		switch {
		case !ok:
			b.addUnknown(ref, what, alias)
		case slices.Contains(ids, id):
			ref.addFault("%s stands here twice", alias)
		}
		ids = append(ids, id)
	}
	return ids
}
