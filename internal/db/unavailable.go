package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// IsUnavailable reports whether err says that the database cannot answer now, though the statement
// is right: it is away, full, read-only, overloaded or too slow. The transaction is rolled back;
// only when the error came from its commit, the outcome is unknown.
func IsUnavailable(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return isPostgresUnavailable(pg.Code)
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return isSQLiteUnavailable(lite.Code())
	}
	for _, target := range []error{
		context.DeadlineExceeded, driver.ErrBadConn, sql.ErrConnDone, io.ErrUnexpectedEOF, io.EOF, net.ErrClosed,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err)
}

// isPostgresUnavailable reports whether an SQLSTATE says that the server cannot answer now.
func isPostgresUnavailable(code string) bool {
	if len(code) < 2 {
		return false
	}
	switch code[:2] {
	case "08", "53", "57", "58": // connection, resources, shutdown or time-out, input and output
		return true
	}
	return slices.Contains([]string{
		pgSerialization, pgDeadlock,
		"25006", // a standby, or a primary that was made one
		"25P03", // idle in a transaction for too long
		"55P03", // a lock was not free in time
	}, code)
}

// isSQLiteUnavailable reports whether an error code says that the file cannot be used now.
func isSQLiteUnavailable(code int) bool {
	switch code & 0xff { // the low byte is the kind of error; the rest says which call failed
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED,
		sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_INTERRUPT,
		sqlite3.SQLITE_PROTOCOL: // another process holds the locks of the log for long, as a frozen one may
		return true
	}
	return false
}
