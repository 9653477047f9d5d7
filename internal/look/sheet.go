package look

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"servery/internal/lang"
)

// festiveAttribute is the one of the document's root that names the festive colours of the day.
const festiveAttribute = "data-festive"

// Sheet returns the style sheet of the theme, which stands beside that of the page. It only uses what
// browsers of 2022 have.
func (t Theme) Sheet() string { return t.sheet(":root") }

// sheet returns the style sheet with its rules at the selector root instead of the document.
func (t Theme) sheet(root string) string {
	var s sheetWriter
	for _, face := range t.Faces {
		s.writeFaces(face)
	}
	s.writeColors(root, t.Scheme, t.Palettes)
	s.writeRule(root, t.Shape.declarations())
	s.writeMotion(root, t.Shape)
	s.writeFamilies(root, t.Faces)
	for _, f := range t.Festive {
		s.writeColors(root+"["+festiveAttribute+"=\""+f.Name+"\"]", t.Scheme, f.Palettes)
	}
	return s.String()
}

// sheetWriter collects rules.
type sheetWriter struct{ strings.Builder }

// writeRule writes a rule of the selector; nothing without declarations.
func (s *sheetWriter) writeRule(selector string, declarations []string) {
	if len(declarations) > 0 {
		s.WriteString(selector + " {\n  " + strings.Join(declarations, ";\n  ") + ";\n}\n")
	}
}

// writeConditional writes a rule that applies where the media query condition does; none without
// declarations.
func (s *sheetWriter) writeConditional(condition, selector string, declarations []string) {
	if len(declarations) > 0 {
		s.WriteString("@media " + condition + " {\n  " + selector + " {\n    " + strings.Join(declarations, ";\n    ") + ";\n  }\n}\n")
	}
}

// writeColors writes the colours of a scheme for the elements of the selector. For Auto it writes the
// light palette, and the dark one for visitors whose device is set to dark.
func (s *sheetWriter) writeColors(selector string, scheme Scheme, palettes Palettes) {
	declarations := func(shown Scheme) []string {
		if len(palettes[shown]) == 0 {
			return nil
		}
		return append([]string{"color-scheme: " + string(shown)}, palettes[shown].declarations()...)
	}
	if scheme != Auto {
		s.writeRule(selector, declarations(scheme))
		return
	}
	s.writeRule(selector, declarations(Light))
	s.writeConditional("(prefers-color-scheme: dark)", selector, declarations(Dark))
}

// zones are the names of the zones' tints in the page.
var zones = strings.NewReplacer("zone-a", "zone-1", "zone-b", "zone-2", "zone-c", "zone-3", "zone-d", "zone-4")

// declarations returns the colours as custom properties, sorted.
func (p Palette) declarations() []string {
	var lines []string
	for _, token := range slices.Sorted(maps.Keys(p)) {
		name := zones.Replace(strings.ReplaceAll(token, "_", "-"))
		if token == "shadow" {
			name = "shadow-color"
		}
		lines = append(lines, "--"+name+": "+p[token].String())
	}
	return lines
}

// declarations returns the shape as custom properties.
func (s Shape) declarations() []string {
	var lines []string
	for _, part := range slices.Sorted(maps.Keys(s.Corners)) {
		radius := fmt.Sprintf("%dpx", s.Corners[part])
		switch {
		case s.Corners[part] == Round && part == "plate":
			radius = "50%"
		case s.Corners[part] == Round:
			radius = "999px"
		}
		lines = append(lines, "--radius-"+part+": "+radius)
	}
	titleCase := "none"
	if s.TitleCase == "capitals" {
		titleCase = "uppercase"
	}
	shadow := shadows[s.Shadow]
	return append(lines,
		"--lift-low: "+shadow[0], "--lift-high: "+shadow[1],
		fmt.Sprintf("--line-width: %gpx", s.Line),
		fmt.Sprintf("--weight-title: %d", s.TitleWeight), fmt.Sprintf("--weight-strong: %d", s.StrongWeight), fmt.Sprintf("--weight-price: %d", s.PriceWeight),
		fmt.Sprintf("--width-title: %d%%", s.TitleWidth), fmt.Sprintf("--width-price: %d%%", s.PriceWidth),
		fmt.Sprintf("--tracking-title: %.4gem", s.TitleTracking/100), "--title-case: "+titleCase,
	)
}

// writeMotion writes how long motions last: no time for visitors who asked for reduced motion.
func (s *sheetWriter) writeMotion(selector string, shape Shape) {
	s.writeRule(selector, []string{"--motion-fast: 0ms", "--motion: 0ms", "--ease: " + curves[shape.Curve]})
	s.writeConditional("(prefers-reduced-motion: no-preference)", selector, []string{
		fmt.Sprintf("--motion-fast: %dms", shape.FastMotion), fmt.Sprintf("--motion: %dms", shape.Motion),
	})
}

// systemFaces end every list of families.
const systemFaces = "system-ui, sans-serif"

// familyName returns the name of a file's family in the sheet. Each file is a family of its own, so that
// the language of a page chooses which file is used first.
func familyName(role string, number int) string {
	return fmt.Sprintf("%q", fmt.Sprintf("%s %d", role, number+1))
}

// writeFaces writes where the files of a face are, and which letters each has.
func (s *sheetWriter) writeFaces(face Face) {
	for i, f := range face.Files {
		d := []string{
			"font-family: " + familyName(face.Role, i), "font-style: normal", "font-display: swap", "font-weight: " + f.Weights.String(),
		}
		if f.Widths != (Span{}) {
			d = append(d, fmt.Sprintf("font-stretch: %d%% %d%%", f.Widths.From, f.Widths.To))
		}
		s.writeRule("@font-face", append(d, `src: url("`+f.Address+`") format("woff2")`, "unicode-range: "+f.Letters.unicodeRange()))
	}
}

// writeFamilies writes which families texts and titles have. In each language the family of its own
// file comes first, and the others follow for the letters that this file lacks.
func (s *sheetWriter) writeFamilies(root string, faces []Face) {
	lists := map[string]string{"text": systemFaces, "display": "var(--font-text)"}
	written := map[lang.Lang][]string{}
	for _, face := range faces {
		end := lists[face.Role]
		var families []string
		for i := range face.Files {
			families = append(families, familyName(face.Role, i))
		}
		lists[face.Role] = strings.Join(append(families, end), ", ")
		for i, f := range face.Files {
			others := slices.DeleteFunc(slices.Clone(families), func(name string) bool { return name == familyName(face.Role, i) })
			ownFirst := append([]string{familyName(face.Role, i)}, others...)
			for _, l := range f.Languages {
				written[l] = append(written[l], "--font-"+face.Role+": "+strings.Join(append(ownFirst, end), ", "))
			}
		}
	}
	s.writeRule(root, []string{"--font-text: " + lists["text"], "--font-display: " + lists["display"]})
	for _, l := range slices.Sorted(maps.Keys(written)) {
		s.writeRule(root+":lang("+string(l)+")", written[l])
	}
}
