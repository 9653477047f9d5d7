package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"servery/internal/db/gen"
)

// txConn is a driver's connection on which InTx runs its transactions. These are the driver's: a [sql.Tx] watches its
// context, and each statement that returns rows, with a goroutine of its own.
type txConn interface {
	// begin begins a transaction that lasts until end.
	begin(ctx context.Context) (driver.Tx, error)
	// end ends it, by its commit or its rollback.
	end(ctx context.Context, by func() error) error
}

// beginOn begins a transaction on conn, which it needs for itself until endOn.
func beginOn(ctx context.Context, conn *sql.Conn) (open driver.Tx, err error) {
	err = useDriver(conn, func(c txConn) error {
		open, err = c.begin(ctx)
		return err
	})
	return open, err
}

// endOn ends the transaction on conn, by its commit or its rollback.
func endOn(ctx context.Context, conn *sql.Conn, by func() error) error {
	return useDriver(conn, func(c txConn) error { return c.end(ctx, by) })
}

// useDriver calls use with the driver's connection.
func useDriver(conn *sql.Conn, use func(c txConn) error) error {
	return conn.Raw(func(c any) error {
		full, ok := c.(txConn)
		if !ok {
			return fmt.Errorf("a connection without transactions of its own: %T", c)
		}
		return use(full)
	})
}

// newTx returns the transaction that is open on conn.
func newTx(conn *sql.Conn, engine Engine) *Tx {
	statements := patiently{conn}
	return &Tx{Q: gen.New(statements), SQL: statements, Engine: engine, conn: conn}
}

// Later returns the generated queries for writing what no caller reads a result of. On PostgreSQL such a query goes to
// the server with the next statement of the transaction, or with its commit, and needs no round trip of its own: what
// the database refuses is the error of that one, and how many rows a query has changed is not known. A query that returns
// rows is run at once.
func (tx *Tx) Later() *gen.Queries {
	if tx.Engine != Postgres {
		return tx.Q
	}
	return gen.New(later{patiently{tx.conn}})
}

// run runs do, and ends what the job queue has used of the transaction, also when do panics.
func (tx *Tx) run(do func(tx *Tx) error) error {
	defer func() {
		if tx.std != nil {
			_ = tx.std.Rollback() // it ends nothing but the sql.Tx
		}
	}()
	return do(tx)
}

// part is what a [sql.Tx] gets of a transaction that it neither begins nor ends.
type part struct{}

// Commit leaves the transaction open.
func (part) Commit() error { return nil }

// Rollback leaves the transaction open.
func (part) Rollback() error { return nil }
