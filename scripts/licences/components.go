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

// platforms and tags are those that the program is built for. The modules of all builds are listed, so that the list
// does not depend on the machine.
var (
	platforms = []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64"}
	tags      = []string{"", "release"}
)

// tools are packages that leave pieces of themselves in the page without being imported: the reset of styles, the code
// that loads chunks, and the signs of currencies.
var tools = []string{"tailwindcss", "vite", "rolldown", "cldr-core", "cldr-numbers-full"}

// page is the folder of the page.
const page = "web"

// components returns every component that goes out with the program, unsorted: Go modules, packages of the page, Go
// itself and the demo's pictures.
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

// linkedModules returns the Go modules that any build links. The texts of each are the licences in the folders of its
// linked packages and above them, up to the module's root.
func linkedModules(ctx context.Context) ([]component, error) {
	folders := map[string]map[string]bool{} // folders of linked packages, by "path version folder" of the module
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
	var components []component
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
		components = append(components, c)
	}
	return components, nil
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

// licencesAbove returns the licences in root, in the folders, which are below root, and in all folders between.
func licencesAbove(root string, folders map[string]bool) ([]string, error) {
	searched := map[string]bool{root: true}
	for folder := range folders {
		for ; len(folder) > len(root); folder = filepath.Dir(folder) {
			searched[folder] = true
		}
	}
	var found []string
	for _, folder := range sortedKeys(searched) {
		files, err := readLicences(folder)
		if err != nil {
			return nil, err
		}
		found = append(found, files...)
	}
	return found, nil
}

// sourceOf returns the address and the version of a module's source code; empty unless it is at GitHub.
func sourceOf(module, version string) string {
	parts := strings.Split(module, "/")
	if parts[0] != "github.com" || len(parts) < 3 {
		return ""
	}
	return fmt.Sprintf("https://%s, version %s", strings.Join(parts[:3], "/"), version)
}

// manifest has the fields of a package.json that are read here.
type manifest struct {
	Name, Version, License string
	Author                 author
	Dependencies           map[string]string
}

// author is the name of a package's author.
type author string

// UnmarshalJSON reads an author, which is a text or an object with a name.
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

// bundledPackages returns the packages that the page in root depends on, directly or through others, and the tools that
// leave pieces in it.
func bundledPackages(root string) ([]component, error) {
	own, err := readManifest(root)
	if err != nil {
		return nil, err
	}
	names := append(sortedKeys(own.Dependencies), tools...)
	found := map[string]component{} // by name and version, because a package may lie in several folders
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
			if text := usualText(strings.ReplaceAll(name, "/", "_")); len(c.texts) == 0 && text != "" {
				c.texts = []string{text} // its repository has one
			}
			if text := usualText(m.License); len(c.texts) == 0 && text != "" {
				c.texts, c.author = []string{text}, string(m.Author)
			}
			found[c.name+"@"+c.version] = c
			if slices.Contains(tools, name) {
				continue // the page has a piece of the tool, but nothing of the tool's own dependencies
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

// findPackage returns the folder of the package that code in the folder from imports by the name. It looks into
// node_modules of from and of each folder above it, up to root.
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
