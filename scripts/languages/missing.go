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

// findMissing returns a line for each thing that the language lacks in the checkout root: formats, messages of the
// server, texts of the page, plural forms. It returns an error when code is not a language tag.
func findMissing(root fs.FS, code string) ([]string, error) {
	tag, err := language.Parse(code)
	if err != nil {
		return nil, fmt.Errorf("%s is not a language tag: %w", code, err)
	}
	forms := wholeForms(tag)
	var lines []string
	for _, find := range []func(fs.FS, string, []string) ([]string, error){findFormats, findMessages, findTexts} {
		missing, err := find(root, code, forms)
		if err != nil {
			return nil, err
		}
		lines = append(lines, missing...)
	}
	return lines, nil
}

// formats are the files that define how a language is written. Each must match its pattern; what describes the lack.
var formats = []struct{ file, pattern, what string }{
	{"internal/lang/lang.go", `Lang = "CODE"`, "the constant of the language, and its place in All"},
	{"internal/cart/words.go", `lang\.CONSTANT\b`, "how sums are written"},
	{"internal/geo/write.go", `lang\.CONSTANT\b`, "how addresses are written"},
	{"web/src/lib/languages.ts", `(?m)^  CODE: \{`, "name and numbers"},
	{"web/src/lib/language-words.ts", `(?m)^  CODE: \{`, "plural rule and dates"},
}

// findFormats returns a line for each of the formats that lacks the language.
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

// findMessages returns a line for each message of the server that the language lacks, and for each plural form of one.
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

// catalogues is the folder of the page's texts; it has a folder for each language.
const catalogues = "web/src/locales"

// findTexts returns a line for each text of the page that English has and the language lacks, and for each plural form
// of one.
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
		translated := path.Join(catalogues, code, path.Base(file))
		texts, err := readCatalogue(root, translated)
		if err != nil {
			texts = nil // the language has no such file yet: all of its texts are missing
		}
		for _, id := range slices.Sorted(maps.Keys(english)) {
			if texts[id] == "" {
				missing = append(missing, translated+": "+id)
				continue
			}
			for _, form := range forms {
				if strings.Contains(english[id], ", plural,") && !hasForm(texts[id], form) {
					missing = append(missing, fmt.Sprintf("%s: %s, the form %s", translated, id, form))
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

// readCatalogue returns the texts of a catalogue of the page by their ids.
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

// joinLines returns the text of a msgid or msgstr of a catalogue, whose lines are quoted each.
func joinLines(written string) string {
	var b strings.Builder
	for _, line := range poLine.FindAllStringSubmatch(written, -1) {
		b.WriteString(cmp.Or(line[1], line[2]))
	}
	return b.String()
}
