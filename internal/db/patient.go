package db

import (
	"context"
	"database/sql"

	"servery/internal/db/gen"
)

// patient is a context that ends a wait for a connection, but no statement that has begun. database/sql and the
// drivers watch a context that may end with a goroutine for each statement, and waking another thread for it takes as
// long as a short statement. It is for one statement.
type patient struct {
	context.Context

	hasBegun bool
	// isForLater says that the statement may be run with the next one.
	isForLater bool
}

// Done returns nil once the statement has begun.
func (p *patient) Done() <-chan struct{} {
	if p.hasBegun {
		return nil
	}
	return p.Context.Done()
}

// withPatience returns ctx for one statement, which it does not end once the statement has begun.
func withPatience(ctx context.Context) context.Context { return &patient{Context: ctx} }

// beginStatement marks the statement of ctx as begun, where ctx is a [patient] one. A driver calls it when it has the
// connection and something else ends the statement in time. It returns the error of a context that has ended.
func beginStatement(ctx context.Context) error {
	p, ok := ctx.(*patient)
	if !ok {
		return nil // the driver itself looks at it
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	p.hasBegun = true
	return nil
}

// forLater returns ctx as withPatience does, for a statement that may be run with the next one of its transaction.
func forLater(ctx context.Context) context.Context { return &patient{Context: ctx, isForLater: true} }

// isForLater reports whether the statement of ctx may be run with the next one of its transaction.
func isForLater(ctx context.Context) bool {
	p, ok := ctx.(*patient)
	return ok && p.isForLater
}

// patiently runs statements that are not interrupted once they have begun: a caller that goes away neither breaks the
// connection nor leaves it half read.
type patiently struct{ gen.DBTX }

// ExecContext runs a statement that returns no rows.
func (s patiently) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	return s.DBTX.ExecContext(withPatience(ctx), text, args...)
}

// QueryContext runs a statement that returns rows.
func (s patiently) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	return s.DBTX.QueryContext(withPatience(ctx), text, args...)
}

// QueryRowContext runs a statement that returns one row.
func (s patiently) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	return s.DBTX.QueryRowContext(withPatience(ctx), text, args...)
}

// later runs statements that return no rows with the next one of their transaction.
type later struct{ patiently }

// ExecContext runs a statement that returns no rows. Its result says nothing.
func (s later) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	return s.DBTX.ExecContext(forLater(ctx), text, args...)
}
