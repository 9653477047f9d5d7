package db_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"servery/internal/db"
)

func TestOrderLine_isRebuiltSmallerOnSQLiteWithAllThatItHeld(t *testing.T) {
	t.Parallel()
	pool, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "lines.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	files, err := db.Migrations(db.SQLite)
	if err != nil {
		t.Fatal(err)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, pool, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), 28); err != nil {
		t.Fatal(err)
	}
	const lines, body = 2_000, 1_300
	fill := "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)" +
		" INSERT INTO order_line (order_id, position, product_id, count, total, body) SELECT i / 3, i % 3, i, 1, 100, CAST(printf('%0*d', ?, i) AS blob) FROM n"
	if _, err := pool.ExecContext(t.Context(), fill, lines, body); err != nil {
		t.Fatal(err)
	}
	read := func() (sum string, pages int) {
		var free int
		const all = "SELECT count(*) || ' ' || sum(order_id * 3 + position) || ' ' || sum(product_id) || ' ' || sum(length(body)) FROM order_line"
		for query, into := range map[string]any{all: &sum, "PRAGMA page_count": &pages, "PRAGMA freelist_count": &free} {
			if err := pool.QueryRowContext(t.Context(), query).Scan(into); err != nil {
				t.Fatal(err)
			}
		}
		return sum, pages - free
	}
	before, pagesBefore := read()
	if _, err := provider.UpTo(t.Context(), 29); err != nil {
		t.Fatal(err)
	}
	after, pagesAfter := read()
	if after != before || !strings.HasPrefix(after, fmt.Sprint(lines)) {
		t.Errorf("it held %s, then %s", before, after)
	}
	if pagesAfter*2 > pagesBefore {
		t.Errorf("%d pages, before %d", pagesAfter, pagesBefore)
	}
	t.Logf("%d lines of %d bytes: %d pages, then %d", lines, body, pagesBefore, pagesAfter)
	if _, err := pool.ExecContext(t.Context(), "INSERT INTO order_line SELECT * FROM order_line LIMIT 1"); err == nil {
		t.Error("a position may be taken twice")
	}
}
