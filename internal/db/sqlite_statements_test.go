package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/gen"
)

func TestStatementCache_runsTheSameTextWhileItsRowsAreRead(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	const text = "SELECT value FROM json_each('[1,2,3]')"
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		for range 2 { // the second time from the cache
			seen := 0
			err := eachNumber(t.Context(), tx, text, func(int) error {
				seen++
				sum := 0
				err := eachNumber(t.Context(), tx, text, func(value int) error {
					sum += value
					return nil
				})
				if sum != 6 {
					t.Errorf("inner sum %d, want 6", sum)
				}
				return err
			})
			if err != nil {
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

// eachNumber does something with the number in each row.
func eachNumber(ctx context.Context, tx *db.Tx, text string, do func(value int) error) error {
	rows, err := tx.SQL.QueryContext(ctx, text)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var value int
		if err := rows.Scan(&value); err != nil {
			return err
		}
		if err := do(value); err != nil {
			return err
		}
	}
	return rows.Err()
}

func TestStatementCache_seesAChangedTable(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	ctx, pool := t.Context(), d.Writer()
	for _, text := range []string{"CREATE TABLE t (a integer)", "INSERT INTO t VALUES (1)"} {
		if _, err := pool.ExecContext(ctx, text); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{1, 2} {
		columns, err := columnsOf(ctx, pool, "SELECT * FROM t")
		if err != nil || len(columns) != want {
			t.Errorf("columns %v, %v; want %d", columns, err, want)
		}
		if _, err := pool.ExecContext(ctx, fmt.Sprintf("ALTER TABLE t ADD COLUMN b%d integer", want)); err != nil {
			t.Fatal(err)
		}
	}
}

// columnsOf runs a query and returns the names of its columns.
func columnsOf(ctx context.Context, pool *sql.DB, text string) ([]string, error) {
	rows, err := pool.QueryContext(ctx, text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	return columns, errors.Join(err, rows.Err())
}

// The lower bound for the benchmarks of other packages: one row changed in one transaction.
func BenchmarkOneRowTransaction(b *testing.B) {
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		b.Run(string(engine), func(b *testing.B) {
			d := dbtest.Open(b, engine)
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			id, err := insertSession(ctx, d, "a")
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
