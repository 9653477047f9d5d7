package cart_test

import (
	"reflect"
	"slices"
	"testing"

	"servery/internal/catalog"
	"servery/internal/catalog/fieldtest"
)

// The random brands set every field of content that a price depends on; otherwise the second
// model would not prove its rule.
func TestTwoModels_haveAWorldWithEveryFieldThatPricesFollowFrom(t *testing.T) {
	t.Parallel()
	entries, menu := fieldtest.Fields{}, fieldtest.Fields{}
	w := newWorld(t, worldSeed, 60)
	for _, h := range w.houses {
		entries.Add(*h.Brand, "catalog")
		for n := range uint64(20) {
			m := w.newCase(caseSeed, n)
			q := w.quoteByProgram(m)
			for code := range h.codes {
				if p, ok := q.Menu.Promocode(code); ok {
					menu.Add(*p, "catalog")
				}
			}
		}
	}
	types := []string{"PromocodeEntry", "PromocodeBounds", "GiftEntry", "ConditionEntry", "Window", "PackageEntry", "ModifierEntry", "ModifierGroupEntry", "PartEntry", "ProductEntry"}
	// These are only shown, or decide the intervals: they change no sum of a cart.
	except := []string{
		"GiftEntry.Name", "GiftEntry.Description", "GiftEntry.Picture", "ModifierEntry.Ingredient", "ModifierEntry.Allergens", "ModifierEntry.Picture",
		"ProductEntry.Description", "ProductEntry.Composition", "ProductEntry.Nutrition", "ProductEntry.Weight", "ProductEntry.Quantity",
		"ProductEntry.Accent", "ProductEntry.AccentText", "ProductEntry.Picture", "ProductEntry.Packed",
		"ProductEntry.Additives", "ProductEntry.LowestPrices",
		"ProductEntry.BasicPrices", "ProductEntry.MakeMinutes", "ProductEntry.SetOf",
	}
	if unset := entries.Unset(types, except); len(unset) > 0 {
		t.Errorf("the world makes none of these fields, or makes one that is excepted: %v", unset)
	}
	if unset := menu.Unset([]string{"Promocode", "PromocodeBounds"}, nil); len(unset) > 0 {
		t.Errorf("no menu has these fields of promocodes: %v", unset)
	}
}

// Each field by which content limits a promocode has a rule in the second model.
func TestTwoModels_holdEveryBoundOfPromocodes(t *testing.T) {
	t.Parallel()
	var held []string
	for _, b := range bounds {
		held = append(held, b.name)
	}
	// The bound of each field that has another name in the second model, empty for a field that is no bound.
	otherNames := map[string]string{"id": "", "code": "", "kind": "", "percent": "", "sum": "", "gift_id": "gift", "only_cities": "cities", "groups": "products"}
	for _, name := range fieldtest.Names(reflect.TypeFor[catalog.PromocodeEntry]()) {
		if otherName, ok := otherNames[name]; ok {
			name = otherName
		}
		if name != "" && !slices.Contains(held, name) {
			t.Errorf("the second model holds no bound %s", name)
		}
	}
}
