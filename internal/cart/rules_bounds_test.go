package cart_test

import (
	"reflect"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/catalog"
)

// The code EVERY of the golden cases has every bound that content knows, so that a bound which was
// added is shown among all others.
func TestRuleTexts_haveACodeWithEveryBound(t *testing.T) {
	t.Parallel()
	_, line, found := strings.Cut(carttest.RuleTexts["sushi/promocodes.yaml"], "code: EVERY,")
	if !found {
		t.Fatal("there is no code EVERY")
	}
	line, _, _ = strings.Cut(line, "\n")
	var names []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[catalog.PromocodeEntry]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	for _, name := range names {
		if noBoundsOfEvery[name] {
			continue
		}
		if name == "when" {
			name = "hours" // content writes it as days and hours
		}
		if !strings.Contains(line, " "+name+":") {
			t.Errorf("the code EVERY has no %s", name)
		}
	}
}

// noBoundsOfEvery are the fields of a code that say what it is and what it brings, and the products, which the
// code EVERY has no room for: it is for those of a group.
var noBoundsOfEvery = map[string]bool{
	"": true, "id": true, "code": true, "kind": true, "percent": true, "sum": true, "gift_id": true, "products": true,
}
