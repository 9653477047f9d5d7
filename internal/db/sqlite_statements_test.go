package db_test

import (
	"context"
	"fmt"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/gen"
)

func TestTheSameTextMayRunInsideItself(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	const text = "SELECT value FROM json_each('[1,2,3]')"
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		for range 2 { // the second time from the cache
			outer, err := tx.SQL.QueryContext(t.Context(), text)
			if err != nil {
				return err
			}
			seen := 0
			for outer.Next() {
				var sum int
				inner, err := tx.SQL.QueryContext(t.Context(), text)
				if err != nil {
					return err
				}
				for inner.Next() {
					var value int
					if err := inner.Scan(&value); err != nil {
						return err
					}
					sum += value
				}
				if err := inner.Close(); err != nil {
					return err
				}
				if sum != 6 {
					t.Errorf("inner sum %d, want 6", sum)
				}
				seen++
			}
			if err := outer.Close(); err != nil {
				return err
			}
			if seen != 3 {
				t.Errorf("outer rows %d, want 3", seen)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAKeptStatementSeesAChangedTable(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	ctx, pool := t.Context(), d.Writer()
	for _, text := range []string{"CREATE TABLE t (a integer)", "INSERT INTO t VALUES (1)"} {
		if _, err := pool.ExecContext(ctx, text); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{1, 2} {
		rows, err := pool.QueryContext(ctx, "SELECT * FROM t")
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil || len(columns) != want {
			t.Errorf("columns %v, %v; want %d", columns, err, want)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := pool.ExecContext(ctx, fmt.Sprintf("ALTER TABLE t ADD COLUMN b%d integer", want)); err != nil {
			t.Fatal(err)
		}
	}
}

// The limit beside the benchmarks of the areas: one row changed in one transaction.
func BenchmarkOneRowTransaction(b *testing.B) {
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		b.Run(string(engine), func(b *testing.B) {
			d := dbtest.Open(b, engine)
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			id, err := insert(ctx, d, "a")
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				err := d.InTx(ctx, func(tx *db.Tx) error {
					return tx.Q.TouchSession(ctx, gen.TouchSessionParams{Now: noon, ExpiresAt: noon, ID: id})
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
