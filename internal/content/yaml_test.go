package content_test

import (
	"testing"

	"servery/internal/content"
)

func TestRead_saysHowToWriteWhatIsNotYAML(t *testing.T) {
	t.Parallel()
	const rolls, shops = "sushi/menu/01-rolls.yaml", "sushi/shops.yaml"
	for name, c := range map[string]struct {
		change change
		want   string
	}{
		"tab":             {change{rolls, "    price: 549", "\tprice: 549"}, rolls + ":7: not YAML: found character '\t' that cannot start any token: indent with blanks, not with a tab"},
		"indentation":     {change{rolls, "    price: 549", "     price: 549"}, rolls + ":7: not YAML: value is not allowed in this context: is a line here indented wrongly, or a quote not closed?"},
		"colon":           {change{rolls, "accent: hit", "accent_text: Now: hot"}, rolls + ":13: not YAML: mapping value is not allowed in this context: is a line here indented wrongly, or has a text a colon? Put such a text into quotes"},
		"no blank":        {change{rolls, "    price: 549", "    price:549"}, rolls + ":7: not YAML: non-map value is specified: a field is written with a blank after its colon"},
		"bracket":         {change{shops, `["10:00-26:00"]`, `["10:00-26:00"`}, shops + ":8: not YAML: ',' or ']' must be specified: a bracket is not closed, or a text needs quotes"},
		"reserved sign":   {change{rolls, "accent: hit", "accent_text: @home"}, rolls + ":13: not YAML: '@' is a reserved character: put a text that begins with it into quotes"},
		"comma in text":   {change{rolls, "{ru: Ролл с лососем, en: Salmon roll}", "{ru: Ролл с лососем, en: Salmon, rice}"}, rolls + ":5: rice stands without a text: put a text with a comma into quotes"},
		"text of nothing": {change{rolls, "{ru: Ролл с лососем, en: Salmon roll}", "{ru: Ролл с лососем, en: }"}, rolls + ":5: en stands without a text: put a text with a comma into quotes"},
		"comma in field":  {change{rolls, "{value: 245, unit: g}", "{value: 245,5, unit: g}"}, rolls + ":6: unknown field 5: is it what follows a comma? A number has a point there, a text stands in quotes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectFault(t, c.want, c.change)
		})
	}
}

func TestCheck_warnsOfATextThatEndsAtANumberSign(t *testing.T) {
	t.Parallel()
	const shops = "sushi/shops.yaml"
	cut := change{shops, "street: улица Арбат, 1", "street: улица Арбат #1"}
	expectFault(t, shops+":5: warning: what follows # is left out: put a text with # into quotes", cut)
	for _, whole := range []string{`street: "улица Арбат #1"`, "street: улица Арбат, 1 # by the metro", "street: улица Арбат#1"} {
		_, found := content.Read(newFolder(t, change{cut.file, cut.old, whole}))
		expectFaults(t, found, nil)
	}
}
