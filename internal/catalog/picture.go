package catalog

import (
	"fmt"
	"strings"
)

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

// Sources gives the variants up to the width, a source for each format, the best

func (p *Picture) Sources(upTo int) []Source {
	var sources []Source
	var current strings.Builder
	for i, v := range p.Variants {
		first := i == 0 || p.Variants[i-1].Type != v.Type
		if first && i > 0 {
			sources = append(sources, Source{p.Variants[i-1].Type, current.String()})
			current.Reset()
		}
		if !first && v.Width > upTo {
			continue
		}
		if !first {
			current.WriteString(", ")
		}
		fmt.Fprintf(&current, "%s %dw", v.Address, v.Width)
	}
	if current.Len() > 0 {
		sources = append(sources, Source{p.Variants[len(p.Variants)-1].Type, current.String()})
	}
	return sources
}
