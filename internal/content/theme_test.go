package content_test

import (
	"os"
	"strings"
	"testing"

	"servery/internal/catalog"
	"servery/internal/content"
	"servery/internal/site"
)

const theme = "sushi/theme.yaml"

// themed is the folder with a theme.yaml.
func themed(text string) change { return change{theme, "", text} }

// both is a palette that holds for light and dark.
const both = "light: {accent: oklch(0.5 0.1 160)}\ndark: {accent: oklch(0.8 0.1 160)}\n"

// demoFont is a font file of the demo under a name of the fixture.
func demoFont(t *testing.T, language string) change {
	t.Helper()
	body, err := os.ReadFile("../../content/demo/sushi/fonts/onest-" + language + ".woff2")
	if err != nil {
		t.Fatal(err)
	}
	return change{"sushi/fonts/sans-" + language + ".woff2", "", string(body)}
}

func TestRead_reportsEachFaultOfAThemeWithFileAndLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"unknown field":         {both + "radius: 4", ":3: unknown field radius"},
		"unknown colour":        {"light: {acent: '#fff'}\ndark: {}", ":1: unknown field acent"},
		"colour by name":        {"dark: {}\nlight:\n  accent: red", `:3: a colour is written as oklch(0.62 0.18 29), oklch(0.2 0.02 250 / 0.5) or "#c2410c"`},
		"colour out of range":   {"dark: {}\nlight:\n  accent: oklch(5 0 0)", ":3: the lightness of a colour, its first number, is from 0 to 1"},
		"colour without quotes": {"dark: {}\nlight:\n  accent: #c2410c", ":3: accent has no colour; one that begins with # stands in quotes"},
		"colour shows through":  {"dark: {}\nlight:\n  ink: '#0008'", ":3: this colour must not show anything through"},
		"weak text":             {"dark: {}\nlight:\n  accent: '#f97316'\n  on_accent: '#fff'", ":4: light: on_accent on accent has a contrast of 2.80, and text needs 4.5"},
		"weak ground":           {"dark: {}\nlight:\n  raised: '#999'", ":3: light: ink_soft on raised has a contrast of 2.28, and text needs 4.5"},
		"weak part":             {"light: {}\ndark:\n  edge: '#333'", ":3: dark: edge on ground has a contrast of 1.46, and a part of the page needs 3.0"},
		"scheme":                {both + "scheme: night", `:3: "night" is not one of auto, light, dark`},
		"corner":                {both + "corners: {card: 99}", ":3: a corner is a whole number of pixels from 0 to 64, or round"},
		"shadow":                {both + "shadow: big", `:3: "big" is not one of soft, hard, none`},
		"weight":                {both + "type: {title_weight: 2000}", ":3: must be a whole number from 1 to 1000"},
		"slow motion":           {both + "motion: {usual: 400}", ":3: must be a whole number from 0 to 150"},
		"festive without name":  {both + "festive:\n  - {from: '2026-12-20', to: '2027-01-08', light: {accent: '#a00'}}", ":4: name is missing"},
		"festive backwards":     {both + "festive:\n  - {name: a, from: '2027-12-20', to: '2027-01-08', light: {accent: '#a00'}}", ":4: to is before from: it would never be shown"},
		"festive twice":         {both + "festive:\n  - {name: a, from: '2027-12-20', to: '2027-12-20', light: {accent: '#a00'}}\n  - {name: a, from: '2027-12-20', to: '2027-12-20', light: {accent: '#a00'}}", ":5: sushi festive look a is taken already at sushi/theme.yaml:4"},
		"festive of nothing":    {both + "festive:\n  - {name: a, from: '2027-12-20', to: '2027-12-20'}", ":4: light or dark is missing: which colours differ"},
		"festive and weak":      {both + "festive:\n  - name: a\n    from: '2027-12-20'\n    to: '2027-12-20'\n    light:\n      accent: '#fc0'", ":8: light of a: on_accent on accent has a contrast of 1.51, and text needs 4.5"},
		"no fonts":              {both + "fonts: {}", ":3: text or display is missing: which files"},
		"font missing":          {both + "fonts: {text: fonts/sans.woff2}", ":3: font sushi/fonts/sans.woff2 is missing"},
		"font elsewhere":        {both + "fonts: {text: ../sans.woff2}", `:3: a font is a WOFF2 file in the brand's folder, such as fonts/sans-ru.woff2: "../sans.woff2"`},
		"font of no language":   {both + "fonts:\n  text: {ru: fonts/sans-ru.woff2, en: fonts/sans-en.woff2, fr: fonts/sans-en.woff2}", ":4: fr is not one of the brand's languages"},
		"language without font": {both + "fonts:\n  text: {ru: fonts/sans-ru.woff2}", ":4: there is no file for en"},
		"font is none":          {both + "fonts: {text: menu.woff2}", ":3: font sushi/menu.woff2: not a font in WOFF2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectFault(t, theme+c.want, themed(c.text), demoFont(t, "ru"), demoFont(t, "en"), change{"sushi/menu.woff2", "", "wOF2"})
		})
	}
}

