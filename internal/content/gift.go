package content

import (
	"slices"

	"servery/internal/catalog"
	"servery/internal/site"
)

// giftFields is an entry of gifts.yaml.
type giftFields struct {
	ID    idValue    `field:"id,required"`
	Alias aliasValue `field:"alias,required"`
	// What is given
	Product aliasValue `field:"product,required"`
	// In place of the product's
	Name textValue `field:"name"`
	// In place of the product's
	Description textValue `field:"description"`
	// In place of the product's; a name in pictures/, without folder and ending
	Picture aliasValue `field:"picture"`
	// How many one cart may hold
	MaxCount int `field:"max_count" min:"1" max:"100" default:"1"`
	// How many there are in all; absent is no limit
	Stock *int `field:"stock" min:"1"`
	// Given as a present or by a promocode only
	Personal bool `field:"personal"`
	// Where it is offered; absent is everywhere
	OnlyCities []aliasValue `field:"only_cities" unique:"true"`
	// All of them must hold
	Conditions []mappingOf[conditionFields] `field:"conditions"`
}

// conditionFields is a condition of a gift.
type conditionFields struct {
	// From this subtotal on
	Subtotal pricesValue `field:"subtotal" either:"condition"`
	// One of them is in the cart
	Products []aliasValue `field:"products" items:"1" unique:"true" either:"condition"`
	// A product of one of them is in the cart
	Groups []aliasValue `field:"groups" items:"1" unique:"true" either:"condition"`
	// For one order type only
	OrderTypes []site.OrderType `field:"order_types" items:"1" one:"orderTypes" unique:"true" either:"condition"`
	// For customers and phones without an earlier order
	FirstOrder bool `field:"first_order" one:"true" either:"condition"`
	// On these days of the week only
	Days daysValue `field:"days" either:"condition/when"`
	// In these hours only; those past 24:00 belong to the day on which they began
	Hours spansValue `field:"hours" items:"1" either:"condition/when"`
}

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

// readGift reads a gift. It adds a fault where a personal gift has conditions or cities, or max_count
// is above stock.
func (b *brandReader) readGift(v value) catalog.GiftEntry {
	f, _ := readFields[giftFields](v)
	g := catalog.GiftEntry{
		ID: b.readID(f.ID, "gift"), Alias: b.readAlias(f.Alias, b.kindOf("gift")),
		Name: f.Name.localizedText(b.texts), Description: f.Description.localizedText(b.texts),
		MaxCount: f.MaxCount, Stock: f.Stock, Personal: f.Personal,
		OnlyCities: b.idsOf(f.OnlyCities, "city of the brand", b.cities),
		Picture:    b.readPicture(f.Picture, dishWidth),
	}
	if !f.Product.isNull() {
		g.ProductID = b.findGiftProduct(f.Product.value)
	}
	for _, condition := range f.Conditions {
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
	return g
}

// findGiftProduct returns the id of a gift's product. It adds a fault when the product needs a choice
// of modifiers, and when the product is unknown; then it returns 0.
func (b *brandReader) findGiftProduct(ref value) int64 {
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
func (b *brandReader) readCondition(v mappingOf[conditionFields]) catalog.ConditionEntry {
	f, o := v.readMapping()
	c := catalog.ConditionEntry{
		Subtotal: b.readSums(f.Subtotal), Products: b.productIDs(f.Products), Groups: b.idsOf(f.Groups, "product group", b.groups),
		OrderTypes: o.checkOrderTypes(f.OrderTypes), FirstOrder: f.FirstOrder, When: readWindow(f.Days, f.Hours),
	}
	if o.chosen["condition"] != 1 { // days and hours count as one
		v.addFault("a condition is one of subtotal, products, groups, order_types, first_order: true, or days and hours")
	}
	return c
}

// readSums reads amounts for all price lists, none of which may be zero. It returns nil when the field
// is absent.
func (b *brandReader) readSums(v pricesValue) catalog.Prices {
	if v.isNull() {
		return nil
	}
	sums := b.readPrices(v, inEveryList)
	for _, list := range b.lists {
		if sum, ok := sums[list.alias]; ok && sum == 0 {
			v.addFault("the amount is zero in price list %s", list.alias)
		}
	}
	return sums
}

// checkOrderTypes adds a fault when an offer is limited to all order types, since leaving the field out
// means that. It returns the types unchanged, for use in an expression.
func (o *object) checkOrderTypes(types []site.OrderType) []site.OrderType {
	if len(types) >= len(site.OrderTypes()) {
		o.fields["order_types"].addFault("order_types names all of them; leave it out")
	}
	return types
}

// productIDs returns the ids of the products with these aliases, which must have been read before.
func (b *brandReader) productIDs(refs []aliasValue) []int64 {
	known := make(map[string]int64, len(b.products))
	for alias, p := range b.products {
		known[alias] = p.ID
	}
	return b.idsOf(refs, "product", known)
}

// idsOf returns the ids of the aliases, which must have been read before. For an unknown alias it adds a
// fault and returns 0.
func (b *brandReader) idsOf(refs []aliasValue, what string, known map[string]int64) []int64 {
	var ids []int64
	for _, ref := range refs {
		alias := ref.toText()
		id, ok := known[alias]
		if !ok {
			b.addUnknown(ref.value, what, alias)
		}
		ids = append(ids, id)
	}
	return ids
}
