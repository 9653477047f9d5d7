package licences_test

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"servery/internal/licences"
	"servery/web"
)

func TestText_hasTheLicencesOfGoAndOfThePage(t *testing.T) {
	t.Parallel()
	text := licences.Text()
	for _, want := range []string{
		"\nThe Go programming language, its library and runtime: BSD-3-Clause [",
		"Copyright 2009 The Go Authors",
		"\ngithub.com/riverqueue/river v",
		"\n    source code: https://github.com/riverqueue/river, version v",
		"Mozilla Public License Version 2.0",
		"\nreact ", "Copyright (c) Meta Platforms, Inc. and affiliates.",
		"\nmodernc.org/sqlite v", "\nleaflet ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q", want)
		}
	}
}

func TestText_namesEveryPackageOfTheBuiltPage(t *testing.T) {
	t.Parallel()
	data, err := fs.ReadFile(web.Dist(), "page.json")
	if err != nil {
		t.Skip("the page is not built here")
	}
	var built struct{ Packages []string }
	if err := json.Unmarshal(data, &built); err != nil {
		t.Fatal(err)
	}
	if len(built.Packages) == 0 {
		t.Fatal("page.json names no packages")
	}
	for _, name := range built.Packages {
		if !strings.Contains(licences.Text(), "\n"+name+" ") {
			t.Errorf("%s is in the page, its licence is not in THIRD_PARTY.txt", name)
		}
	}
}