func TestRead_warnsOfAThemeThatIsHalfThere(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"light: {accent: oklch(0.5 0.1 160)}":                         "dark is absent and taken from the usual look, not from this brand's",
		"scheme: light\n" + both:                                      "no page is shown in dark: scheme is light",
		both + "fonts: {text: fonts/sans-ru.woff2}":                   "font fonts/sans-ru.woff2 has no é, which pages in en show",
		both + "fonts: {text: fonts/sans-en.woff2}":                   "font fonts/sans-en.woff2 has no А Б В",
		"scheme: dark\ndark: {accent: oklch(0.8 0.1 160)}\nline: 2\n": "",
	} {
		var said []string
		for _, f := range content.Check(newFolder(t, themed(text), demoFont(t, "ru"), demoFont(t, "en"))) {
			said = append(said, f.Message)
			if !f.Warning {
				t.Errorf("%q: %v", text, f)
			}
		}
		if all := strings.Join(said, "\n"); want == "" && all != "" || !strings.Contains(all, want) {
			t.Errorf("%q: %q, want %q", text, all, want)
		}
	}
}

func TestRead_makesTheLookOfABrand(t *testing.T) {
	t.Parallel()
	text := both + "fonts: {text: {ru: fonts/sans-ru.woff2, en: fonts/sans-en.woff2}}\nfestive:\n  - {name: new-year, from: '2026-12-20', to: '2027-01-08', light: {accent: '#a00000'}}\n"
	read, faults := content.Read(newFolder(t, themed(text), demoFont(t, "ru"), demoFont(t, "en")))
	if read == nil {
		t.Fatal(faults)
	}
	look := read.Document.Brands[0].Site.Look
	if !strings.HasPrefix(look.Sheet, catalog.MediaPath) || !strings.HasSuffix(look.Sheet, ".css") {
		t.Errorf("the sheet is %q", look.Sheet)
	}
	if ru, en := look.Fonts["ru"], look.Fonts["en"]; len(ru) != 1 || len(en) != 1 || ru[0] == en[0] || !strings.HasSuffix(ru[0], ".woff2") {
		t.Errorf("pages load %v", look.Fonts)
	}
	if len(look.Grounds) != 2 || look.Grounds[0] != (site.Ground{Scheme: "light", Color: "#f6f9f7"}) {
		t.Errorf("the grounds are %v", look.Grounds)
	}
	if len(look.Festive) != 1 || look.Festive[0].Name != "new-year" || look.Festive[0].To.String() != "2027-01-08" {
		t.Errorf("festive is %v", look.Festive)
	}

	plain, _ := content.Read(newFolder(t))
	if look := plain.Document.Brands[0].Site.Look; look.Sheet != "" || look.Scheme != "auto" {
		t.Errorf("a brand without a theme has %+v", look)
	}
}
