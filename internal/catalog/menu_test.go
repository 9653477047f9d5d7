package catalog_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/live"
	"servery/internal/site"
)

// Each case sets one stop and lists what a menu for delivery shows as stopped, products by alias
// and modifiers with a plus.
func TestMenu_stopsAllThatNeedsWhatIsStopped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stop    catalog.StopEntry
		shop    int64
		stopped []string // of the products and modifiers
	}{
		"a product stops itself and its set": {
			catalog.StopEntry{Kind: catalog.StopProduct, Alias: "salmon-roll"}, arbat, []string{"salmon-roll", "set"},
		},
		"an ingredient stops all that has it": {
			catalog.StopEntry{Kind: catalog.StopIngredient, Alias: "rice"},
			arbat,
			[]string{"salmon-roll", "rice-roll", "set", "+extra-rice"},
		},
		"a modifier stops no product that can be had without it": {
			catalog.StopEntry{Kind: catalog.StopModifier, Alias: "soy-sauce"}, arbat, []string{"+soy-sauce"},
		},
		"a stop of another shop": {
			catalog.StopEntry{Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: pokrovka}, arbat, nil,
		},
		"a stop of this shop": {
			catalog.StopEntry{Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: arbat}, arbat, []string{"rice-roll", "set"},
		},
		"a stop of a shop while no shop is known": {
			catalog.StopEntry{Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: arbat}, 0, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newFixture(t, dbtest.Open(t, db.SQLite))
			h.setStop(t, c.stop)
			if got := stoppedAliases(h.menuAt(site.Delivery, c.shop)); !slices.Equal(got, c.stopped) {
				t.Errorf("stopped are %v, want %v", got, c.stopped)
			}
		})
	}
}

// Salmon roll requires one of two sauces. With both stopped the roll is stopped until the first
// sauce is back.
func TestMenu_stopsAProductWhenAllOfARequiredGroupIsStopped(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	soon, late := noon.Add(time.Hour), noon.Add(2*time.Hour)
	h.setStop(t, catalog.StopEntry{Kind: catalog.StopModifier, Alias: "soy-sauce", Until: late})
	h.setStop(t, catalog.StopEntry{Kind: catalog.StopModifier, Alias: "spicy-sauce", Until: soon})
	p, _ := h.menuAt(site.Delivery, arbat).ProductByAlias("salmon-roll")
	if p.Type != catalog.Stopped || !p.Stop.Until.Equal(soon) {
		t.Errorf("got %s until %v, want until the first sauce is back at %v", p.Type, p.Stop, soon)
	}
}

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
				StopEntry:     catalog.StopEntry{Site: "sushi", Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: c.shop},
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

// Prices are those of the city's price list; takeaway may have its own. The full price stays the
// same.
func TestMenu_hasThePricesOfCityAndOrderType(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	brand := h.catalog.Current().Sites.ByHost("localhost")
	for _, c := range []struct {
		city        int
		orderType   site.OrderType
		product     string
		price, full string
	}{
		{0, site.Delivery, "salmon-roll", "549", "649"},
		{0, site.Takeaway, "salmon-roll", "499", "649"},
		{1, site.Takeaway, "salmon-roll", "11.7", "15.3"},
		{1, site.Takeaway, "soy", "0.7", "0.7"},
	} {
		m := h.catalog.Current().Menu(brand, brand.Cities[c.city], c.orderType, 0, noon)
		p, _ := m.ProductByAlias(c.product)
		if p.Price.String() != c.price || p.BasicPrice.String() != c.full {
			t.Errorf("%s in %s for %s costs %s of %s, want %s of %s",
				c.product, brand.Cities[c.city].Alias, c.orderType, p.Price, p.BasicPrice, c.price, c.full)
		}
	}
}

// Pokrovka does not make the rice roll. The roll and the set with it are found as Unavailable
// and not shown; an unknown id is not found.
func TestMenu_marksWhatIsNotSoldHereUnavailable(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	m := h.menuAt(site.Takeaway, pokrovka) // the rice roll is made at arbat only
	for _, alias := range []string{"rice-roll", "set"} {
		p, ok := m.ProductByAlias(alias)
		if !ok || p.Type != catalog.Unavailable || p.IsSold() {
			t.Errorf("%s: %v %v", alias, p, ok)
		}
	}
	if n := len(m.Groups[0].Products); n != 1 {
		t.Errorf("the group shows %d products", n)
	}
	if _, ok := m.Product(4711); ok {
		t.Error("a product that does not exist was found")
	}
}

