package move_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/move"
)

var now = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

// openAlone opens a migrated database of the engine, closed with the test.
func openAlone(t *testing.T, engine db.Engine) *db.DB {
	t.Helper()
	d, err := db.OpenAlone(t.Context(), dbtest.Config(t, engine))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// execAll runs statements that must succeed.
func execAll(t *testing.T, d *db.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := d.Writer().ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// readNumber returns the one number that a query finds.
func readNumber(t *testing.T, d *db.DB, query string) (n int64) {
	t.Helper()
	if err := d.Reader().QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// eachWay runs the test for each pair of engines.
func eachWay(t *testing.T, test func(t *testing.T, from, to *db.DB)) {
	t.Helper()
	for _, from := range []db.Engine{db.SQLite, db.Postgres} {
		for _, to := range []db.Engine{db.SQLite, db.Postgres} {
			t.Run(string(from)+" to "+string(to), func(t *testing.T) {
				t.Parallel()
				test(t, openAlone(t, from), openAlone(t, to))
			})
		}
	}
}

// Every table of the program is moved, and none of a library.
func TestMove_takesEveryTable(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, from, to *db.DB) {
		moved, err := move.Move(t.Context(), from, to, now)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range moved {
			got = append(got, m.Table)
		}
		slices.Sort(got)
		query := `SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence' ORDER BY name`
		if from.Engine() == db.Postgres {
			query = `SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY relname`
		}
		rows, err := from.Reader().QueryContext(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var want []string
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(name, "goose_") && !strings.HasPrefix(name, "river_") {
				want = append(want, name)
			}
		}
		slices.Sort(want)
		if err := rows.Err(); err != nil || !slices.Equal(got, want) {
			t.Errorf("moved are %v\nthere are %v, %v", got, want, err)
		}
	})
}

// Values of every kind arrive as they were, and the number of a row that was removed is not used again.
func TestMove_keepsValuesAndNumbers(t *testing.T) {
	t.Parallel()
	eachWay(t, func(t *testing.T, from, to *db.DB) {
		execAll(
			t, from,
			`INSERT INTO customer (site, phone, name, created_at) VALUES ('sushi', '79160000001', 'Анна 🍣', '2026-11-25 12:00:00.123456+00:00')`,
			`INSERT INTO customer (site, phone, name, created_at) VALUES ('sushi', '79160000002', '', '2026-11-25 12:00:00+00:00')`,
			`INSERT INTO bonus_account (site, currency, kind, customer_id, balance) VALUES ('sushi', 'RUB', 'customer', 1, 950)`,
			`INSERT INTO consent_answer (customer_id, kind, version, is_given, address, at) VALUES (1, 'news', '1', true, '', '2026-11-25 12:00:00+00:00')`,
			`DELETE FROM customer WHERE id = 2`,
		)
		moved, err := move.Move(t.Context(), from, to, now)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moved {
			if m.From != m.To || m.Table == "bonus_account" && (m.Summed != "balance" || m.To.Sum != 950) {
				t.Errorf("moved %+v", m)
			}
		}
		if n := readNumber(t, to, `SELECT count(*) FROM customer c JOIN consent_answer a ON a.customer_id = c.id WHERE c.name = 'Анна 🍣' AND a.is_given`); n != 1 {
			t.Errorf("%d customers have their name and answer", n)
		}
		var at time.Time
		if err := to.Reader().QueryRowContext(t.Context(), `SELECT created_at FROM customer WHERE id = 1`).Scan(&at); err != nil || !at.Equal(now.Add(123456*time.Microsecond)) {
			t.Errorf("the instant is %v, %v", at, err)
		}
		execAll(t, to, `INSERT INTO customer (site, phone, name, created_at) VALUES ('sushi', '79160000003', '', '2026-11-25 12:00:00+00:00')`)
		if id := readNumber(t, to, `SELECT id FROM customer WHERE phone = '79160000003'`); id != 3 {
			t.Errorf("the next customer is number %d", id)
		}
	})
}

// When a row of the copy differs, nothing of it is kept and the first database goes on.
func TestMove_keepsNothingOfACopyThatDiffers(t *testing.T) {
	t.Parallel()
	from, to := openAlone(t, db.SQLite), openAlone(t, db.SQLite)
	execAll(t, from, `INSERT INTO customer (site, phone, name, created_at) VALUES ('sushi', '79160000001', 'Anna', '2026-11-25 12:00:00+00:00')`)
	execAll(t, to, `CREATE TRIGGER spoil AFTER INSERT ON customer BEGIN UPDATE customer SET name = 'Hannah' WHERE id = NEW.id; END`)
	if _, err := move.Move(t.Context(), from, to, now); !errors.Is(err, move.ErrDiffers) {
		t.Errorf("got %v", err)
	}
	if n := readNumber(t, to, `SELECT count(*) FROM customer`); n != 0 {
		t.Errorf("%d customers are kept", n)
	}
	if held, err := from.Held(t.Context()); err != nil || held.IsHeld() {
		t.Errorf("the first database is held: %v, %v", held, err)
	}
	if n := readNumber(t, to, `SELECT count(*) FROM installation`); n != 1 {
		t.Errorf("the target has lost its %d rows of installation", n)
	}
}
