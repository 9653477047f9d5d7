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

func database(cfg config.Config) db.Config {
	return db.Config{URL: cfg.DatabaseURL, Dir: cfg.Data}
}

// OpenExisting opens the database that the settings name and brings its tables up to date.
// Where there is none it creates nothing and returns [ErrNoDatabase] with the place.
func OpenExisting(ctx context.Context, cfg config.Config) (*db.DB, error) {
	found, err := db.Exists(ctx, database(cfg))
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("%w: %s; use the settings of the service (SERVERY_DATA or DATABASE_URL)", ErrNoDatabase, DatabaseName(cfg))
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

// prepareFolder makes the data folder, which must be one that can be written into.
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