// Sauces go with rolls. Related returns those that are neither in the cart nor stopped, each
// once; a sauce of type Related is not shown in its group.
func TestMenu_relatedLeavesOutTheCartAndWhatIsStopped(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	m := h.menuAt(site.Delivery, arbat)
	const rolls, soy, wasabi = 11, 1004, 1005
	if got := productIDs(m.Related([]int64{rolls}, nil)); !slices.Equal(got, []int64{soy, wasabi}) {
		t.Errorf("with an empty cart %v", got)
	}
	if got := productIDs(m.Related([]int64{rolls, rolls}, []int64{soy})); !slices.Equal(got, []int64{wasabi}) {
		t.Errorf("with soy in the cart %v", got)
	}
	h.setStop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "wasabi"})
	if got := productIDs(h.menuAt(site.Delivery, arbat).Related([]int64{rolls}, []int64{soy})); len(got) != 0 {
		t.Errorf("what is stopped is offered: %v", got)
	}
	for _, g := range m.Groups {
		for _, p := range g.Products {
			if p.ID == wasabi {
				t.Error("what is sold as an addition only stands in its group")
			}
		}
	}
}

// A set has the make minutes and the allergens of its parts together, and its composition lists
// their names.
func TestMenu_makesASetOfItsParts(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.Open(t, db.SQLite))
	p, _ := h.menuAt(site.Delivery, arbat).ProductByAlias("set")
	if got := p.CompositionText(lang.EN, lang.RU); got != "Salmon roll × 2, Ролл с рисом" {
		t.Errorf("composition %q", got)
	}
	if p.MakeMinutes != 8 || !slices.Equal(p.Allergens, []catalog.Allergen{"fish"}) {
		t.Errorf("%d minutes, allergens %v", p.MakeMinutes, p.Allergens)
	}
}

// Moscow lists popular products in content. Berlin does not: it gets the hits until the query
// for the most ordered ones is answered, and then those that can be ordered. Without such a
// query it gets the hits.
func TestPopular_isTheListOfContentElseTheMostOrderedElseTheHits(t *testing.T) {
	t.Parallel()
	ordered := []int64{1004, 1005, 1001}
	answer := make(chan struct{})
	h := newFixture(t, dbtest.Open(t, db.SQLite), func(context.Context, string, int64) ([]int64, error) {
		<-answer
		return ordered, nil
	})
	if got := productIDs(h.catalog.Popular(t.Context(), h.menuAt(site.Delivery, arbat))); !slices.Equal(got, []int64{1002}) {
		t.Errorf("by content %v", got)
	}
	s := h.catalog.Current()
	brand := s.Sites.ByHost("localhost")
	berlin := s.Menu(brand, brand.Cities[1], site.Takeaway, 0, noon)
	if got := productIDs(h.catalog.Popular(t.Context(), berlin)); !slices.Equal(got, []int64{1001}) {
		t.Errorf("before the orders are counted, for which no visitor waits: %v", got)
	}
	close(answer)
	h.catalog.AwaitPopular()
	if got := productIDs(h.catalog.Popular(t.Context(), berlin)); !slices.Equal(got, []int64{1004, 1001}) {
		t.Errorf("by orders %v", got)
	}
	h = newFixture(t, dbtest.Open(t, db.SQLite))
	if got := productIDs(h.catalog.Popular(t.Context(), berlin)); !slices.Equal(got, []int64{1001}) {
		t.Errorf("without orders %v", got)
	}
}

// stoppedAliases returns the aliases of the stopped products of a menu, then those of its
// stopped modifiers, each once and with a plus before it.
func stoppedAliases(m *catalog.Menu) []string {
	var found []string
	seen := map[string]bool{}
	for _, g := range m.Groups {
		for _, p := range g.Products {
			if p.Type == catalog.Stopped {
				found = append(found, p.Alias)
			}
		}
	}
	addStopped := func(list []*catalog.Modifier) {
		for _, o := range list {
			if o.Stopped && !seen[o.Alias] {
				seen[o.Alias] = true
				found = append(found, "+"+o.Alias)
			}
		}
	}
	for _, g := range m.Groups {
		for _, p := range g.Products {
			addStopped(p.Modifiers.Singles)
			for _, group := range p.Modifiers.Groups {
				addStopped(group.Modifiers)
			}
		}
	}
	return found
}

// productIDs returns the ids of the products in their order.
func productIDs(products []*catalog.Product) []int64 {
	found := []int64{}
	for _, p := range products {
		found = append(found, p.ID)
	}
	return found
}

var (
	moscow = must(time.LoadLocation("Europe/Moscow"))
	noon   = time.Date(2026, 11, 20, 12, 0, 0, 0, moscow) // a Friday
)

// must returns v. It panics when err is not nil.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
