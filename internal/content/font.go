package content

import (
	"path"
	"slices"
	"strings"

	"servery/internal/lang"
	"servery/internal/look"
)

// maxFont is how large a font file may be, in bytes. One of a language has 20 to 40 KB.
const maxFont = 256 << 10

// heavyFont is from when a font file is reported as a heavy one.
const heavyFont = 64 << 10

// readFaces reads the typefaces of a theme, the one for text first.
func (b *brandReader) readFaces(v mappingOf[fontFields]) []look.Face {
	if v.isNull() {
		return nil
	}
	f, o := v.readMapping()
	var faces []look.Face
	for _, face := range []struct {
		role string
		font fontValue
	}{{"text", f.Text}, {"display", f.Display}} {
		if !face.font.isNull() {
			faces = append(faces, b.readFace(face.role, face.font))
		}
	}
	if len(faces) == 0 {
		o.addFault("text or display is missing: which files")
	}
	return faces
}

// readFace reads a typeface: a file for all languages, or one for each.
func (b *brandReader) readFace(role string, v fontValue) look.Face {
	face, brand := look.Face{Role: role}, b.brand.Site
	if !v.isMap() {
		b.addFont(&face, v.value, v.toText(), brand.Languages...)
		return face
	}
	o := v.toObject()
	missing, known := slices.Clone(brand.Languages), languagesOf(brand)
	for _, k := range o.keys {
		l := lang.Lang(k.name)
		if !known[l] {
			k.addFault("%s is not one of the brand's languages", k.name)
			continue
		}
		missing = slices.DeleteFunc(missing, func(other lang.Lang) bool { return other == l })
		b.addFont(&face, o.fields[k.name], o.fields[k.name].toText(), l)
	}
	if len(missing) > 0 {
		v.addFault("there is no file for %s", strings.Join(words(missing), ", "))
	}
	return face
}

// addFont adds a font file of the brand to a face for those languages, and makes documents load it
// early. A file that the face has already is only used for more languages.
func (b *brandReader) addFont(face *look.Face, v value, name string, languages ...lang.Lang) {
	if name == "" {
		return
	}
	for i := range face.Files {
		if file := &face.Files[i]; b.fontNames[file.Address] == name {
			file.Languages = append(file.Languages, languages...)
			b.warnOfLetters(v, name, file.Letters, languages)
			b.addPreload(file.Address, languages)
			return
		}
	}
	font, m, ok := b.openFont(v, name)
	if !ok {
		return
	}
	b.warnOfLetters(v, name, font.Letters, languages)
	b.fontNames[m.mediaPath()] = name
	b.album.drawings = append(b.album.drawings, m)
	face.Files = append(face.Files, look.FaceFile{Font: font, Languages: languages, Address: m.mediaPath()})
	b.addPreload(m.mediaPath(), languages)
}

// addPreload makes documents in those languages load the file early.
func (b *brandReader) addPreload(address string, languages []lang.Lang) {
	fonts := b.brand.Site.Look.Fonts
	for _, l := range languages {
		if !slices.Contains(fonts[l], address) {
			fonts[l] = append(fonts[l], address)
		}
	}
}

// openFont reads a font file of the brand's folder. It returns false and adds a fault when that is no
// font that can be used.
func (b *brandReader) openFont(v value, name string) (look.Font, medium, bool) {
	full := b.dir + "/" + name
	if path.Ext(name) != ".woff2" || path.Clean(name) != name || strings.HasPrefix(name, "..") || path.IsAbs(name) {
		v.addFault("a font is a WOFF2 file in the brand's folder, such as fonts/sans-ru.woff2: %q", name)
		return look.Font{}, medium{}, false
	}
	if _, found := slices.BinarySearch(b.names, full); !found {
		v.addFault("font %s is missing%s", full, b.hintOtherCase(full))
		return look.Font{}, medium{}, false
	}
	body, err := readUpTo(b.files, full, maxFont)
	if err != nil {
		v.addFault("font %s: %v", full, err)
		return look.Font{}, medium{}, false
	}
	font, err := look.ReadFont(body)
	if err != nil {
		v.addFault("font %s: %v", full, err)
		return look.Font{}, medium{}, false
	}
	if len(body) > heavyFont {
		v.addWarning("font %s has %d KB, which every visitor waits for: a file with the letters of one language has 20 to 40", full, len(body)>>10)
	}
	return font, medium{hash: hashOf(body), ending: "woff2", body: body}, true
}

// warnOfLetters adds a warning for letters of the languages, and of the brand's currencies, that a
// font does not have: they would be shown in another typeface.
func (b *brandReader) warnOfLetters(v value, name string, letters look.Letters, languages []lang.Lang) {
	for _, l := range languages {
		if missing := letters.Missing(look.LettersOf(l) + currencySigns(b.brand.Site.PriceLists)); missing != "" {
			v.addWarning("font %s has no %s, which pages in %s show", name, strings.Join(strings.Split(missing, ""), " "), l)
		}
	}
}
