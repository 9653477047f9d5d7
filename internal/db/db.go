// Package db opens the database, SQLite or PostgreSQL, and runs transactions on it.
//
// The same SQL runs on both: package gen is generated from query/*.sql once. A
// transaction is opened by the exported method of an area's service and handed down
// as a *[Tx]; nothing that leaves the machine happens inside one.
//
// On SQLite one connection writes and four read, so transactions run one after another and never
// meet a busy database; those that wait share a group commit. On PostgreSQL they run concurrently
// at READ COMMITTED: a rule that two visitors could break together is held by a unique key, by
// WHERE version =, or by a conditional UPDATE, never by reading first.
package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"servery/internal/db/gen"
)

// Engine is the kind of database.
type Engine string

// The two engines.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// Config says which database to open.
type Config struct {
	// URL is postgres://…, or empty for an SQLite file in Dir. A search_path in it
	// selects a schema.
	URL string
	// Dir is the data folder; it must exist when URL is empty.
	Dir string
	// Connections is how many connections are held to PostgreSQL at most; 0 means 20.
	Connections int
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	engine Engine
	write  *sql.DB
	read   *sql.DB // the same as write on PostgreSQL
	q      *gen.Queries
	// committer runs the writing transactions of SQLite; nil on PostgreSQL.
	committer *committer
	cfg       Config
}

// Open opens the database and checks that it answers. The tables are created by [Migrate], not
// here. The caller closes the DB.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	switch {
	case cfg.URL == "":
		return openSQLite(ctx, cfg)
	case strings.HasPrefix(cfg.URL, "postgres://"), strings.HasPrefix(cfg.URL, "postgresql://"):
		return openPostgres(ctx, cfg)
	default:
		return nil, errors.New("the database address must begin with postgres://, or be empty for SQLite")
	}
}

// Name names the database for people, without a secret: by its file, or by database and host.
func (c Config) Name() string {
	if c.URL == "" {
		return sqliteName(c.Dir)
	}
	return postgresName(c.URL)
}

// Exists reports whether the database exists and has the program's tables; on SQLite only whether there
// is a file. It creates nothing.
func Exists(ctx context.Context, cfg Config) (bool, error) {
	if cfg.URL == "" {
		return sqliteExists(cfg.Dir)
	}
	d, err := openPostgres(ctx, cfg)
	if err != nil {
		return false, err
	}
	migrated, err := hasTables(ctx, d.read)
	return migrated, errors.Join(err, d.Close())
}

// Close closes all connections.
func (d *DB) Close() error {
	if d.read == d.write {
		return d.write.Close()
	}
	return errors.Join(d.read.Close(), d.write.Close())
}

// Engine returns the kind of database.
func (d *DB) Engine() Engine { return d.engine }

// Connections returns how many connections to PostgreSQL are open at most, and 0 on SQLite.
func (d *DB) Connections() int {
	if d.engine != Postgres {
		return 0
	}
	return d.write.Stats().MaxOpenConnections
}

// Ping returns an error when the database does not answer.
func (d *DB) Ping(ctx context.Context) error { return d.read.PingContext(ctx) }

// Read returns the queries for reading outside a transaction. Each sees what was committed before
// it began; on SQLite a write through it is refused.
func (d *DB) Read() *gen.Queries { return d.q }

// Reader returns the pool for reading by hand-written SQL.
func (d *DB) Reader() *sql.DB { return d.read }

// Writer returns the pool that writes, for the job queue, its migrations and single hand-written
// statements.
func (d *DB) Writer() *sql.DB { return d.write }

// Snapshot is the database as it was at one instant, for reading.
type Snapshot struct {
	// Q holds the generated queries. They must not be used after the function that got the
	// snapshot has returned, nor by two goroutines at once.
	Q *gen.Queries
}

// ReadSnapshot runs do with queries that all see the database as it was when the first of them
// began, whatever is committed afterwards. No other call waits for it. The error of do is returned
// as it is.
func (d *DB) ReadSnapshot(ctx context.Context, do func(s Snapshot) error) error {
	options := sql.TxOptions{ReadOnly: true} // SQLite has no other isolation
	if d.engine == Postgres {
		options.Isolation = sql.LevelRepeatableRead
	}
	tx, err := d.read.BeginTx(ctx, &options)
	if err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	return do(Snapshot{Q: gen.New(tx)})
}

// Tx is one writing transaction. It must not be used after the function that got it
// has returned, nor by two goroutines at once.
type Tx struct {
	// Q holds the generated queries, run inside the transaction.
	Q *gen.Queries
	// SQL is the bare transaction, for hand-written SQL.
	SQL gen.DBTX
	// Engine is the kind of database, for the few texts that differ.
	Engine Engine

	onCommit []func()
	// std is the transaction as database/sql has it; nil until Std is called.
	std  *sql.Tx
	conn *sql.Conn
}

// Std returns the transaction as database/sql has it, for the job queue. Neither Commit nor Rollback of it may be
// called.
func (tx *Tx) Std(ctx context.Context) (_ *sql.Tx, err error) {
	if tx.std == nil {
		tx.std, err = tx.conn.BeginTx(context.WithoutCancel(ctx), nil)
	}
	return tx.std, err
}

// OnCommit makes do run once after the transaction has been committed, and not at all when it is rolled
// back. It is for counts in memory.
func (tx *Tx) OnCommit(do func()) { tx.onCommit = append(tx.onCommit, do) }

// InTx runs do in one writing transaction: it is committed when do returns nil, and rolled back
// when it returns an error or panics. The error of do is returned as it is.
//
// On SQLite concurrent callers may share one transaction, each behind a savepoint of its own (group
// commit): do must run no COMMIT or ROLLBACK by hand. All of them return after the commit, with its
// error when it fails.
//
// A caller that goes away interrupts neither a statement that has begun nor the commit; the next statement is
// refused. The deadline of ctx ends a statement of PostgreSQL too, and leaves the outcome of a commit unknown.
//
// PostgreSQL may break one of two transactions that deadlock; such a transaction is run again, so
// do must have no effect outside of it. Anything that depends on the commit belongs after InTx, into a
// job, or into [Tx.OnCommit].
func (d *DB) InTx(ctx context.Context, do func(tx *Tx) error) error {
	for attempt := 1; ; attempt++ {
		var committed []func()
		err := d.tryTx(ctx, func(tx *Tx) error {
			err := do(tx)
			committed = tx.onCommit
			return err
		})
		if err == nil {
			for _, run := range committed {
				run()
			}
			return nil
		}
		if attempt == maxAttempts || !isPostgresRetryable(err) {
			return err
		}
		if err := waitBackoff(ctx, attempt); err != nil {
			return err
		}
	}
}

// tryTx runs do in one writing transaction, once.
func (d *DB) tryTx(ctx context.Context, do func(tx *Tx) error) error {
	if d.committer != nil {
		return d.committer.inTx(ctx, do)
	}
	return d.inPostgresTx(ctx, do)
}
