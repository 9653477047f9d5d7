package catalog

import (
	"slices"

	"servery/internal/fault"
)

// Allergen is one of the fourteen that must be told. The set is closed.
type Allergen string

// Allergens gives all allergens in the order in which they are shown.
func Allergens() []Allergen {
	return []Allergen{
		"gluten", "crustaceans", "molluscs", "eggs", "fish", "peanuts", "soy", "milk",
		"nuts", "celery", "mustard", "sesame", "sulphites", "lupin",
	}
}

// Message names the allergen in the customer's language.
func (a Allergen) Message() fault.Message {
	return fault.Message{Key: "catalog.allergen_" + string(a)}
}

// allergensOf gives the allergens of the ingredients, each once, in the fixed order.
func allergensOf(ingredients ...*Ingredient) []Allergen {
	var found []Allergen
	for _, a := range Allergens() {
		if slices.ContainsFunc(ingredients, func(in *Ingredient) bool { return slices.Contains(in.Allergens, a) }) {
			found = append(found, a)
		}
	}
	return found
}
