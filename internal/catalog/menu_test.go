package catalog_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/site"
)

func TestStops(t *testing.T) {
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
			h := newHouse(t, dbtest.Open(t, db.SQLite))
			h.stop(t, c.stop)
			if got := stopped(h.menu(site.Delivery, c.shop)); !slices.Equal(got, c.stopped) {
				t.Errorf("stopped are %v, want %v", got, c.stopped)
			}
		})
	}
}

func TestAProductStopsWhenAllOfARequiredGroupIsStopped(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	soon, late := noon.Add(time.Hour), noon.Add(2*time.Hour)
	h.stop(t, catalog.StopEntry{Kind: catalog.StopModifier, Alias: "soy-sauce", Until: late})
	h.stop(t, catalog.StopEntry{Kind: catalog.StopModifier, Alias: "spicy-sauce", Until: soon})
	p, _ := h.menu(site.Delivery, arbat).ProductByAlias("salmon-roll")
	if p.Type != catalog.Stopped || !p.Stop.Until.Equal(soon) {
		t.Errorf("got %s until %v, want until the first sauce is back at %v", p.Type, p.Stop, soon)
	}
}

func TestAStopEndsByTheClock(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		until := noon.Add(time.Hour)
		h.stop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "rice-roll", Until: until})

		h.clock.Set(until.Add(-time.Millisecond))
		menu := h.menu(site.Delivery, arbat)
		if got := stopped(menu); len(got) != 2 || !menu.ValidUntil.Equal(until) {
			t.Errorf("before: %v, valid until %v", got, menu.ValidUntil)
		}
		h.clock.Set(until)
		if menu = h.menu(site.Delivery, arbat); stopped(menu) != nil || !menu.ValidUntil.IsZero() {
			t.Errorf("at its end: %v, valid until %v", stopped(menu), menu.ValidUntil)
		}
		held, err := h.catalog.Stops("sushi")
		if err != nil || len(held) != 0 {
			t.Errorf("stops %v, %v", held, err)
		}
	})
}

func TestAStopIsTakenBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d)
		h.stop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: arbat})
		h.stop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: arbat, Until: noon.Add(time.Hour)})
		change := catalog.StopChange{StopEntry: catalog.StopEntry{
			Site: "sushi", Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: arbat,
		}, Remove: true}
		for range 2 {
			if held, err := h.catalog.SetStop(t.Context(), change); err != nil || len(held) != 0 {
				t.Errorf("stops %v, %v", held, err)
			}
		}
		if got := stopped(h.menu(site.Delivery, arbat)); got != nil {
			t.Errorf("stopped are %v", got)
		}
	})
}

