//go:build !release

package server_test

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/catalog"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/move"
	"servery/internal/server"
)

// openDatabase opens a database and closes it with the test.
func openDatabase(t *testing.T, cfg db.Config) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// moveDatabase moves a database to another one, both of which must be closed, and returns what was moved.
func moveDatabase(t *testing.T, from, to db.Config, now time.Time) (moved []move.Moved, err error) {
	t.Helper()
	source, err := db.OpenAlone(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	target, err := db.OpenAlone(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	moved, err = move.Move(t.Context(), source, target, now)
	return moved, errors.Join(err, source.Close(), target.Close())
}

// lastChange returns the number of the newest change of an order.
func lastChange(desk *browser) int64 {
	desk.t.Helper()
	return idOf(desk.ok("GET", "/api/operator/changes?site=sushi&after=0", nil, asOperator...)["last"])
}

// A shop with a paid order, an order that waits for its payment, and bonuses is moved to PostgreSQL and back.
// After each move the earlier cookies are valid, the same checkout places no second order, the bonuses are
// there, and new changes have higher numbers.
func TestMove_keepsCookiesOrdersAndKeysBothWays(t *testing.T) {
	t.Parallel()
	cfg := dbtest.Config(t, db.SQLite)
	d := openDatabase(t, cfg)
	e := newShop(t, d, true)
	e.Import(t, carttest.Online(true))
	guest, anna, payer, desk := e.browser(t), e.browser(t), e.browser(t), e.browser(t)
	anna.signIn(annasPhone)
	desk.ok("POST", "/api/operator/customers/bonuses", object{"site": "sushi", "phone": annasPhone, "key": "a", "bonuses": 7.5}, asOperator...)
	request := guest.checkout(guest.fill())
	request["payment_type"], request["email"] = "card_online", "anna@example.org"
	id := idOf(guest.ok("POST", "/api/order/create", request)["order_id"])
	guest.ok("POST", "/api/order/pay", object{"order_id": id, "payment_type": "card_online", "cryptogram": guest.cryptogram(goodCard), "email": "bills@example.org"})
	waiting, _ := payer.orderOnline("card_online")
	browsers := []*browser{guest, anna, payer, desk}

	for _, engine := range []db.Engine{db.Postgres, db.SQLite} {
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		to := dbtest.Config(t, engine)
		moved, err := moveDatabase(t, cfg, to, e.Clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moved {
			if m.Table == "orders" && (m.From != m.To || m.To.Rows < 2 || m.To.Sum < 100_000) {
				t.Errorf("of the orders was moved %+v", m)
			}
		}
		former := openDatabase(t, cfg)
		if held, err := former.Held(t.Context()); err != nil || !held.IsHeld() {
			t.Errorf("the database that was moved away is held: %v, %v", held, err)
		}
		cfg, d = to, openDatabase(t, to)
		if held, err := d.Occupy(t.Context(), e.Clock.Now()); err != nil || held.IsHeld() {
			t.Errorf("the database that was moved to is held: %v, %v", held, err)
		}
		h := &carttest.Restaurant{DB: d, Clock: e.Clock}
		if h.Catalog, err = catalog.Open(t.Context(), d, e.Clock, slog.New(slog.DiscardHandler), nil); err != nil {
			t.Fatal(err)
		}
		e = newEdgeOver(t, h, sandboxAccounts(d), func(*server.Options) {})
		for _, b := range browsers {
			b.base = e.http.URL
		}
		if got := idOf(guest.ok("POST", "/api/order/create", request)["order_id"]); got != id {
			t.Errorf("on %s the same checkout placed order %d beside %d", engine, got, id)
		}
		if status := dig(payer.ok("GET", fmt.Sprint("/api/order/", waiting), nil), "order", "status", "alias"); status != "waiting_for_payment" {
			t.Errorf("on %s the order that waits is %v", engine, status)
		}
		if paid := dig(desk.readOrder(id), "payment", "paid"); paid == 0.0 {
			t.Errorf("on %s the order is not paid", engine)
		}
		given := desk.ok("POST", "/api/operator/customers/bonuses", object{"site": "sushi", "phone": annasPhone, "key": "a", "bonuses": 7.5}, asOperator...)
		if given["balance"] != 7.5 {
			t.Errorf("on %s the bonuses are %v", engine, given["balance"])
		}
		before := lastChange(desk)
		anna.payOnline()
		if after := lastChange(desk); after <= before {
			t.Errorf("on %s the change %d of a new order comes after %d", engine, after, before)
		}
	}
}

// A database with rows is not written over, and the database that was to be moved stays in use.
func TestMove_leavesATargetThatIsNotEmptyAsItIs(t *testing.T) {
	t.Parallel()
	from, to := dbtest.Config(t, db.SQLite), dbtest.Config(t, db.SQLite)
	target := openDatabase(t, to)
	e := newEdge(t, target)
	id, _ := e.browser(t).order()
	if err := target.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := moveDatabase(t, from, to, carttest.Noon); !errors.Is(err, move.ErrNotEmpty) {
		t.Errorf("over a shop: %v", err)
	}
	var found int
	if err := openDatabase(t, to).Reader().QueryRowContext(t.Context(), "SELECT count(*) FROM orders WHERE id = ?", id).Scan(&found); err != nil || found != 1 {
		t.Errorf("the shop has %d of its order, %v", found, err)
	}
	if held, err := openDatabase(t, from).Held(t.Context()); err != nil || held.IsHeld() {
		t.Errorf("after a move that failed the first one is held: %v, %v", held, err)
	}
}
