package cart_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/visit"
)

// quoteLines returns a cart of these lines with its prices at a place. The lines need no keys and
// times, since prices do not depend on them.
func quoteLines(t interface{ Fatal(...any) }, v visit.Context, p cart.PlaceRequest, withoutBag bool, lines ...cart.Line) cart.Quoted {
	city, err := v.City(p.CityID)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cart.MoveTo(v, cart.Cart{CityID: p.CityID, WithoutBag: withoutBag}, p, city)
	if err != nil {
		t.Fatal(err)
	}
	c.Lines = lines
	return cart.QuoteFor(v, c, city, cart.Facts{})
}

// A cart in a stopped city or shop has one notice: its alert, or a general text where it has none.
// The notice of the city comes before that of the shop.
func TestQuote_saysThatTheCityOrTheShopTakesNoOrders(t *testing.T) {
	t.Parallel()
	h := carttest.New(t, dbtest.Open(t, db.SQLite))
	v := h.Again(t, visit.Context{}, "sushi")
	q := quoteLines(t, v, carttest.Delivery(), false)
	city, shop := *q.Spot.City, *q.Spot.Shop
	noticesWith := func(isCityStopped, isShopStopped bool, alert lang.Text) string {
		place := q.Spot
		changedCity, changedShop := city, shop
		changedCity.Stopped, changedCity.Alert = isCityStopped, alert
		changedShop.Stopped, changedShop.Alert = isShopStopped, alert
		place.City, place.Shop = &changedCity, &changedShop
		var texts []string
		for _, notice := range cart.Quote(q.Cart, place, q.Menu, cart.Facts{}, lang.EN, v.Now).Notices {
			texts = append(texts, lang.T(lang.EN, notice.Key, notice.Args))
		}
		return strings.Join(texts, "; ")
	}
	for want, got := range map[string]string{
		"": noticesWith(false, false, lang.Text{lang.EN: "Snow"}),
		"We are not taking orders in this city right now": noticesWith(true, true, nil),
		"This restaurant is not taking orders right now":  noticesWith(false, true, nil),
		"Snow": noticesWith(true, false, lang.Text{lang.EN: "Snow"}),
	} {
		if got != want {
			t.Errorf("the notice is %q, want %q", got, want)
		}
	}
}

