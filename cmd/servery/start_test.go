package main

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	brands "servery/content"
	"servery/internal/content"
	"servery/internal/lang"
	"servery/internal/look"
)

func TestNewBrand_writesAFolderThatLacksOnlyWhatTheBrandIs(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "shop")
	var out bytes.Buffer
	if err := runCommand(t.Context(), []string{"new-brand", dir}, nil, &out, &out); err != nil || !strings.Contains(out.String(), "README.md") {
		t.Fatalf("%v: %s", err, out.String())
	}
	// The service reads it as another user.
	for name, readable := range map[string]fs.FileMode{".": 0o555, "fonts/letters.json": 0o444} {
		info, err := os.Stat(filepath.Join(dir, name))
		readme, errReadme := os.Stat(filepath.Join(dir, "README.md"))
		if err != nil || errReadme != nil || info.Mode()&readable&^0o111 != readme.Mode()&0o444 {
			t.Errorf("%s: %v, %v, %v", name, info.Mode(), err, errReadme)
		}
	}
	read, found := content.Read(os.DirFS(dir))
	if read == nil {
		t.Fatalf("it cannot be read: %v", found)
	}
	const advice = " that new-brand wrote: write your own before you open"
	want := []string{
		"brand/brand.yaml:11: warning: this is still the phone" + advice,
		"brand/brand.yaml:12: warning: this is still the email" + advice,
		"brand/cities.yaml:5: warning: this is still the phone" + advice,
		"brand/pages/01-about.yaml:6: warning: this is still the text of about" + advice,
		"brand/pages/02-imprint.yaml:6: warning: this is still the text of imprint" + advice,
		"brand/pages/03-privacy-policy.yaml:5: warning: this is still the text of privacy-policy" + advice,
		"brand/shops.yaml:10: warning: this is still the company_name" + advice,
	}
	got := []string{}
	for _, f := range found {
		got = append(got, f.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(read.Untranslated()) > 0 {
		t.Errorf("not translated: %v", read.Untranslated())
	}
	// Each file names a schema that is there.
	err := fs.WalkDir(brands.Starter(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		first, _, _ := strings.Cut(string(text), "\n")
		_, schema, ok := strings.Cut(first, "$schema=")
		if _, err := os.Stat(filepath.Join(dir, filepath.Dir(name), schema)); !ok || err != nil {
			t.Errorf("%s names no schema that is there: %s", name, first)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestNewBrand_hasWhatMakesFonts(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mine")
	if err := writeStarter([]string{dir}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "fonts", "fonts.py")); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "fonts", "letters.json"))
	if err != nil {
		t.Fatal(err)
	}
	var letters map[lang.Lang]string
	if err := json.Unmarshal(text, &letters); err != nil {
		t.Fatal(err)
	}
	for _, l := range lang.All() {
		if letters["every"]+letters[l] != look.LettersOf(l) {
			t.Errorf("%s has other letters than the check of fonts", l)
		}
	}
}

func TestNewBrand_writesOverNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mine := filepath.Join(dir, "countries.yaml")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := runCommand(t.Context(), []string{"new-brand", dir}, nil, &out, &out); err == nil || !strings.Contains(err.Error(), "has files in it already") {
		t.Error(err)
	}
	if text, err := os.ReadFile(mine); err != nil || string(text) != "mine" {
		t.Errorf("%v %s", err, text)
	}
}

func TestSchema_writesTheSchemaOfEachFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "schema")
	var out bytes.Buffer
	for range 2 { // over those that are there, too
		if err := runCommand(t.Context(), []string{"schema", dir}, nil, &out, &out); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"brand.json", "theme.json", "menu.json", "defs.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}
