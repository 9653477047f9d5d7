package look

// Default returns the theme of a brand that has none: quiet greys and a green, in the typeface of
// the visitor's system. What a brand's theme leaves out is taken from it.
func Default() Theme {
	return Theme{
		Scheme:   Auto,
		Palettes: Palettes{Light: parsePalette(defaultLight), Dark: parsePalette(defaultDark)},
		Shape: Shape{
			Corners: map[string]int{"card": 12, "control": 10, "chip": 8, "plate": 10}, Shadow: "soft", Line: 1,
			TitleWeight: 650, StrongWeight: 600, PriceWeight: 600, TitleWidth: 100, PriceWidth: 100, TitleTracking: -1, TitleCase: "as_written",
			FastMotion: 120, Motion: 150, Curve: "glide",
		},
	}
}

// parsePalette returns colours that are written in this package. It panics when one cannot be read.
func parsePalette(written map[string]string) Palette {
	p := Palette{}
	for token, text := range written {
		c, err := ParseColor(text)
		if err != nil {
			panic(token + ": " + err.Error()) // the first test finds it
		}
		p[token] = c
	}
	return p
}

var defaultLight = map[string]string{
	"ground": "oklch(0.98 0.004 160)", "surface": "oklch(1 0 0)", "raised": "oklch(0.952 0.006 160)",
	"ink": "oklch(0.24 0.014 170)", "ink_soft": "oklch(0.48 0.014 170)", "line": "oklch(0.9 0.008 160)", "edge": "oklch(0.61 0.014 170)",
	"accent": "oklch(0.5 0.105 162)", "on_accent": "oklch(1 0 0)", "accent_ink": "oklch(0.47 0.1 162)",
	"tint": "oklch(0.94 0.03 162)", "on_tint": "oklch(0.38 0.08 162)", "plate": "oklch(0.94 0.012 150)", "plate_mark": "oklch(0.7 0.04 155)",
	"scrim": "oklch(0.2 0.015 170 / 0.45)", "shadow": "oklch(0.3 0.02 170 / 0.13)",
	"good": "oklch(0.48 0.115 150)", "good_tint": "oklch(0.95 0.035 150)", "warn": "oklch(0.48 0.1 70)", "warn_tint": "oklch(0.95 0.05 85)",
	"danger": "oklch(0.5 0.19 27)", "danger_tint": "oklch(0.955 0.025 25)", "danger_fill": "oklch(0.52 0.19 27)", "on_danger": "oklch(1 0 0)",
	"zone_a": "oklch(0.62 0.15 145)", "zone_b": "oklch(0.65 0.15 75)", "zone_c": "oklch(0.58 0.17 30)", "zone_d": "oklch(0.57 0.14 260)",
}

var defaultDark = map[string]string{
	"ground": "oklch(0.19 0.008 170)", "surface": "oklch(0.235 0.01 170)", "raised": "oklch(0.285 0.012 170)",
	"ink": "oklch(0.955 0.006 160)", "ink_soft": "oklch(0.76 0.012 160)", "line": "oklch(0.345 0.012 170)", "edge": "oklch(0.61 0.014 170)",
	"accent": "oklch(0.78 0.13 160)", "on_accent": "oklch(0.2 0.03 165)", "accent_ink": "oklch(0.81 0.12 160)",
	"tint": "oklch(0.33 0.04 162)", "on_tint": "oklch(0.9 0.07 160)", "plate": "oklch(0.3 0.016 165)", "plate_mark": "oklch(0.5 0.045 160)",
	"scrim": "oklch(0.1 0.01 170 / 0.68)", "shadow": "oklch(0 0 0 / 0.5)",
	"good": "oklch(0.8 0.13 150)", "good_tint": "oklch(0.3 0.045 150)", "warn": "oklch(0.84 0.12 80)", "warn_tint": "oklch(0.32 0.05 75)",
	"danger": "oklch(0.78 0.13 22)", "danger_tint": "oklch(0.31 0.06 25)", "danger_fill": "oklch(0.52 0.17 27)", "on_danger": "oklch(1 0 0)",
	"zone_a": "oklch(0.72 0.15 145)", "zone_b": "oklch(0.76 0.14 80)", "zone_c": "oklch(0.7 0.15 30)", "zone_d": "oklch(0.7 0.12 255)",
}