// The sums of thirteen carts are as in testdata/prices.txt, which people read.
func TestQuote_pricesAsTheTableSays(t *testing.T) {
	t.Parallel()
	h := carttest.New(t, dbtest.Open(t, db.SQLite))
	h.Stop(t, catalog.StopProduct, "soy")
	v := h.Again(t, visit.Context{}, "sushi")
	hard := carttest.Delivery()
	hard.ZoneID = carttest.Hard
	line := func(product int64, count int, chosen ...cart.Chosen) cart.Line {
		return cart.Line{ProductID: product, Count: count, Modifiers: chosen}
	}
	spicy := cart.Chosen{ID: carttest.SpicySauce, GroupID: carttest.Sauce, Count: 1}
	var table strings.Builder
	const withBag, noBag = false, true
	for _, c := range []struct {
		name       string
		place      cart.PlaceRequest
		withoutBag bool
		lines      []cart.Line
	}{
		{"nothing", carttest.Delivery(), withBag, nil},
		{"one roll, below free delivery", carttest.Delivery(), withBag, []cart.Line{line(carttest.Salmon, 1, soySauce)}},
		{"packages count towards free delivery", carttest.Delivery(), withBag, []cart.Line{line(carttest.Rice, 6), line(carttest.Pair, 1)}},
		{"exactly free: 680 and 20", carttest.Delivery(), withBag, []cart.Line{line(carttest.Rice, 3), line(carttest.OnlyArbat, 1), line(carttest.Wasabi, 4)}},
		{"modifiers with fractions", carttest.Delivery(), withBag, []cart.Line{line(carttest.Salmon, 3, spicy, cart.Chosen{ID: carttest.Ginger, Count: 2})}},
		{"without bag", carttest.Delivery(), noBag, []cart.Line{line(carttest.Salmon, 5, soySauce)}},
		{"takeaway has its price and no boxes", carttest.Takeaway(carttest.Arbat), withBag, []cart.Line{line(carttest.Salmon, 2, soySauce)}},
		{"hard minimum is missing", hard, withBag, []cart.Line{line(carttest.Salmon, 1, soySauce)}},
		{"hard minimum is reached", hard, withBag, []cart.Line{line(carttest.Rice, 7)}},
		{"free from 1500", hard, withBag, []cart.Line{line(carttest.Rice, 15)}},
		{"a stopped product counts for nothing", carttest.Delivery(), withBag, []cart.Line{line(carttest.Soy, 10), line(carttest.Rice, 1)}},
		{"only a stopped product", carttest.Delivery(), withBag, []cart.Line{line(carttest.Soy, 10)}},
		{"a lost modifier", carttest.Delivery(), withBag, []cart.Line{line(carttest.Rice, 1, spicy)}},
	} {
		q := quoteLines(t, v, c.place, c.withoutBag, c.lines...)
		p := q.Prices
		fmt.Fprintf(&table, "%-40s subtotal %-7s packages %-5s delivery %-5s total %s", c.name, p.Subtotal, p.Packages, p.Delivery, p.Total)
		if q.Minimum != nil {
			fmt.Fprintf(&table, "  (%s from %s: %s missing)", q.Minimum.Kind, q.Minimum.Amount, q.Minimum.Missing)
		}
		table.WriteByte('\n')
	}
	const golden = "testdata/prices.txt"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(table.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != table.String() {
		t.Errorf("prices are not those of %s (UPDATE=1 writes them again), %v:\n%s", golden, err, table.String())
	}
}

// Random additions, good and bad, never bring a product above a hundred portions or below zero,
// and a refused one changes nothing.
func TestCart_Add_keepsTheBoundsOfACart(t *testing.T) {
	t.Parallel()
	h := carttest.New(t, dbtest.Open(t, db.SQLite))
	v := h.Again(t, visit.Context{}, "sushi")
	products := []int64{carttest.Salmon, carttest.Rice, carttest.Soy, carttest.Wasabi, carttest.Pair, carttest.OnlyArbat, 9}
	modifiers := []cart.Chosen{
		{ID: carttest.ExtraRice},
		{ID: carttest.Ginger},
		{ID: carttest.SoySauce, GroupID: carttest.Sauce},
		{ID: carttest.SpicySauce, GroupID: carttest.Sauce},
		{ID: 99},
	}
	rapid.Check(t, func(t *rapid.T) {
		place := carttest.Delivery()
		place.ZoneID = rapid.SampledFrom([]int64{carttest.Free, carttest.Hard}).Draw(t, "zone")
		city, err := v.City(place.CityID)
		if err != nil {
			t.Fatal(err)
		}
		c, err := cart.MoveTo(v, cart.Cart{CityID: place.CityID}, place, city)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 8).Draw(t, "additions") {
			a := cart.Addition{
				ProductKey: keyOf(rapid.SampledFrom(products).Draw(t, "product")),
				Count:      rapid.IntRange(-1, 102).Draw(t, "count"),
			}
			for range rapid.IntRange(0, 3).Draw(t, "modifiers") {
				chosen := rapid.SampledFrom(modifiers).Draw(t, "modifier")
				chosen.Count = rapid.IntRange(-1, 4).Draw(t, "times")
				a.Modifiers = append(a.Modifiers, chosen)
			}
			q := cart.QuoteFor(v, c, city, cart.Facts{})
			next, err := c.Add(a, q.Spot, q.Menu, lang.EN, v.Now)
			if err != nil && len(next.Lines) != len(c.Lines) {
				t.Fatalf("a refused addition changed the cart: %+v", next)
			}
			c = next
		}
		for _, p := range products {
			if n := c.CountOf(p); n < 0 || n > cart.MaxCount {
				t.Fatalf("%d portions of %d", n, p)
			}
		}
	})
}

// A cart takes a hundred lines and a thousand portions. What comes beyond is refused, and left out where it comes from
// another cart.
func TestCart_Add_refusesLinesAndPortionsBeyondThoseOfACart(t *testing.T) {
	t.Parallel()
	h := carttest.New(t, dbtest.Open(t, db.SQLite))
	v := h.Again(t, visit.Context{}, "sushi")
	city, err := v.City(carttest.Moscow)
	if err != nil {
		t.Fatal(err)
	}
	for refusal, counts := range map[string]struct{ lines, each int }{
		"cart.too_many_lines": {cart.MaxLines, 1}, "cart.too_many_portions": {cart.MaxPortions / cart.MaxCount, cart.MaxCount},
	} {
		c, err := cart.MoveTo(v, cart.Cart{CityID: carttest.Moscow}, carttest.Delivery(), city)
		if err != nil {
			t.Fatal(err)
		}
		for n := range counts.lines - 1 {
			c.Lines = append(c.Lines, cart.Line{Key: keyOf(int64(5000 + n)), ProductID: int64(5000 + n), Count: counts.each})
		}
		add := func(product int64, count int) error {
			q := cart.QuoteFor(v, c, city, cart.Facts{})
			next, err := c.Add(cart.Addition{ProductKey: keyOf(product), Count: count, Modifiers: []cart.Chosen{}}, q.Spot, q.Menu, lang.EN, v.Now)
			c = next
			return err
		}
		if err := add(carttest.Rice, counts.each); err != nil {
			t.Fatalf("the last that has room: %v", err)
		}
		if err := add(carttest.Wasabi, 1); fault.KeyOf(err) != refusal {
			t.Errorf("what has no room: %v, want %s", err, refusal)
		}
		if next := c.With(cart.Line{Key: keyOf(carttest.Wasabi), ProductID: carttest.Wasabi, Count: 1}); len(next.Lines) != len(c.Lines) {
			t.Errorf("a line of another cart that has no room is put into it: %s", refusal)
		}
	}
}

