package db_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"

	"servery/internal/db"
)

func TestMigrate_takesTheOperatorsTokenForOneInUseWhereThereIsContent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fill string
		want int
	}{
		"with content": {"INSERT INTO revision (id, hash, body, created_at) VALUES (1, 'h', x'', '2026-11-20 18:00:00+00:00')", 1},
		"empty":        {"SELECT 1", 0},
	} {
		pool, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "token.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		files, err := db.Migrations(db.SQLite)
		if err != nil {
			t.Fatal(err)
		}
		provider, err := goose.NewProvider(goose.DialectSQLite3, pool, files, goose.WithDisableGlobalRegistry(true))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := provider.UpTo(t.Context(), 33); err != nil {
			t.Fatal(err)
		}
		if _, err := pool.ExecContext(t.Context(), c.fill); err != nil {
			t.Fatal(err)
		}
		if _, err := provider.UpTo(t.Context(), 34); err != nil {
			t.Fatal(err)
		}
		var got int
		if err := pool.QueryRowContext(t.Context(), "SELECT count(*) FROM secret WHERE name = 'operator token' AND length(value) = 0").Scan(&got); err != nil || got != c.want {
			t.Errorf("%s: %d rows, %v", name, got, err)
		}
	}
}
