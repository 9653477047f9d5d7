// Package carttest has a small fixture for tests of carts and orders: a brand with three
// cities and a menu that has each special case, and a second brand.
package carttest

import (
	"crypto/rand"
	"database/sql"
	"log/slog"
	"testing"
	"testing/fstest"
	"time"

	"servery/internal/cart"
	"servery/internal/cart/carts"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/content"
	"servery/internal/db"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/site"
	"servery/internal/visit"
)

// The cities of the restaurant; Ankara is stopped.
const (
	Moscow int64 = 1
	Ankara int64 = 2
)

// The shops. Arbat and Pokrovka are in Moscow, Kizilay is in Ankara. Pokrovka is for takeaway
// only, and an interval there takes five minutes of work.
const (
	Arbat    int64 = 11
	Pokrovka int64 = 12
	Kizilay  int64 = 21
)

// The zones of Moscow. Delivery to Free costs nothing from 700. Hard has a minimum of 700, and
// delivery there costs nothing from 1500.
const (
	Free int64 = 101
	Hard int64 = 102
)

// The products.
const (
	Salmon    int64 = 1001 // with modifiers
	Rice      int64 = 1002
	Soy       int64 = 1004
	Wasabi    int64 = 1005 // only beside others
	Pair      int64 = 1006 // in steps of two, of four in the last hour
	OnlyArbat int64 = 1007
)

// The modifiers: two single ones, and a group of two.
const (
	ExtraRice  int64 = 1
	Ginger     int64 = 4
	Sauce      int64 = 1
	SoySauce   int64 = 2
	SpicySauce int64 = 3
)

// Noon is when the restaurant's clock starts: Friday, 12:00 in Moscow, all shops are open.
var Noon = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// InFree and InHard are points in the zones, Outside is a point outside of both.
var (
	InFree  = geo.Point{Latitude: 55.75, Longitude: 37.60}
	InHard  = geo.Point{Latitude: 55.65, Longitude: 37.60}
	Outside = geo.Point{Latitude: 55.95, Longitude: 37.60}
)

// Restaurant is a database with the content in it.
type Restaurant struct {
	DB      *db.DB
	Clock   *clock.Fake
	Catalog *catalog.Catalog
}

// New imports the content into the database and returns the restaurant. An error ends the test.
func New(t testing.TB, d *db.DB) *Restaurant {
	t.Helper()
	h := &Restaurant{DB: d, Clock: clock.NewFake(Noon)}
	h.Import(t, nil)
	var err error
	if h.Catalog, err = catalog.Open(t.Context(), d, h.Clock, slog.New(slog.DiscardHandler), nil); err != nil {
		t.Fatal(err)
	}
	return h
}

// SameInterval as an argument of [carts.Service.Load] leaves the chosen interval as it is.
var SameInterval *string

// Import imports a new revision of [Texts] in which the files of replaced, by name, are replaced or
// added. Visitors that were returned before keep the old content.
func (h *Restaurant) Import(t testing.TB, replaced map[string]string) {
	t.Helper()
	files := fstest.MapFS{}
	for _, texts := range [...]map[string]string{Texts, replaced} {
		for name, text := range texts {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	if _, err := content.Import(t.Context(), h.DB, files, content.Options{Now: h.Clock.Now()}); err != nil {
		t.Fatal(err)
	}
	if h.Catalog == nil {
		return
	}
	if _, err := h.Catalog.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Stop stops the product or modifier with the alias in all shops of the brand sushi.
func (h *Restaurant) Stop(t testing.TB, kind catalog.StopKind, alias string) {
	t.Helper()
	change := catalog.StopChange{StopEntry: catalog.StopEntry{Site: "sushi", Kind: kind, Alias: alias}}
	if _, err := h.Catalog.SetStop(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

// Visitor creates a session and returns its visitor.
func (h *Restaurant) Visitor(t testing.TB, brand string) visit.Context {
	t.Helper()
	var session int64
	err := h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return tx.SQL.QueryRowContext(t.Context(),
			"INSERT INTO session (token_hash, site, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $3, $4) RETURNING id",
			[]byte(rand.Text()), brand, h.Clock.Now(), h.Clock.Now().AddDate(1, 0, 0)).Scan(&session)
	})
	if err != nil {
		t.Fatal(err)
	}
	return h.Again(t, visit.Context{SessionID: session}, brand)
}

// Customer creates a customer of a brand and returns the id.
func (h *Restaurant) Customer(t testing.TB, brand, phone string) int64 {
	t.Helper()
	var id int64
	err := h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return tx.SQL.QueryRowContext(t.Context(),
			"INSERT INTO customer (site, phone, name, created_at) VALUES ($1, $2, '', $3) RETURNING id",
			brand, phone, h.Clock.Now()).Scan(&id)
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// SignIn makes the visitor's session one of the customer and merges the visitor's carts into the
// customer's. It returns the visitor as signed in.
func (h *Restaurant) SignIn(t testing.TB, s *carts.Service, v visit.Context, customer int64, phone string) visit.Context {
	t.Helper()
	v.CustomerID, v.CustomerPhone = customer, phone
	err := h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(t.Context(), "UPDATE session SET customer_id = $1 WHERE id = $2", customer, v.SessionID)
		if err != nil {
			return err
		}
		return s.Merge(t.Context(), tx, v, v.SessionID)
	})
	if err != nil {
		t.Error(err) // not Fatal: tests call this from several goroutines
	}
	return v
}

// Present creates a present of a gift for a customer and returns its id.
func (h *Restaurant) Present(t testing.TB, brand string, customer, gift int64, count int, expires time.Time) int64 {
	t.Helper()
	var id int64
	err := h.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return tx.SQL.QueryRowContext(t.Context(),
			"INSERT INTO present (site, customer_id, gift_id, count, key, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
			brand, customer, gift, count, rand.Text(), h.Clock.Now(), sql.NullTime{Time: expires, Valid: !expires.IsZero()}).Scan(&id)
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Again returns the visitor of a later request: as of now, and with the current content.
func (h *Restaurant) Again(t testing.TB, v visit.Context, brand string) visit.Context {
	t.Helper()
	snapshot := h.Catalog.Current()
	found, ok := snapshot.Sites.ByAlias(brand)
	if !ok {
		t.Fatalf("no site %s", brand)
	}
	return visit.Context{
		Snapshot: snapshot, Site: found, SessionID: v.SessionID, CustomerID: v.CustomerID, CustomerPhone: v.CustomerPhone,
		Lang: lang.EN, Now: h.Clock.Now(),
	}
}

// Delivery returns a place in Moscow that is delivered to.
func Delivery() cart.PlaceRequest {
	return cart.PlaceRequest{CityID: Moscow, OrderType: site.Delivery, ZoneID: Free}
}

// Takeaway returns the place of a shop in Moscow, to fetch an order from.
func Takeaway(shop int64) cart.PlaceRequest {
	return cart.PlaceRequest{CityID: Moscow, OrderType: site.Takeaway, ShopID: shop}
}
