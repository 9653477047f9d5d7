package content_test

import (
	"fmt"
	"strings"
	"testing"

	"servery/internal/content"
)

func TestCheck_refusesDeepNestingBeforeItIsParsed(t *testing.T) {
	t.Parallel()
	const many = 100_000
	deepBlock := &strings.Builder{}
	for i := range 100 {
		deepBlock.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	const tooDeep = ": nested deeper than 64 levels"
	for name, c := range map[string]struct{ text, want string }{
		"open brackets":    {"rice:\n  " + strings.Repeat("[", many), "2" + tooDeep},
		"closed brackets":  {strings.Repeat("[", many) + strings.Repeat("]", many), "1" + tooDeep},
		"brackets on rows": {strings.Repeat("[\n", many), "65" + tooDeep},
		"braces":           {strings.Repeat("{", many), "1" + tooDeep},
		"maps in braces":   {strings.Repeat("{a: ", many), "1" + tooDeep},
		"lists in a row":   {strings.Repeat("- ", many), "1" + tooDeep},
		"keys in a row":    {strings.Repeat("a: ", many), "1" + tooDeep},
		"marked keys":      {strings.Repeat("? ", many), "1" + tooDeep},
		"tags":             {strings.Repeat("!a ", many), "1" + tooDeep},
		"tags in brackets": {"[" + strings.Repeat("!a\n", many), "64" + tooDeep},
		"anchors":          {strings.Repeat("&a ", many), "1" + tooDeep},
		"indented keys":    {deepBlock.String(), "65" + tooDeep},
		"closing brackets": {strings.Repeat("]", many), "1: not YAML: a bracket is closed that was not opened"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectFault(t, "sushi/ingredients.yaml:"+c.want, change{"sushi/ingredients.yaml", "", c.text})
		})
	}
}

func TestCheck_takesLongFilesThatAreNotDeep(t *testing.T) {
	t.Parallel()
	text := &strings.Builder{}
	text.WriteString(fixture["sushi/ingredients.yaml"])
	for i := range 500 {
		fmt.Fprintf(text, "extra-%d: {name: {ru: \"[[[[[[\", en: 'a: - ? !b'},\n  allergens: [\n    fish,\n    soy]}\n", i)
		fmt.Fprintf(text, "more-%d:\n  name:\n    ru: |\n      - [ {\n        a:\n    en: >-\n      two\n      rows\n  allergens:\n  - fish\n  - soy\n", i)
	}
	for _, f := range content.Check(newFolder(t, change{"sushi/ingredients.yaml", "", text.String()})) {
		t.Error(f)
	}
}
