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

func TestWithoutContentThereIsNoCatalog(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, err := catalog.Open(t.Context(), d, clock.NewFake(noon), slog.New(slog.DiscardHandler), nil)
		if !errors.Is(err, catalog.ErrEmpty) {
			t.Errorf("got %v", err)
		}
	})
}

func TestANewRevisionIsPickedUpWhileTheOldSnapshotStaysWhole(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		old := h.menu(site.Delivery, arbat)
		if swapped, err := h.catalog.Refresh(t.Context()); swapped || err != nil {
			t.Fatalf("without a change: %v %v", swapped, err)
		}
		h.importFolder(t, folder(map[string]string{"sushi/menu/02-sauces.yaml": `group: {id: 12, alias: sauces, name: Соусы}
products: [{id: 1004, alias: soy, name: Соевый соус, price: 35, picture: none}]
`}))
		if swapped, err := h.catalog.Refresh(t.Context()); !swapped || err != nil {
			t.Fatalf("after an import: %v %v", swapped, err)
		}
		before, _ := old.ProductByAlias("soy")
		after, _ := h.menu(site.Delivery, arbat).ProductByAlias("soy")
		if before.Price != 3000 || after.Price != 3500 {
			t.Errorf("soy costs %s, then %s", before.Price, after.Price)
		}
		if _, ok := h.menu(site.Delivery, arbat).ProductByAlias("wasabi"); ok {
			t.Error("what content has dropped is still there")
		}
	})
}

func TestARevisionThatCannotBeReadLeavesTheOldSnapshot(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
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
		if h.catalog.Current().Revision != 1 || len(h.menu(site.Delivery, arbat).Groups) != 2 {
			t.Error("the old snapshot has gone")
		}
	})
}

func TestAStopOfAnotherServerIsPickedUp(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		other := must(catalog.Open(t.Context(), d, h.clock, slog.New(slog.DiscardHandler), nil))
		h.stop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "soy"})
		if swapped, err := other.Refresh(t.Context()); !swapped || err != nil {
			t.Fatalf("got %v %v", swapped, err)
		}
		if held, err := other.Stops("sushi"); err != nil || len(held) != 1 {
			t.Errorf("stops %v, %v", held, err)
		}
	})
}

func TestAShopThatIsClosedTodayIsClosedTomorrowToo(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
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

func TestMenusAreMadeOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	first := h.menu(site.Delivery, arbat)
	if h.menu(site.Delivery, arbat) != first {
		t.Error("the same menu was made twice")
	}
	if h.menu(site.Delivery, 4711) != h.menu(site.Delivery, 0) {
		t.Error("shops that do not exist have menus of their own")
	}
}
