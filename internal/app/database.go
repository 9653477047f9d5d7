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
func DatabaseName(cfg config.Config) string { return databaseConfig(cfg).Name() }

// DatabaseAddress returns the address of the settings' PostgreSQL for its own tools, without the password.
func DatabaseAddress(cfg config.Config) string { return databaseConfig(cfg).Address() }

// databaseConfig returns the part of the settings that is about the database.
func databaseConfig(cfg config.Config) db.Config {
	return db.Config{URL: cfg.DatabaseURL, Dir: cfg.Data, Connections: cfg.DatabaseConnections}
}

// checkExists returns [ErrNoDatabase], with the place, when there is no database.
func checkExists(ctx context.Context, cfg config.Config) error {
	found, err := db.Exists(ctx, databaseConfig(cfg))
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
	return db.Open(ctx, databaseConfig(cfg))
}

// OpenAlone opens the database that the settings name for long work by this process alone (see
// [db.OpenAlone]), and brings its tables up to date. When there is no database, it makes one if create
// is true, and returns [ErrNoDatabase] if not.
func OpenAlone(ctx context.Context, cfg config.Config, create bool) (*db.DB, error) {
	open := OpenExisting
	if create {
		open = OpenDatabase
	}
	d, err := open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := d.Close(); err != nil { // it was opened only to make the tables
		return nil, err
	}
	return db.OpenAlone(ctx, databaseConfig(cfg))
}

// RestoreDatabase puts the copy of a database into the data folder, where there must be none, and
// returns its size in bytes. On PostgreSQL it fails (see [db.Restore]).
func RestoreDatabase(ctx context.Context, cfg config.Config, file string) (int64, error) {
	if cfg.DatabaseURL == "" {
		if err := prepareFolder(cfg.Data); err != nil {
			return 0, err
		}
	}
	return db.Restore(ctx, databaseConfig(cfg), file)
}

// OpenExisting opens the database that the settings name and brings its tables up to date.
// Where there is none it creates nothing and returns [ErrNoDatabase] with the place.
func OpenExisting(ctx context.Context, cfg config.Config) (*db.DB, error) {
	if err := checkExists(ctx, cfg); err != nil {
		return nil, err
	}
	return OpenDatabase(ctx, cfg)
}

// OpenDatabase opens the database that the settings name and brings its tables up to date. On SQLite it
// makes the data folder and the database when they are missing.
func OpenDatabase(ctx context.Context, cfg config.Config) (*db.DB, error) {
	if cfg.DatabaseURL == "" {
		if err := prepareFolder(cfg.Data); err != nil {
			return nil, err
		}
	}
	d, err := db.Open(ctx, databaseConfig(cfg))
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
