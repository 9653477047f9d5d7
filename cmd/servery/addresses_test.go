package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/content"
	"servery/internal/extract/pbftest"
	"servery/internal/geo"
)

// writeExtract writes an extract with one node in Moscow that has the tags, and returns its path.
func writeExtract(t *testing.T, tags map[string]string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "moscow.osm.pbf")
	file := pbftest.Write([]pbftest.Node{{ID: 1, Latitude: 55.75, Longitude: 37.60, Tags: tags}}, nil, nil)
	if err := os.WriteFile(name, file, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestAddresses_areWrittenBesideThePlaceAndTakenAlong(t *testing.T) {
	t.Parallel()
	folder := writeMenu(t, 30)
	extract := writeExtract(t, map[string]string{"addr:street": "улица Знаменка", "addr:housenumber": "7"})
	shell{}.mustRun(t, `.*/places/moscow\.addresses: 1 streets, 1 houses, 0 KB; bring it in with servery import .*`, "addresses", extract, folder, "moscow")
	read, faults := content.Read(os.DirFS(folder))
	if read == nil {
		t.Fatal(faults)
	}
	streets, err := geo.DecodeRegister(read.Document.Registers[carttest.Moscow])
	if err != nil || len(streets) != 1 || streets[0].Name["ru"] != "улица Знаменка" {
		t.Errorf("%+v, %v", streets, err)
	}
	if err := os.WriteFile(filepath.Join(folder, "places", "moscow.addresses"), []byte("streets"), 0o600); err != nil {
		t.Fatal(err)
	}
	if read, faults := content.Read(os.DirFS(folder)); read != nil || !strings.Contains(faults[0].String(), "places/moscow.addresses: this is no whole file of addresses") {
		t.Errorf("a broken file is taken: %v", faults)
	}
}

func TestAddresses_refuseAnExtractWithoutHousesAndAnUnknownCity(t *testing.T) {
	t.Parallel()
	folder := writeMenu(t, 30)
	empty := writeExtract(t, map[string]string{"place": "suburb", "name": "Арбат"})
	for want, args := range map[string][]string{
		`has no house within the bbox of moscow`: {empty, folder, "moscow"},
		`has no city "kazan"`:                    {empty, folder, "kazan"},
		`cannot read the extract`:                {empty + ".not", folder, "moscow"},
		`is no whole extract of OpenStreetMap`:   {filepath.Join(folder, "places", "moscow.yaml"), folder, "moscow"},
		`addresses takes an extract`:             {empty, folder},
	} {
		if _, err := (shell{}).run(t, append([]string{"addresses"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// A disk that fills up halfway, or a process that reads meanwhile, must not meet half a file.
func TestAddresses_replaceTheFormerFileOnlyAsAWhole(t *testing.T) {
	t.Parallel()
	folder := writeMenu(t, 30)
	target, former := filepath.Join(folder, "places", "moscow.addresses"), filepath.Join(t.TempDir(), "former")
	write := func(number string) []byte {
		t.Helper()
		extract := writeExtract(t, map[string]string{"addr:street": "улица Знаменка", "addr:housenumber": number})
		shell{}.mustRun(t, `.*: 1 streets, 1 houses, .*`, "addresses", extract, folder, "moscow")
		written, err := os.ReadFile(target)
		if err != nil {
			t.Fatal(err)
		}
		return written
	}
	before := write("7")
	if err := os.Link(target, former); err != nil {
		t.Fatal(err)
	}
	if after := write("11"); bytes.Equal(after, before) {
		t.Error("the file is not replaced")
	}
	if kept, err := os.ReadFile(former); err != nil || !bytes.Equal(kept, before) {
		t.Errorf("the former file is written over: %q, %v", kept, err)
	}
	if files, err := filepath.Glob(target + "*"); err != nil || len(files) != 1 {
		t.Errorf("left: %v, %v", files, err)
	}
}

func TestAddresses_sayWhatToDoWithADamagedFile(t *testing.T) {
	t.Parallel()
	folder := writeMenu(t, 30)
	whole, err := os.ReadFile(writeExtract(t, map[string]string{"addr:street": "улица Знаменка", "addr:housenumber": "7"}))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"empty": nil, "cut": whole[:len(whole)-5], "page": []byte("<html>Not found</html>")} {
		extract := filepath.Join(t.TempDir(), name+".osm.pbf")
		if err := os.WriteFile(extract, text, 0o600); err != nil {
			t.Fatal(err)
		}
		want := extract + " is no whole extract of OpenStreetMap (.osm.pbf): load it again"
		if _, err := (shell{}).run(t, "addresses", extract, folder, "moscow"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "places", "moscow.addresses"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	want := "places/moscow.addresses: this is no whole file of addresses: delete it, and write it again with servery addresses"
	if out, err := (shell{}).run(t, "addresses", "x", folder, "moscow"); err == nil || !strings.Contains(out, want) {
		t.Errorf("%s, %v", out, err)
	}
}
