package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"golang.org/x/text/language"
)

// findMissing returns a line for everything that the language lacks in a checkout of the program.
func findMissing(root fs.FS, code string) ([]string, error) {
	tag, err := language.Parse(code)
	if err != nil {
		return nil, fmt.Errorf("%s is not a language tag: %w", code, err)
	}
	forms := wholeForms(tag)
	var all []string
	for _, find := range []func(fs.FS, string, []string) ([]string, error){findFormats, findMessages, findTexts} {
		missing, err := find(root, code, forms)
		if err != nil {
			return nil, err
		}
		all = append(all, missing...)
	}
	return all, nil
}

// formats are the files that say how a language is written, with what each must have.
var formats = []struct{ file, pattern, what string }{
	{"internal/lang/lang.go", `Lang = "CODE"`, "the constant of the language, and its place in All"},
	{"internal/cart/words.go", `lang\.CONSTANT\b`, "how sums are written"},
	{"internal/geo/write.go", `lang\.CONSTANT\b`, "how addresses are written"},
	{"web/src/lib/languages.ts", `(?m)^  CODE: \{`, "name, script, plural rule, numbers and dates"},
}

// findFormats returns the files that do not say how the language is written.
func findFormats(root fs.FS, code string, _ []string) ([]string, error) {
	names := strings.NewReplacer("CODE", code, "CONSTANT", strings.ToUpper(code))
	var missing []string
	for _, f := range formats {
		source, err := fs.ReadFile(root, f.file)
		if err != nil {
			return nil, err
		}
		if !regexp.MustCompile(names.Replace(f.pattern)).Match(source) {
			missing = append(missing, f.file+": "+f.what)
		}
	}
	return missing, nil
}

// findMessages returns the server's messages that the language lacks, or forms of them.
func findMessages(root fs.FS, code string, forms []string) ([]string, error) {
	files, err := fs.Glob(root, "internal/lang/messages/*.yaml")
	if err != nil {
		return nil, err
	}
	var missing []string
	for _, file := range files {
		source, err := fs.ReadFile(root, file)
		if err != nil {
			return nil, err
		}
		var messages map[string]map[string]any // a text, or texts by form
		if err := yaml.Unmarshal(source, &messages); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, key := range slices.Sorted(maps.Keys(messages)) {
			_, isPlural := messages[key]["en"].(map[string]any)
			byForm, hasForms := messages[key][code].(map[string]any)
			switch {
			case messages[key][code] == nil:
				missing = append(missing, file+": "+key)
			case isPlural && !hasForms:
				missing = append(missing, fmt.Sprintf("%s: %s has no plural forms", file, key))
			case isPlural:
				for _, form := range forms {
					if byForm[form] == nil {
						missing = append(missing, fmt.Sprintf("%s: %s, the form %s", file, key, form))
					}
				}
			}
		}
	}
	return missing, nil
}

// catalogues is where the page has a folder of texts for each language.
const catalogues = "web/src/locales"

// findTexts returns the page's texts that the language lacks, or plural forms of them.
func findTexts(root fs.FS, code string, forms []string) ([]string, error) {
	files, err := fs.Glob(root, catalogues+"/en/*.po")
	if err != nil {
		return nil, err
	}
	var missing []string
	for _, file := range files {
		english, err := readCatalogue(root, file)
		if err != nil {
			return nil, err
		}
		own := path.Join(catalogues, code, path.Base(file))
		texts, err := readCatalogue(root, own)
		if err != nil {
			texts = nil // the language has no such file yet: all of its texts are missing
		}
		for _, id := range slices.Sorted(maps.Keys(english)) {
			if texts[id] == "" {
				missing = append(missing, own+": "+id)
				continue
			}
			for _, form := range forms {
				if strings.Contains(english[id], ", plural,") && !hasForm(texts[id], form) {
					missing = append(missing, fmt.Sprintf("%s: %s, the form %s", own, id, form))
				}
			}
		}
	}
	return missing, nil
}

var (
	poEntry = regexp.MustCompile(`(?m)^msgid ((?:".*"\s*)+)^msgstr ((?:".*"\s*)+)`)
	poLine  = regexp.MustCompile(`(?m)^"(.*)"|^msg\w+ "(.*)"`)
)

// readCatalogue returns the texts of a catalogue of the page by id.
func readCatalogue(root fs.FS, file string) (map[string]string, error) {
	source, err := fs.ReadFile(root, file)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, entry := range poEntry.FindAllStringSubmatch(string(source), -1) {
		if id := joinLines(entry[1]); id != "" { // the head of the file has none
			texts[id] = joinLines(entry[2])
		}
	}
	return texts, nil
}

// joinLines returns the text of one string of a catalogue, which may be written over many lines.
func joinLines(written string) string {
	var b strings.Builder
	for _, line := range poLine.FindAllStringSubmatch(written, -1) {
		b.WriteString(cmp.Or(line[1], line[2]))
	}
	return b.String()
}
