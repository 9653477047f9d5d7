package content

import (
	"math"

	"servery/internal/catalog"
)

// maxCount is how many of one modifier or product anybody may take.
const maxCount = 100

func (b *brandReader) readModifiers() {
	v, ok := b.open("modifiers.yaml")
	if !ok {
		return
	}
	o := v.object()
	for _, single := range o.list("singles") {
		f := single.object()
		m := b.modifier(f, true)
		b.brand.Singles = append(b.brand.Singles, m)
		b.modifiers[m.Alias] = true
	}
	for _, group := range o.list("groups") {
		g := b.modifierGroup(group)
		b.brand.ModifierGroups = append(b.brand.ModifierGroups, g)
		b.modifiers[g.Alias] = true
	}
	o.done()
}

// modifier reads a single modifier or one of a group. A name and picture may be
// anything; bounds must leave the default count possible.
func (b *brandReader) modifier(o *object, single bool) catalog.ModifierEntry {
	m := catalog.ModifierEntry{
		ID: b.id(o, "modifier"), Alias: b.alias(o, b.kind("modifier")),
		Name: o.needWords("name", b.tongue), Prices: b.needPrices(o),
		Max: o.whole("max", 1, 1, maxCount), Count: o.whole("count", 0, 0, maxCount),
	}
	if single {
		m.Min = o.whole("min", 0, 0, maxCount)
	}
	if in, ok := o.get("ingredient"); ok {
		m.Ingredient = b.ingredient(in)
	}
	for _, a := range o.list("allergens") {
		m.Allergens = append(m.Allergens, oneOf(a, catalog.Allergens()))
	}
	if picture, ok := o.get("picture"); ok {
		m.Picture = b.album.use(picture, b.dir, picture.text(), dishWidth)
	}
	switch {
	case m.Min > m.Max:
		o.fault("min %d is above max %d", m.Min, m.Max)
	case m.Count < m.Min || m.Count > m.Max:
		o.fault("count %d, chosen by default, is not between min %d and max %d", m.Count, m.Min, m.Max)
	}
	o.done()
	return m
}

func (b *brandReader) modifierGroup(v value) catalog.ModifierGroupEntry {
	o := v.object()
	g := catalog.ModifierGroupEntry{
		ID: b.id(o, "modifier group"), Alias: b.alias(o, b.kind("modifier")),
		Name: o.needWords("name", b.tongue),
		Min:  o.whole("min", 0, 0, maxCount), Max: o.whole("max", 1, 1, maxCount),
		Free: o.whole("free", 0, 0, maxCount),
	}
	chosen, most := 0, 0
	for _, entry := range o.list("modifiers") {
		m := b.modifier(entry.object(), false)
		g.Modifiers = append(g.Modifiers, m)
		chosen += m.Count
		most = min(most+m.Max, math.MaxInt32)
	}
	switch {
	case len(g.Modifiers) == 0:
		v.fault("a group needs modifiers")
	case g.Min > g.Max:
		v.fault("min %d is above max %d", g.Min, g.Max)
	case g.Free > g.Max:
		v.fault("free %d is above max %d", g.Free, g.Max)
	case most < g.Min:
		v.fault("min %d cannot be reached: the modifiers allow %d together", g.Min, most)
	case chosen > g.Max:
		v.fault("%d are chosen by default, more than max %d", chosen, g.Max)
	}
	o.done()
	return g
}
