package db

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
)

const (
	// lockAttempts and lockPause say how often a migration that gets no lock is repeated.
	lockAttempts = 20
	lockPause    = 500 * time.Millisecond
)

//go:embed migrate/postgres migrate/sqlite
var migrations embed.FS

// Migration is a set of changes beside the program's own, such as the job queue's. It returns how
// many of them were made.
type Migration func(ctx context.Context, d *DB) (int, error)

// Migrate brings the tables up to date, then makes the migrations more, and returns how many changes were
// made, 0 when all was up to date. Several processes may call it at once on one PostgreSQL: the first does
// the work while the others wait.
func Migrate(ctx context.Context, d *DB, more ...Migration) (changes int, err error) {
	if d.engine == Postgres {
		// A migration may take longer than a call, and waits for a migration of another process.
		patient, openErr := openWith(ctx, d.cfg, migrationSettings)
		if openErr != nil {
			return 0, openErr
		}
		defer func() { err = errors.Join(err, patient.Close()) }()
		d = patient
		unlock, lockErr := lockMigrations(ctx, d.write)
		if lockErr != nil {
			return 0, fmt.Errorf("lock for migration: %w", lockErr)
		}
		defer func() { err = errors.Join(err, unlock()) }()
	} else {
		// An index of a large table is sorted before it is written, which memory may not hold.
		if err := keepTemporary(ctx, d, inFiles); err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, keepTemporary(context.WithoutCancel(ctx), d, inMemory)) }()
	}
	for _, migrate := range append([]Migration{migrateTables}, more...) {
		n, err := migrateWithRetries(ctx, d, migrate)
		changes += n
		if err != nil {
			return changes, err
		}
	}
	return changes, nil
}

// migrateWithRetries repeats a migration that did not get a lock on a table in time. While it waits
// for the lock, all later callers of the table wait behind it: so each wait lasts a few seconds only.
func migrateWithRetries(ctx context.Context, d *DB, migrate Migration) (changes int, err error) {
	for range lockAttempts {
		n, err := migrate(ctx, d)
		changes += n
		if !isLockTimeout(err) {
			return changes, err
		}
		select {
		case <-time.After(lockPause):
		case <-ctx.Done():
			return changes, errors.Join(err, ctx.Err())
		}
	}
	return changes, errors.New("migrate the tables: others use them all the time; end long transactions and start again")
}

// migrateTables applies the engine's own migrations and returns how many.
func migrateTables(ctx context.Context, d *DB) (int, error) {
	files, err := Migrations(d.engine)
	if err != nil {
		return 0, err
	}
	dialect := goose.DialectSQLite3
	if d.engine == Postgres {
		dialect = goose.DialectPostgres
	}
	provider, err := goose.NewProvider(dialect, d.write, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return 0, fmt.Errorf("read the migrations: %w", err)
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return len(results), fmt.Errorf("migrate the tables: %w", err)
	}
	return len(results), nil
}

// Migrations returns the engine's migration files.
func Migrations(engine Engine) (fs.FS, error) {
	return fs.Sub(migrations, "migrate/"+string(engine))
}
