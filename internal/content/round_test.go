package content_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"servery/internal/content"
)

func TestCheck_reportsEverythingInOneRound(t *testing.T) {
	t.Parallel()
	found := content.Check(newFolder(t,
		change{"countries.yaml", "cash_limit: 5000}", "cash_limit: 5000]"},
		change{"sushi/ingredients.yaml", "[fish]", "[fish"},
		change{"sushi/modifiers.yaml", "", "singles: [\n"},
		change{"sushi/shops.yaml", "", ""},
		change{"sushi/cities.yaml", "price_list: ru", "price_list: kz"},
		change{"sushi/menu/01-rolls.yaml", "make_minutes: 4", "make_minutes: four"},
		change{"sushi/menu/02-sauces.yaml", "price: 20", "price: -20"},
		change{"sushi/promotions.yaml", "</p>", "</p><script>x</script>"},
	))
	// Nothing is said of the ingredients, modifiers, shops and countries that others refer to:
	// they may well be there.
	expectFaults(t, found, []string{
		`countries.yaml:2: not YAML: `,
		"sushi/cities.yaml:2: unknown price list kz",
		"sushi/ingredients.yaml:2: not YAML: ",
		"sushi/menu/01-rolls.yaml:12: must be a whole number from 0 to 1440",
		"sushi/menu/02-sauces.yaml:4: an amount cannot be negative",
		"sushi/modifiers.yaml:1: not YAML: ",
		"sushi/promotions.yaml:1: warning: taken out of the description: <script>",
		"sushi/shops.yaml: this file is missing",
	})
}

func TestCheck_saysNothingOfWhatRefersToAFileThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name := range fixture {
		found := content.Check(newFolder(t, change{name, "", "[\n"}))
		if len(found) != 1 || found[0].File != name {
			t.Errorf("%s: %v", name, found)
		}
		if name == "sushi/modifiers.yaml" || name == "sushi/packages.yaml" || name == "sushi/promotions.yaml" || name == "sushi/banners.yaml" || name == "sushi/gifts.yaml" ||
			name == "sushi/promocodes.yaml" || name == "sushi/pages/about.yaml" || slices.Contains([]string{"places/moscow.yaml", "places/berlin.yaml", "sushi/menu/01-rolls.yaml", "sushi/menu/02-sauces.yaml"}, name) {
			continue // they may be absent
		}
		if found := content.Check(newFolder(t, change{file: name})); len(found) != 1 || found[0].String() != name+": this file is missing" {
			t.Errorf("without %s: %v", name, found)
		}
	}
}

