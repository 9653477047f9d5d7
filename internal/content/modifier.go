package content

import "servery/internal/catalog"

// modifiersFields is modifiers.yaml.
type modifiersFields struct {
	// Modifiers that are chosen one by one
	Singles []mappingOf[singleFields] `field:"singles"`
	// Modifiers among which is chosen
	Groups []mappingOf[modifierGroupFields] `field:"groups"`
}

// modifierFields is a modifier.
type modifierFields struct {
	ID    idValue     `field:"id,required"`
	Alias aliasValue  `field:"alias,required"`
	Name  textValue   `field:"name,required"`
	Price pricesValue `field:"price,required"`
	// How many can be chosen
	Max int `field:"max" min:"1" max:"100" default:"1"`
	// Chosen by default
	Count int `field:"count" min:"0" max:"100" default:"0"`
	// What it is made of
	Ingredient aliasValue `field:"ingredient"`
	// Besides those of the ingredient
	Allergens []catalog.Allergen `field:"allergens" one:"allergens" unique:"true"`
	// Name in pictures/, without folder and ending
	Picture aliasValue `field:"picture"`
}

// singleFields is a modifier that is in no group.
type singleFields struct {
	modifierFields
	// How many must be chosen
	Min int `field:"min" min:"0" max:"100" default:"0"`
}

// modifierGroupFields is a group of modifiers.
type modifierGroupFields struct {
	ID    idValue    `field:"id,required"`
	Alias aliasValue `field:"alias,required"`
	Name  textValue  `field:"name,required"`
	// How many must be chosen, of all modifiers of the group together
	Min int `field:"min" min:"0" max:"100" default:"0"`
	// How many can be chosen
	Max int `field:"max" min:"1" max:"100" default:"1"`
	// How many of the chosen ones cost nothing, the dearest first
	Free      int                         `field:"free" min:"0" max:"100" default:"0"`
	Modifiers []mappingOf[modifierFields] `field:"modifiers,required" items:"1"`
}

// readModifiers reads modifiers.yaml, which may be absent.
func (b *brandReader) readModifiers() {
	v, ok := b.openFile("modifiers.yaml")
	if !ok {
		return
	}
	f, _ := readFields[modifiersFields](v)
	for _, entry := range f.Singles {
		single, o := entry.readMapping()
		m := b.readModifier(&single.modifierFields, o, single.Min)
		b.brand.Singles = append(b.brand.Singles, m)
		b.modifiers[m.Alias] = true
	}
	for _, group := range f.Groups {
		g := b.readModifierGroup(group)
		b.brand.ModifierGroups = append(b.brand.ModifierGroups, g)
		b.modifiers[g.Alias] = true
	}
}

// readModifier reads a single modifier or one of a group; atLeast is how many must be chosen. The
// default count must be within the bounds.
func (b *brandReader) readModifier(f *modifierFields, o *object, atLeast int) catalog.ModifierEntry {
	m := catalog.ModifierEntry{
		ID: b.readID(f.ID, "modifier"), Alias: b.readAlias(f.Alias, b.kindOf("modifier")),
		Name: f.Name.localizedText(b.texts), Prices: b.needPrices(f.Price), Min: atLeast, Max: f.Max, Count: f.Count,
		Allergens: f.Allergens, Picture: b.readPicture(f.Picture, dishWidth),
	}
	if !f.Ingredient.isNull() {
		m.Ingredient = b.readIngredient(f.Ingredient)
	}
	switch {
	case m.Min > m.Max:
		o.addFault("min %d is above max %d", m.Min, m.Max)
	case m.Count < m.Min || m.Count > m.Max:
		o.addFault("count %d, chosen by default, is not between min %d and max %d", m.Count, m.Min, m.Max)
	}
	return m
}

// readModifierGroup reads a group. It adds a fault where its modifiers do not allow its bounds.
func (b *brandReader) readModifierGroup(v mappingOf[modifierGroupFields]) catalog.ModifierGroupEntry {
	f, _ := v.readMapping()
	g := catalog.ModifierGroupEntry{
		ID: b.readID(f.ID, "modifier group"), Alias: b.readAlias(f.Alias, b.kindOf("modifier")),
		Name: f.Name.localizedText(b.texts), Min: f.Min, Max: f.Max, Free: f.Free,
	}
	chosen, most := 0, 0
	for _, entry := range f.Modifiers {
		modifier, o := entry.readMapping()
		const atLeast = 0 // only the group has a minimum
		m := b.readModifier(modifier, o, atLeast)
		g.Modifiers = append(g.Modifiers, m)
		chosen += m.Count
		most += m.Max
	}
	switch {
	case g.Min > g.Max:
		v.addFault("min %d is above max %d", g.Min, g.Max)
	case g.Free > g.Max:
		v.addFault("free %d is above max %d", g.Free, g.Max)
	case most < g.Min:
		v.addFault("min %d cannot be reached: the modifiers allow %d together", g.Min, most)
	case chosen > g.Max:
		v.addFault("%d are chosen by default, more than max %d", chosen, g.Max)
	}
	return g
}
