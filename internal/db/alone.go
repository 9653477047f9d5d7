package db

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"servery/internal/db/gen"
)

// ErrInUse says that others have the database open.
var ErrInUse = errors.New("the database is in use")

// OpenAlone opens a database that no other process has open, for work that may take long. On SQLite no
// other process can open it until it is closed; on PostgreSQL it is only checked that the same role
// has no other connection to it. It returns [ErrInUse] when another process has the database open.
func OpenAlone(ctx context.Context, cfg Config) (*DB, error) {
	if cfg.URL == "" {
		return openFileAlone(ctx, cfg)
	}
	d, err := openWith(ctx, cfg, migrationSettings)
	if err != nil {
		return nil, err
	}
	d.write.SetMaxOpenConns(1)
	if err := awaitAlone(ctx, d); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// awaitAlone waits until the role has no other connection to the database of PostgreSQL: the server
// lists a closed connection for a moment longer. It returns [ErrInUse] after two seconds.
func awaitAlone(ctx context.Context, d *DB) error {
	const attempts, pause = 20, 100 * time.Millisecond
	for attempt := 1; ; attempt++ {
		err := d.InTx(ctx, func(tx *Tx) error { return CheckAlone(ctx, tx.SQL, Postgres) })
		if !errors.Is(err, ErrInUse) || attempt == attempts {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// openFileAlone opens the file in the data folder with one connection, which locks it. It returns
// [ErrInUse] when another process has the file open.
func openFileAlone(ctx context.Context, cfg Config) (*DB, error) {
	path := filepath.Join(cfg.Dir, File)
	pool, err := sqlitePool(ctx, path, 1, "busy_timeout(1000)", "locking_mode(EXCLUSIVE)", "synchronous(FULL)", "secure_delete(FAST)")
	if err != nil {
		return nil, mapBusy(path, err)
	}
	d := &DB{engine: SQLite, write: pool, read: pool, q: gen.New(pool), committer: &committer{pool: pool}, cfg: cfg}
	// The first transaction locks the file, for as long as the connection lives.
	if err := d.InTx(ctx, func(*Tx) error { return nil }); err != nil {
		return nil, errors.Join(mapBusy(path, err), d.Close())
	}
	return d, nil
}

// mapBusy returns [ErrInUse] when SQLite says that the file is locked, and err otherwise.
func mapBusy(path string, err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY { // the low byte is the kind of error
		return fmt.Errorf("%w: %s", ErrInUse, path)
	}
	return err
}

// CheckAlone returns [ErrInUse] when the role of the transaction has another connection to its
// database. On SQLite it returns nil, because there the file is locked.
func CheckAlone(ctx context.Context, tx gen.DBTX, engine Engine) error {
	if engine == SQLite {
		return nil
	}
	var others int64
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`).Scan(&others)
	if err != nil {
		return fmt.Errorf("count the connections: %w", err)
	}
	if others > 0 {
		return fmt.Errorf("%w: it has %d other connections of the same role", ErrInUse, others)
	}
	return nil
}
