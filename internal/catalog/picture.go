package catalog

import "strconv"

// Picture is one picture in several widths and formats. The addresses carry the hash
// of the bytes, so what they give never changes.
type Picture struct {
	// Width and Height are those of the master, in pixels.
	Width  int `json:"width"`
	Height int `json:"height"`
	// Src is a JPEG or PNG for browsers that know nothing better.
	Src string `json:"src"`
	// Variants are by format, the best first, and by width within a format.
	Variants []Variant `json:"variants,omitempty"`
}

// Variant is a picture in one width and format.
type Variant struct {
	Type    string `json:"type"` // "image/avif"
	Width   int    `json:"width"`
	Address string `json:"address"`
}

// Source is what a <source> element of a picture says.
type Source struct{ Type, Srcset string }

// Sources gives the variants up to the width, all for 0, a source for each format,
// the best format first. The smallest variant is always given.
func (p *Picture) Sources(upTo int) []Source {
	var sources []Source
	for i, v := range p.Variants {
		one := v.Address + " " + strconv.Itoa(v.Width) + "w"
		last := len(sources) - 1
		switch {
		case i == 0 || p.Variants[i-1].Type != v.Type:
			sources = append(sources, Source{Type: v.Type, Srcset: one})
		case upTo == 0 || v.Width <= upTo:
			sources[last].Srcset += ", " + one
		}
	}
	return sources
}
