package cart

import (
	"slices"

	"servery/internal/catalog"
)

// Allergens returns the allergens of the line's product and its modifiers, in the order in which
// allergens are shown.
func (p Priced) Allergens() []catalog.Allergen {
	chosen := make([]*catalog.Modifier, len(p.Modifiers))
	for i, m := range p.Modifiers {
		chosen[i] = m.Modifier
	}
	return allergensOf(p.Product, chosen)
}

// Allergens returns the allergens of the gift's product with its usual modifiers, in the order in
// which allergens are shown.
func (g PricedGift) Allergens() []catalog.Allergen {
	var usual []*catalog.Modifier
	for _, c := range Usual(g.Gift.Product) {
		if m, ok := modifierOf(g.Gift.Product, c); ok && c.Count > 0 {
			usual = append(usual, m)
		}
	}
	return allergensOf(g.Gift.Product, usual)
}

// allergensOf returns the allergens of a product and of the modifiers, each once, in the order of
// [catalog.Allergens].
func allergensOf(p *catalog.Product, modifiers []*catalog.Modifier) []catalog.Allergen {
	if !slices.ContainsFunc(modifiers, func(m *catalog.Modifier) bool { return len(m.Allergens) > 0 }) {
		return p.Allergens
	}
	var all []catalog.Allergen
	for _, a := range catalog.Allergens() {
		has := func(m *catalog.Modifier) bool { return slices.Contains(m.Allergens, a) }
		if slices.Contains(p.Allergens, a) || slices.ContainsFunc(modifiers, has) {
			all = append(all, a)
		}
	}
	return all
}
