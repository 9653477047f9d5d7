package look

import "maps"

// Palette holds colours by the names of their tokens.
type Palette map[string]Color

// Over returns the colours of the palette, and those of base for the tokens that the palette lacks.
func (p Palette) Over(base Palette) Palette {
	merged := maps.Clone(base)
	maps.Copy(merged, p)
	return merged
}

// Translucent reports whether the colour of a token may let something show through: it lies over
// something else and carries no text.
func Translucent(token string) bool { return token == "scrim" || token == "shadow" }

// Contrast that WCAG 2.2 requires of text, and of parts that are needed to see what can be used.
const (
	textContrast = 4.5
	partContrast = 3
)

// pair is a colour that must stand out from the one behind it.
type pair struct {
	front, back string
	least       float64
}

// pairs are the colours that stand on each other somewhere in the page.
var pairs = listPairs()

// listPairs returns the pairs of colours that stand on each other, each with its least contrast.
func listPairs() []pair {
	var list []pair
	for _, ground := range []string{"ground", "surface", "raised"} {
		list = append(list, pair{"ink", ground, textContrast}, pair{"ink_soft", ground, textContrast})
	}
	for _, ground := range []string{"ground", "surface"} {
		for _, front := range []string{"accent_ink", "good", "warn", "danger"} {
			list = append(list, pair{front, ground, textContrast})
		}
		list = append(list, pair{"edge", ground, partContrast})
	}
	for _, tint := range []string{"good_tint", "warn_tint", "danger_tint", "tint"} {
		list = append(list, pair{"ink", tint, textContrast})
	}
	return append(list,
		pair{"on_accent", "accent", textContrast}, pair{"on_tint", "tint", textContrast}, pair{"on_danger", "danger_fill", textContrast},
		pair{"good", "good_tint", textContrast}, pair{"warn", "warn_tint", textContrast}, pair{"danger", "danger_tint", textContrast},
		pair{"accent_ink", "raised", partContrast}, pair{"accent_ink", "tint", partContrast},
		pair{"zone_a", "surface", partContrast}, pair{"zone_c", "surface", partContrast}, pair{"zone_d", "surface", partContrast},
	)
}

// Weak is a pair of colours whose contrast is too low.
type Weak struct {
	// Front and Back are tokens.
	Front, Back string
	// Contrast is what it is, Least what it must be.
	Contrast, Least float64
}

// FindWeak returns the pairs of a complete palette that are too close to each other.
func (p Palette) FindWeak() []Weak {
	var weak []Weak
	for _, pair := range pairs {
		if got := Contrast(p[pair.front], p[pair.back]); got < pair.least {
			weak = append(weak, Weak{pair.front, pair.back, got, pair.least})
		}
	}
	return weak
}
