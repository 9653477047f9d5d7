// Package dbtest creates a migrated database for each test, on both engines.
//
//	func TestCartIsSaved(t *testing.T) {
//		t.Parallel()
//		dbtest.Each(t, func(t *testing.T, d *db.DB) { … })
//	}
//
// PostgreSQL is the server at DATABASE_URL, where the test may make databases; `make
// test` starts one. Without it the half on PostgreSQL is skipped, and with CI set it
// fails.
package dbtest

import (
	"os"
	"path/filepath"
	"testing"

	"servery/internal/db"
)

// Each runs the test as the subtests sqlite and postgres, concurrently, each on a database of its
// own that is removed afterwards.
func Each(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			test(t, Open(t, engine))
		})
	}
}

// Open returns a migrated database of the engine, closed and removed with the test.
func Open(t testing.TB, engine db.Engine) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), Config(t, engine))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// Config returns the config of a migrated database of the engine, for a test that opens it by
// itself or starts the whole program on it.
func Config(t testing.TB, engine db.Engine) db.Config {
	t.Helper()
	if engine == db.Postgres {
		return db.Config{URL: postgresURL(t), Connections: connections}
	}
	body, err := sqliteTemplate()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, db.File), body, 0o600); err != nil {
		t.Fatal(err)
	}
	return db.Config{Dir: dir}
}
