// Command licences refuses libraries whose licence is not on the list: those that the
// program links, and those that the page and the tools install. With -write it writes the
// licences of all that goes out with the program into a file. It needs no network.
//
//	go run ./scripts/licences
//	go run ./scripts/licences -write internal/licences/THIRD_PARTY.txt
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

var (
	// linked are the licences that are allowed in the program and the page.
	linked = []string{"MIT", "MIT-0", "ISC", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Apache-2.0", "MPL-2.0", "OFL-1.1", "Unlicense", "CC0-1.0", "BlueOak-1.0.0", "Zlib", "Unicode-3.0"}
	// tooling are the licences that packages of tools and tests may have.
	tooling = append([]string{"LGPL-3.0-or-later", "WTFPL", "CC BY-SA 4.0"}, installed...)
	// installed are the licences that packages which npm installs for the page may have. Most of these packages
	// build and test the page, and reach no customer.
	installed = append([]string{"CC-BY-4.0", "Python-2.0", "W3C-20150513"}, linked...)
)

// exceptions are packages with an allowed licence that their entry does not name, each with the reason.
var exceptions = map[string]string{
	"cli-table":           "MIT by its readme, its package.json has no such field",
	"parse-cache-control": "BSD-3-Clause by its licence file, its package.json says so in an old form",
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	target := flag.String("write", "", "the file to write")
	flag.Parse()
	var faults []string
	var err error
	if *target != "" {
		err = write(ctx, *target)
	} else {
		faults, err = check(ctx)
	}
	for _, f := range faults {
		fmt.Fprintln(os.Stderr, f)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
	}
	if err != nil || len(faults) > 0 {
		stop()
		os.Exit(1)
	}
}

// write writes the licences of all components that go out with the program into the file.
func write(ctx context.Context, target string) error {
	all, err := components(ctx)
	if err != nil {
		return err
	}
	text, err := writeNotices(all)
	if err != nil {
		return err
	}
	return os.WriteFile(target, []byte(text), 0o644) //nolint:gosec // it is for everybody
}

// check returns a fault for each Go module that the program links, and for each package of a lock file of npm, whose
// licence is not allowed.
func check(ctx context.Context) (faults []string, err error) {
	faults, err = checkModules(ctx)
	if err != nil {
		return faults, err
	}
	locks, err := filepath.Glob("*/package-lock.json")
	deeper, deeperErr := filepath.Glob("*/*/package-lock.json")
	if err := errors.Join(err, deeperErr); err != nil {
		return faults, err
	}
	for _, name := range append(locks, deeper...) {
		found, err := checkLock(name)
		if err != nil {
			return faults, fmt.Errorf("%s: %w", name, err)
		}
		faults = append(faults, found...)
	}
	return faults, nil
}

// checkModules returns a fault for each module that the program links and whose licence is not on the
// list.
func checkModules(ctx context.Context) ([]string, error) {
	modules, err := linkedModules(ctx)
	if err != nil {
		return nil, err
	}
	var faults []string
	for _, m := range modules {
		if !slices.Contains(linked, m.licence) {
			faults = append(faults, fmt.Sprintf("%s: licence %q is not on the list", m.name, m.licence))
		}
	}
	slices.Sort(faults)
	return faults, nil
}

// licenceOf returns the licence of the first licence file in a folder that is recognized; empty when there is none.
func licenceOf(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "[LCUlcu][IONion][CPLcpl]*")) // LICENSE, LICENCE, COPYING, UNLICENSE
	if err != nil {
		return "", err
	}
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || info.IsDir() {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if licence := recognize(string(text)); licence != "" {
			return licence, nil
		}
	}
	return "", nil
}

// marks are words by which a licence is recognized. The first match decides, so stricter licences are first.
var marks = []struct{ words, licence string }{
	{"gnu affero general public license", "AGPL"},
	{"gnu lesser general public license", "LGPL"},
	{"gnu general public license version", "GPL"},
	{"business source license", "BUSL"},
	{"mozilla public license version 2.0", "MPL-2.0"},
	{"mozilla public license, version 2.0", "MPL-2.0"},
	{"apache license version 2.0", "Apache-2.0"},
	{"redistribution and use in source and binary forms", "BSD-3-Clause"},
	{"permission is hereby granted, free of charge", "MIT"},
	{"permission to use, copy, modify, and", "ISC"},
	{"this is free and unencumbered software", "Unlicense"},
	{"cc0 1.0 universal", "CC0-1.0"},
}

// recognize returns the short name of the licence that a text has; empty when it is not known.
func recognize(text string) string {
	const longestLicence, longestTitle = 40_000, 200
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	text = text[:min(longestLicence, len(text))] // behind it are notices of other components
	// The Mozilla licence names the GNU ones, with which it may be combined: its title decides.
	if title := text[:min(longestTitle, len(text))]; strings.Contains(title, "mozilla public license") {
		text = title
	}
	for _, m := range marks {
		if !strings.Contains(text, m.words) {
			continue
		}
		if m.licence == "BSD-3-Clause" && !strings.Contains(text, "endorse or promote") {
			return "BSD-2-Clause"
		}
		return m.licence
	}
	return ""
}

// checkLock returns a fault for each package of a lock file of npm whose licence is not allowed. Packages of the page
// have a shorter list of allowed licences than those of tools and tests.
func checkLock(name string) ([]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			License string
			Link    bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	allowed := tooling
	if name == filepath.Join("web", "package-lock.json") {
		allowed = installed
	}
	var faults []string
	for path, p := range lock.Packages {
		if path == "" || p.Link || allows(allowed, p.License) || exceptions[strings.TrimPrefix(path, "node_modules/")] != "" {
			continue
		}
		faults = append(faults, fmt.Sprintf("%s: %s: licence %q is not on the list", name, strings.TrimPrefix(path, "node_modules/"), p.License))
	}
	slices.Sort(faults)
	return faults, nil
}

// allows reports whether a list of licences allows a licence expression. Of "A OR B" one must be in the list, of "A
// AND B" both.
func allows(list []string, expression string) bool {
	expression = strings.Trim(expression, "()")
	if strings.Contains(expression, " OR ") {
		return slices.ContainsFunc(strings.Split(expression, " OR "), func(one string) bool { return allows(list, one) })
	}
	if strings.Contains(expression, " AND ") {
		return !slices.ContainsFunc(strings.Split(expression, " AND "), func(one string) bool { return !allows(list, one) })
	}
	return slices.Contains(list, strings.TrimSpace(expression))
}
