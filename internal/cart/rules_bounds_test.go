package cart_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/catalog/fieldtest"
	"servery/internal/visit"
)

// The code EVERY of the golden cases has every bound that content can set, so that no new bound is
// left out of the case of all bounds at once.
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

// Each bound has a golden case in which it is the first that fails, so that people read its message.
func TestQuote_showsEveryBoundOfPromocodesFail(t *testing.T) {
	t.Parallel()
	h := newRulesHouse(t)
	v := h.Again(t, visit.Context{}, "sushi")
	failing := map[string]bool{}
	for _, c := range promocodeRules() {
		code := c.quote(t, v).Promocode
		if code != nil {
			failing[codeOf(code)] = true
		}
		if strings.HasSuffix(c.rule, "all bounds at once") && (code == nil || !code.IsActive) {
			t.Error("in the golden case of all bounds at once the code EVERY is not active")
		}
	}
	for _, b := range bounds {
		if !failing[b.name] {
			t.Errorf("no golden case has a code whose bound %s fails", b.name)
		}
	}
}

// docs/pricing.md says in section 4 what each bound means, and CHANGELOG.md that there is such a bound.
func TestPromocodeBounds_areDocumented(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	_, section, _ := strings.Cut(read("docs/pricing.md"), "## 4. Promocode")
	section, _, _ = strings.Cut(section, "2. What it brings")
	documents := map[string]string{"docs/pricing.md": section, "CHANGELOG.md": read("CHANGELOG.md")}
	for _, name := range fieldtest.Names(reflect.TypeFor[catalog.PromocodeEntry]()) {
		if noBoundsOfEvery[name] && name != "products" {
			continue
		}
		if name == "when" {
			name = "hours" // content writes it as days and hours
		}
		for document, text := range documents {
			if !strings.Contains(text, "`"+name+"`") {
				t.Errorf("%s does not name the bound %s", document, name)
			}
		}
	}
}

// noBoundsOfEvery are the fields that the code EVERY does not need: those that say what a code is and what it
// brings, and the products, since EVERY is for the products of a group.
var noBoundsOfEvery = map[string]bool{
	"": true, "id": true, "code": true, "kind": true, "percent": true, "sum": true, "gift_id": true, "products": true,
}
