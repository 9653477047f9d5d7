package db_test

import (
	"context"
	"testing"

	"servery/internal/db"
)

// Customers' changes are undone in memory; migrations may sort more than it holds.
func TestSQLite_keepsTemporaryDataInFilesDuringMigrationsOnly(t *testing.T) {
	t.Parallel()
	d, err := db.Open(t.Context(), db.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	tempStore := func(ctx context.Context, d *db.DB) (where int, err error) {
		return where, d.Writer().QueryRowContext(ctx, "PRAGMA temp_store").Scan(&where)
	}
	const inFiles, inMemory = 1, 2
	check := func(ctx context.Context, d *db.DB, want int) error {
		got, err := tempStore(ctx, d)
		if got != want {
			t.Errorf("temp_store is %d, want %d", got, want)
		}
		return err
	}
	if err := check(t.Context(), d, inMemory); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Migrate(t.Context(), d, func(ctx context.Context, d *db.DB) (int, error) {
		return 0, check(ctx, d, inFiles)
	}); err != nil {
		t.Fatal(err)
	}
	if err := check(t.Context(), d, inMemory); err != nil {
		t.Fatal(err)
	}
}
