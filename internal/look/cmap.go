package look

import (
	"encoding/binary"
	"slices"
)

// readLetters returns the letters of a font from its table cmap, or errFont when the table is broken or
// has no letter.
func readLetters(cmap []byte) (Letters, error) {
	if len(cmap) < 4 {
		return nil, errFont
	}
	var letters Letters
	for i := range int(binary.BigEndian.Uint16(cmap[2:])) {
		record := 4 + i*8
		if record+8 > len(cmap) {
			return nil, errFont
		}
		offset := int(binary.BigEndian.Uint32(cmap[record+4:]))
		if offset+16 > len(cmap) {
			return nil, errFont
		}
		table := cmap[offset:]
		var found Letters
		var isWhole bool
		switch binary.BigEndian.Uint16(table) {
		case 4:
			found, isWhole = readSegments(table)
		case 12:
			found, isWhole = readGroups(table)
		default:
			continue // of other platforms, or variants of letters
		}
		if !isWhole {
			return nil, errFont
		}
		letters = append(letters, found...)
	}
	if len(letters) == 0 {
		return nil, errFont
	}
	slices.Sort(letters)
	return slices.Compact(letters), nil
}

// readSegments reads a table of format 4; it returns false when the table is cut off.
func readSegments(table []byte) (Letters, bool) {
	doubled := int(binary.BigEndian.Uint16(table[6:])) // twice the number of segments
	const ends = 14
	starts, deltas, offsets := ends+doubled+2, ends+2*doubled+2, ends+3*doubled+2
	if offsets+doubled > len(table) {
		return nil, false
	}
	var letters Letters
	for s := 0; s < doubled; s += 2 {
		first, last := int(binary.BigEndian.Uint16(table[starts+s:])), int(binary.BigEndian.Uint16(table[ends+s:]))
		delta, offset := int(binary.BigEndian.Uint16(table[deltas+s:])), int(binary.BigEndian.Uint16(table[offsets+s:]))
		for letter := first; letter <= last && letter != 0xffff; letter++ { // 0xffff only ends the table
			glyph := letter + delta
			if offset != 0 {
				at := offsets + s + offset + 2*(letter-first)
				if at+2 > len(table) {
					return nil, false
				}
				if glyph = int(binary.BigEndian.Uint16(table[at:])); glyph != 0 {
					glyph += delta
				}
			}
			if glyph&0xffff != 0 { // numbers of glyphs have 16 bits; 0 is the glyph of no letter
				letters = append(letters, rune(letter))
			}
		}
	}
	return letters, true
}

// readGroups reads a table of format 12, which must have at least 16 bytes. It returns false when the table is
// cut off, has letters that no font has, or more than 100,000 of them.
func readGroups(table []byte) (Letters, bool) {
	const header, group, lastLetter, most = 16, 12, 0x10ffff, 100_000 // a font with more is broken
	var letters Letters
	for i := range int(binary.BigEndian.Uint32(table[12:])) {
		at := header + i*group
		if at+group > len(table) {
			return nil, false
		}
		first, last := binary.BigEndian.Uint32(table[at:]), binary.BigEndian.Uint32(table[at+4:])
		if last > lastLetter || first <= last && int(last-first)+len(letters) > most {
			return nil, false
		}
		for letter := first; letter <= last; letter++ {
			letters = append(letters, rune(letter))
		}
	}
	return letters, true
}
