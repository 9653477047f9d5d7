package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"time"
)

// inPostgresTx runs do in one transaction of PostgreSQL, once.
func (d *DB) inPostgresTx(ctx context.Context, do func(tx *Tx) error) error {
	conn, err := d.write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer conn.Close() //nolint:errcheck // the pool drops a broken one
	open, err := beginOn(ctx, conn)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	isCommitted := false
	defer func() {
		if !isCommitted { // the first error counts
			_ = endOn(context.WithoutCancel(ctx), conn, open.Rollback)
		}
	}()
	if err := newTx(conn, Postgres).run(do); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	isCommitted = true // also when it fails: the driver drops the connection then
	if err := endOn(ctx, conn, open.Commit); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
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

// ExecContext runs a statement that returns no rows.
func (c livingConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.beginStatement(ctx); err != nil {
		return nil, err
	}
	if c.line.isInTx && isForLater(ctx) {
		c.line.mayWait.Store(true)
		defer c.line.mayWait.Store(false)
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

// afterDeadline is how long after its deadline a call waits for the server: by then its context has ended, which its
// callers see.
const afterDeadline = 20 * time.Millisecond

// boundBy makes the server late after the deadline of ctx; without one, only after the timeout of the line. A closed
// connection is left alone: the driver may still be ending it.
func (c livingConn) boundBy(ctx context.Context) {
	if c.Conn.Conn().IsClosed() {
		return
	}
	c.line.until = time.Time{}
	if deadline, ok := ctx.Deadline(); ok {
		c.line.until = deadline.Add(afterDeadline)
	}
}
