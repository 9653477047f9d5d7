package catalog

import (
	"slices"

	"servery/internal/fault"
)

// Allergen is one of the fourteen that must be declared. The set is closed.
type Allergen string

// Allergens returns all allergens in the order in which they are shown.
func Allergens() []Allergen {
	return []Allergen{
		"gluten", "crustaceans", "molluscs", "eggs", "fish", "peanuts", "soy", "milk",
		"nuts", "celery", "mustard", "sesame", "sulphites", "lupin",
	}
}

// Message returns the name of the allergen.
func (a Allergen) Message() fault.Message {
	return fault.Message{Key: "catalog.allergen_" + string(a)}
}

// allergensOf returns the allergens of the ingredients, each once, in the fixed order.
func allergensOf(ingredients ...*Ingredient) []Allergen {
	var found []Allergen
	for _, a := range Allergens() {
		if slices.ContainsFunc(ingredients, func(in *Ingredient) bool { return slices.Contains(in.Allergens, a) }) {
			found = append(found, a)
		}
	}
	return found
}
