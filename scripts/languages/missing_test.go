package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/language"

	"servery/internal/lang"
)

func TestFindMissing_hasNothingForTheLanguagesOfTheInterface(t *testing.T) {
	t.Parallel()
	for _, l := range lang.All() {
		missing, err := findMissing(os.DirFS("../.."), string(l))
		if err != nil || len(missing) > 0 {
			t.Errorf("%s: %v, %q", l, err, missing)
		}
	}
}

func TestFindMissing_listsEverythingOfANewLanguage(t *testing.T) {
	t.Parallel()
	missing, err := findMissing(os.DirFS("../.."), "pl")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"internal/lang/lang.go: the constant of the language, and its place in All", "internal/geo/write.go: how addresses are written",
		"internal/lang/messages/cart.yaml: cart.too_many", "web/src/locales/pl/first.po: common.check-network",
	} {
		if !slices.Contains(missing, want) {
			t.Errorf("%q is not listed", want)
		}
	}
}

func TestFindMissing_knowsTheFormsOfTheLanguage(t *testing.T) {
	t.Parallel()
	if got, want := wholeForms(language.Polish), []string{"few", "many", "one"}; !slices.Equal(got, want) {
		t.Errorf("the forms of Polish are %v, want %v", got, want)
	}
	root := fstest.MapFS{
		"internal/lang/messages/a.yaml": {Data: []byte("a.dishes:\n  en: {one: a, other: b}\n  pl: {one: a, few: b}\n")},
		"web/src/locales/en/a.po":       {Data: []byte("msgid \"\"\nmsgstr \"\"\n\nmsgid \"ui.n\"\nmsgstr \"\"\n\"{n, plural, \"\n\"one {a} other {b}}\"\n\nmsgid \"ui.x\"\nmsgstr \"X\"\n")},
		"web/src/locales/pl/a.po":       {Data: []byte("msgid \"ui.n\"\nmsgstr \"{n, plural, one {a} many {b} other {c}}\"\n\nmsgid \"ui.x\"\nmsgstr \"\"\n")},
	}
	for _, f := range formats {
		root[f.file] = &fstest.MapFile{Data: []byte("\tPL Lang = \"pl\"\nlang.PL\n  pl: {")}
	}
	missing, err := findMissing(root, "pl")
	want := []string{
		"internal/lang/messages/a.yaml: a.dishes, the form many",
		"web/src/locales/pl/a.po: ui.n, the form few",
		"web/src/locales/pl/a.po: ui.x",
	}
	if err != nil || !slices.Equal(missing, want) {
		t.Errorf("%v, %v:\n%s", err, missing, strings.Join(want, "\n"))
	}
}
