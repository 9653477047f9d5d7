package content_test

import (
	"bytes"
	"errors"
	"image"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/content"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

var noon = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) // a Friday, 12:00 in Moscow

func TestImport_importsTheSameFolderOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first := mustImport(t, d, newFolder(t))
		if !first.New || first.RevisionID != 1 {
			t.Errorf("first import: %+v", first)
		}
		if again := mustImport(t, d, newFolder(t)); again.New || again.RevisionID != 1 {
			t.Errorf("the same again: %+v", again)
		}
		changed := newFolder(t, change{"sushi/menu/01-rolls.yaml", "price: 549", "price: 559"})
		if next := mustImport(t, d, changed); !next.New || next.RevisionID != 2 {
			t.Errorf("a changed price: %+v", next)
		}
		if back := mustImport(t, d, newFolder(t)); !back.New || back.RevisionID != 3 {
			t.Errorf("the old price again: %+v", back)
		}
	})
}

func TestImport_ofABrokenFolderLeavesTheOldRevision(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustImport(t, d, newFolder(t))
		broken := newFolder(t, change{"sushi/menu/01-rolls.yaml", "[rice, salmon]", "[rice, tuna]"})
		_, err := content.Import(t.Context(), d, broken, content.Options{Now: noon})
		var invalid *content.Invalid
		if !errors.As(err, &invalid) || len(invalid.Faults) != 1 {
			t.Fatalf("got %v", err)
		}
		if again := mustImport(t, d, newFolder(t)); again.New {
			t.Error("the broken folder has replaced the old revision")
		}
	})
}

func TestImport_thatFailsHalfwayLeavesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		files := newFolder(t, prepared("sushi/pictures/roll.192.webp"))
		_, err := content.Import(t.Context(), d, vanishing{files, "sushi/pictures/roll.192.webp", new(int)}, content.Options{Now: noon})
		if !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("got %v", err)
		}
		hashes, err := d.Read().PictureHashes(t.Context())
		if err != nil || len(hashes) != 0 {
			t.Errorf("pictures %v, %v", hashes, err)
		}
		if _, err := d.Read().NewestRevision(t.Context()); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("revision: %v", err)
		}
	})
}

// vanishing is a folder one file of which is gone when the transaction reads it.
type vanishing struct {
	fstest.MapFS
	name  string
	times *int
}

func (v vanishing) Open(name string) (fs.File, error) {
	if name == v.name {
		if *v.times++; *v.times > 2 { // opened once for the folder's hash, once for the picture's address
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
	}
	return v.MapFS.Open(name)
}

func TestImport_takesPreparedPicturesAsTheyAre(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		mustImport(t, d, newFolder(t, prepared("sushi/pictures/roll.384.webp"), prepared("sushi/pictures/roll.192.avif"),
			prepared("sushi/pictures/roll.192.webp"), prepared("sushi/pictures/roll-2.192.webp")))
		c := openCatalog(t, d)
		picture := mustFindProduct(t, c, 1001).Picture
		var got []string
		for _, v := range picture.Variants {
			got = append(got, v.Type)
			if body := loadMedia(t, c, v.Address); !strings.HasSuffix(string(body.Body), "as it is") || body.Type != v.Type {
				t.Errorf("%s is %q", v.Address, body)
			}
		}
		if want := "image/avif image/webp image/webp"; strings.Join(got, " ") != want {
			t.Errorf("variants %v, want %s", got, want)
		}
		if !bytes.Equal(loadMedia(t, c, picture.Src).Body, roll()) {
			t.Error("the master was changed")
		}
	})
}

// prepared adds a variant of a picture that the import has to store without changing it.
func prepared(name string) change { return change{name, "", name + " as it is"} }

func TestImport_scalesAPictureWithoutVariantsDown(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	mustImport(t, d, newFolder(t, unprepared))
	c := openCatalog(t, d)
	picture := mustFindProduct(t, c, 1001).Picture
	widths := map[int]bool{}
	for _, v := range picture.Variants {
		if v.Type != "image/jpeg" {
			continue // as the machine's tools allow
		}
		config, _, err := image.DecodeConfig(bytes.NewReader(loadMedia(t, c, v.Address).Body))
		if err != nil || config.Width != v.Width {
			t.Errorf("%+v is %d wide, %v", v, config.Width, err)
		}
		widths[v.Width] = true
	}
	if len(widths) != 3 || !widths[192] || !widths[384] || !widths[768] {
		t.Errorf("widths %v", widths)
	}
}

func TestImport_enlargesNoSmallPicture(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	mustImport(t, d, newFolder(t, unprepared, change{"sushi/pictures/roll.jpg", "", string(encodePhoto(100, 80))}))
	for _, v := range mustFindProduct(t, openCatalog(t, d), 1001).Picture.Variants {
		if v.Width != 100 {
			t.Errorf("got %+v", v)
		}
	}
}

func FuzzNoFileMakesTheReaderPanic(f *testing.F) {
	for name, text := range fixture {
		f.Add(name, text)
	}
	f.Add("sushi/cities.yaml", "- \n- [}")
	f.Add("sushi/brand.yaml", "alias:\nname: {ru: }\nprice_lists: {a: , b: {from: a}}")
	f.Fuzz(func(t *testing.T, name, text string) {
		if _, known := fixture[name]; !known || text == "" {
			t.Skip("not an input that the rule is about")
		}
		content.Check(newFolder(t, change{name, "", text}))
	})
}

func mustImport(t *testing.T, d *db.DB, files fs.FS) content.Result {
	t.Helper()
	result, err := content.Import(t.Context(), d, files, content.Options{Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// openCatalog opens the catalog of the newest revision of a database.
func openCatalog(t *testing.T, d *db.DB) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Open(t.Context(), d, clock.NewFake(noon), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// mustFindProduct returns the product with an id as Moscow sells it for delivery; there must be one.
func mustFindProduct(t *testing.T, c *catalog.Catalog, id int64) *catalog.Product {
	t.Helper()
	s := c.Current()
	brand := s.Sites.ByHost("localhost")
	p, ok := s.Menu(brand, brand.Cities[0], "delivery", 0, noon).Product(id)
	if !ok {
		t.Fatalf("no product %d", id)
	}
	return p
}

// loadMedia returns the file with an address of the catalog; there must be one.
func loadMedia(t *testing.T, c *catalog.Catalog, address string) catalog.Media {
	t.Helper()
	m, err := c.Media(t.Context(), strings.TrimPrefix(address, catalog.MediaPath))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestHash_failsForAFolderThatCannotBeRead(t *testing.T) {
	t.Parallel()
	if hash, err := content.Hash(os.DirFS(t.TempDir() + "/gone")); err == nil {
		t.Errorf("it is %s, as of an empty folder", hash)
	}
}
