package main

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// component is something that is linked into the program or bundled into the page.
type component struct {
	name, version, licence string
	// author is the author's name, set only when the package ships no licence text.
	author string
	// source is the address of the source code, which the Mozilla licence requires.
	source string
	// texts are the licences and notices.
	texts []string
}

// usual are the texts of licences for components that name a licence and ship no file of it. They include the licence
// of Go itself, which some packages of Go lack.
//
//go:embed texts
var usual embed.FS

// usualText returns the text of the named licence from the folder texts, empty when there is none.
func usualText(name string) string {
	text, err := fs.ReadFile(usual, "texts/"+name+".txt")
	if err != nil {
		return ""
	}
	return tidy(string(text))
}

// licenceName matches the files that hold licences and notices.
var licenceName = regexp.MustCompile(`(?i)^(li[cs]en[cs]e|copying|copyright|notice|unlicense|patents)[^.]*(\.md|\.txt)?$`)

// readLicences returns the licences and notices that lie directly in the folder.
func readLicences(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceName.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		found = append(found, tidy(string(text)))
	}
	return found, nil
}

// toolsOwn begins the notices of a build tool's own parts, none of which is in the page.
const toolsOwn = "\n# Licenses of bundled dependencies"

// tidy normalizes a licence, so that two copies of it are equal: plain line ends, no white space around the text and at
// the ends of lines, and no notices of a build tool's own parts.
func tidy(text string) string {
	text, _, _ = strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), toolsOwn)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

const intro = `THIRD-PARTY SOFTWARE IN SERVERY

Servery is made with the components below. First they are listed, each with its licence
and the numbers of the texts that belong to it; the texts follow, each once.
Components under the Mozilla Public License 2.0 are used unchanged, and their source code
is where the list says.
`

var ruler = strings.Repeat("=", 80)

// writeNotices returns the text that goes out with the program: the list of components, then each licence once. It
// sorts components, so that the text does not depend on their order. It returns an error that names each component
// without a licence text, or under the Mozilla licence without the address of its source code.
func writeNotices(components []component) (string, error) {
	slices.SortFunc(components, func(a, b component) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.version, b.version))
	})
	var list, texts strings.Builder
	numbers := map[string]int{}
	users := map[int][]string{}
	var order []string
	var faults []error
	for _, c := range components {
		switch {
		case len(c.texts) == 0:
			faults = append(faults, fmt.Errorf("%s: no licence text", c.name))
		case c.licence == "MPL-2.0" && c.source == "":
			faults = append(faults, fmt.Errorf("%s: the place of its source code is not known", c.name))
		}
		var references []string
		for _, text := range c.texts {
			n, known := numbers[text]
			if !known {
				order = append(order, text)
				n = len(order)
				numbers[text] = n
			}
			users[n] = append(users[n], c.name)
			references = append(references, fmt.Sprintf("[%d]", n))
		}
		fmt.Fprintf(&list, "%s: %s %s\n", strings.TrimSpace(c.name+" "+c.version), c.licence, strings.Join(references, " "))
		if c.author != "" {
			fmt.Fprintf(&list, "    by %s\n", c.author)
		}
		if c.licence == "MPL-2.0" {
			fmt.Fprintf(&list, "    source code: %s\n", c.source)
		}
	}
	for i, text := range order {
		fmt.Fprintf(&texts, "\n%s\n[%d] %s\n%s\n\n%s\n", ruler, i+1, strings.Join(slices.Compact(users[i+1]), ", "), ruler, text)
	}
	return intro + "\n" + list.String() + texts.String(), errors.Join(faults...)
}