func TestCheck_readsAFileThatBeginsWithAByteOrderMark(t *testing.T) {
	t.Parallel()
	for name, text := range fixture {
		if found := content.Check(newFolder(t, change{name, "", "\ufeff" + text})); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
	faulty := newFolder(t, change{"sushi/menu/01-rolls.yaml", "", "\ufeff" + fixture["sushi/menu/02-sauces.yaml"] + "x: 1\n"})
	for _, f := range content.Check(faulty) {
		if f.Line == 5 && f.Message == "unknown field x" {
			return
		}
	}
	t.Error("the line is not that of the file")
}

func TestCheck_warns(t *testing.T) {
	t.Parallel()
	const promotions = "sushi/promotions.yaml"
	for name, c := range map[string]struct {
		change change
		want   []string
	}{
		"what is taken out of a description": {
			change{promotions, "<p>Два", "<p onerror='x' class='y'>Два <a href='javascript:x'>a</a> <a href='https://example.com'>b</a> <a href='/c'>c</a> <h2>d</h2> <img src='https://x.example/y.png'> <script>x</script>"},
			[]string{promotions + ":1: warning: taken out of the description: onerror in <p>, class in <p>, <a> with javascript:, <a> without https://, <h2>, <img>, <script>"},
		},
		"nothing where nothing is taken out": {
			change{promotions, "<p>Два <b>за</b> один</p>", "<P>Два &amp; <strong>за</strong> <em>один</em><br/><ul><li><a href='https://example.com/?a=1&amp;b=2'>x</a></li></ul></P>"}, nil,
		},
		"a dish whose picture is small":   {change{"sushi/pictures/small.jpg", "", string(encodePhoto(767, 767))}, nil},
		"a banner whose picture is small": {change{"sushi/pictures/banner.jpg", "", string(encodePhoto(1439, 720))}, []string{promotions + ":1: warning: picture sushi/pictures/banner.jpg is 1439 pixels wide and looks blurred: 1440 or more are sharp"}},
		"a small dish that is shown":      {change{"sushi/menu/02-sauces.yaml", "picture: roll}\n  -", "picture: small}\n  -"}, []string{"sushi/menu/02-sauces.yaml:3: warning: picture sushi/pictures/small.jpg is 100 pixels wide and looks blurred: 768 or more are sharp"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := newFolder(t, change{"sushi/pictures/small.jpg", "", string(encodePhoto(100, 40))}, c.change)
			read, found := content.Read(files)
			expectFaults(t, found, c.want)
			if read == nil {
				t.Error("a warning keeps the folder from being imported")
			}
		})
	}
}

func TestCheck_warnsOfFilesThatSeemToBeRead(t *testing.T) {
	t.Parallel()
	found := content.Check(newFolder(t, change{"sushi/menu/03-wok.yml", "", "x"}, change{"places/bonn.YAML", "", "x"}, change{"sushi/notes.yml", "", "x"}, change{"sushi/gifts.yml", "", "x"}, change{"sushi/promocode.yaml", "", "x"}))
	expectFaults(t, found, []string{
		"places/bonn.YAML: warning: left out: only names that end in .yaml are read",
		"sushi/gifts.yml: warning: left out: only names that end in .yaml are read",
		"sushi/menu/03-wok.yml: warning: left out: only names that end in .yaml are read",
		"sushi/promocode.yaml: warning: left out: a brand has no file of this name",
	})
}

func TestCheck_findsTwoDefaultBrands(t *testing.T) {
	t.Parallel()
	found := content.Check(newFolder(t, change{"pizza/brand.yaml", "", strings.Replace(fixture["sushi/brand.yaml"], "alias: sushi", "alias: pizza", 1)}))
	for _, f := range found {
		if f.String() == "sushi/brand.yaml:3: another brand is the default one already, at pizza/brand.yaml:3" {
			return
		}
	}
	t.Errorf("got %s", lines(found))
}

func TestFolder_Untranslated(t *testing.T) {
	t.Parallel()
	read, found := content.Read(newFolder(t,
		change{"sushi/menu/01-rolls.yaml", "{ru: Ролл с лососем, en: Salmon roll}", "{ru: Ролл с лососем, de: Lachs}"},
		change{"places/berlin.yaml", "{ru: Берлин, en: Berlin}", "Берлин"},
		change{"places/moscow.yaml", "{ru: в Москве, en: in Moscow}", "{ru: в Москве}"},
	))
	if len(found) > 0 {
		t.Fatal(found)
	}
	var inChanged []content.Fault // other files of the fixture have plain texts too
	for _, f := range read.Untranslated() {
		if f.File == "sushi/menu/01-rolls.yaml" || f.File == "places/berlin.yaml" || f.File == "places/moscow.yaml" {
			inChanged = append(inChanged, f)
		}
	}
	expectFaults(t, inChanged, []string{
		"places/moscow.yaml:5: warning: phrase is missing in en",
		"places/moscow.yaml:10: warning: name is missing in en",
		"sushi/menu/01-rolls.yaml:1: warning: name is missing in en",
		"sushi/menu/01-rolls.yaml:5: warning: name is missing in en",
		"sushi/menu/01-rolls.yaml:16: warning: name is missing in en",
		"sushi/menu/01-rolls.yaml:17: warning: name is missing in en",
	})
}

// expectFaults compares the faults with what they must say. A wanted text that ends with a space is
// only the beginning of a fault.
func expectFaults(t *testing.T, found []content.Fault, want []string) {
	t.Helper()
	match := len(found) == len(want)
	for i := 0; match && i < len(want); i++ {
		got := found[i].String()
		match = got == want[i] || strings.HasSuffix(want[i], " ") && strings.HasPrefix(got, want[i])
	}
	if !match {
		t.Errorf("got\n%s\nwant\n%s", lines(found), lines(want))
	}
}

func lines[T any](list []T) string {
	text := ""
	for _, one := range list {
		text += fmt.Sprintln(one)
	}
	return text
}
