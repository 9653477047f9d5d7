package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"servery/internal/config"
	"servery/internal/db"
	"servery/internal/queue"
)

// ErrNoDatabase says that the database of the settings was never made.
var ErrNoDatabase = errors.New("there is no database of servery yet")

// DatabaseName returns where the database of the settings is, without a secret.
func DatabaseName(cfg config.Config) string { return database(cfg).Name() }

// DatabaseAddress returns the address of the settings' PostgreSQL for its own tools, without the password.
func DatabaseAddress(cfg config.Config) string { return database(cfg).Address() }

func database(cfg config.Config) db.Config {
	return db.Config{URL: cfg.DatabaseURL, Dir: cfg.Data, Connections: cfg.DatabaseConnections}
}

// checkExists returns [ErrNoDatabase], with the place, when there is no database.
func checkExists(ctx context.Context, cfg config.Config) error {
	found, err := db.Exists(ctx, database(cfg))
	if err == nil && !found {
		return fmt.Errorf("%w: %s; use the settings of the service (SERVERY_DATA or DATABASE_URL)", ErrNoDatabase, DatabaseName(cfg))
	}
	return err
}

// OpenAsItIs opens the database that the settings name and leaves its tables as they are. Where
// there is none it creates nothing and returns [ErrNoDatabase] with the place.
func OpenAsItIs(ctx context.Context, cfg config.Config) (*db.DB, error) {
	if err := checkExists(ctx, cfg); err != nil {
		return nil, err
	}
	return db.Open(ctx, database(cfg))
}

// OpenAlone opens the database that the settings name, with its tables up to date, for work that
// lasts: others must not use it (see [db.OpenAlone]). Where there is none it makes one with
// create, else it returns [ErrNoDatabase].
func OpenAlone(ctx context.Context, cfg config.Config, create bool) (*db.DB, error) {
	open := OpenExisting
	if create {
		open = OpenDatabase
	}
	d, err := open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := d.Close(); err != nil { // it was opened to make the tables; alone it is opened next
		return nil, err
	}
	return db.OpenAlone(ctx, database(cfg))
}

// RestoreDatabase puts the copy of a database into the data folder, where there must be none, and
// returns its size in bytes (see [db.Restore]).
func RestoreDatabase(ctx context.Context, cfg config.Config, file string) (int64, error) {
	if cfg.DatabaseURL == "" {
		if err := prepareFolder(cfg.Data); err != nil {
			return 0, err
		}
	}
	return db.Restore(ctx, database(cfg), file)
}

// OpenExisting opens the database that the settings name and brings its tables up to date.
// Where there is none it creates nothing and returns [ErrNoDatabase] with the place.
func OpenExisting(ctx context.Context, cfg config.Config) (*db.DB, error) {
	if err := checkExists(ctx, cfg); err != nil {
		return nil, err
	}
	return OpenDatabase(ctx, cfg)
}

// OpenDatabase opens the database that the settings name and makes its tables.
func OpenDatabase(ctx context.Context, cfg config.Config) (*db.DB, error) {
	if cfg.DatabaseURL == "" {
		if err := prepareFolder(cfg.Data); err != nil {
			return nil, err
		}
	}
	d, err := db.Open(ctx, database(cfg))
	if err != nil {
		return nil, err
	}
	if _, err := db.Migrate(ctx, d, queue.Migrate); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// prepareFolder makes the data folder. It returns an error when no file can be written there.
func prepareFolder(data string) error {
	if err := os.MkdirAll(data, 0o750); err != nil {
		return fmt.Errorf("cannot make the data folder: %w", err)
	}
	probe := filepath.Join(data, ".writable")
	if err := os.WriteFile(probe, nil, 0o600); err != nil {
		return fmt.Errorf("cannot write into the data folder: %w", err)
	}
	if err := os.Remove(probe); err != nil {
		return fmt.Errorf("cannot write into the data folder: %w", err)
	}
	return nil
}
