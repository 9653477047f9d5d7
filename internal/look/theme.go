package look

import (
	"servery/internal/lang"
)

// Scheme says whether a page follows the visitor's choice of light or dark.
type Scheme string

// The schemes.
const (
	Auto  Scheme = "auto"
	Light Scheme = "light"
	Dark  Scheme = "dark"
)

// Schemes returns all schemes.
func Schemes() []Scheme { return []Scheme{Auto, Light, Dark} }

// Pages returns the schemes whose palettes pages may be shown in: light and dark for Auto, else the
// scheme itself.
func (s Scheme) Pages() []Scheme {
	if s == Auto {
		return []Scheme{Light, Dark}
	}
	return []Scheme{s}
}

// Palettes are the colours by light and dark.
type Palettes map[Scheme]Palette

// Theme is what a brand's page looks like. Its palettes are complete.
type Theme struct {
	Scheme   Scheme
	Palettes Palettes
	Shape    Shape
	Faces    []Face
	Festive  []Festive
}

// Festive replaces some colours for some days.
type Festive struct {
	Name     string
	Palettes Palettes
}

// Round is a corner that is round as far as it can be.
const Round = -1

// Shape is everything but colours and typefaces.
type Shape struct {
	// Corners are radii in pixels, or Round, by what has them: card, control, chip and plate.
	Corners map[string]int
	// Shadow is one of the names of Shadows.
	Shadow string
	// Line is the width of lines in pixels.
	Line float64
	// TitleWeight, StrongWeight and PriceWeight are those of type, 1 to 1000.
	TitleWeight, StrongWeight, PriceWeight int
	// TitleWidth and PriceWidth are percent of the usual width.
	TitleWidth, PriceWidth int
	// TitleTracking is the room between the letters of titles in hundredths of the type's size.
	TitleTracking float64
	// TitleCase is one of the names of Cases.
	TitleCase string
	// FastMotion and Motion are milliseconds.
	FastMotion, Motion int
	// Curve is one of the names of Curves.
	Curve string
}

// shadows are the low and the high shadow of each style, without the colour.
var shadows = map[string][2]string{
	"soft": {"0 1px 2px", "0 8px 28px"},
	"hard": {"2px 2px 0", "6px 6px 0"},
	"none": {"0 0 0", "0 0 0"},
}

// Shadows returns the styles of shadows.
func Shadows() []string { return []string{"soft", "hard", "none"} }

// Cases returns how titles may be written: as they are, or in capitals.
func Cases() []string { return []string{"as_written", "capitals"} }

// curves are the courses of motion.
var curves = map[string]string{
	"glide": "cubic-bezier(0.2, 0.8, 0.3, 1)", "even": "ease-in-out", "spring": "cubic-bezier(0.3, 1.4, 0.5, 1)",
}

// Curves returns the courses of motion.
func Curves() []string { return []string{"glide", "even", "spring"} }

// Face is a typeface for titles or for everything, in a file for each language.
type Face struct {
	// Role is "text" or "display".
	Role string
	// Files are in the order in which letters are looked for that the page's own language does not have.
	Files []FaceFile
}

// FaceFile is a font file with an address.
type FaceFile struct {
	Font

	// Languages are those whose pages load the file.
	Languages []lang.Lang
	Address   string
}
