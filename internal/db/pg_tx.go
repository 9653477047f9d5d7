package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"servery/internal/db/gen"
)

// inPostgresTx runs do in one transaction of PostgreSQL, once. The transaction is the driver's: a [sql.Tx] watches its
// context, and each statement, with a goroutine of its own.
func (d *DB) inPostgresTx(ctx context.Context, do func(tx *Tx) error) error {
	conn, err := d.write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer conn.Close() //nolint:errcheck // the pool drops a broken one
	var open driver.Tx
	begin := func(c livingConn) (err error) {
		open, err = c.begin(ctx)
		return err
	}
	if err := useDriver(conn, begin); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	isCommitted := false
	defer func() {
		if !isCommitted { // the first error counts
			_ = useDriver(conn, func(c livingConn) error { return c.end(context.WithoutCancel(ctx), open.Rollback) })
		}
	}()
	statements := patiently{conn}
	tx := &Tx{Q: gen.New(statements), SQL: statements, Engine: Postgres, conn: conn}
	if err := tx.run(do); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	isCommitted = true // also when it fails: the driver drops the connection then
	if err := useDriver(conn, func(c livingConn) error { return c.end(ctx, open.Commit) }); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
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

// useDriver calls use with the driver's connection.
func useDriver(conn *sql.Conn, use func(c livingConn) error) error {
	return conn.Raw(func(c any) error {
		living, ok := c.(livingConn)
		if !ok {
			return fmt.Errorf("not a connection to PostgreSQL: %T", c)
		}
		return use(living)
	})
}

// begin begins a transaction that lasts until end.
func (c livingConn) begin(ctx context.Context) (driver.Tx, error) {
	ctx = withPatience(ctx)
	if err := c.beginStatement(ctx); err != nil {
		return nil, err
	}
	tx, err := c.Conn.BeginTx(ctx, driver.TxOptions{Isolation: driver.IsolationLevel(sql.LevelReadCommitted)})
	c.line.isInTx = err == nil
	return tx, err
}

// end ends the transaction that begin has begun, by its commit or its rollback, within the deadline of ctx.
func (c livingConn) end(ctx context.Context, by func() error) error {
	c.line.isInTx = false
	c.boundBy(ctx)
	return by()
}

// BeginTx begins a transaction; while one is open that begin has begun, it returns a part of that one, which ends
// with it.
func (c livingConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	if c.line.isInTx {
		return part{}, nil
	}
	c.boundBy(ctx)
	return c.Conn.BeginTx(ctx, options)
}

// part is what a [sql.Tx] gets of a transaction that it neither begins nor ends.
type part struct{}

// Commit leaves the transaction open.
func (part) Commit() error { return nil }

// Rollback leaves the transaction open.
func (part) Rollback() error { return nil }

// ExecContext runs a statement that returns no rows.
func (c livingConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.beginStatement(ctx); err != nil {
		return nil, err
	}
	return c.Conn.ExecContext(ctx, text, args)
}

// QueryContext runs a statement that returns rows.
func (c livingConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.beginStatement(ctx); err != nil {
		return nil, err
	}
	return c.Conn.QueryContext(ctx, text, args)
}

// beginStatement begins a statement of ctx: it ends by the deadline of ctx, and where the server bounds each
// statement, by nothing else of ctx.
func (c livingConn) beginStatement(ctx context.Context) error {
	c.boundBy(ctx)
	if c.line.timeout == 0 {
		return nil
	}
	return beginStatement(ctx)
}

// boundBy makes the server late after the deadline of ctx; without one, only after the timeout of the line. A closed
// connection is left alone: the driver may still be ending it.
func (c livingConn) boundBy(ctx context.Context) {
	if !c.Conn.Conn().IsClosed() {
		c.line.until, _ = ctx.Deadline()
	}
}
