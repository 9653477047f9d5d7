package cart

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"servery/internal/catalog"
)

// boundsByCity are the bounds that content writes for each city. They are not in
// [catalog.PromocodeBounds], because [catalog.Promocode] has their value in one city.
var boundsByCity = []string{"only_cities", "minimum", "products", "groups"}

// The table of bounds has every field by which content limits a promocode, and no other.
func TestPromocodeBounds_nameEveryFieldOfContent(t *testing.T) {
	t.Parallel()
	want := map[string]bool{}
	for _, name := range boundsByCity {
		want[name] = true
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[catalog.PromocodeBounds]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "when" { // content writes its two parts
			want["days"], want["hours"] = true, true
			continue
		}
		want[name] = true
	}
	got := map[string]bool{}
	for _, bound := range promocodeBounds {
		for _, name := range strings.Split(bound.field, ", ") {
			got[name] = true
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("the table has %v, content %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}
