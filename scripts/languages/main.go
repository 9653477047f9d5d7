// Command languages lists what an interface language lacks: messages of the server, texts of the
// page, plural forms and formats. It exits with 1 when anything is missing.
//
//	go run ./scripts/languages kk
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/languages TAG")
		os.Exit(2)
	}
	missing, err := findMissing(os.DirFS("."), os.Args[1])
	if err == nil {
		err = writeMissing(os.Stdout, os.Args[1], missing)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if len(missing) > 0 {
		os.Exit(1)
	}
}

// writeMissing writes the missing things, a line each, and a line with their number.
func writeMissing(w io.Writer, tag string, missing []string) error {
	total := fmt.Sprintf("%s: %d missing", tag, len(missing))
	if len(missing) == 0 {
		total = tag + ": nothing is missing"
	}
	_, err := fmt.Fprintln(w, strings.Join(append(missing, total), "\n"))
	return err
}

var formNames = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: "other",
}

// wholeForms returns the sorted names of the plural forms that the language uses for whole numbers by CLDR. It tries
// the numbers below 1000.
func wholeForms(tag language.Tag) []string {
	var forms []string
	for n := range 1000 {
		form := formNames[plural.Cardinal.MatchPlural(tag, n, 0, 0, 0, 0)]
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	slices.Sort(forms)
	return forms
}

// hasForm reports whether an ICU message has a text for the plural form.
func hasForm(message, form string) bool { return strings.Contains(message, " "+form+" {") }