// The same modifiers in any order, also with another one chosen zero times, have the same key. Other
// modifiers have another key. A key is the product's key, "~" and eight hexadecimal digits.
func TestLineKey_isTheSameInAnyOrderOfModifiers(t *testing.T) {
	t.Parallel()
	h := carttest.New(t, dbtest.Open(t, db.SQLite))
	v := h.Again(t, visit.Context{}, "sushi")
	const withBag = false
	menu := quoteLines(t, v, carttest.Delivery(), withBag).Menu
	product, _ := menu.Product(carttest.Salmon)
	ginger := cart.Chosen{ID: carttest.Ginger, Count: 1}
	keys := map[string]bool{}
	for _, wanted := range [][]cart.Chosen{{ginger, soySauce}, {soySauce, ginger}, {soySauce, ginger, {ID: carttest.ExtraRice, Count: 0}}} {
		chosen, err := cart.Choose(product, wanted, menu.Site, lang.EN)
		if err != nil {
			t.Fatal(err)
		}
		keys[cart.LineKey(product.Key, chosen)] = true
	}
	chosen, err := cart.Choose(product, []cart.Chosen{soySauce}, menu.Site, lang.EN)
	if err != nil {
		t.Fatal(err)
	}
	if keys[cart.LineKey(product.Key, chosen)] || len(keys) != 1 {
		t.Errorf("got %v", keys)
	}
	for k := range keys {
		if len(k) != len(product.Key)+9 {
			t.Errorf("%s is not the product's key with eight digits", k)
		}
	}
}

// Every refusal of a change has a message.
func TestRefusals_haveMessages(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"modifier_bounds", "modifier_group_bounds"} {
		for _, form := range []string{"", "_exact", "_upto"} {
			if !lang.Has("cart." + name + form) {
				t.Errorf("no words for cart.%s%s", name, form)
			}
		}
	}
	for _, name := range []string{
		"bad_count", "too_many", "too_many_lines", "too_many_portions", "multiplicity", "other_city", "not_sold", "unknown_modifier", "bad_modifier_count",
		"modifier_stopped", "interval_gone", "some_unavailable", "last_hour",
	} {
		if !lang.Has("cart." + name) {
			t.Errorf("no words for cart.%s", name)
		}
	}
}

// BenchmarkAdd measures a bare write of one row, for comparison, and adding a product to a cart,
// on both database engines.
func BenchmarkAdd(b *testing.B) {
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		b.Run(string(engine), func(b *testing.B) {
			h := carttest.New(b, dbtest.Open(b, engine))
			s, v := carts.New(h.DB), h.Visitor(b, "sushi")
			add := cart.Addition{ProductKey: keyOf(carttest.Rice), Count: 1}
			b.Run("bare", func(b *testing.B) {
				for n := 0; b.Loop(); n++ { // another value each time, or SQLite writes nothing
					seen := v.Now.Add(time.Duration(n) * time.Millisecond)
					err := h.DB.InTx(b.Context(), func(tx *db.Tx) error {
						_, err := tx.SQL.ExecContext(b.Context(), "UPDATE session SET seen_at = $1 WHERE id = $2", seen, v.SessionID)
						return err
					})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("add", func(b *testing.B) {
				b.ReportAllocs()
				for n := 0; b.Loop(); n++ {
					if n%90 == 0 {
						if _, err := s.Clear(b.Context(), v, carttest.Moscow); err != nil {
							b.Fatal(err)
						}
					}
					if _, err := s.Add(b.Context(), v, carttest.Delivery(), add); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
