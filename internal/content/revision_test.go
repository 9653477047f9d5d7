package content_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/audit"
	"servery/internal/catalog"
	"servery/internal/content"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
)

// pricedFolder returns the folder with another price of the salmon roll, from 500 to 649.
func pricedFolder(t *testing.T, price int) fs.FS {
	return newFolder(t, change{"sushi/menu/01-rolls.yaml", "price: 549", fmt.Sprintf("price: %d", price)})
}

func importFrom(t *testing.T, d *db.DB, files fs.FS, source string) content.Result {
	t.Helper()
	result, err := content.Import(t.Context(), d, files, content.Options{Source: source, Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestImport_onlyEmptyLeavesADatabaseWithContent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		only := content.Options{OnlyEmpty: true, Now: noon}
		if first, err := content.Import(t.Context(), d, pricedFolder(t, 510), only); err != nil || !first.New {
			t.Fatalf("into an empty one: %+v, %v", first, err)
		}
		if second, err := content.Import(t.Context(), d, pricedFolder(t, 520), only); err != nil || second.New || second.RevisionID != 1 {
			t.Errorf("into a filled one: %+v, %v", second, err)
		}
	})
}

func TestImport_onlyEmptyLosesToAnotherImport(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		other := sync.OnceFunc(func() { importFrom(t, d, pricedFolder(t, 520), "new") })
		// The folder is read once for its hash; then the database is found empty, and it is read again.
		late := interrupted{pricedFolder(t, 510), new(int), other}
		result, err := content.Import(t.Context(), d, late, content.Options{Source: "old", OnlyEmpty: true, Now: noon})
		if err != nil || result.New {
			t.Errorf("%+v, %v", result, err)
		}
		list, err := content.Revisions(t.Context(), d)
		if err != nil || len(list) != 1 || list[0].Source != "new" {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

// interrupted is a folder that calls interrupt when it is read for the second time.
type interrupted struct {
	fs.FS
	times     *int
	interrupt func()
}

func (i interrupted) Open(name string) (fs.File, error) {
	if name == "countries.yaml" {
		if *i.times++; *i.times == 2 {
			i.interrupt()
		}
	}
	return i.FS.Open(name)
}

func TestRevisions_sayWhereEachCameFrom(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		importFrom(t, d, pricedFolder(t, 510), "/srv/old")
		importFrom(t, d, pricedFolder(t, 520), "/srv/new")
		list, err := content.Revisions(t.Context(), d)
		if err != nil || len(list) != 2 {
			t.Fatal(list, err)
		}
		for i, want := range []content.Revision{
			{ID: 2, Source: "/srv/new", Brands: []string{"sushi"}, CreatedAt: noon},
			{ID: 1, Source: "/srv/old", Brands: []string{"sushi"}, CreatedAt: noon},
		} {
			got := list[i]
			if got.ID != want.ID || got.Source != want.Source || !slices.Equal(got.Brands, want.Brands) || !got.CreatedAt.Equal(want.CreatedAt) || got.CopyOf != 0 {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
		if list[0].Hash == list[1].Hash || list[0].Hash == "" {
			t.Errorf("hashes %q and %q", list[0].Hash, list[1].Hash)
		}
	})
}

func TestRollback_makesOlderContentTheNewestRevision(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		importFrom(t, d, pricedFolder(t, 510), "/srv/old")
		importFrom(t, d, pricedFolder(t, 520), "/srv/new")
		serving := openCatalog(t, d)
		newest, changed, err := content.Rollback(t.Context(), d, 1, noon.Add(time.Hour), nil)
		if err != nil || !changed || newest.ID != 3 || newest.CopyOf != 1 || newest.Source != "/srv/old" {
			t.Fatalf("%+v, %t, %v", newest, changed, err)
		}
		if swapped, err := serving.Refresh(t.Context()); err != nil || !swapped {
			t.Errorf("the running server: %t, %v", swapped, err)
		}
		if price := mustFindProduct(t, serving, 1001).Price; price.String() != "510" {
			t.Errorf("the price is %s", price)
		}
		if again, changed, err := content.Rollback(t.Context(), d, 1, noon, nil); err != nil || changed || again.ID != 3 {
			t.Errorf("once more: %+v, %t, %v", again, changed, err)
		}
		// The folder of the revision before is new content again.
		if result := importFrom(t, d, pricedFolder(t, 520), "/srv/new"); !result.New || result.RevisionID != 4 {
			t.Errorf("the newer folder: %+v", result)
		}
	})
}

