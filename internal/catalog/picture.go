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
	var srcset []byte
	for rest := p.Variants; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Type == rest[0].Type {
			n++
		}
		srcset = srcset[:0]
		for i, v := range rest[:n] {
			if i > 0 && upTo != 0 && v.Width > upTo {
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
