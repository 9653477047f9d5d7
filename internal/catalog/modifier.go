package catalog

import (
	"servery/internal/lang"
	"servery/internal/money"
)

// Modifiers are what can be added to a product.
type Modifiers struct {
	Singles []*Modifier
	Groups  []*ModifierGroup
}

// Available reports whether there is a modifier to choose: one that is neither stopped nor always taken.
func (m Modifiers) Available() bool {
	if hasSelectable(m.Singles) {
		return true
	}
	for _, g := range m.Groups {
		if hasSelectable(g.Modifiers) {
			return true
		}
	}
	return false
}

// hasSelectable reports whether one of the modifiers is neither stopped nor always taken.
func hasSelectable(list []*Modifier) bool {
	for _, m := range list {
		if isFixed := m.Min > 0 && m.Min == m.Max; !m.Stopped && !isFixed {
			return true
		}
	}
	return false
}

// Single returns the single modifier with the id, false when the product has none.
func (m Modifiers) Single(id int64) (*Modifier, bool) { return modifierByID(m.Singles, id) }

// Group returns the group of modifiers with the id, false when the product has none.
func (m Modifiers) Group(id int64) (*ModifierGroup, bool) {
	for _, g := range m.Groups {
		if g.ID == id {
			return g, true
		}
	}
	return nil, false
}

// ModifierGroup is a choice among modifiers: between Min and Max of them together.
type ModifierGroup struct {
	ID       int64
	Alias    string
	Name     lang.Text
	Min, Max int
	// Free is how many of the chosen ones cost nothing, the dearest first.
	Free      int
	Modifiers []*Modifier
}

// Modifier returns the modifier with the id, false when the group has none.
func (g *ModifierGroup) Modifier(id int64) (*Modifier, bool) { return modifierByID(g.Modifiers, id) }

// Modifier is something that can be added to a product at a price, at least Min and
// at most Max times, Count times when the customer chooses nothing. A stopped
// modifier cannot be chosen.
type Modifier struct {
	ID              int64
	Alias           string
	Name            lang.Text
	Price           money.Amount
	Min, Max, Count int
	Stopped         bool
	Allergens       []Allergen
	Picture         *Picture
}

// modifierByID returns the modifier with the id, false when the list has none.
func modifierByID(list []*Modifier, id int64) (*Modifier, bool) {
	for _, m := range list {
		if m.ID == id {
			return m, true
		}
	}
	return nil, false
}
