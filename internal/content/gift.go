package content

import (
	"math"
	"slices"

	"servery/internal/catalog"
	"servery/internal/site"
)

func (b *brandReader) readGifts() {
	v, ok := b.open("gifts.yaml")
	if !ok {
		return
	}
	for _, entry := range v.list() {
		g := b.gift(entry)
		b.gifts[g.Alias] = g.ID
		b.brand.Gifts = append(b.brand.Gifts, g)
	}
}

func (b *brandReader) gift(v value) catalog.GiftEntry {
	o := v.object()
	g := catalog.GiftEntry{
		ID: b.id(o, "gift"), Alias: b.alias(o, b.kind("gift")),
		Name: o.words("name", b.tongue), Description: o.words("description", b.tongue),
		MaxCount: o.whole("max_count", 1, 1, maxCount), Stock: o.limit("stock"),
		Personal:   o.truth("personal", false),
		OnlyCities: b.idsOf(o.list("only_cities"), "city of the brand", b.cities),
	}
	if ref, ok := o.need("product"); ok {
		g.ProductID = b.givenProduct(ref)
	}
	if picture, ok := o.get("picture"); ok {
		g.Picture = b.album.use(picture, b.dir, picture.text(), dishWidth)
	}
	for _, condition := range o.list("conditions") {
		g.Conditions = append(g.Conditions, b.condition(condition))
	}
	switch {
	case g.Personal && len(g.Conditions) > 0:
		v.fault("a personal gift has no conditions: it is given as a present or by a promocode")
	case g.Personal && len(g.OnlyCities) > 0:
		v.fault("a personal gift is offered nowhere, so only_cities has no meaning")
	case g.Stock != nil && g.MaxCount > *g.Stock:
		v.fault("max_count %d is above stock %d", g.MaxCount, *g.Stock)
	}
	o.done()
	return g
}

// givenProduct finds the product of a gift, which is given as it is when the customer
// chooses nothing.
func (b *brandReader) givenProduct(ref value) int64 {
	alias := ref.text()
	p, known := b.products[alias]
	if !known {
		b.unknown(ref, "product", alias)
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
			ref.fault("%s cannot be given: its modifiers %s need a choice, and %d of %d are chosen by default", alias, g.Alias, chosen, g.Min)
		}
	}
	return p.ID
}

// condition reads one condition of a gift: one of its fields, or days and hours
// together.
func (b *brandReader) condition(v value) catalog.ConditionEntry {
	o := v.object()
	c := catalog.ConditionEntry{
		Products: b.productIDs(o.list("products")), Groups: b.idsOf(o.list("groups"), "product group", b.groups),
		OrderTypes: o.fewOrderTypes(), FirstOrder: o.truth("first_order", false), When: o.window(),
	}
	if sum, ok := o.get("subtotal"); ok {
		c.Subtotal = b.sums(sum)
	}
	kinds := 0
	for _, named := range [...]bool{
		c.Subtotal != nil, len(c.Products) > 0, len(c.Groups) > 0, len(c.OrderTypes) > 0, c.FirstOrder, c.When != nil,
	} {
		if named {
			kinds++
		}
	}
	if o.done(); kinds != 1 {
		v.fault("a condition is one of subtotal, products, groups, order_types, first_order: true, or days and hours")
	}
	return c
}

// sums reads amounts for all price lists, none of which is zero.
func (b *brandReader) sums(v value) catalog.Prices {
	sums := b.prices(v, true)
	for _, list := range b.lists {
		if sum, ok := sums[list.alias]; ok && sum == 0 {
			v.fault("the amount is zero in price list %s", list.alias)
		}
	}
	return sums
}

// limit reads a number of things that there are in all; nil is no limit.
func (o *object) limit(name string) *int {
	v, ok := o.get(name)
	if !ok {
		return nil
	}
	n := int(v.whole(1, math.MaxInt32))
	return &n
}

// fewOrderTypes reads the order types that something holds for; none means all, and
// naming all is a fault.
func (o *object) fewOrderTypes() []site.OrderType {
	types := o.orderTypes("order_types")
	if len(types) >= len(site.OrderTypes()) {
		o.fields["order_types"].fault("order_types names all of them; leave it out")
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

// idsOf finds what was read before, each once.
func (b *brandReader) idsOf(refs []value, what string, known map[string]int64) []int64 {
	var ids []int64
	for _, ref := range refs {
		alias := ref.text()
		id, ok := known[alias]
		switch {
		case !ok:
			b.unknown(ref, what, alias)
		case slices.Contains(ids, id):
			ref.fault("%s stands here twice", alias)
		}
		ids = append(ids, id)
	}
	return ids
}
