package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"servery/internal/db/gen"
)

// PlaceFile is the file beside an SQLite database that names the database in use there.
const PlaceFile = "servery.place"

// Held is why nothing is sent from this database; the zero value is not held.
type Held struct {
	Since   time.Time
	Because string
}

// IsHeld reports whether the database is held.
func (h Held) IsHeld() bool { return !h.Since.IsZero() }

// Occupy must be called at each start, before anything is sent. It returns whether the database is
// held, and why. A database that was restored from a copy is held, because it would repeat what the
// original has sent since, or is still sending. A database that was never in use, or was released,
// is in use here from then on. Unless the database is held, it counts the start, for SQLite also in
// [PlaceFile] beside the database.
func (d *DB) Occupy(ctx context.Context, now time.Time) (held Held, err error) {
	var place string
	var starts int64
	err = d.InTx(ctx, func(tx *Tx) error {
		row, err := tx.Q.GetInstallation(ctx)
		if err != nil {
			return err
		}
		held, starts = Held{row.HeldAt.Time, row.HeldBecause}, 0 // starts stays 0 where the database is held
		if held.IsHeld() {
			return nil
		}
		var because string
		if place, because, err = d.checkPlace(ctx, row.Place, row.Starts); err != nil {
			return err
		}
		if because != "" {
			held = Held{now, because}
			return tx.Q.HoldInstallation(ctx, gen.HoldInstallationParams{Now: sql.NullTime{Time: now, Valid: true}, Because: because})
		}
		starts = row.Starts + 1
		return tx.Q.StartInstallation(ctx, gen.StartInstallationParams{Place: place, Starts: starts})
	})
	if err == nil && starts > 0 && d.engine == SQLite {
		// The file outlives a restore: a restored database has fewer starts than the file says.
		err = d.writePlace(place, starts)
	}
	if err != nil {
		return Held{}, fmt.Errorf("check whether the database was restored: %w", err)
	}
	return held, nil
}

// Held returns whether the database is held, and why.
func (d *DB) Held(ctx context.Context) (Held, error) {
	row, err := d.q.GetInstallation(ctx)
	if err != nil {
		return Held{}, fmt.Errorf("read whether the database is held: %w", err)
	}
	return Held{row.HeldAt.Time, row.HeldBecause}, nil
}

// FindMove returns why the next start will hold the database, which is not held yet; empty when it will not.
func (d *DB) FindMove(ctx context.Context) (because string, err error) {
	row, err := d.q.GetInstallation(ctx)
	if err == nil && row.Place != "" && !row.HeldAt.Valid {
		_, because, err = d.checkPlace(ctx, row.Place, row.Starts)
	}
	if err != nil {
		return "", fmt.Errorf("read whether the database was restored: %w", err)
	}
	return because, nil
}

// Hold marks the database as held: processes that start from now on send nothing.
func (d *DB) Hold(ctx context.Context, now time.Time, because string) error {
	return d.InTx(ctx, func(tx *Tx) error {
		return tx.Q.HoldInstallation(ctx, gen.HoldInstallationParams{Now: sql.NullTime{Time: now, Valid: true}, Because: because})
	})
}

// Release lets the next start use the database, wherever that is. Numbers of changes that the original may have drawn
// after the copy are left out, because readers of changes have seen them.
func (d *DB) Release(ctx context.Context) error {
	return d.InTx(ctx, func(tx *Tx) error {
		if err := skipChanges(ctx, tx); err != nil {
			return fmt.Errorf("leave out numbers of changes: %w", err)
		}
		return tx.Q.ReleaseInstallation(ctx)
	})
}

const (
	// skippedChanges is how many numbers of changes are left out: more than a large chain draws between two backups.
	skippedChanges = 1_000_000
	// drawnAtOnce is how many of them one statement draws, so that none reaches its timeout.
	drawnAtOnce = 50_000
)

// skipChanges leaves out the next numbers of changes. On PostgreSQL it draws them: to set the sequence needs a right
// that the role of the service may lack.
func skipChanges(ctx context.Context, tx *Tx) error {
	if tx.Engine == Postgres {
		for range skippedChanges / drawnAtOnce {
			_, err := tx.SQL.ExecContext(ctx, `
				SELECT MAX(nextval(CAST(pg_get_serial_sequence('order_status', 'id') AS regclass)))
				FROM generate_series(1, CAST($1 AS bigint))`, drawnAtOnce)
			if err != nil {
				return err
			}
		}
		return nil
	}
	_, err := tx.SQL.ExecContext(ctx, `
		INSERT INTO sqlite_sequence (name, seq)
		SELECT 'order_status', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'order_status')`)
	if err != nil {
		return err
	}
	_, err = tx.SQL.ExecContext(ctx, "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'order_status'", skippedChanges)
	return err
}

// firstStart is the count of starts of a database that is used for the first time.
const firstStart = 1

// checkPlace returns the name of this place. known is the place that the database names, empty for a
// new or released one, and starts how often it was started. because says why the database must not be
// used here; it is empty when it may. On SQLite a database without a known place gets a new one, which
// is written to the file of the place.
func (d *DB) checkPlace(ctx context.Context, known string, starts int64) (place, because string, err error) {
	if d.engine == Postgres {
		if place, err = d.postgresPlace(ctx); err != nil {
			return "", "", err
		}
		if known != "" && known != place {
			return "", "it was at work on another PostgreSQL", nil
		}
		return place, "", nil
	}
	if known == "" {
		place = rand.Text()
		return place, "", d.writePlace(place, firstStart)
	}
	text, err := os.ReadFile(filepath.Join(d.cfg.Dir, PlaceFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", "", err
	}
	var found string
	var counted int64
	_, _ = fmt.Sscan(string(text), &found, &counted) // an unreadable file names no known place
	switch {
	case found != known:
		return "", "it was at work in another folder", nil
	case counted > starts:
		return "", "it is older than its last start in this folder", nil
	}
	return known, "", nil
}

// postgresPlace names the cluster, where the server allows it, and the database in it. A standby
// that was promoted has the same name; a database restored from a dump has another.
func (d *DB) postgresPlace(ctx context.Context) (string, error) {
	var cluster, database string
	err := d.read.QueryRowContext(ctx, "SELECT CAST(oid AS text) FROM pg_database WHERE datname = current_database()").Scan(&database)
	if err != nil {
		return "", err
	}
	err = d.read.QueryRowContext(ctx, "SELECT CAST(system_identifier AS text) FROM pg_control_system()").Scan(&cluster)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == pgForbidden {
		return database, nil
	}
	return cluster + "/" + database, err
}

// writePlace writes into the folder, outside of the database, which database is in use there and
// how often it was started.
func (d *DB) writePlace(place string, starts int64) error {
	file, err := os.CreateTemp(d.cfg.Dir, PlaceFile+"-*")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s %d\n", place, starts)
	if err = errors.Join(err, setFolderOwner(file), file.Close()); err == nil {
		err = os.Rename(file.Name(), filepath.Join(d.cfg.Dir, PlaceFile))
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
