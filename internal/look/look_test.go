package look

import (
	"math"
	"os"
	"strings"
	"testing"

	"servery/internal/lang"
)

func TestParseColor_readsOKLCHAndHexadecimal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"oklch(1 0 0)": "#ffffff", "oklch(0 0 0 / 0.5)": "#00000080", "oklch(57.5% 0.18 29)": "#ce4034", "oklch(0.7 0.1 180 / 50%)": "#4bb3a180",
		"#fff": "#ffffff", "#C2410C": "#c2410c", "#0008": "#00000088", "#c2410c80": "#c2410c80",
		"oklch(0.7 0.4 30)": "#ff0000", // cut to what a screen shows
	} {
		c, err := ParseColor(text)
		if err != nil || c.String() != want {
			t.Errorf("%s is %v (%v), want %s", text, c, err, want)
		}
	}
	for _, text := range []string{"", "red", "#ff", "#ggg", "rgb(1 2 3)", "oklch(2 0 0)", "oklch(0.5 0.9 0)", "oklch(0.5 0.1)", "oklch(0.5 0.1 30 / 2)", "oklch(1.1.1 0 0)", "oklch(0 0 0); }"} {
		if c, err := ParseColor(text); err == nil {
			t.Errorf("%q is the colour %v", text, c)
		}
	}
}

func TestContrast_isThatOfWCAG(t *testing.T) {
	t.Parallel()
	parse := func(text string) Color {
		c, err := ParseColor(text)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, c := range []struct {
		one, other string
		want       float64
	}{{"#000", "#fff", 21}, {"#777", "#fff", 4.48}, {"#fff", "#767676", 4.54}} {
		if got := Contrast(parse(c.one), parse(c.other)); math.Abs(got-c.want) > 0.005 {
			t.Errorf("%s on %s is %.3f, want %.2f", c.one, c.other, got, c.want)
		}
	}
}

func TestDefault_isReadable(t *testing.T) {
	t.Parallel()
	for scheme, palette := range Default().Palettes {
		for _, weak := range palette.FindWeak() {
			t.Errorf("%s: %+v", scheme, weak)
		}
	}
	p := Default().Palettes[Light]
	p["ink_soft"] = p["line"]
	if got := p.FindWeak(); len(got) != 3 || got[0].Front != "ink_soft" || got[0].Least != textContrast {
		t.Errorf("%+v", got)
	}
}

func TestSheet_holdsTheThemeOfADarkBrandForEveryone(t *testing.T) {
	t.Parallel()
	theme := Default()
	theme.Scheme, theme.Shape.Corners["plate"], theme.Shape.Shadow = Dark, Round, "hard"
	sheet := theme.Sheet()
	for _, want := range []string{"color-scheme: dark", "--ground: #101513", "--radius-plate: 50%", "--lift-low: 2px 2px 0"} {
		if !strings.Contains(sheet, want) {
			t.Errorf("there is no %q", want)
		}
	}
	if strings.Contains(sheet, "prefers-color-scheme") || strings.Contains(sheet, "color-scheme: light") {
		t.Errorf("it follows the visitor:\n%s", sheet)
	}
}

func TestSheet_holdsFestiveColorsByTheirName(t *testing.T) {
	t.Parallel()
	theme := Default()
	theme.Festive = []Festive{{Name: "new-year", Palettes: Palettes{Light: {"accent": {R: 1, A: 1}}, Dark: {"accent": {G: 1, A: 1}}}}}
	sheet := theme.Sheet()
	for _, want := range []string{
		":root[data-festive=\"new-year\"] {\n  color-scheme: light;\n  --accent: #ff0000;\n}",
		"@media (prefers-color-scheme: dark) {\n  :root[data-festive=\"new-year\"] {\n    color-scheme: dark;\n    --accent: #00ff00;\n  }\n}",
	} {
		if !strings.Contains(sheet, want) {
			t.Errorf("there is no %q in:\n%s", want, sheet)
		}
	}
}

func TestSheet_looksIntoTheFontOfTheLanguageFirst(t *testing.T) {
	t.Parallel()
	theme := Default()
	font := Font{Letters: Letters{'a', 'b', 'c', 'я'}, Weights: Span{300, 700}}
	theme.Faces = []Face{{Role: "text", Files: []FaceFile{
		{Font: font, Languages: []lang.Lang{lang.RU}, Address: "/media/1.woff2"}, {Font: font, Languages: []lang.Lang{lang.EN}, Address: "/media/2.woff2"},
	}}}
	sheet := theme.Sheet()
	for _, want := range []string{
		`src: url("/media/1.woff2") format("woff2")`, "unicode-range: U+61-63, U+44F", "font-weight: 300 700",
		":root:lang(en) {\n  --font-text: \"text 2\", \"text 1\", system-ui, sans-serif;\n}", "--font-display: var(--font-text)",
	} {
		if !strings.Contains(sheet, want) {
			t.Errorf("there is no %q in:\n%s", want, sheet)
		}
	}
}

// readRussianFont returns a font file of the demo.
func readRussianFont(t *testing.T) []byte {
	t.Helper()
	body, err := os.ReadFile("../../content/demo/sushi/fonts/onest-ru.woff2")
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestReadFont_findsLettersAndWeights(t *testing.T) {
	t.Parallel()
	font, err := ReadFont(readRussianFont(t))
	if err != nil {
		t.Fatal(err)
	}
	if missing := font.Letters.Missing(LettersOf(lang.RU) + "₽"); missing != "" {
		t.Errorf("it lacks %s", missing)
	}
	if font.Letters.Has('ğ') || font.Letters.Missing("ağğş") != "ğş" {
		t.Error("it has Turkish letters")
	}
	if font.Weights != (Span{300, 700}) || font.Widths != (Span{}) {
		t.Errorf("weights %v, widths %v", font.Weights, font.Widths)
	}
}

func FuzzReadFont(f *testing.F) {
	f.Add([]byte("wOF2"))
	if body, err := os.ReadFile("../../content/demo/sushi/fonts/onest-en.woff2"); err == nil {
		f.Add(body)
		f.Add(body[:len(body)/2])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if font, err := ReadFont(body); err == nil && len(font.Letters) == 0 {
			t.Error("a font without a letter")
		}
	})
}
