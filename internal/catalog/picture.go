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

// UnmarshalJSON reads a picture of a revision.
func (p *Picture) UnmarshalJSON(text []byte) error {
	type plain Picture
	if err := json.Unmarshal(text, (*plain)(p)); err != nil {
		return err
	}
	p.small, p.big = sourcesUpTo(p.Variants, smallWidth), sourcesUpTo(p.Variants, bigWidth)
	return nil
}

// Small returns the pictures of a list: a source for each format, the best first, with the variants
// up to some width. It must not be changed.
func (p *Picture) Small() []Source { return p.small }

// Big returns the same for a dialog.
func (p *Picture) Big() []Source { return p.big }

// sourcesUpTo returns the variants up to the width, a source for each format. The smallest variant
// is always included.
func sourcesUpTo(variants []Variant, upTo int) []Source {
	var sources []Source
	var srcset []byte
	for rest := variants; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Type == rest[0].Type {
			n++
		}
		srcset = srcset[:0]
		for i, v := range rest[:n] {
			if i > 0 && v.Width > upTo {
				continue
			}
			if i > 0 {
				srcset = append(srcset, ", "...)
			}
			srcset = append(append(srcset, v.Address...), ' ')
			srcset = append(strconv.AppendInt(srcset, int64(v.Width), 10), 'w')
		}
		sources = append(sources, Source{Type: rest[0].Type, Srcset: string(srcset)})
		rest = rest[n:]
	}
	return sources
}
