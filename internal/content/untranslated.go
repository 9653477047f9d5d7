package content

import (
	"slices"
	"strings"

	"servery/internal/lang"
)

// localized is a text of content with its place and the languages it has.
type localized struct {
	value

	field string
	text  lang.Text
}

// findUntranslated returns the texts that lack a language. A file of a brand needs the languages of
// that brand, a shared file the languages of all brands.
func (r *reader) findUntranslated(dirs []string) []Fault {
	languages := map[string][]lang.Lang{} // by folder of the brand
	var ofAllBrands []lang.Lang
	for i, dir := range dirs {
		languages[dir] = r.document.Brands[i].Site.Languages
		for _, l := range languages[dir] {
			if !slices.Contains(ofAllBrands, l) {
				ofAllBrands = append(ofAllBrands, l)
			}
		}
	}
	found := &faults{}
	for _, w := range r.written {
		dir, _, _ := strings.Cut(w.file, "/") // of the brand, or "places" and such
		wanted, own := languages[dir]
		if !own {
			wanted = ofAllBrands
		}
		var missing []string
		for _, l := range wanted {
			if w.text[l] == "" {
				missing = append(missing, string(l))
			}
		}
		if len(missing) > 0 {
			found.addWarning(w.file, w.lineNumber(), "%s is missing in %s", w.field, strings.Join(missing, ", "))
		}
	}
	return found.sortedList()
}
