package catalog_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/lang"
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
			catalog.StopEntry{Kind: catalog.StopProduct, Alias: "salmon-roll", ShopID: pokrovka}, arbat, nil,
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