func TestRollback_refusesWhatIsNotKept(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, id := range []int64{0, 1} {
			if _, _, err := content.Rollback(t.Context(), d, id, noon, nil); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("no revision %d", id)) {
				t.Errorf("%d in an empty database: %v", id, err)
			}
		}
		for i := range 21 {
			importFrom(t, d, pricedFolder(t, 510+i), "")
		}
		if _, _, err := content.Rollback(t.Context(), d, 1, noon, nil); err == nil {
			t.Error("to the 21st, which is about to be removed")
		}
		if _, _, err := content.Rollback(t.Context(), d, 2, noon, nil); err != nil {
			t.Errorf("to the 20th: %v", err)
		}
	})
}

func TestRollback_refusesAFormatThatIsNotRead(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		importFrom(t, d, pricedFolder(t, 510), "/srv/old")
		importFrom(t, d, pricedFolder(t, 520), "/srv/new")
		setFormat(t, d, 1, catalog.Format+1)
		_, _, err := content.Rollback(t.Context(), d, 1, noon, nil)
		if err == nil || !strings.Contains(err.Error(), "servery import /srv/old") {
			t.Errorf("got %v", err)
		}
		if newest, err := content.Newest(t.Context(), d); err != nil || newest.ID != 2 {
			t.Errorf("newest %+v, %v", newest, err)
		}
	})
}

func TestRollback_refusesADocumentThatTheCheckRefuses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		importFrom(t, d, pricedFolder(t, 510), "/srv/old")
		importFrom(t, d, pricedFolder(t, 520), "/srv/new")
		refusal := errors.New("it names a provider that is not configured")
		var checked []string
		_, _, err := content.Rollback(t.Context(), d, 1, noon, func(document *catalog.Document) error {
			for _, b := range document.Brands {
				checked = append(checked, b.Site.Alias)
			}
			return refusal
		})
		if !errors.Is(err, refusal) || !slices.Equal(checked, []string{"sushi"}) {
			t.Errorf("of %v it says %v", checked, err)
		}
		if newest, err := content.Newest(t.Context(), d); err != nil || newest.ID != 2 {
			t.Errorf("newest %+v, %v", newest, err)
		}
	})
}

func TestImport_writesTheSameFolderAgainInAnotherFormat(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		importFrom(t, d, newFolder(t), "")
		setFormat(t, d, 1, catalog.Format-1)
		if result := importFrom(t, d, newFolder(t), ""); !result.New {
			t.Errorf("%+v", result)
		}
	})
}

