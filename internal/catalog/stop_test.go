package catalog_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/live"
	"servery/internal/site"
)

// A stop of a group stops all its products and the sets with them, in the shop that it names, and says why
// and by whom it was set. Products of other groups are sold.
func TestSetStop_ofAGroupStopsAllOfIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		origin := live.Origin{Reason: live.Equipment, Note: "rice cooker", Actor: "till 1"}
		stop := catalog.StopEntry{Kind: catalog.StopGroup, Alias: "rolls", ShopID: arbat, Until: noon.Add(time.Hour), Origin: origin}
		h.setStop(t, stop)
		if got, want := stoppedAliases(h.menuAt(site.Delivery, arbat)), []string{"salmon-roll", "rice-roll", "set"}; !slices.Equal(got, want) {
			t.Errorf("stopped are %v, want %v", got, want)
		}
		if got := stoppedAliases(h.menuAt(site.Takeaway, pokrovka)); got != nil {
			t.Errorf("in another shop %v", got)
		}
		held, err := h.catalog.Stops("sushi")
		if err != nil || len(held) != 1 || !held[0].HasOrigin(origin) || !held[0].At.Equal(noon) {
			t.Fatalf("listed are %+v, %v", held, err)
		}
		version := h.catalog.Current().LiveVersion
		h.clock.Advance(time.Minute)
		h.setStop(t, stop)
		if h.catalog.Current().LiveVersion != version {
			t.Error("the same stop again is a change")
		}
		_, err = h.catalog.SetStop(t.Context(), catalog.StopChange{StopEntry: catalog.StopEntry{Site: "sushi", Kind: catalog.StopGroup, Alias: "none"}})
		if fault.KeyOf(err) != "catalog.unknown_stop" {
			t.Errorf("of an unknown group: %v", err)
		}
	})
}

// A stop of an hour is in force one millisecond before its end and not at its end. The menu is
// valid until then.
func TestStop_endsAtUntil(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		until := noon.Add(time.Hour)
		h.setStop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "rice-roll", Until: until})

		h.clock.Set(until.Add(-time.Millisecond))
		menu := h.menuAt(site.Delivery, arbat)
		if got := stoppedAliases(menu); len(got) != 2 || !menu.ValidUntil.Equal(until) {
			t.Errorf("before: %v, valid until %v", got, menu.ValidUntil)
		}
		h.clock.Set(until)
		if menu = h.menuAt(site.Delivery, arbat); stoppedAliases(menu) != nil || !menu.ValidUntil.IsZero() {
			t.Errorf("at its end: %v, valid until %v", stoppedAliases(menu), menu.ValidUntil)
		}
		held, err := h.catalog.Stops("sushi")
		if err != nil || len(held) != 0 {
			t.Errorf("stops %v, %v", held, err)
		}
	})
}

// A stop is set and then replaced by one with an end. Removing it leaves none; removing it again
// is no error.
func TestSetStop_removesAStop(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		h.setStop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: arbat})
		h.setStop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: arbat, Until: noon.Add(time.Hour)})
		change := catalog.StopChange{StopEntry: catalog.StopEntry{
			Site: "sushi", Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: arbat,
		}, Remove: true}
		for range 2 {
			if held, err := h.catalog.SetStop(t.Context(), change); err != nil || len(held) != 0 {
				t.Errorf("stops %v, %v", held, err)
			}
		}
		if got := stoppedAliases(h.menuAt(site.Delivery, arbat)); got != nil {
			t.Errorf("stopped are %v", got)
		}
	})
}

