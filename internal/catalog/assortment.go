package catalog

import (
	"cmp"
	"fmt"
	"slices"

	"servery/internal/site"
)

// assortment is what a brand sells, with its references resolved once so that menus are made
// quickly.
type assortment struct {
	site        *site.Site
	brand       *Brand
	ingredients map[string]*Ingredient // by alias
	products    []item
	promotions  map[string]*Promotion
	banners     map[string]*Banner
	allergens   []Allergen // of all products and modifiers together
}

// item is a product with all that is the same at every place.
type item struct {
	entry *ProductEntry
	base  Product
}

// newAssortment returns the assortment of a brand with its aliases resolved. It returns an error
// for an unknown ingredient: the import refuses those, so another program wrote the revision.
func newAssortment(b *Brand) (*assortment, error) {
	a := &assortment{
		site: b.Site, brand: b,
		ingredients: map[string]*Ingredient{}, promotions: map[string]*Promotion{},
		banners:  map[string]*Banner{},
		products: make([]item, len(b.Products)),
	}
	for i := range b.Ingredients {
		a.ingredients[b.Ingredients[i].Alias] = &b.Ingredients[i]
	}
	for i := range b.Promotions {
		a.promotions[b.Promotions[i].Alias] = &b.Promotions[i]
	}
	for i := range b.Banners {
		a.banners[b.Banners[i].Alias] = &b.Banners[i]
	}
	hasRelated := map[int64]bool{} // by group id
	for _, g := range b.Groups {
		hasRelated[g.ID] = len(g.Related) > 0
	}
	for i := range b.Products {
		e := &b.Products[i]
		composition := make([]*Ingredient, len(e.Composition))
		for k, alias := range e.Composition {
			in, ok := a.ingredients[alias]
			if !ok {
				return nil, fmt.Errorf("product %s: unknown ingredient %s", e.Alias, alias)
			}
			composition[k] = in
		}
		a.products[i] = item{entry: e, base: Product{
			ID: e.ID, Alias: e.Alias, Name: e.Name, Description: e.Description, GroupID: e.GroupID,
			MakeMinutes: e.MakeMinutes, SaleMultiplicity: max(e.SaleMultiplicity, 1),
			SaleMultiplicityLastHour: cmp.Or(e.SaleMultiplicityLastHour, e.SaleMultiplicity, 1),
			Composition:              composition, Allergens: allergensOf(composition...),
			Nutrition: e.Nutrition, Weight: e.Weight, Quantity: e.Quantity,
			Accent: e.Accent, AccentText: e.AccentText, HasRelated: hasRelated[e.GroupID], Picture: e.Picture,
		}}
	}
	a.allergens = a.collectAllergens()
	return a, nil
}

// collectAllergens returns the allergens of all products and modifiers together.
func (a *assortment) collectAllergens() []Allergen {
	var ingredients []*Ingredient
	for i := range a.products {
		ingredients = append(ingredients, a.products[i].base.Composition...)
	}
	modifiers := slices.Clone(a.brand.Singles)
	for i := range a.brand.ModifierGroups {
		modifiers = append(modifiers, a.brand.ModifierGroups[i].Modifiers...)
	}
	for i := range modifiers {
		ingredients = append(ingredients, &Ingredient{Allergens: modifiers[i].Allergens}) // the modifier's own
		if in := a.ingredients[modifiers[i].Ingredient]; in != nil {
			ingredients = append(ingredients, in)
		}
	}
	return allergensOf(ingredients...)
}

// promotionsOf returns the promotions that the city lists, in the order of that list. An alias
// that the brand does not have is left out.
func (a *assortment) promotionsOf(c *site.City) []*Promotion {
	list := make([]*Promotion, 0, len(c.Promotions))
	for _, alias := range c.Promotions {
		if p, ok := a.promotions[alias]; ok {
			list = append(list, p)
		}
	}
	return list
}