// setFormat makes a revision look as if a program of that format had stored it.
func setFormat(t *testing.T, d *db.DB, id, format int64) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(t.Context(), "UPDATE revision SET format = $1 WHERE id = $2", format, id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImport_countsWhatTheFolderHolds(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	const want = "1 brand, 3 shops, 5 products, 1 zone"
	for _, isNew := range []bool{true, false} {
		if result := mustImport(t, d, newFolder(t)); result.New != isNew || result.Counts.String() != want {
			t.Errorf("%+v, want %s", result, want)
		}
	}
}

// picturedFolder returns the folder with a picture of its own for the salmon roll.
func picturedFolder(t *testing.T, n int) fs.FS {
	return newFolder(t,
		change{"sushi/menu/01-rolls.yaml", "modifiers: [extra-rice, sauce]\n    picture: roll", "modifiers: [extra-rice, sauce]\n    picture: salmon"},
		change{"sushi/pictures/salmon.jpg", "", string(encodePhoto(100+n, 100))},
		change{"sushi/pictures/salmon.96.webp", "", fmt.Sprintf("prepared %d", n)})
}

func retainNone(context.Context, map[string]bool) error { return nil }

func TestPrune_keepsTwentyRevisionsAndTheirPictures(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var shown []string // the picture of the salmon roll in each revision
		for n := range 22 {
			importFrom(t, d, picturedFolder(t, n), "")
			shown = append(shown, mustFindProduct(t, openCatalog(t, d), 1001).Picture.Src)
		}
		roll := mustFindProduct(t, openCatalog(t, d), 1002).Picture.Src
		before, err := d.Read().PictureHashes(t.Context())
		if err := errors.Join(err, content.Prune(t.Context(), d, retainNone)); err != nil {
			t.Fatal(err)
		}
		list, err := content.Revisions(t.Context(), d)
		if err != nil || len(list) != 20 || list[19].ID != 3 {
			t.Errorf("%d revisions, %v", len(list), err)
		}
		if _, err := d.Read().GetRevision(t.Context(), 2); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("revision 2: %v", err)
		}
		c := openCatalog(t, d)
		for n, address := range append(shown, roll) {
			_, err := c.Media(t.Context(), strings.TrimPrefix(address, catalog.MediaPath))
			if gone := fault.CodeOf(err) == fault.NotFound; gone != (n < 2) {
				t.Errorf("picture %d: %v", n, err)
			}
		}
		// Two pictures are gone, each a master and a variant.
		if left, err := d.Read().PictureHashes(t.Context()); err != nil || len(left) != len(before)-2*2 {
			t.Errorf("%d pictures of %d are left, %v", len(left), len(before), err)
		}
	})
}

func TestPrune_keepsPicturesThatAreRetained(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		importFrom(t, d, picturedFolder(t, 0), "")
		first := mustFindProduct(t, openCatalog(t, d), 1001).Picture
		for n := range 20 {
			importFrom(t, d, pricedFolder(t, 510+n), "")
		}
		err := content.Prune(t.Context(), d, func(_ context.Context, unused map[string]bool) error {
			if len(unused) != 2 {
				t.Errorf("%d pictures are asked for", len(unused))
			}
			catalog.EachPicture([]byte(first.Src), func(hash string) { delete(unused, hash) })
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		loadMedia(t, openCatalog(t, d), first.Src)
		if _, err := openCatalog(t, d).Media(t.Context(), strings.TrimPrefix(first.Variants[0].Address, catalog.MediaPath)); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("what is not retained: %v", err)
		}
	})
}

func TestPrune_leavesEverythingWhenContentChanges(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		importFrom(t, d, picturedFolder(t, 0), "")
		first := mustFindProduct(t, openCatalog(t, d), 1001).Picture.Src
		for n := range 20 {
			importFrom(t, d, pricedFolder(t, 510+n), "")
		}
		err := content.Prune(t.Context(), d, func(context.Context, map[string]bool) error {
			importFrom(t, d, picturedFolder(t, 0), "") // the oldest folder once more
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := content.Prune(t.Context(), d, retainNone); err != nil {
			t.Fatal(err)
		}
		if src := mustFindProduct(t, openCatalog(t, d), 1001).Picture.Src; src != first {
			t.Fatalf("the picture is %s, want %s", src, first)
		}
		loadMedia(t, openCatalog(t, d), first)
	})
}

func TestRevision_isInTheAuditLogHoweverItCame(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		importFrom(t, d, pricedFolder(t, 510), "first")
		importFrom(t, d, pricedFolder(t, 520), "second")
		importFrom(t, d, pricedFolder(t, 520), "second")
		if _, _, err := content.Rollback(t.Context(), d, 1, noon, nil); err != nil {
			t.Fatal(err)
		}
		page, _, err := audit.NewLog(d).List(t.Context(), audit.Filter{Subject: "content", Limit: 10})
		if err != nil || len(page) != 3 {
			t.Fatal(page, err)
		}
		for i, want := range []string{"3 from 2, copy of 1", "2 from 1, copy of <nil>", "1 from 0, copy of <nil>"} {
			e := page[i]
			if got := fmt.Sprintf("%s from %v, copy of %v", e.Entry.ID, e.Before["revision"], e.After["copy_of"]); got != want {
				t.Errorf("change %d is %s, want %s", i, got, want)
			}
		}
	})
}
