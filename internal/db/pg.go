package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"servery/internal/db/gen"
)

const defaultConnections = 20

// openPostgres opens the database at cfg's address, with the program's settings on each connection.
// It returns an error when the server does not answer.
func openPostgres(ctx context.Context, cfg Config) (*DB, error) {
	return openWith(ctx, cfg, sessionSettings)
}

// openWith opens PostgreSQL with the settings on each connection.
func openWith(ctx context.Context, cfg Config, settings []setting) (*DB, error) {
	pgxConfig, err := pgx.ParseConfig(cfg.URL)
	if err != nil {
		return nil, fmt.Errorf("read the database address: %w", err) // pgx leaves the password out
	}
	if pgxConfig.ConnectTimeout == 0 {
		pgxConfig.ConnectTimeout = connectTimeout
	}
	set := setSession(settings, pgxConfig.RuntimeParams)
	pool := sql.OpenDB(newServers(pgxConfig, boundsStatements(settings, pgxConfig.RuntimeParams), func(ctx context.Context, conn *pgx.Conn) error {
		readTimesAsUTC(conn)
		return set(ctx, conn)
	}))
	connections := cfg.Connections
	if connections == 0 {
		connections = defaultConnections
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	pool.SetConnMaxLifetime(connectionLife)
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open PostgreSQL: %w", err), pool.Close())
	}
	return &DB{engine: Postgres, write: pool, read: pool, q: gen.New(patiently{pool}), cfg: cfg}, nil
}

// postgresName names the database and its host, without the password. A database that the address does
// not name has the user's name.
func postgresName(address string) string {
	c, err := pgx.ParseConfig(address)
	if err != nil {
		return "PostgreSQL"
	}
	return fmt.Sprintf("PostgreSQL database %s at %s", cmp.Or(c.Database, c.User), net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))))
}

// hasTables reports whether the database was ever migrated.
func hasTables(ctx context.Context, pool *sql.DB) (found bool, err error) {
	err = pool.QueryRowContext(ctx, "SELECT to_regclass('goose_db_version') IS NOT NULL").Scan(&found)
	return found, err
}

// readTimesAsUTC makes instants come back in UTC, as they were stored, and not in
// the zone of the machine.
func readTimesAsUTC(conn *pgx.Conn) {
	conn.TypeMap().RegisterType(&pgtype.Type{
		Name:  "timestamptz",
		OID:   pgtype.TimestamptzOID,
		Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	})
}

// PostgreSQL's names for the refusals that matter here.
const (
	pgNotNull       = "23502"
	pgForeignKey    = "23503"
	pgUnique        = "23505"
	pgCheck         = "23514"
	pgSerialization = "40001"
	pgDeadlock      = "40P01"
	pgLockTimeout   = "55P03"
	pgForbidden     = "42501"
)

// postgresViolation returns the refused constraint, and false when err is not PostgreSQL's. For an
// error of PostgreSQL that is no such refusal the kind is none.
func postgresViolation(err error) (violation, bool) {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return violation{}, false
	}
	v := violation{table: e.TableName}
	switch e.Code {
	case pgUnique:
		v.kind = duplicate
		// The detail is `Key (a, b)=(1, 2) already exists.`, in the server's language
		// but always with these brackets.
		if _, rest, ok := strings.Cut(e.Detail, "("); ok {
			names, _, _ := strings.Cut(rest, ")=(")
			v.columns = columnList(names)
		}
	case pgForeignKey:
		v.kind = reference
	case pgCheck:
		v.kind = check
	case pgNotNull:
		v.kind = missing
	}
	return v, true
}

// isPostgresRetryable reports whether PostgreSQL broke the transaction because of another one, so
// that running it again can succeed.
func isPostgresRetryable(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == pgSerialization || e.Code == pgDeadlock)
}

// isLockTimeout reports whether err says that PostgreSQL did not get a lock within its lock_timeout.
func isLockTimeout(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == pgLockTimeout
}

// lockEvery is how often a process checks whether another one has migrated.
const lockEvery = 100 * time.Millisecond

// lockMigrations keeps other processes on the same PostgreSQL from migrating until unlock is called.
// It polls for the lock instead of waiting in one statement: CREATE INDEX CONCURRENTLY waits for all
// running statements, so that a waiting process would block the one that holds the lock for ever.
func lockMigrations(ctx context.Context, pool *sql.DB) (unlock func() error, err error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	const key = 7_378_697_629_483_820_646 // any number that nothing else locks
	for locked := false; ; {
		if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", int64(key)).Scan(&locked); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		if locked {
			break
		}
		select {
		case <-time.After(lockEvery):
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), conn.Close())
		}
	}
	return func() error {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", int64(key))
		return errors.Join(err, conn.Close())
	}, nil
}