func TestAStopUntilTheEndOfTheShift(t *testing.T) {
	t.Parallel()
	night := time.Date(2026, 11, 21, 2, 0, 0, 0, moscow) // Friday's shift of arbat ends on Saturday
	for name, c := range map[string]struct {
		now    time.Time
		shop   int64
		until  time.Time
		failed string
	}{
		"of one shop":                     {noon, arbat, night, ""},
		"of all shops is the latest":      {noon, 0, night, ""},
		"past midnight":                   {night.Add(-time.Hour), arbat, night, ""},
		"of a shop that is closed":        {night.Add(time.Hour), arbat, time.Time{}, "catalog.no_shift"},
		"of a shop that is closed today":  {noon, pokrovka, time.Time{}, "catalog.no_shift"},
		"of a shop that no one ever knew": {noon, 99, time.Time{}, "catalog.unknown_shop"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, dbtest.Open(t, db.SQLite))
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

func TestStop_untilTheEndOfTheShiftNamesTheNextOpening(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	change := catalog.StopChange{
		StopEntry:     catalog.StopEntry{Site: "sushi", Kind: catalog.StopProduct, Alias: "rice-roll", ShopID: arbat},
		UntilShiftEnd: true,
	}
	if _, err := h.catalog.SetStop(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	p, _ := h.menu(site.Takeaway, arbat).ProductByAlias("rice-roll")
	message := p.Stop.Message(moscow, h.clock.Now())
	// Friday's shift ends on Saturday at 02:00, and the shop opens at ten.
	if message.Key != "catalog.stop_until_date" || message.Args["date"] != "21.11.2026" || message.Args["time"] != "10:00" {
		t.Errorf("back %v %v", message.Key, message.Args)
	}
}

func TestImpossibleStopsAreRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	for want, e := range map[string]catalog.StopEntry{
		"catalog.unknown_site": {Site: "burgers", Kind: catalog.StopProduct, Alias: "rice-roll"},
		"catalog.unknown_stop": {Site: "sushi", Kind: catalog.StopProduct, Alias: "rice"},
		"catalog.stop_past":    {Site: "sushi", Kind: catalog.StopProduct, Alias: "rice-roll", Until: noon},
	} {
		if _, err := h.catalog.SetStop(t.Context(), catalog.StopChange{StopEntry: e}); fault.KeyOf(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestPricesFollowTheCityAndTheOrderType(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
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

func TestWhatIsNotSoldHereIsUnavailable(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	m := h.menu(site.Takeaway, pokrovka) // the rice roll is made at arbat only
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

func TestRelatedProductsAreNeverWhatIsInTheCart(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	m := h.menu(site.Delivery, arbat)
	const rolls, soy, wasabi = 11, 1004, 1005
	if got := ids(m.Related([]int64{rolls}, nil)); !slices.Equal(got, []int64{soy, wasabi}) {
		t.Errorf("with an empty cart %v", got)
	}
	if got := ids(m.Related([]int64{rolls, rolls}, []int64{soy})); !slices.Equal(got, []int64{wasabi}) {
		t.Errorf("with soy in the cart %v", got)
	}
	h.stop(t, catalog.StopEntry{Kind: catalog.StopProduct, Alias: "wasabi"})
	if got := ids(h.menu(site.Delivery, arbat).Related([]int64{rolls}, []int64{soy})); len(got) != 0 {
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

func TestASetIsMadeOfItsParts(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, db.SQLite))
	p, _ := h.menu(site.Delivery, arbat).ProductByAlias("set")
	if got := p.CompositionText(lang.EN, lang.RU); got != "Salmon roll × 2, Ролл с рисом" {
		t.Errorf("composition %q", got)
	}
	if p.MakeMinutes != 8 || !slices.Equal(p.Allergens, []catalog.Allergen{"fish"}) {
		t.Errorf("%d minutes, allergens %v", p.MakeMinutes, p.Allergens)
	}
}

func TestOftenOrderedIsTheListOfContentElseWhatWasOrderedElseTheHits(t *testing.T) {
	t.Parallel()
	ordered := []int64{1004, 1005, 1001}
	answer := make(chan struct{})
	h := newHouse(t, dbtest.Open(t, db.SQLite), func(context.Context, string, int64) ([]int64, error) {
		<-answer
		return ordered, nil
	})
	if got := ids(h.catalog.Popular(t.Context(), h.menu(site.Delivery, arbat))); !slices.Equal(got, []int64{1002}) {
		t.Errorf("by content %v", got)
	}
	s := h.catalog.Current()
	brand := s.Sites.ByHost("localhost")
	berlin := s.Menu(brand, brand.Cities[1], site.Takeaway, 0, noon)
	if got := ids(h.catalog.Popular(t.Context(), berlin)); !slices.Equal(got, []int64{1001}) {
		t.Errorf("before the orders are counted, for which no visitor waits: %v", got)
	}
	close(answer)
	h.catalog.AwaitPopular()
	if got := ids(h.catalog.Popular(t.Context(), berlin)); !slices.Equal(got, []int64{1004, 1001}) {
		t.Errorf("by orders %v", got)
	}
	h = newHouse(t, dbtest.Open(t, db.SQLite))
	if got := ids(h.catalog.Popular(t.Context(), berlin)); !slices.Equal(got, []int64{1001}) {
		t.Errorf("without orders %v", got)
	}
}

// stopped returns the aliases of what is stopped in a menu, modifiers with a plus.
func stopped(m *catalog.Menu) []string {
	var found []string
	seen := map[string]bool{}
	for _, g := range m.Groups {
		for _, p := range g.Products {
			if p.Type == catalog.Stopped {
				found = append(found, p.Alias)
			}
		}
	}
	see := func(list []*catalog.Modifier) {
		for _, o := range list {
			if o.Stopped && !seen[o.Alias] {
				seen[o.Alias] = true
				found = append(found, "+"+o.Alias)
			}
		}
	}
	for _, g := range m.Groups {
		for _, p := range g.Products {
			see(p.Modifiers.Singles)
			for _, group := range p.Modifiers.Groups {
				see(group.Modifiers)
			}
		}
	}
	return found
}

func ids(products []*catalog.Product) []int64 {
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

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
