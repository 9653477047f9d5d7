package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestWriteNotices(t *testing.T) {
	t.Parallel()
	const mit, mpl = "MIT\n\nPermission is hereby granted", "Mozilla Public License Version 2.0"
	all := []component{
		{name: "github.com/riverqueue/river", version: "v1.2.3", licence: "MPL-2.0", source: sourceOf("github.com/riverqueue/river/rivertype", "v1.2.3"), texts: []string{mpl}},
		{name: "b", version: "2.0.0", licence: "MIT", texts: []string{mit}},
		{name: "a", version: "1.0.0", licence: "MIT", author: "Ann", texts: []string{mit}},
	}
	text, err := writeNotices(all)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(text, mit) != 1 || strings.Count(text, mpl) != 1 {
		t.Error("a text that two components share stands there twice")
	}
	for _, want := range []string{
		"\na 1.0.0: MIT [1]\n    by Ann\n", "\nb 2.0.0: MIT [1]\n", "\n[1] a, b\n",
		"\ngithub.com/riverqueue/river v1.2.3: MPL-2.0 [2]\n    source code: https://github.com/riverqueue/river, version v1.2.3\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	all[0], all[2] = all[2], all[0]
	if again, err := writeNotices(all); err != nil || again != text {
		t.Error("the file depends on the order of the components")
	}
}

func TestWriteNotices_ordersTwoVersionsAlways(t *testing.T) {
	t.Parallel()
	older := component{name: "a", version: "7.0.0", licence: "MIT", texts: []string{"MIT"}}
	newer := component{name: "a", version: "8.0.0", licence: "MIT", texts: []string{"MIT"}}
	one, err := writeNotices([]component{older, newer})
	if err != nil {
		t.Fatal(err)
	}
	if other, err := writeNotices([]component{newer, older}); err != nil || other != one {
		t.Errorf("%v; one order is\n%s\nanother\n%s", err, one, other)
	}
}

func TestWriteNotices_refusesWhatItCannotSay(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]component{
		"x: no licence text":                           {name: "x", licence: "MIT"},
		"x: the place of its source code is not known": {name: "x", licence: "MPL-2.0", texts: []string{"MPL"}},
	} {
		if _, err := writeNotices([]component{c}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestBundledPackages(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"package.json":                                `{"dependencies": {"a": "1"}, "devDependencies": {"builder": "1"}}`,
		"node_modules/a/package.json":                 `{"name": "a", "version": "1.0.0", "license": "MIT", "dependencies": {"b": "2"}}`,
		"node_modules/a/license":                      "MIT\r\n\r\nCopyright A\r\n",
		"node_modules/a/licence.js":                   "no licence",
		"node_modules/a/node_modules/b/package.json":  `{"name": "b", "version": "2.0.0", "license": "Unlicense", "author": "Bob <bob@example.com>"}`,
		"node_modules/builder/package.json":           `{"name": "builder", "version": "1.0.0", "license": "MIT"}`,
		"node_modules/tailwindcss/package.json":       `{"name": "tailwindcss", "version": "4.0.0", "license": "MIT", "author": {"name": "Tim"}, "dependencies": {"missing": "1"}}`,
		"node_modules/tailwindcss/LICENSE":            "MIT",
		"node_modules/vite/package.json":              `{"name": "vite", "version": "8.0.0", "license": "MIT"}`,
		"node_modules/vite/LICENSE.md":                "Vite is MIT\n\n# Licenses of bundled dependencies\nmany",
		"node_modules/rolldown/package.json":          `{"name": "rolldown", "version": "1.0.0", "license": "MIT"}`,
		"node_modules/rolldown/LICENSE":               "MIT",
		"node_modules/cldr-core/package.json":         `{"name": "cldr-core", "version": "48.0.0", "license": "Unicode-3.0"}`,
		"node_modules/cldr-core/LICENSE":              "Unicode",
		"node_modules/cldr-numbers-full/package.json": `{"name": "cldr-numbers-full", "version": "48.0.0", "license": "Unicode-3.0"}`,
		"node_modules/cldr-numbers-full/LICENSE":      "Unicode",
	} {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := bundledPackages(root)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]component{}
	for _, c := range all {
		got[c.name] = c
	}
	if a := got["a"]; len(a.texts) != 1 || a.texts[0] != "MIT\n\nCopyright A" {
		t.Errorf("a: %+v", a)
	}
	if b := got["b"]; b.author != "Bob <bob@example.com>" || len(b.texts) != 1 || !strings.Contains(b.texts[0], "unencumbered") {
		t.Errorf("a dependency of a dependency, without a licence file: %+v", b)
	}
	if v := got["vite"]; len(v.texts) != 1 || v.texts[0] != "Vite is MIT" {
		t.Errorf("vite: %+v", v)
	}
	if _, there := got["builder"]; there || len(got) != 7 {
		t.Errorf("got %v", got)
	}
}

func TestGoLicence_isThatOfTheCompiler(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "LICENSE")) //nolint:staticcheck // the test runs where it was built
	if err != nil {
		t.Skip("this Go has no licence beside it")
	}
	if tidy(string(text)) != usualText("Go") {
		t.Error("texts/Go.txt is not the licence of this Go")
	}
}
