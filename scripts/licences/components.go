package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// platforms and tags are what the program is built for. All are asked, so that the list is
// the same on each of them.
var (
	platforms = []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64"}
	tags      = []string{"", "release"}
)

// tools leave small pieces of themselves in the page besides what it imports: the reset of
// styles, the code that loads chunks, and the signs of currencies.
var tools = []string{"tailwindcss", "vite", "rolldown", "cldr-core", "cldr-numbers-full"}

// page is the folder of the page.
const page = "web"

// components returns everything that goes out with the program, unsorted.
func components(ctx context.Context) ([]component, error) {
	modules, err := linkedModules(ctx)
	if err != nil {
		return nil, err
	}
	packages, err := bundledPackages(page)
	if err != nil {
		return nil, err
	}
	demo, err := os.ReadFile("content/demo/LICENSES.md")
	if err != nil {
		return nil, err
	}
	return slices.Concat(modules, packages, []component{
		{name: "The Go programming language, its library and runtime", licence: "BSD-3-Clause", texts: []string{usualText("Go")}},
		{name: "Pictures of the demo, in development builds", licence: "MIT and CC0-1.0", texts: []string{tidy(string(demo))}},
	}), nil
}

// linkedModules returns the Go modules of all builds, with the licences that lie beside
// their linked packages and above them.
func linkedModules(ctx context.Context) ([]component, error) {
	folders := map[string]map[string]bool{} // of linked packages, by path, version and folder of the module
	for _, platform := range platforms {
		for _, tag := range tags {
			lines, err := listPackages(ctx, platform, tag)
			if err != nil {
				return nil, err
			}
			for _, line := range lines {
				module, folder, _ := strings.Cut(line, "\t")
				if folders[module] == nil {
					folders[module] = map[string]bool{}
				}
				folders[module][folder] = true
			}
		}
	}
	var all []component
	for module, linked := range folders {
		fields := strings.Split(module, " ")
		path, version, root := fields[0], fields[1], fields[2]
		c := component{name: path, version: version, source: sourceOf(path, version)}
		var err error
		if c.licence, err = licenceOf(root); err != nil {
			return nil, err
		}
		if c.texts, err = licencesAbove(root, linked); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// listPackages returns a line for each package that a build links: path, version and folder of its
// module with spaces between, a tab, and the folder of the package.
func listPackages(ctx context.Context, platform, tag string) ([]string, error) {
	goos, goarch, _ := strings.Cut(platform, "/")
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-tags", tag,
		"-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "./cmd/servery")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list modules: %w", err)
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' }), nil
}

// licencesAbove returns the licences of the folders and of all folders between them and root.
func licencesAbove(root string, folders map[string]bool) ([]string, error) {
	all := map[string]bool{root: true}
	for folder := range folders {
		for ; len(folder) > len(root); folder = filepath.Dir(folder) {
			all[folder] = true
		}
	}
	var found []string
	for _, folder := range sortedKeys(all) {
		files, err := readLicences(folder)
		if err != nil {
			return nil, err
		}
		found = append(found, files...)
	}
	return found, nil
}

// sourceOf returns where the source code of a module is; empty unless it is at GitHub.
func sourceOf(module, version string) string {
	parts := strings.Split(module, "/")
	if parts[0] != "github.com" || len(parts) < 3 {
		return ""
	}
	return fmt.Sprintf("https://%s, version %s", strings.Join(parts[:3], "/"), version)
}

// manifest is what a package says of itself.
type manifest struct {
	Name, Version, License string
	Author                 author
	Dependencies           map[string]string
}

// author is written as a text or as an object.
type author string

// UnmarshalJSON reads the author of a package: a text, or an object with a name.
func (a *author) UnmarshalJSON(data []byte) error {
	var object struct{ Name string }
	if err := json.Unmarshal(data, &object); err == nil {
		*a = author(object.Name)
		return nil
	}
	return json.Unmarshal(data, (*string)(a))
}

// readManifest reads the package.json of a folder.
func readManifest(dir string) (m manifest, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(data, &m)
}

// bundledPackages returns the packages that the page in root depends on, theirs too, and
// the tools that leave something in it.
func bundledPackages(root string) ([]component, error) {
	own, err := readManifest(root)
	if err != nil {
		return nil, err
	}
	names := append(sortedKeys(own.Dependencies), tools...)
	found := map[string]component{} // by name and version: one may lie in several folders
	seen := map[string]bool{}
	var visit func(from string, names []string) error
	visit = func(from string, names []string) error {
		for _, name := range names {
			dir, err := findPackage(root, from, name)
			if err != nil {
				return err
			}
			if seen[dir] {
				continue
			}
			seen[dir] = true
			m, err := readManifest(dir)
			if err != nil {
				return err
			}
			c := component{name: m.Name, version: m.Version, licence: m.License}
			if c.texts, err = readLicences(dir); err != nil {
				return err
			}
			if text := usualText(m.License); len(c.texts) == 0 && text != "" {
				c.texts, c.author = []string{text}, string(m.Author)
			}
			found[c.name+"@"+c.version] = c
			if slices.Contains(tools, name) {
				continue // a piece of the tool is in the page, nothing of what the tool needs
			}
			if err := visit(dir, sortedKeys(m.Dependencies)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := visit(root, names); err != nil {
		return nil, err
	}
	var all []component
	for _, key := range sortedKeys(found) {
		all = append(all, found[key])
	}
	return all, nil
}

// findPackage returns the folder of the package that a module in the folder from imports by the name:
// that of the nearest node_modules, in from or above it up to root.
func findPackage(root, from, name string) (string, error) {
	for dir := from; ; dir = filepath.Dir(dir) {
		candidate := filepath.Join(dir, "node_modules", name)
		_, err := os.Stat(filepath.Join(candidate, "package.json"))
		if err == nil {
			return candidate, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if dir == root {
			return "", fmt.Errorf("%s is not installed: run npm ci in %s", name, root)
		}
	}
}

// sortedKeys returns the keys of a map, sorted.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