// A stop until the end of the shift ends when the shop closes, for all shops when the last one
// does. It returns catalog.no_shift for a closed shop and catalog.unknown_shop for one that does
// not exist.
func TestSetStop_endsWithTheShift(t *testing.T) {
	t.Parallel()
	night := time.Date(2026, 11, 21, 2, 0, 0, 0, moscow) // Friday's shift of arbat ends on Saturday
	for name, c := range map[string]struct {
		now    time.Time
		shop   int64
		until  time.Time
		failed string
	}{
		"of one shop":                     {noon, arbat, night, ""},
		"of all shops that work":          {noon, 0, night, ""},
		"past midnight":                   {night.Add(-time.Hour), arbat, night, ""},
		"of a shop that is closed":        {night.Add(time.Hour), arbat, time.Time{}, "catalog.no_shift"},
		"of a shop that is closed today":  {noon, pokrovka, time.Time{}, "catalog.no_shift"},
		"of a shop that no one ever knew": {noon, 99, time.Time{}, "catalog.unknown_shop"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFixture(t, dbtest.Open(t, db.SQLite))
			h.clock.Set(c.now)
			held, err := h.catalog.SetStop(t.Context(), catalog.StopChange{
				StopEntry:     catalog.StopEntry{Site: "sushi", Kind: catalog.StopProduct, Alias: "soy", ShopID: c.shop},
				UntilShiftEnd: true,
			})
			if fault.KeyOf(err) != c.failed {
				t.Fatalf("got %v", err)
			}
			if err == nil && (len(held) != 1 || !held[0].Until.Equal(c.until)) {
				t.Errorf("got %v, want until %v", held, c.until)
			}
		})
	}
}

// A product is stopped in all shops until their shifts end. Each shop sells it again after its own shift, on
// both engines, also one whose shift begins later today; the stop can be repeated and removed.
func TestSetStop_endsInEachShopWithItsOwnShift(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		hours := strings.Replace(texts["sushi/shops.yaml"], "{1-7: [\"10:00-22:00\"]}, custom: {today: []}", "{1-7: [\"17:00-22:00\"]}", 1)
		h.importFolder(t, newFolder(map[string]string{"sushi/shops.yaml": hours}))
		if _, err := h.catalog.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		change := catalog.StopChange{
			StopEntry:     catalog.StopEntry{Site: "sushi", Kind: catalog.StopProduct, Alias: "salmon-roll"},
			UntilShiftEnd: true,
		}
		var held []catalog.StopEntry
		for range 2 {
			held = must(h.catalog.SetStop(t.Context(), change))
		}
		evening, night := time.Date(2026, time.November, 20, 22, 0, 0, 0, moscow), time.Date(2026, time.November, 21, 2, 0, 0, 0, moscow)
		if len(held) != 1 || !held[0].Until.Equal(night) || !held[0].ShopEnds[arbat].Equal(night) || !held[0].ShopEnds[pokrovka].Equal(evening) {
			t.Fatalf("got %+v", held)
		}
		expectStopped := func(want map[int64]bool) {
			t.Helper()
			for shop, isStopped := range want {
				if p, _ := h.menuAt(site.Takeaway, shop).ProductByAlias("salmon-roll"); (p.Stop != nil) != isStopped {
					t.Errorf("at %s in shop %d: stopped %v", h.clock.Now().In(moscow), shop, p.Stop != nil)
				}
			}
		}
		expectStopped(map[int64]bool{arbat: true, pokrovka: true})
		h.clock.Set(evening)
		expectStopped(map[int64]bool{arbat: true, pokrovka: false})
		change.UntilShiftEnd, change.Remove = false, true
		if held := must(h.catalog.SetStop(t.Context(), change)); len(held) != 0 {
			t.Errorf("after its removal %+v", held)
		}
		expectStopped(map[int64]bool{arbat: false, pokrovka: false})
	})
}

// After midnight arbat's night still runs, and pokrovka has been closed since the evening. A stop of all shops until
// their shifts end is over before pokrovka opens.
func TestSetStop_atNightLeavesTheShiftsOfTheNextDay(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	h.importFolder(t, newFolder(map[string]string{"sushi/shops.yaml": strings.Replace(texts["sushi/shops.yaml"], ", custom: {today: []}", "", 1)}))
	if _, err := h.catalog.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.clock.Set(time.Date(2026, time.November, 21, 0, 30, 0, 0, moscow))
	held := must(h.catalog.SetStop(t.Context(), catalog.StopChange{
		StopEntry:     catalog.StopEntry{Site: "sushi", Kind: catalog.StopProduct, Alias: "salmon-roll"},
		UntilShiftEnd: true,
	}))
	if ends := held[0].ShopEnds; len(ends) != 1 || !ends[arbat].Equal(time.Date(2026, time.November, 21, 2, 0, 0, 0, moscow)) {
		t.Errorf("ends %v", ends)
	}
}

