package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"servery/internal/extract"
	"servery/internal/extract/citytest"
	"servery/internal/geo"
	"servery/internal/lang"
)

func TestCity_isWrittenWithAllItsAddresses(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "kazan.osm.pbf")
	var out bytes.Buffer
	if err := run([]string{"-streets", "30", "-houses", "8", "-box", "55.7,49,55.8,49.2", "-near", "55.7,49", name}, &out); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	bounds := geo.Bounds{South: 55.7, West: 49, North: 55.8, East: 49.2}
	streets, err := extract.Read(t.Context(), bytes.NewReader(file), extract.Options{Language: lang.RU, Bounds: bounds})
	if err != nil || len(streets) != 30 {
		t.Fatalf("%d streets, %v", len(streets), err)
	}
	var printed citytest.Street
	if err := json.Unmarshal(out.Bytes(), &printed); err != nil {
		t.Fatal(err)
	}
	isFound := false
	for _, s := range streets {
		if len(s.Houses) != 8 {
			t.Errorf("%v has %d houses", s.Name, len(s.Houses))
		}
		isFound = isFound || s.Name[lang.RU] == printed.Cyrillic && s.Name[lang.EN] == printed.Latin
	}
	if !isFound {
		t.Errorf("the city has no %+v", printed)
	}
}

func TestCity_refusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"-box", "1,2,3", "-near", "1,2", "x"}, {"-box", "1,2,3,4", "-near", "1", "x"}, {"-box", "1,2,3,4", "-near", "a,b", "x"}, {"-box", "1,2,3,4", "-near", "1,2"},
	} {
		if err := run(args, &bytes.Buffer{}); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}
