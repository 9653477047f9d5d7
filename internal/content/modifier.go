package content

import (
	"math"

	"servery/internal/catalog"
)

// maxCount is how many of one modifier or product a cart may hold.
const maxCount = 100

// readModifiers reads modifiers.yaml, which may be absent.
func (b *brandReader) readModifiers() {
	v, ok := b.openFile("modifiers.yaml")
	if !ok {
		return
	}
	o := v.toObject()
	for _, single := range o.optionalList("singles") {
		f := single.toObject()
		m := b.readModifier(f, true)
		b.brand.Singles = append(b.brand.Singles, m)
		b.modifiers[m.Alias] = true
	}
	for _, group := range o.optionalList("groups") {
		g := b.readModifierGroup(group)
		b.brand.ModifierGroups = append(b.brand.ModifierGroups, g)
		b.modifiers[g.Alias] = true
	}
	o.checkFields()
}

// readModifier reads a single modifier or one of a group. The default count must be within the
// bounds.
func (b *brandReader) readModifier(o *object, single bool) catalog.ModifierEntry {
	m := catalog.ModifierEntry{
		ID: b.readID(o, "modifier"), Alias: b.readAlias(o, b.kindOf("modifier")),
		Name: o.requiredLocalizedText("name", b.texts), Prices: b.needPrices(o),
		Max: o.optionalInt("max", 1, 1, maxCount), Count: o.optionalInt("count", 0, 0, maxCount),
	}
	if single {
		m.Min = o.optionalInt("min", 0, 0, maxCount)
	}
	if in, ok := o.optional("ingredient"); ok {
		m.Ingredient = b.readIngredient(in)
	}
	for _, a := range o.optionalList("allergens") {
		m.Allergens = append(m.Allergens, toOneOf(a, catalog.Allergens()))
	}
	if picture, ok := o.optional("picture"); ok {
		m.Picture = b.album.usePicture(picture, b.dir, picture.toText(), dishWidth)
	}
	switch {
	case m.Min > m.Max:
		o.addFault("min %d is above max %d", m.Min, m.Max)
	case m.Count < m.Min || m.Count > m.Max:
		o.addFault("count %d, chosen by default, is not between min %d and max %d", m.Count, m.Min, m.Max)
	}
	o.checkFields()
	return m
}

// readModifierGroup reads a group, whose modifiers must allow its bounds.
func (b *brandReader) readModifierGroup(v value) catalog.ModifierGroupEntry {
	o := v.toObject()
	g := catalog.ModifierGroupEntry{
		ID: b.readID(o, "modifier group"), Alias: b.readAlias(o, b.kindOf("modifier")),
		Name: o.requiredLocalizedText("name", b.texts),
		Min:  o.optionalInt("min", 0, 0, maxCount), Max: o.optionalInt("max", 1, 1, maxCount),
		Free: o.optionalInt("free", 0, 0, maxCount),
	}
	chosen, most := 0, 0
	for _, entry := range o.optionalList("modifiers") {
		m := b.readModifier(entry.toObject(), false)
		g.Modifiers = append(g.Modifiers, m)
		chosen += m.Count
		most = min(most+m.Max, math.MaxInt32)
	}
	switch {
	case len(g.Modifiers) == 0:
		v.addFault("a group needs modifiers")
	case g.Min > g.Max:
		v.addFault("min %d is above max %d", g.Min, g.Max)
	case g.Free > g.Max:
		v.addFault("free %d is above max %d", g.Free, g.Max)
	case most < g.Min:
		v.addFault("min %d cannot be reached: the modifiers allow %d together", g.Min, most)
	case chosen > g.Max:
		v.addFault("%d are chosen by default, more than max %d", chosen, g.Max)
	}
	o.checkFields()
	return g
}
