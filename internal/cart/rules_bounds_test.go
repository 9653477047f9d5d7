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
	for field := range reflect.TypeFor[catalog.PromocodeBounds]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "when" {
			name = "hours" // content writes it as days and hours
		}
		if !strings.Contains(line, " "+name+":") {
			t.Errorf("the code EVERY has no %s", name)
		}
	}
}