// A product is stopped until the shift ends at night. The message for customers names the time
// at which the shop opens next.
func TestStop_messageNamesTheNextOpening(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	change := catalog.StopChange{
		StopEntry:     catalog.StopEntry{Site: "sushi", Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: arbat},
		UntilShiftEnd: true,
	}
	if _, err := h.catalog.SetStop(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	p, _ := h.menuAt(site.Takeaway, arbat).ProductByAlias("rice-roll")
	message := p.Stop.Message(moscow, h.clock.Now())
	// Friday's shift ends on Saturday at 02:00, and the shop opens at ten.
	if message.Key != "catalog.stop_until_date" || message.Args["date"] != (clock.Day{Year: 2026, Month: 11, Day: 21}) || message.Args["time"] != "10:00" {
		t.Errorf("back %v %v", message.Key, message.Args)
	}
}

// A stop for an unknown site, of an unknown product, with an end that is not in the future, or with two ends is
// refused with the fault named.
func TestSetStop_refusesAnImpossibleStop(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	stop := catalog.StopEntry{Site: "sushi", Kind: catalog.StopProduct, Alias: "rice-roll"}
	for want, spoil := range map[string]func(*catalog.StopChange){
		"catalog.unknown_site": func(c *catalog.StopChange) { c.Site = "burgers" },
		"catalog.unknown_stop": func(c *catalog.StopChange) { c.Alias = "rice" },
		"catalog.stop_past":    func(c *catalog.StopChange) { c.Until = noon },
		"kitchen.one_end":      func(c *catalog.StopChange) { c.Until, c.UntilShiftEnd = noon.Add(time.Hour), true },
	} {
		change := catalog.StopChange{StopEntry: stop}
		spoil(&change)
		if _, err := h.catalog.SetStop(t.Context(), change); fault.KeyOf(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// What was stopped in a shop can be removed once content lacks the shop. A shop that has no such stop is still unknown.
func TestSetStop_removesAStopOfAShopThatContentDropped(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		h.setStop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "soy", ShopID: pokrovka})
		kept, _, _ := strings.Cut(texts["sushi/shops.yaml"], "- {id: 12")
		h.importFolder(t, newFolder(map[string]string{"sushi/shops.yaml": kept}))
		if _, err := h.catalog.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		change := catalog.StopChange{StopEntry: catalog.StopEntry{Site: "sushi", Kind: catalog.StopProduct, Alias: "soy", ShopID: pokrovka}}
		if _, err := h.catalog.SetStop(t.Context(), change); fault.KeyOf(err) != "catalog.unknown_shop" {
			t.Errorf("set: %v", err)
		}
		change.Remove = true
		if held, err := h.catalog.SetStop(t.Context(), change); err != nil || len(held) != 0 {
			t.Errorf("removed: %+v, %v", held, err)
		}
		if _, err := h.catalog.SetStop(t.Context(), change); fault.KeyOf(err) != "catalog.unknown_shop" {
			t.Errorf("removed again: %v", err)
		}
	})
}

// A stop of a product in a shop that does not sell it is a slip: nothing would be stopped. Whatever is made with an
// ingredient or stands in a group may still be stopped there, and a stop that was set before can be removed.
func TestSetStop_refusesAProductThatTheShopDoesNotSell(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	elsewhere := catalog.StopEntry{Site: "sushi", Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: pokrovka}
	if _, err := h.catalog.SetStop(t.Context(), catalog.StopChange{StopEntry: elsewhere}); fault.KeyOf(err) != "catalog.not_sold" {
		t.Errorf("set with %v", err)
	}
	for kind, alias := range map[catalog.StopKind]string{catalog.StopIngredient: "rice", catalog.StopGroup: "rolls", catalog.StopProduct: "soy"} {
		h.setStop(t, catalog.StopEntry{Kind: kind, Alias: alias, ShopID: pokrovka})
	}
	h.setStop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: arbat})
	h.importFolder(t, newFolder(map[string]string{
		"sushi/menu/01-rolls.yaml": strings.Replace(texts["sushi/menu/01-rolls.yaml"], "only_shops: [arbat]", "only_shops: [pokrovka]", 1),
	}))
	if _, err := h.catalog.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	elsewhere.ShopID = arbat
	if held, err := h.catalog.SetStop(t.Context(), catalog.StopChange{StopEntry: elsewhere, Remove: true}); err != nil || len(held) != 3 {
		t.Errorf("removed: %+v, %v", held, err)
	}
}
