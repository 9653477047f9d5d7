package look

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

// maxUnpacked is how many bytes a font may have when it is unpacked.
const maxUnpacked = 8 << 20

// Span is a range of weights or widths.
type Span struct{ From, To int }

// String returns the span as style sheets write it: two numbers, or one where both are the same.
func (s Span) String() string {
	if s.From == s.To {
		return strconv.Itoa(s.From)
	}
	return fmt.Sprintf("%d %d", s.From, s.To)
}

// Letters are the characters of a font, sorted.
type Letters []rune

// Has reports whether the letter is one of them.
func (l Letters) Has(letter rune) bool {
	_, found := slices.BinarySearch(l, letter)
	return found
}

// Missing returns the letters of a text that the font lacks, each once.
func (l Letters) Missing(text string) string {
	var missing strings.Builder
	for _, letter := range text {
		if !l.Has(letter) && !strings.ContainsRune(missing.String(), letter) {
			missing.WriteRune(letter)
		}
	}
	return missing.String()
}

// unicodeRange returns the letters as a style sheet lists them.
func (l Letters) unicodeRange() string {
	var spans []string
	for i := 0; i < len(l); {
		last := i
		for last+1 < len(l) && l[last+1] == l[last]+1 {
			last++
		}
		span := fmt.Sprintf("U+%X", l[i])
		if last > i {
			span += fmt.Sprintf("-%X", l[last])
		}
		spans = append(spans, span)
		i = last + 1
	}
	return strings.Join(spans, ", ")
}

// Font is what is known of a font file.
type Font struct {
	Letters Letters
	// Weights are those that it has.
	Weights Span
	// Widths are those that it has, in percent; zero where it has one alone.
	Widths Span
}

// errFont says that a file cannot be read as a font.
var errFont = errors.New("not a font in WOFF2")

// knownTables are those that a file names by their place in this list.
var knownTables = strings.Fields(`cmap head hhea hmtx maxp name OS/2 post cvt fpgm glyf loca prep CFF VORG EBDT EBLC gasp hdmx kern LTSH PCLT
VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty
just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill`)

// ReadFont reads a font in WOFF2.
func ReadFont(body []byte) (Font, error) {
	tables, err := readTables(body)
	if err != nil {
		return Font{}, err
	}
	f := Font{Weights: Span{400, 400}}
	if f.Letters, err = readLetters(tables["cmap"]); err != nil {
		return Font{}, err
	}
	if os2 := tables["OS/2"]; len(os2) >= 6 {
		weight := int(binary.BigEndian.Uint16(os2[4:]))
		f.Weights = Span{weight, weight}
	}
	f.readAxes(tables["fvar"])
	return f, nil
}

// tableEntry is a table of the file's directory.
type tableEntry struct {
	name   string
	length int
}

// readTables returns the tables of a file by their names. Tables of outlines stay in the form in
// which WOFF2 packs them.
func readTables(body []byte) (map[string][]byte, error) {
	const headerLength = 48
	if len(body) < headerLength || string(body[:4]) != "wOF2" || string(body[4:8]) == "ttcf" { // ttcf marks a collection of fonts
		return nil, errFont
	}
	count, packedLength := int(binary.BigEndian.Uint16(body[12:])), int(binary.BigEndian.Uint32(body[20:]))
	directory := bytes.NewReader(body[headerLength:])
	var entries []tableEntry
	for range count {
		entry, err := readEntry(directory)
		if err != nil {
			return nil, errFont
		}
		entries = append(entries, entry)
	}
	packed := body[len(body)-directory.Len():]
	if packedLength > len(packed) {
		return nil, errFont
	}
	unpacked, err := io.ReadAll(io.LimitReader(brotli.NewReader(bytes.NewReader(packed[:packedLength])), maxUnpacked))
	if err != nil {
		return nil, errFont
	}
	tables := map[string][]byte{}
	for _, entry := range entries {
		if entry.length > len(unpacked) {
			return nil, errFont
		}
		tables[entry.name], unpacked = unpacked[:entry.length], unpacked[entry.length:]
	}
	return tables, nil
}

// readEntry reads an entry of the directory. The length is that of the table as the file has it.
func readEntry(from *bytes.Reader) (tableEntry, error) {
	const (
		ownName       = 0x3f // the name of the table follows
		plainOutlines = 3    // the version of a table of outlines that is not transformed; of other tables it is 0
	)
	flags, err := from.ReadByte()
	if err != nil {
		return tableEntry{}, err
	}
	var e tableEntry
	if number := int(flags & ownName); number == ownName {
		name := make([]byte, 4)
		if _, err := io.ReadFull(from, name); err != nil {
			return tableEntry{}, err
		}
		e.name = string(name)
	} else if number < len(knownTables) {
		e.name = knownTables[number]
	}
	if e.length, err = readNumber(from); err != nil {
		return tableEntry{}, err
	}
	isOutlines, version := e.name == "glyf" || e.name == "loca", int(flags>>6)
	// A transformed table has another length in the file, which follows.
	if isTransformed := isOutlines && version != plainOutlines || !isOutlines && version != 0; isTransformed {
		e.length, err = readNumber(from)
	}
	return e, err
}

// readNumber reads a number with seven bits in each byte; the eighth bit says that another byte follows.
func readNumber(from io.ByteReader) (int, error) {
	n := 0
	for range 5 {
		b, err := from.ReadByte()
		if err != nil {
			return 0, err
		}
		if n = n<<7 | int(b&0x7f); b&0x80 == 0 {
			return n, nil
		}
	}
	return 0, errFont
}

// readAxes reads which weights and widths a variable font has.
func (f *Font) readAxes(fvar []byte) {
	const headerLength, axisLength = 16, 20
	if len(fvar) < headerLength {
		return
	}
	offset, count := int(binary.BigEndian.Uint16(fvar[4:])), int(binary.BigEndian.Uint16(fvar[8:]))
	for i := range count {
		at := offset + i*axisLength
		if at+axisLength > len(fvar) {
			return
		}
		axis := fvar[at:]
		// The least and the most value are numbers with 16 bits before the point and 16 behind it.
		span := Span{int(binary.BigEndian.Uint16(axis[4:])), int(binary.BigEndian.Uint16(axis[12:]))}
		switch string(axis[:4]) {
		case "wght":
			f.Weights = span
		case "wdth":
			f.Widths = span
		}
	}
}
