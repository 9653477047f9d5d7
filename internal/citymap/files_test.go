package citymap_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"servery/internal/citymap"
	"servery/internal/clock"
	"servery/internal/site"
)

var noon = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// fixture is a folder with maps.
type fixture struct {
	dir   string
	clock *clock.Fake
	log   bytes.Buffer
	files *citymap.Files
}

// newFixture returns an empty folder.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{dir: t.TempDir(), clock: clock.NewFake(noon)}
	f.files = citymap.NewFiles(f.dir, f.clock, slog.New(slog.NewTextHandler(&f.log, nil)))
	return f
}

// write writes a map into the folder and returns what content says of it.
func (f *fixture) write(t *testing.T, name string) site.MapFile {
	t.Helper()
	packed := pack(t, writeTiles(t, `INSERT INTO tiles VALUES (0, 0, 0, '`+name+`')`))
	if err := os.WriteFile(filepath.Join(f.dir, name), packed, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := citymap.Describe(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	return site.MapFile{Name: name, Size: d.Size, SHA256: d.SHA256}
}

// opens reports whether the map with the hash can be opened.
func (f *fixture) opens(t *testing.T, hash string) bool {
	t.Helper()
	file, ok := f.files.Open(hash)
	if ok {
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
	return ok
}

func TestFiles_Open_servesOnlyWhatContentNames(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	named, other := f.write(t, "berlin.pmtiles"), f.write(t, "other.pmtiles")
	if f.opens(t, named.SHA256) {
		t.Error("a map was opened before content named it")
	}
	if !f.files.Has(t.Context(), named) || !f.opens(t, named.SHA256) {
		t.Errorf("the map that content names is not there: %s", &f.log)
	}
	if f.opens(t, other.SHA256) {
		t.Error("a map that content does not name was opened")
	}
}

func TestFiles_Has_refusesOtherBytesAndSaysSoOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	berlin := f.write(t, "berlin.pmtiles")
	outside := filepath.Join(filepath.Dir(f.dir), "outside.pmtiles")
	if err := os.WriteFile(outside, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.dir, "text.pmtiles"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]site.MapFile{
		"no such file": {Name: "moscow.pmtiles", Size: 1, SHA256: "a"},
		"content says": {Name: berlin.Name, Size: berlin.Size + 1, SHA256: "b"},
		"hash differs": {Name: berlin.Name, Size: berlin.Size, SHA256: "c"},
		"no PMTiles":   {Name: "text.pmtiles", Size: 4, SHA256: "d"},
		"path escapes": {Name: "../outside.pmtiles", Size: 1, SHA256: "e"},
	} {
		before := f.log.Len()
		for range 3 {
			if f.files.Has(t.Context(), file) {
				t.Errorf("%s: it is taken for a map", name)
			}
			f.clock.Advance(2 * time.Minute)
		}
		lines := f.log.String()[before:]
		if strings.Count(lines, "\n") != 1 || !strings.Contains(lines, name) {
			t.Errorf("want one line with %q, got %q", name, lines)
		}
	}
}

func TestFiles_Has_findsAFileThatCameLater(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	berlin := f.write(t, "berlin.pmtiles")
	name := filepath.Join(f.dir, berlin.Name)
	if err := os.Rename(name, name+".new"); err != nil {
		t.Fatal(err)
	}
	if f.files.Has(t.Context(), berlin) {
		t.Fatal("it is not there")
	}
	if err := os.Rename(name+".new", name); err != nil {
		t.Fatal(err)
	}
	if f.clock.Advance(30 * time.Second); f.files.Has(t.Context(), berlin) {
		t.Error("a missing file is looked for at every request")
	}
	if f.clock.Advance(30 * time.Second); !f.files.Has(t.Context(), berlin) {
		t.Error("a file that came later was not found after a minute")
	}
}

func TestFiles_Open_refusesAFileThatWasChanged(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	berlin := f.write(t, "berlin.pmtiles")
	if !f.files.Has(t.Context(), berlin) {
		t.Fatal(f.log.String())
	}
	if err := os.Chtimes(filepath.Join(f.dir, berlin.Name), noon, noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if f.opens(t, berlin.SHA256) {
		t.Error("a changed file is served under the hash of the former one")
	}
	if !f.files.Has(t.Context(), berlin) || !f.opens(t, berlin.SHA256) {
		t.Error("its bytes are the same: it is a map again")
	}
}

func TestReadHeader_refusesWhatThePageCannotDraw(t *testing.T) {
	t.Parallel()
	packed := pack(t, writeTiles(t, `INSERT INTO tiles VALUES (0, 0, 0, 'x')`))
	for name, change := range map[string]func(b []byte) []byte{
		"no PMTiles file": func(b []byte) []byte { return b[:100] },
		"version 2":       func(b []byte) []byte { b[7] = 2; return b },
		"cut short":       func(b []byte) []byte { return b[:len(b)-1] },
		"compressed":      func(b []byte) []byte { b[98] = 3; return b },
		"vector tiles":    func(b []byte) []byte { b[99] = 2; return b },
	} {
		changed := change(bytes.Clone(packed))
		if _, err := citymap.ReadHeader(changed, int64(len(changed))); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want %q", err, name)
		}
	}
}
