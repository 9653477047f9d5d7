package lang

import (
	"testing"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// cldrForms are the names of the forms that the library returns as numbers.
var cldrForms = map[plural.Form]string{
	plural.One: one, plural.Few: few, plural.Many: many, plural.Other: other,
}

func TestPluralMessages_areReadInTheFormOfCLDR(t *testing.T) {
	t.Parallel()
	plurals := 0
	for l, texts := range catalog() {
		tag := language.Make(string(l))
		for key, forms := range texts {
			if len(forms) < 2 {
				continue
			}
			plurals++
			for _, count := range []int{0, 1, 2, 5, 11, 21, 22, 101, 111} {
				form := cldrForms[plural.Cardinal.MatchPlural(tag, count, 0, 0, 0, 0)]
				want := fillValues(l, forms[form], map[string]any{"count": count})
				if got := T(l, key, map[string]any{"count": count}); got != want || want == "" {
					t.Errorf("%s: %s with %d is %q, want the form %s: %q", l, key, count, got, form, want)
				}
			}
		}
	}
	if plurals == 0 {
		t.Fatal("there is no plural message")
	}
}

// A count that is no whole number has no form in the messages: nothing of the program counts so.
func TestPluralMessages_countWholeThings(t *testing.T) {
	t.Parallel()
	for _, l := range All() {
		if got := pluralForm(l, 1.5); got != other {
			t.Errorf("%s: 1.5 has the form %s, want %s", l, got, other)
		}
	}
}
