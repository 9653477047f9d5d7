// Package look makes what a brand's page looks like out of the tokens of its theme: it reads colours,
// finds those that are too near each other, and writes the style sheet.
package look

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Color is a colour of sRGB. Its parts, alpha among them, are from 0 to 1.
type Color struct{ R, G, B, A float64 }

// errColor says how colours are written.
var errColor = errors.New(`a colour is written as oklch(0.62 0.18 29), oklch(0.2 0.02 250 / 0.5) or "#c2410c"`)

var (
	oklchPattern = regexp.MustCompile(`^oklch\( *([0-9.]+)(%?) +([0-9.]+) +(-?[0-9.]+)(?: */ *([0-9.]+)(%?))? *\)$`)
	hexPattern   = regexp.MustCompile(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)
)

// ParseColor reads a colour in OKLCH or hexadecimal digits. Parts of an OKLCH colour that lie outside of
// sRGB are cut.
func ParseColor(text string) (Color, error) {
	if m := hexPattern.FindStringSubmatch(text); m != nil {
		return parseHex(m[1]), nil
	}
	m := oklchPattern.FindStringSubmatch(text)
	if m == nil {
		return Color{}, errColor
	}
	parts := [4]float64{3: 1} // lightness, chroma, hue and alpha, which is 1 where it is not written
	for i, written := range []string{m[1], m[3], m[4], m[5]} {
		if written == "" {
			continue
		}
		n, err := strconv.ParseFloat(written, 64)
		if err != nil {
			return Color{}, errColor
		}
		parts[i] = n
	}
	if m[2] == "%" {
		parts[0] /= 100
	}
	if m[6] == "%" {
		parts[3] /= 100
	}
	switch {
	case parts[0] > 1:
		return Color{}, errors.New("the lightness of a colour, its first number, is from 0 to 1")
	case parts[1] > 0.5:
		return Color{}, errors.New("the chroma of a colour, its second number, is from 0 to 0.5")
	case parts[3] > 1:
		return Color{}, errors.New("the alpha of a colour, its last number, is from 0 to 1")
	}
	return fromOKLCH(parts[0], parts[1], parts[2], parts[3]), nil
}

// parseHex returns the colour of 3, 4, 6 or 8 hexadecimal digits.
func parseHex(digits string) Color {
	if len(digits) < 6 {
		var doubled strings.Builder
		for _, d := range digits {
			doubled.WriteRune(d)
			doubled.WriteRune(d)
		}
		digits = doubled.String()
	}
	if len(digits) == 6 {
		digits += "ff"
	}
	n, _ := strconv.ParseUint(digits, 16, 32) // the pattern has hexadecimal digits only
	part := func(shift int) float64 { return float64(n>>shift&0xff) / 255 }
	return Color{part(24), part(16), part(8), part(0)}
}

// fromOKLCH returns the colour of sRGB for lightness, chroma, hue in degrees and alpha. Parts outside of
// sRGB are cut.
func fromOKLCH(lightness, chroma, hue, alpha float64) Color {
	sin, cos := math.Sincos(hue * math.Pi / 180)
	a, b := chroma*cos, chroma*sin
	l := cube(lightness + 0.3963377774*a + 0.2158037573*b)
	m := cube(lightness - 0.1055613458*a - 0.0638541728*b)
	s := cube(lightness - 0.0894841775*a - 1.291485548*b)
	return Color{
		encode(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		encode(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		encode(-0.0041960863*l - 0.7034186147*m + 1.707614701*s),
		alpha,
	}
}

func cube(n float64) float64 { return n * n * n }

// encode converts a part of a linear colour to one of sRGB, cut to what a screen shows.
func encode(linear float64) float64 {
	linear = min(max(linear, 0), 1)
	if linear <= 0.0031308 {
		return 12.92 * linear
	}
	return 1.055*math.Pow(linear, 1/2.4) - 0.055
}

// decode converts a part of a colour of sRGB to a linear one.
func decode(part float64) float64 {
	if part <= 0.04045 {
		return part / 12.92
	}
	return math.Pow((part+0.055)/1.055, 2.4)
}

// String returns the colour as "#rrggbb", or "#rrggbbaa" where something shows through.
func (c Color) String() string {
	whole := func(part float64) int { return int(math.Round(part * 255)) }
	if c.A < 1 {
		return fmt.Sprintf("#%02x%02x%02x%02x", whole(c.R), whole(c.G), whole(c.B), whole(c.A))
	}
	return fmt.Sprintf("#%02x%02x%02x", whole(c.R), whole(c.G), whole(c.B))
}

// Contrast returns the contrast of two opaque colours by WCAG 2.2, from 1 to 21.
func Contrast(one, other Color) float64 {
	high, low := one.luminance(), other.luminance()
	if high < low {
		high, low = low, high
	}
	return (high + 0.05) / (low + 0.05)
}

// luminance returns the relative luminance of WCAG 2.2, from 0 for black to 1 for white.
func (c Color) luminance() float64 {
	return 0.2126*decode(c.R) + 0.7152*decode(c.G) + 0.0722*decode(c.B)
}
