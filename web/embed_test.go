package web

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

func TestThemesAreThoseThatTheStylesImport(t *testing.T) {
	t.Parallel()
	styles, err := os.ReadFile("src/styles/main.css")
	if err != nil {
		t.Fatal(err)
	}
	if len(Themes()) == 0 {
		t.Error("there are no themes")
	}
	for _, name := range Themes() {
		if !strings.Contains(string(styles), `@import "./themes/`+name+`.css";`) {
			t.Errorf("main.css does not import %s", name)
		}
	}
}

func TestManifestNamesFilesThatExist(t *testing.T) {
	t.Parallel()
	manifest, err := ReadManifest()
	if errors.Is(err, ErrNotBuilt) {
		t.Skip("the page is not built here")
	}
	if err != nil {
		t.Fatal(err)
	}
	named := append([]string{manifest.Entry, manifest.StartWatch}, manifest.Scripts...)
	named = append(named, manifest.Styles...)
	for _, language := range manifest.Languages {
		named = append(append(named, language.Scripts...), language.Fonts...)
	}
	for _, route := range manifest.Routes {
		named = append(append(named, route.Scripts...), route.Styles...)
	}
	for _, name := range named {
		if _, err := fs.Stat(Dist(), strings.TrimPrefix(name, "/")); err != nil {
			t.Errorf("page.json names %s: %v", name, err)
		}
	}
	if len(manifest.Languages) != 6 {
		t.Errorf("page.json has %d languages, want 6", len(manifest.Languages))
	}
	if _, err := RenderScript(); err != nil {
		t.Error(err)
	}
}
