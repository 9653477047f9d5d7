package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestMaps_printsWhatContentSaysOfTheDemosMap(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := describeMap(t.Context(), []string{"../../content/demo/maps/berlin.pmtiles"}, &out); err != nil {
		t.Fatal(err)
	}
	place, err := os.ReadFile("../../content/demo/places/berlin.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
	if !strings.Contains(string(place), strings.TrimSpace(line)) {
		t.Errorf("the file of the place does not have the line %q", line)
	}
}

func TestMaps_refusesWhatIsNoMap(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"berlin.mbtiles"}, {"a.pmtiles", "b.pmtiles"}, {"none.pmtiles"}, {"none.mbtiles", t.TempDir() + "/a.pmtiles"}} {
		if err := describeMap(t.Context(), args, &bytes.Buffer{}); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
