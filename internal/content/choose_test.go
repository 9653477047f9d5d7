package content_test

import (
	"io/fs"
	"strings"
	"testing"

	demo "servery/content"
	"servery/internal/content"
)

// choose returns the brands of the demo, and fails the test when one is not there.
func choose(t *testing.T, brands ...string) fs.FS {
	t.Helper()
	files, err := content.Choose(demo.Demo(), brands)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestChoose_hasTheNamedBrandsAlone(t *testing.T) {
	t.Parallel()
	read, found := content.Read(choose(t, "pizza"))
	if read == nil {
		t.Fatal(found)
	}
	if brands := read.Document.Brands; len(brands) != 1 || brands[0].Site.Alias != "pizza" {
		t.Fatalf("the brands are %v", brands)
	}
	if _, err := choose(t, "pizza").Open("sushi/brand.yaml"); err == nil {
		t.Error("a file of another brand is there")
	}
}

func TestChoose_isOtherContentForEachChoice(t *testing.T) {
	t.Parallel()
	hashes := map[string]bool{}
	for _, brands := range [][]string{nil, {"pizza"}, {"sushi"}, {"pizza", "sushi"}} {
		hash, err := content.Hash(choose(t, brands...))
		if err != nil {
			t.Fatal(err)
		}
		hashes[hash] = true
	}
	if len(hashes) != 4 {
		t.Errorf("4 choices have %d hashes", len(hashes))
	}
}

func TestChoose_namesABrandThatIsNotThere(t *testing.T) {
	t.Parallel()
	_, err := content.Choose(demo.Demo(), []string{"sushi", "burger"})
	if want := `there is no brand "burger" in the content, only pizza, shawarma, sushi`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Only sushi says of itself that it is the default brand.
func TestRead_makesTheFirstBrandTheDefaultWhereNoneIs(t *testing.T) {
	t.Parallel()
	for brands, warning := range map[string]bool{"pizza": false, "sushi": false, "shawarma pizza": true, "pizza sushi": false} {
		read, found := content.Read(choose(t, strings.Fields(brands)...))
		if read == nil {
			t.Fatal(found)
		}
		warned := false
		for _, f := range found {
			warned = warned || strings.HasPrefix(f.Message, "no brand is the default one: pizza, the first by name, answers for unknown hosts")
		}
		defaults := 0
		for _, b := range read.Document.Brands {
			if b.Site.Default {
				defaults++
			}
		}
		if defaults != 1 || warned != warning {
			t.Errorf("%s: %d default brands, warned: %t", brands, defaults, warned)
		}
	}
}
