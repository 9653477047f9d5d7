package catalog_test

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/schedule"
	"servery/internal/site"
)

// Opening a catalog on an empty database returns ErrEmpty.
func TestOpen_returnsErrEmptyWithoutContent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, err := catalog.Open(t.Context(), d, clock.NewFake(noon), slog.New(slog.DiscardHandler), nothingOrdered)
		if !errors.Is(err, catalog.ErrEmpty) {
			t.Errorf("got %v", err)
		}
	})
}

// Refresh reports false while nothing changes. After an import with a dearer soy sauce and no
// wasabi it reports true: new menus have the new content, a menu made before keeps the old.
func TestRefresh_takesANewRevisionAndLeavesOldMenusUnchanged(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		old := h.menuAt(site.Delivery, arbat)
		if swapped, err := h.catalog.Refresh(t.Context()); swapped || err != nil {
			t.Fatalf("without a change: %v %v", swapped, err)
		}
		h.importFolder(t, newFolder(map[string]string{"sushi/menu/02-sauces.yaml": `group: {id: 12, alias: sauces, name: Соусы}
products: [{id: 1004, alias: soy, name: Соевый соус, price: 35, picture: none}]
`}))
		if swapped, err := h.catalog.Refresh(t.Context()); !swapped || err != nil {
			t.Fatalf("after an import: %v %v", swapped, err)
		}
		before, _ := old.ProductByAlias("soy")
		after, _ := h.menuAt(site.Delivery, arbat).ProductByAlias("soy")
		if before.Price != 3000 || after.Price != 3500 {
			t.Errorf("soy costs %s, then %s", before.Price, after.Price)
		}
		if _, ok := h.menuAt(site.Delivery, arbat).ProductByAlias("wasabi"); ok {
			t.Error("what content has dropped is still there")
		}
	})
}

// The newest revision is no gzip. Refresh fails, and the catalog goes on with the first
// revision.
func TestRefresh_keepsTheSnapshotWhenARevisionCannotBeRead(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(t.Context(), "INSERT INTO revision (id, hash, body, created_at) VALUES (2, 'x', $1, $2)", []byte("x"), noon)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if swapped, err := h.catalog.Refresh(t.Context()); swapped || err == nil {
			t.Errorf("got %v %v", swapped, err)
		}
		if h.catalog.Current().Revision != 1 || len(h.menuAt(site.Delivery, arbat).Groups) != 2 {
			t.Error("the old snapshot has gone")
		}
	})
}

// Two catalogs share a database. A stop set through one is in force in the other after its
// Refresh.
func TestRefresh_takesAStopThatAnotherServerSet(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		other := must(catalog.Open(t.Context(), d, h.clock, slog.New(slog.DiscardHandler), nothingOrdered))
		h.setStop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "soy"})
		if swapped, err := other.Refresh(t.Context()); !swapped || err != nil {
			t.Fatalf("got %v %v", swapped, err)
		}
		if held, err := other.Stops("sushi"); err != nil || len(held) != 1 {
			t.Errorf("stops %v, %v", held, err)
		}
	})
}

// Content says that the shop pokrovka is closed "today". On three days in a row it is closed,
// once the catalog is refreshed.
func TestRefresh_resolvesTodaysHoursEachDay(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	for range 3 {
		if _, err := h.catalog.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := h.catalog.Current()
		shop, _ := s.Atlas(s.Sites.ByHost("localhost")).Shop(pokrovka)
		if state := shop.Hours.StateAt(h.clock.Now(), moscow); state.Open || state.Reason != schedule.ClosedToday {
			t.Errorf("at %v: %+v", h.clock.Now(), state)
		}
		h.clock.Advance(24 * time.Hour)
	}
}

// Two calls for the same place return the same menu. A shop that does not exist gets the menu
// without a shop.
func TestMenu_isMadeOncePerPlace(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	first := h.menuAt(site.Delivery, arbat)
	if h.menuAt(site.Delivery, arbat) != first {
		t.Error("the same menu was made twice")
	}
	if h.menuAt(site.Delivery, 4711) != h.menuAt(site.Delivery, 0) {
		t.Error("shops that do not exist have menus of their own")
	}
}
