package db

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"
	"unicode"
)

// statementCache is the SQLite driver with prepared statements cached on each connection. Preparing
// costs as much as running for the small statements here, and database/sql prepares again for each
// call; PostgreSQL's driver has a cache of its own.
type statementCache struct{ driver.Connector }

// Connect opens a connection with an empty cache.
func (c statementCache) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	full, ok := conn.(sqliteConn)
	if !ok {
		return nil, fmt.Errorf("the SQLite driver has changed: %T", conn)
	}
	return &cachingConn{sqliteConn: full, idle: map[string]statement{}}, nil
}

// sqliteConn is what the driver's connection can do.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// maxStatements bounds the cache of one connection; the program has fewer texts.
const maxStatements = 512

// cachingConn is used by one goroutine at a time, as database/sql promises.
type cachingConn struct {
	sqliteConn
	idle map[string]statement // prepared and not in use, by text
	// isInTx says that a transaction is open that begin has begun.
	isInTx bool
}

// begin begins a transaction that lasts until end. It is not interrupted.
func (c *cachingConn) begin(ctx context.Context) (driver.Tx, error) {
	tx, err := c.sqliteConn.BeginTx(context.WithoutCancel(ctx), driver.TxOptions{})
	c.isInTx = err == nil
	return tx, err
}

// end ends the transaction that begin has begun, by its commit or its rollback.
func (c *cachingConn) end(_ context.Context, by func() error) error {
	c.isInTx = false
	return by()
}

// BeginTx begins a transaction; while one is open that begin has begun, it returns a part of that one, which ends
// with it.
func (c *cachingConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	if c.isInTx {
		return part{}, nil
	}
	return c.sqliteConn.BeginTx(ctx, options)
}

// takeStatement returns a prepared statement for exclusive use until putStatement. A text that is
// in use, by rows still being read, is prepared a second time.
func (c *cachingConn) takeStatement(ctx context.Context, text string) (statement, error) {
	if s, ok := c.idle[text]; ok {
		delete(c.idle, text)
		return s, nil
	}
	s, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.(statement), nil
}

// putStatement returns a statement to the cache. It closes the statement instead when the cache has another
// one of the same text or is full, and when the text is not worth caching.
func (c *cachingConn) putStatement(text string, s statement) error {
	if _, twin := c.idle[text]; twin || len(c.idle) >= maxStatements || !isReusable(text) {
		return s.Close()
	}
	c.idle[text] = s
	return nil
}

// isReusable reports whether a text is worth caching: one that reads or writes rows is repeated, one
// that changes the schema is not.
func isReusable(text string) bool {
	text = strings.TrimSpace(text)
	for strings.HasPrefix(text, "--") { // sqlc begins each text with its name
		_, text, _ = strings.Cut(text, "\n")
		text = strings.TrimSpace(text)
	}
	verb := text[:len(text)-len(strings.TrimLeftFunc(text, unicode.IsLetter))] // the letters it begins with
	switch strings.ToUpper(verb) {
	case "SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "SAVEPOINT", "RELEASE", "ROLLBACK":
		return true
	}
	return false
}

// ExecContext runs a text that returns no rows. Once begun it is not interrupted: it is short, and
// an interruption would break the caller's transaction.
func (c *cachingConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if err := beginStatement(ctx); err != nil {
		return nil, err
	}
	s, err := c.takeStatement(ctx, text)
	if err != nil {
		return nil, err
	}
	result, err := s.ExecContext(context.WithoutCancel(ctx), args)
	if closeErr := c.putStatement(text, s); err == nil && closeErr != nil {
		return nil, closeErr
	}
	return result, err
}

// QueryContext runs a text that returns rows. Once begun it is not interrupted: that would break the
// caller's transaction.
func (c *cachingConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if err := beginStatement(ctx); err != nil {
		return nil, err
	}
	s, err := c.takeStatement(ctx, text)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(context.WithoutCancel(ctx), args)
	if err != nil {
		s.Close() //nolint:errcheck // the query's own error says why
		return nil, err
	}
	return &cachedRows{Rows: rows, conn: c, text: text, statement: s}, nil
}

// Close closes the cached statements, then the connection.
func (c *cachingConn) Close() error {
	for _, s := range c.idle {
		s.Close() //nolint:errcheck // the connection goes anyway
	}
	clear(c.idle)
	return c.sqliteConn.Close()
}

// cachedRows returns its statement to the cache when it is closed.
type cachedRows struct {
	driver.Rows
	conn      *cachingConn
	text      string
	statement statement
}

// Close ends the reading. database/sql calls it once.
func (r *cachedRows) Close() error {
	if err := r.Rows.Close(); err != nil {
		r.statement.Close() //nolint:errcheck // the first error says why
		return err
	}
	return r.conn.putStatement(r.text, r.statement)
}
