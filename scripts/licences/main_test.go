package main

import "testing"

func TestLicenceOf_knowsLicencesByTheirWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"MIT License\n\nPermission is hereby granted, free of\ncharge, to any": "MIT",
		"Mozilla Public License Version 2.0 … GNU General Public License":      "MPL-2.0",
		"GNU GENERAL PUBLIC LICENSE\nVersion 3":                                "GPL",
		"All rights reserved.":                                                 "",
	} {
		if got := recognize(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestCheck_takesOneAllowedLicenceOfSeveral(t *testing.T) {
	t.Parallel()
	list := []string{"MIT", "ISC"}
	for expression, want := range map[string]bool{
		"MIT": true, "(MIT OR GPL-3.0)": true, "MIT AND ISC": true, "MIT AND GPL-3.0": false, "": false,
	} {
		if got := allows(list, expression); got != want {
			t.Errorf("%q: %t", expression, got)
		}
	}
}
