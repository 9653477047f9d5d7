package catalog

import (
	"encoding/json"
	"strconv"
)

// Widths up to which a list and a dialog show pictures.
const (
	smallWidth = 400
	bigWidth   = 2000
)

// Picture is one picture in several widths and formats. The addresses carry the hash of the bytes,
// so what they point to never changes.
type Picture struct {
	// Width and Height are those of the master, in pixels.
	Width  int `json:"width"`
	Height int `json:"height"`
	// Src is a JPEG or PNG for browsers that support nothing better.
	Src string `json:"src"`
	// Variants are by format, the best first, and by width within a format.
	Variants []Variant `json:"variants,omitempty"`

	// small and big are made when the picture is read: many answers show it.
	small, big []Source
}

// Variant is a picture in one width and format.
type Variant struct {
	Type    string `json:"type"` // "image/avif"
	Width   int    `json:"width"`
	Address string `json:"address"`
}

// Source is a <source> element of a picture.
type Source struct{ Srcset, Type string }

// UnmarshalJSON reads a picture of a revision, and prepares the sources of Small and Big.
func (p *Picture) UnmarshalJSON(text []byte) error {
	type plain Picture // without this method, which would call itself
	if err := json.Unmarshal(text, (*plain)(p)); err != nil {
		return err
	}
	p.small, p.big = sourcesUpTo(p.Variants, smallWidth), sourcesUpTo(p.Variants, bigWidth)
	return nil
}

// Small returns the sources of the picture in a list, one for each format, the best format first.
// The caller must not change them.
func (p *Picture) Small() []Source { return p.small }

// Big returns the sources of the picture in a dialog, one for each format, the best format first.
// The caller must not change them.
func (p *Picture) Big() []Source { return p.big }

// sourcesUpTo returns a source for each format, with its variants up to the width. The first
// variant of a format, the smallest, is always in it.
func sourcesUpTo(variants []Variant, maxWidth int) []Source {
	var sources []Source
	var srcset []byte
	for remaining := variants; len(remaining) > 0; {
		count := 1 // variants of the first format
		for count < len(remaining) && remaining[count].Type == remaining[0].Type {
			count++
		}
		srcset = srcset[:0]
		for i, v := range remaining[:count] {
			if i > 0 && v.Width > maxWidth {
				continue
			}
			if i > 0 {
				srcset = append(srcset, ", "...)
			}
			srcset = append(append(srcset, v.Address...), ' ')
			srcset = append(strconv.AppendInt(srcset, int64(v.Width), 10), 'w')
		}
		sources = append(sources, Source{Type: remaining[0].Type, Srcset: string(srcset)})
		remaining = remaining[count:]
	}
	return sources
}
